"""An origin that can be asked for its own answers, and what it says of rows that it refuses."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.exporting.proof.adversarial import MOST_ROWS, adversarial_rows
from clearwood.models.kinds.bayes.distributions import Bag
from clearwood.models.model import BayesTables, Model
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal

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


# Rows of which another program refuses some: asked again by halves, until those are alone.
#
# Many programs refuse a whole table for the sake of one cell. What they answer is kept, what they refuse is
# counted.


@dataclass(frozen=True, slots=True)
class AnsweredRows:
    """The rows that got an answer, with it, and of each other row why it got none."""

    rows: list[RowCells]
    answers: OwnAnswers
    reasons: list[str]


def asked_by_halves(
    ask: Callable[[list[RowCells]], OwnAnswers], rows: list[RowCells], most: int
) -> AnsweredRows:
    """Ask about all rows, and again about halves of what is refused, at `most` so many times; rows of halves
    that are refused then count as refused."""
    answered: list[tuple[list[RowCells], OwnAnswers]] = []
    reasons: list[str] = []
    waiting = [rows] if rows else []
    while waiting:
        part = waiting.pop()
        most -= 1
        try:
            answered.append((part, ask(part)))
        except OriginRefusesError as error:
            if len(part) == 1 or most <= 0:
                reasons += [str(error)] * len(part)
            else:
                middle = len(part) // 2
                waiting += [part[middle:], part[:middle]]
    return AnsweredRows([row for part, _ in answered for row in part], _joined(answered), reasons)


def _joined(parts: Sequence[tuple[list[RowCells], OwnAnswers]]) -> OwnAnswers:
    """The answers to parts one after another."""
    if len(parts) == 1:
        return parts[0][1]
    figures = [each.figures for _, each in parts if each.figures is not None]
    codes = [code for _, each in parts for code in each.codes or ()]
    refused = [because for rows, each in parts for because in each.refused or [""] * len(rows)]
    return OwnAnswers(np.concatenate(figures) if figures else None, codes or None, refused)


# Adversarial rows: those that prove exports, in groups by what is unusual in them, which an origin may
# refuse.


RowCells: TypeAlias = dict[str, float | str | None]
UNSEEN: Final = "a value never met"
KNOWN: Final = "rows on thresholds and beside them"
_LARGEST: Final = float(np.finfo(np.float32).max)


@dataclass(frozen=True, slots=True)
class AdversarialGroup:
    """Rows with one thing in common, which the origin may refuse together."""

    what: str
    rows: list[RowCells]


def adversarial_groups(model: Model, most: int = MOST_ROWS) -> list[AdversarialGroup]:
    """Rows made from the model, with the neighbours of cuts in single precision too.

    Many programs refuse all rows of a table for the sake of one cell, so that each group has one thing that
    may be refused.
    """
    inputs = [each for each in model.schema.inputs if isinstance(each, Nominal | Ordinal | Numeric)]
    usual = {each.name: _usual(each) for each in inputs}
    counted = _counted(model)
    groups: dict[str, list[RowCells]] = {KNOWN: []}
    for made in adversarial_rows(model, most=most, single=True):
        row: RowCells = {**usual, **made}
        if not _counts_below_0(row, counted):
            groups.setdefault(_unusual(row, inputs), []).append(row)
    return [AdversarialGroup(what, rows) for what, rows in groups.items() if rows]


def _usual(attribute: Nominal | Ordinal | Numeric) -> float | str | None:
    """The cell of a column that the model does not ask, but its origin may want to be there."""
    if isinstance(attribute, Numeric):
        return 0.0
    return attribute.values[0] if attribute.values else None


def _counts_below_0(row: RowCells, counted: frozenset[str]) -> bool:
    """Does a column count less than nothing? No program defines what that means."""
    return any(isinstance(cell := row[name], float) and cell < 0 for name in counted)


def _unusual(row: RowCells, inputs: list[Nominal | Ordinal | Numeric]) -> str:
    """What is unusual in a row, by name where it is one column."""
    missing = [each.name for each in inputs if row[each.name] is None]
    unseen = [each.name for each in inputs if _is_unseen(each, row[each.name])]
    found = []
    if missing:
        found.append(f"{missing[0]} missing" if len(missing) == 1 else "several cells missing")
    if unseen:
        found.append(f"a value of {unseen[0]} never met" if len(unseen) == 1 else "several values never met")
    if any(isinstance(cell, float) and abs(cell) > _LARGEST for cell in row.values()):
        found.append("numbers beyond single precision")
    return ", ".join(found) or KNOWN


def _is_unseen(attribute: Attribute, cell: float | str | None) -> bool:
    return isinstance(attribute, Nominal | Ordinal) and cell is not None and cell not in attribute.values


def _counted(model: Model) -> frozenset[str]:
    """The columns that count things."""
    if not isinstance(model, BayesTables):
        return frozenset()
    return frozenset(name for each in model.distributions if isinstance(each, Bag) for name in each.names)
