"""A Runner: how an export is run for real, and what it answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from clearwood.export.exported import Exported
from clearwood.table.row import Row

REASONED_OUTPUTS: Final = ("leaf or rule", "reason")


@dataclass(frozen=True, slots=True)
class Ran:
    """What the target gave each row: its class or number (None: no answer) and the shares by class, or None
    where the format gives none; and the versions of the programs that were run.

    `reasons` has the text of the leaf or rule by which each row was answered (None: of several), where the
    runner asks for it, and `reasons_by` the outputs that it is from. `instead` says what was run in the
    target's place, where the target itself was not: then the text was checked, and the target is "not run".
    """

    answers: tuple[str | float | None, ...]
    shares: tuple[tuple[float, ...], ...] | None
    versions: Mapping[str, str]
    instead: str = ""
    reasons: tuple[str | None, ...] | None = None
    reasons_by: tuple[str, ...] = REASONED_OUTPUTS


@dataclass(frozen=True, slots=True)
class NotRun:
    """Why the target was not run: a sentence that says what is missing."""

    because: str


Running: TypeAlias = Callable[[Exported, Sequence[Row]], Ran | NotRun]


@dataclass(frozen=True, slots=True)
class Runner:
    """A program that exports are run in; `is_target`: it is what they were written for, not another in its
    place."""

    name: str
    run: Running
    is_target: bool = True
