"""A Task: a table made ready for counting, its target as levels, and how a region is measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, assert_never

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Floats, Longs
from clearwood.counting.limits import UNBOUNDED, Bounds, MonotoneLimits
from clearwood.counting.question import Ladder, ladder_of
from clearwood.errors import LearningError
from clearwood.measures import ErrorOf
from clearwood.measures.counts import Counts, ImpurityOf
from clearwood.models.decision import Decision
from clearwood.records import dataclass
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Column, Table

_MANY: Final = 2_000  # rows of a region; fewer are counted as quickly without native code


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """Rows of the table and the weight of each that is here, the questions asked so far above, and what the
    probability must lie between (`limits.py`)."""

    rows: Longs
    weights: Floats
    depth: int = 0
    tested: frozenset[int] = frozenset()
    bounds: Bounds = UNBOUNDED


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What the growers share.

    The target's *levels* are its classes or, for numbers, its distinct values: either way a region is
    a count per level, and one growing loop does for both. Where three sums are all that numbers need, these
    stand in the place of the levels.
    """

    schema: Schema
    columns: tuple[Column | None, ...]  # by position in the schema; None for a column no tree can ask about
    weights: Floats  # [row], times its level's factor; 0 for a row that is absent
    target: npt.NDArray[np.int64]  # [row] → level
    levels: int
    numbers: WeightByValue | BySums | None  # of a numeric target
    impurity: ImpurityOf  # counts [..., level] → [...]
    factors: Floats  # [level] from priors and costs: what a row of it weighs while the tree grows
    decision: Decision
    has_missing: tuple[bool, ...]  # by position in the schema: has a row that counts no value?
    ladders: tuple[Ladder | None, ...]  # by position in the schema: of numbers and ordered values
    limits: MonotoneLimits | None = None  # of columns with a direction

    def everything(self) -> Region:
        rows = np.flatnonzero(self.weights > 0)
        return Region(rows, self.weights[rows])

    def count(self, region: Region, group: Longs | None = None, groups: int = 1) -> Floats:
        """[group, level]: the region's weight; rows with a negative group are left out."""
        place = np.zeros(len(region.rows), dtype=np.int64) if group is None else group
        known = place >= 0
        return self.tally(place[known], region.rows[known], region.weights[known], groups)

    def tally(self, place: Longs, rows: Longs, weights: Floats, places: int) -> Floats:
        """[place, level]: the weight of the rows at each place."""
        if isinstance(self.numbers, BySums):
            distance = self.numbers.y[rows] - self.numbers.origin
            added = (weights, weights * distance, weights * distance**2)
            return np.stack([sums(place, each, places) for each in added]).T
        # Level by level in memory: sums over levels are then sums of long columns, several times as quick.
        cell = self.target[rows] * places + place
        return sums(cell, weights, places * self.levels).reshape(self.levels, places).T

    def counts(self, region: Region) -> Floats:
        """[level]: the region's weight by level."""
        counts: Floats = self.count(region)[0]
        return counts

    def cells(self, attribute: int, region: Region) -> Column:
        """The attribute's column at the region's rows."""
        column = self.columns[attribute]
        assert column is not None
        return column[region.rows]

    def ladder(self, attribute: int) -> Ladder:
        ladder = self.ladders[attribute]
        assert ladder is not None
        return ladder

    def summary(self, counts: Floats) -> tuple[float, ...]:
        """What a node keeps of its counts: weight by class, or weight, value and error."""
        if self.numbers is None:
            return tuple(self.raw(counts).tolist())
        value, error = self.numbers.centre_and_error(counts)
        return float(self.weight(counts)), float(value), float(error)

    @property
    def values(self) -> Floats | None:
        """[level] of a numeric target that is counted by its values."""
        return self.numbers.values if isinstance(self.numbers, WeightByValue) else None

    def weight(self, counts: Floats) -> Floats:
        """[..., level] → [...]: how much it is altogether."""
        whole: Floats = counts[..., 0] if isinstance(self.numbers, BySums) else counts.sum(axis=-1)
        return whole

    def whole(self, counts: Floats) -> float:
        """The same of one region's [level], by plain numbers: quicker, for levels are mostly few."""
        few: list[float] = counts.tolist()
        return few[0] if isinstance(self.numbers, BySums) else sum(few)

    def rows(self, counts: Floats) -> Floats:
        """[..., level] → [...]: the same as it came, without the factors."""
        return self.weight(self.raw(counts))

    def raw(self, counts: Floats) -> Floats:
        """Counts of rows as they came, without the factors."""
        return counts / self.factors

    def is_pure(self, region: Region, counts: Floats) -> bool:
        """Do all rows here say the same?"""
        if isinstance(self.numbers, BySums):
            y = self.numbers.y[region.rows]
            return not len(y) or bool((y == y[0]).all())
        return int((counts > 0).sum()) <= 1


