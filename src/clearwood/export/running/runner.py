"""A Runner: how an export is run for real, and what it answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from clearwood.export.exportable import gives_points
from clearwood.export.exported import Exported
from clearwood.table.row import Row


@dataclass(frozen=True, slots=True)
class Ran:
    """What the target gave each row: its class or number (None: no answer) and the shares by class, or None
    where the format gives none; and the versions of the programs that were run.

    `reasons` has the text of the leaf or rule by which each row was answered (None: of several), where the
    runner asks for it; `points` has each row's sum of points, of a scorecard. `instead` says what was run in
    the target's place, where the target itself was not: then the text was checked, and the target is "not
    run".
    """

    answers: tuple[str | float | None, ...]
    shares: tuple[tuple[float, ...], ...] | None
    versions: Mapping[str, str]
    instead: str = ""
    reasons: tuple[str | None, ...] | None = None
    points: tuple[float, ...] | None = None


def ran_with(
    exported: Exported,
    answers: Iterable[str | float | None],
    numbers: Iterable[Sequence[float]],
    versions: Mapping[str, str],
) -> Ran:
    """What a target gave: `numbers` are each row's shares, of a scorecard with its points behind them."""
    given = tuple(map(tuple, numbers))
    if not exported.model.schema.classes:
        return Ran(tuple(answers), None, versions)
    if not gives_points(exported.model):
        return Ran(tuple(answers), given, versions)
    shares = tuple(each[:-1] for each in given)
    return Ran(tuple(answers), shares, versions, points=tuple(each[-1] for each in given))


@dataclass(frozen=True, slots=True)
class NotRun:
    """Why the target was not run: a sentence that says what is missing."""

    because: str


Running: TypeAlias = Callable[[Exported, Sequence[Row]], Ran | NotRun]


@dataclass(frozen=True, slots=True)
class Runner:
    """A program that exports are run in."""

    name: str
    run: Running
