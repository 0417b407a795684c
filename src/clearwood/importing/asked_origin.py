"""An origin that can be asked for its own answers, and what it says of rows that it refuses."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from clearwood.arrays import Floats
from clearwood.importing.hurting_rows import RowCells

BOUND: Final = 1e-12  # of a share, and of a number relative to its size
SINGLE_BOUND: Final = 1e-6  # the same, where the origin adds up in single precision
# What XGBoost's log puts before a message: a clock, and a place in its own source.
_BEFORE: Final = re.compile(r"^\[\d\d:\d\d:\d\d\] \S+:\d+: ")


@dataclass(frozen=True, slots=True)
class OwnAnswers:
    """Shares [row, class] or numbers [row, 1], in the order of the model's classes; None where only classes
    are known, which then are in `codes`."""

    figures: Floats | None
    codes: Sequence[int] | None = None  # the classes that it answers, where it says so itself
    refused: Sequence[str] = ()  # [row] why it has no answer; empty: it has one


@dataclass(frozen=True, slots=True)
class AskedOrigin:
    """A program that can be asked, within which bound it must agree, or why it cannot be run. One that is
    asked `at_once` refuses each row by itself; others may refuse many for the sake of one. `on_trust` says
    what the comparison cannot see."""

    program: str
    ask: Callable[[list[RowCells]], OwnAnswers] | None
    bound: float = BOUND
    not_run: str = ""
    at_once: bool = False
    on_trust: str = ""


class OriginRefusesError(Exception):
    """The other program has no answer to some of these rows; the message is its own."""


def called(function: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """What another program's function answers; whatever it raises is that it refuses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # of extreme numbers
            return function(*given, **options)
    except Exception as error:
        raise OriginRefusesError(message_of(error)) from error


def message_of(error: Exception) -> str:
    """The first line of what a program says, without its clock and its source.

    >>> message_of(ValueError("[15:44:30] /src/data.cc:1196: Check failed.\\nStack trace:"))
    'Check failed.'
    """
    return _BEFORE.sub("", str(error).strip().partition("\n")[0]) or type(error).__name__