def make_task(
    table: Table,
    decide: Callable[[Floats], tuple[Decision, Floats]],
    impurity: ImpurityOf,
    error_of: ErrorOf | None = None,
    *,
    by_sums: bool = False,
    limits: MonotoneLimits | None = None,
) -> Task:
    """A table's task; `decide` turns the weight of each class into the decision and the scoring factors.

    Rows without weight or target are absent. A value the schema doesn't list counts as missing.
    """
    schema, target = table.schema, table.target
    weights = np.ones(len(table)) if table.weights is None else table.weights.astype(np.float64)
    known = ~np.isnan(target) if isinstance(schema.target, Numeric) else target >= 0
    weights = np.where(known, weights, 0.0)
    if not (weights > 0).any():
        raise LearningError("No row has both a weight and a target, so there is nothing to learn from.")
    numbers: WeightByValue | BySums | None = None
    if isinstance(schema.target, Numeric):
        decision, _ = decide(np.empty(0))
        y = np.where(known, target, 0.0).astype(np.float64)
        present = weights > 0
        if by_sums:
            numbers, level, levels = (
                BySums(y, offset_of(y[present], weights[present])),
                np.zeros(len(y), np.int64),
                3,
            )
        else:
            assert error_of is not None
            values = np.unique(y[present])
            level = np.minimum(np.searchsorted(values, y), len(values) - 1)
            numbers, levels = WeightByValue(values, error_of), len(values)
        impurity, factors = _per_row(numbers), np.ones(levels)
    else:
        level, levels = np.where(known, target, 0).astype(np.int64), len(schema.classes)
        decision, factors = decide(sums(level, weights, levels))
        weights = weights * factors[level]
    columns = _columns(table)
    return Task(
        schema, columns, weights, level, levels, numbers, impurity, factors, decision,
        _have_missing(columns, weights), _ladders(schema, columns, weights), limits,
    )  # fmt: skip


def narrowed(task: Task, region: Region) -> Task:
    """The same for a region of a numeric target: only the values there, or sums from near by."""
    match task.numbers:
        case None:
            return task
        case BySums(y):
            near = BySums(y, offset_of(y[region.rows], region.weights))
            return replace(task, numbers=near, impurity=_per_row(near))
        case WeightByValue(values, error_of):
            held = np.zeros(task.levels, dtype=np.bool_)
            held[task.target[region.rows]] = True
            level, few = np.cumsum(held) - 1, WeightByValue(values[held], error_of)
            return replace(
                task,
                target=level[task.target],
                levels=len(few.values),
                numbers=few,
                impurity=_per_row(few),
                factors=np.ones(len(few.values)),
            )


def repeated(region: Region, times: int) -> tuple[Longs, Floats]:
    """A region's rows and weights so many times over, end to end."""
    return np.concatenate([region.rows] * times), np.concatenate([region.weights] * times)


def counts_rows(task: Task, region: Region) -> bool:
    """Are these most of the rows, each a unit of a class, so that native counts are the same and quick?"""
    return (
        task.numbers is None
        and len(region.rows) >= _MANY
        and 4 * len(region.rows) >= len(task.weights)
        and bool((region.weights == 1.0).all())
    )


def count_rows(task: Task, columns: Sequence[Longs], sizes: Sequence[int], region: Region) -> list[Floats]:
    """By column [code, level]; the last code is that of the cells without one below the column's size."""
    here = np.full(len(task.weights), -1, dtype=np.int32)
    here[region.rows] = 0
    # A code below 0 becomes the largest there is.
    codes = [np.minimum(each.astype(np.uint32), size) for each, size in zip(columns, sizes, strict=True)]
    target = task.target.astype(np.int32)
    counts = _native.region_counts(codes, list(sizes), here, 1, target, task.levels, None)
    return [np.asfortranarray(by_code, dtype=np.float64) for by_code, *_ in counts]


