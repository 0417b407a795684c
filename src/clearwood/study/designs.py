"""Designs: which rows a recipe learns from and which judge it, as plain data.

`clearwood.study.dividing` divides the rows of a table by one. A column that a design names is for dividing
alone: no learner sees it.
"""

from __future__ import annotations

from dataclasses import field
from typing import Final, TypeAlias, assert_never

from clearwood.errors import SettingError
from clearwood.records import dataclass
from clearwood.words.numbers import many

FEW: Final = 100  # rows: with fewer, too few would be held out to judge by
PART: Final = 0.25
FOLDS: Final = 10
_FEW_FOLDS: Final = 3
_SMALL: Final = 25_000  # cells, of which ten folds take no more time than a program needs to start
SAMPLES: Final = 50


@dataclass(frozen=True, slots=True)
class HoldOut:
    """A part of the rows judges, the others are learned from.

    `stratified` holds out the same part of each class, or of small and large numbers alike. Rows of one
    `group`, by the values of that column, stay together. With `then_all`, the model is learned from all rows
    after a first one, learned from the others, was judged on the part.
    """

    part: float = PART
    seed: int = 0
    stratified: bool = field(default=True, kw_only=True)
    group: str | None = field(default=None, kw_only=True)
    then_all: bool = field(default=False, kw_only=True, repr=False)


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


def quick_design(
    rows: int, columns: int, seed: int = 0, *, slow: bool = False
) -> HoldOut | Folds | TrainingRows:
    """To judge in no more time than reading and learning take: folds of a small table, of a large one a part
    that is held out before all rows are learned from. Where learning is `slow`, as of ensembles and curves,
    ten folds would take many times as long, and there are few or none.

    >>> quick_design(14, 4).folds, quick_design(1_000, 20).folds, quick_design(60, 4, slow=True).folds
    (10, 10, 3)
    >>> quick_design(5_000, 20), quick_design(400, 4, slow=True).then_all, quick_design(1, 4)
    (HoldOut(part=0.25, seed=0, stratified=True, group=None), True, TrainingRows(seed=0))
    """
    if rows < 2:
        return TrainingRows(seed)
    if slow and rows < FEW:
        return Folds(min(_FEW_FOLDS, rows), seed)
    if not slow and rows * max(columns, 1) <= _SMALL:
        return Folds(min(FOLDS, rows), seed)
    return HoldOut(PART, seed, then_all=True)


# A design in a few words, as they stand beside a score.


def design_in_words(design: Design | None, parts: int) -> str:
    """What judged, in so many parts.

    >>> design_in_words(Folds(10, repeats=5, group="customer"), 50)
    '10 folds of groups by customer, 5 times'
    >>> design_in_words(LeaveOneOut("patient"), 23), design_in_words(Bootstrap(), 50)
    ('each of 23 groups by patient left out', '50 bootstrap samples')
    """
    match design:
        case None:
            return many(parts, "fold")
        case Folds(group=group, repeats=repeats):
            times = f", {repeats} times" if repeats > 1 else ""
            return f"{many(parts // repeats, 'fold')}{_of_groups(group)}{times}"
        case LeaveOneOut(None):
            return f"each of {many(parts, 'row')} left out"
        case LeaveOneOut(group):
            return f"each of {many(parts, 'group')} by {group} left out"
        case ByTime(column, window=window):
            return f"{many(parts, 'step')} in time by {column}{'' if window is None else ', sliding'}"
        case Bootstrap(group=group):
            return f"{many(parts, 'bootstrap sample')}{_of_groups(group)}"
        case GivenFolds(column):
            return f"{many(parts, 'fold')} given by {column}"
        case HoldOut(group=group):
            return f"one part held out{_of_groups(group)}"
        case TrainingRows():
            return "the training rows"
        case _:
            assert_never(design)


def _of_groups(group: str | None) -> str:
    return "" if group is None else f" of groups by {group}"
