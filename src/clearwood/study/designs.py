"""Designs: which rows a recipe learns from and which judge it, as plain data.

`clearwood.study.dividing` divides the rows of a table by one. A column that a design names is for dividing
alone: no learner sees it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from clearwood.errors import SettingError

FEW: Final = 100  # rows: with fewer, too few would be held out to judge by
PART: Final = 0.25
FOLDS: Final = 10
SAMPLES: Final = 50


@dataclass(frozen=True, slots=True)
class HoldOut:
    """A part of the rows judges, the others are learned from.

    `stratified` holds out the same part of each class, or of small and large numbers alike. Rows of one
    `group`, by the values of that column, stay together.
    """

    part: float = PART
    seed: int = 0
    stratified: bool = field(default=True, kw_only=True)
    group: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class Folds:
    """All rows are learned from; the recipe is judged fold by fold, each time on rows left out; all of it
    `repeats` times, with the rows dealt anew."""

    folds: int = FOLDS
    seed: int = 0
    repeats: int = field(default=1, kw_only=True)
    stratified: bool = field(default=True, kw_only=True)
    group: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class LeaveOneOut:
    """Each row, or each group of rows, judges a model learned from all others."""

    group: str | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class ByTime:
    """Later rows judge what was learned from earlier ones, in `folds` steps; rows of one time stay together.

    `column` is a number, an ordered column, or one of dates. Each step learns from all rows before it, or
    from those of a `window` before it alone. `gap` leaves out what lies directly before it. Both are in the
    units of a column of numbers, in days of dates, in steps of an ordered column.
    """

    column: str
    folds: int = 5
    window: float | None = None
    gap: float = 0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """`samples` times as many rows, or groups, as there are, are drawn with replacement and learned from;
    those not drawn judge. Errors on them are pessimistic: the .632+ estimate corrects that."""

    samples: int = SAMPLES
    seed: int = 0
    group: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class GivenFolds:
    """The values of a column are the folds: the rows of each in turn judge."""

    column: str
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.column, str):
            raise SettingError(
                "GivenFolds names the column whose values are the folds. Pairs of rows are given to "
                "cross_validate as folds=[(learned from, held out), …]."
            )


@dataclass(frozen=True, slots=True)
class TrainingRows:
    """All rows are learned from, and no others judge."""

    seed: int = 0


Design: TypeAlias = HoldOut | Folds | LeaveOneOut | ByTime | Bootstrap | GivenFolds | TrainingRows


def columns_for_dividing(design: Design) -> tuple[str, ...]:
    """The columns that a design names, which no learner may see.

    >>> columns_for_dividing(Folds(5, group="customer")), columns_for_dividing(Folds(5))
    (('customer',), ())
    """
    named = design.column if isinstance(design, ByTime | GivenFolds) else getattr(design, "group", None)
    return () if named is None else (named,)


def usual_design(rows: int, seed: int = 0) -> HoldOut | Folds | TrainingRows:
    """A quarter held out; with fewer than 100 rows as many folds as they allow, up to ten.

    >>> usual_design(400).part, usual_design(14).folds, usual_design(1)
    (0.25, 10, TrainingRows(seed=0))
    """
    if rows >= FEW:
        return HoldOut(PART, seed)
    return TrainingRows(seed) if rows < 2 else Folds(min(FOLDS, rows), seed)