def sums(place: Longs, weights: Floats, size: int) -> Floats:
    """[place]: the weights that fall there, added in row order."""
    return np.bincount(place, weights=weights, minlength=size).astype(np.float64)


def _per_row(numbers: WeightByValue | BySums) -> ImpurityOf:
    """A numeric target's error as an impurity: per row of weight, like those of classes."""

    def impurity(counts: Floats) -> Floats:
        weight = counts[..., 0] if isinstance(numbers, BySums) else counts.sum(axis=-1)
        mean: Floats = numbers.centre_and_error(counts)[1] / np.where(weight > 0, weight, 1.0)
        return mean

    return impurity


def _columns(table: Table) -> tuple[Column | None, ...]:
    return tuple(_column(table, attribute) for attribute in table.schema.attributes)


def _column(table: Table, attribute: Attribute) -> Column | None:
    match attribute:
        case Numeric(name):
            return table.columns[name].astype(np.float64)
        case Nominal(name) | Ordinal(name):
            codes = table.columns[name].astype(np.int64)
            return np.where(codes < 0, MISSING, codes)
        case Text() | Ignored():
            return None
        case _:
            assert_never(attribute)


def _ladders(
    schema: Schema, columns: tuple[Column | None, ...], weights: Floats
) -> tuple[Ladder | None, ...]:
    return tuple(
        ladder_of(attribute, column, weights > 0)
        if column is not None and isinstance(attribute, Numeric | Ordinal)
        else None
        for attribute, column in zip(schema.attributes, columns, strict=True)
    )


def _have_missing(columns: tuple[Column | None, ...], weights: Floats) -> tuple[bool, ...]:
    present = weights > 0
    return tuple(
        column is not None
        and bool(((np.isnan(column) if column.dtype.kind == "f" else column < 0) & present).any())
        for column in columns
    )


# Numbers as a target: a region is the weight of each value, or for squared errors three sums.


_FAR: Final = 10  # standard deviations; sums from farther off would lose digits that decide
_CRUMBS: Final = 1e-12  # of Σw·d²: less than this is what rounding left of nothing


@dataclass(frozen=True, slots=True, eq=False)
class WeightByValue:
    """The weight of each distinct value: does for every error."""

    values: Floats  # [level], ascending
    error_of: ErrorOf

    def centre_and_error(self, counts: Counts) -> tuple[Floats, Floats]:
        """[..., level] → the centre and the error, both [...]."""
        return self.error_of(self.values, counts)


@dataclass(frozen=True, slots=True, eq=False)
class BySums:
    """Σw, Σw·d and Σw·d² of the distances d = y − `origin`: all that the mean and squared errors need."""

    y: Floats  # [row]
    origin: float

    def centre_and_error(self, counts: Counts) -> tuple[Floats, Floats]:
        """[..., sum] → the mean and Σw·(y − mean)² = Σw·d² − (Σw·d)² ÷ Σw, both [...].

        >>> mean, error = BySums(np.empty(0), 0.0).centre_and_error(np.array([3.0, 9.0, 41.0]))
        >>> float(mean), float(error)
        (3.0, 14.0)
        """
        weight, distance, square = counts[..., 0], counts[..., 1], counts[..., 2]
        n = np.where(weight > 0, weight, 1.0)
        error = square - distance**2 / n
        return (
            np.where(weight > 0, self.origin + distance / n, 0.0),
            np.where(error > _CRUMBS * square, error, 0.0),
        )


def offset_of(y: Floats, weights: Floats) -> float:
    """From where to measure these numbers: 0, unless that is far off; then a round number near their mean.

    >>> [offset_of(np.array(y), np.ones(3)) for y in ([1.0, 2.0, 6.0], [2019.5, 2021.0, 2022.0])]
    [0.0, 2021.0]
    """
    if not len(y):
        return 0.0
    mean = float(np.average(y, weights=weights))
    spread = math.sqrt(float(np.average((y - mean) ** 2, weights=weights)))
    if abs(mean) <= _FAR * spread:
        return 0.0
    return round(mean, -math.floor(math.log10(spread))) if spread > 0 else float(y[0])
