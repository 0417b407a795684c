"""What a definition sees: a region of a table as counts, and how counts are measured."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.counting.coding import Coding, ColumnCoding
from clearwood.counting.cuts import ColumnCounts
from clearwood.counting.engine import Cells, CountingEngine, Frontier, Path
from clearwood.learners.directions import UNBOUNDED, Bounds, MonotoneLimits
from clearwood.measures import ErrorOf
from clearwood.measures.impurity import Counts, ImpurityOf
from clearwood.models.decision import Decision
from clearwood.records import dataclass
from clearwood.table.schema import Schema


@dataclass(frozen=True, slots=True, eq=False)
class TreeTask:
    """What the growers share: whom they ask for counts, and how they measure them.

    The target's *levels* are its classes or, for numbers, its distinct values: either way a region is
    a count per level, and one growing loop does for both. Where three sums are all that numbers need, these
    stand in the place of the levels.
    """

    engine: CountingEngine
    numbers: WeightByValue | BySums | None  # of a numeric target
    impurity: ImpurityOf  # counts [..., level] → [...]
    factors: Floats  # [level] from priors and costs: what a row of it weighs while the tree grows
    decision: Decision
    measure: str = ""  # the name of the impurity of classes
    total: float = 0.0  # the weight of the whole table, with the factors
    has_missing: tuple[bool, ...] = ()  # by position in the schema: has a row that counts no value?
    limits: MonotoneLimits | None = None  # of columns with a direction

    @property
    def schema(self) -> Schema:
        return self.engine.schema

    @property
    def coding(self) -> Coding:
        return self.engine.coding

    @property
    def usable(self) -> tuple[int, ...]:
        """The positions in the schema of the columns that a tree can ask about."""
        return self.coding.positions

    @property
    def levels(self) -> int:
        return len(self.factors)

    def place(self, position: int) -> int:
        """An attribute's place in the coding, by its position in the schema."""
        return self.coding.positions.index(position)

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
        return counts[..., 0] if isinstance(self.numbers, BySums) else counts.sum(axis=-1)

    def whole(self, counts: Floats) -> float:
        """The same of one region's [level], by plain numbers: quicker, for levels are mostly few."""
        few: list[float] = counts.tolist()
        return few[0] if isinstance(self.numbers, BySums) else sum(few)

    def rows(self, counts: Floats) -> Floats:
        """[..., level] → [...]: the same as it came, without the factors."""
        return self.weight(self.raw(counts))

    def raw(self, counts: Floats) -> Floats:
        """Counts of rows as they came, without the factors; whole rows stay whole, whatever the division."""
        if (self.factors == 1.0).all():
            return counts
        raw = counts / self.factors
        whole = np.rint(raw)
        return np.where(np.abs(raw - whole) <= _WHOLE * whole, whole, raw)

    def narrowed(self, totals: Cells) -> TreeTask:
        """The same for a region: of a numeric target only the values there, or sums from near by."""
        levels = np.unique(totals.level)
        match self.numbers:
            case None:
                return self
            case BySums(values):
                weights = sums(np.searchsorted(levels, totals.level), totals.floats(), len(levels))
                near = BySums(values, offset_of(values[levels], weights))
                return replace(self, numbers=near, impurity=per_row(near))
            case WeightByValue(values, error_of, every):
                few = WeightByValue(every[levels], error_of, every)
                return replace(self, numbers=few, impurity=per_row(few), factors=np.ones(len(levels)))

    def counts(self, cells: Cells, place: Longs, places: int) -> Floats:
        """[place, level] or [place, sum] of one region's cells, each at its place."""
        weights = cells.floats()
        match self.numbers:
            case BySums(values, origin):
                distance = values[cells.level] - origin
                added = (weights, weights * distance, weights * distance**2)
                return np.stack([sums(place, each, places) for each in added]).T
            case WeightByValue(values, _, every):
                level = np.searchsorted(values, every[cells.level])
            case None:
                level = cells.level
        # Level by level in memory: sums over levels are then sums of long columns, several times as quick.
        counts = np.zeros((self.levels, places))
        counts[level, place] = weights
        return counts.T


_WHOLE: Final = 1e-9  # what a factor and its inverse may have taken from a whole row


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A region as a definition sees it: the questions above, and its counts; of numbers, as they are measured
    here. `columns` are those that were counted, by position in the schema."""

    task: TreeTask
    path: Path
    counts: Floats  # [level]
    pure: bool  # do all rows here say the same?
    bounds: Bounds = UNBOUNDED  # what the probability must lie between (`directions.py`)
    columns: Mapping[int, ColumnCounts] = field(default_factory=dict)

    @property
    def depth(self) -> int:
        return len(self.path)

    @property
    def impurity(self) -> float:
        return float(self.task.impurity(self.counts))

    @property
    def tested(self) -> frozenset[int]:
        """The positions of the attributes asked about above."""
        return frozenset(step.question.attribute for step in self.path)


def regions_at(task: TreeTask, frontier: Frontier, bounds: Sequence[Bounds] | None = None) -> list[Region]:
    """The regions of a frontier with their totals."""
    totals = task.engine.totals(frontier)
    regions = []
    for place, path in enumerate(frontier.regions):
        cells = totals.of(place)
        near = task.narrowed(cells)
        counts = near.counts(cells, np.zeros(len(cells.level), dtype=np.int64), 1)[0]
        limits = UNBOUNDED if bounds is None else bounds[place]
        regions.append(Region(near, path, counts, len(cells.level) <= 1, limits))
    return regions


def with_columns(frontier: Frontier, regions: Sequence[Region]) -> list[Region]:
    """The same regions with the counts of every column that a tree can ask about."""
    if not regions:
        return []
    task = regions[0].task
    counted = task.engine.values(frontier, range(len(task.coding)))
    return [
        replace(
            region,
            columns={
                column.position: _column_counts(region.task, column, cells.of(place))
                for column, cells in zip(task.coding.columns, counted, strict=True)
            },
        )
        for place, region in enumerate(regions)
    ]


def _column_counts(task: TreeTask, column: ColumnCoding, cells: Cells) -> ColumnCounts:
    codes, place = np.unique(cells.code, return_inverse=True)
    counts = task.counts(cells, place, len(codes))
    if len(codes) and codes[-1] == column.known:
        return ColumnCounts(column, codes[:-1], counts[:-1], counts[-1])
    return ColumnCounts(column, codes, counts, np.zeros(counts.shape[1]))


def sums(place: Longs, weights: Floats, places: int) -> Floats:
    """[place] the weights that fall there."""
    return np.bincount(place, weights, places).astype(np.float64)


# Numbers as a target: a region is the weight of each value, or for squared errors three sums.


def per_row(numbers: WeightByValue | BySums) -> ImpurityOf:
    """A numeric target's error as an impurity: per row of weight, like those of classes."""

    def impurity(counts: Floats) -> Floats:
        weight = counts[..., 0] if isinstance(numbers, BySums) else counts.sum(axis=-1)
        return numbers.centre_and_error(counts)[1] / np.where(weight > 0, weight, 1.0)

    return impurity


_FAR: Final = 10  # standard deviations; sums from farther off would lose digits that decide
_CRUMBS: Final = 1e-12  # of Σw·d²: less than this is what rounding left of nothing


@dataclass(frozen=True, slots=True, eq=False)
class WeightByValue:
    """The weight of each distinct value: does for every error."""

    values: Floats  # [level], ascending
    error_of: ErrorOf
    every: Floats  # [level of the engine]; the same but in a region, which has some of them

    def centre_and_error(self, counts: Counts) -> tuple[Floats, Floats]:
        """[..., level] → the centre and the error, both [...]."""
        return self.error_of(self.values, counts)


@dataclass(frozen=True, slots=True, eq=False)
class BySums:
    """Σw, Σw·d and Σw·d² of the distances d = y − `origin`: all that the mean and squared errors need."""

    values: Floats  # [level of the engine]
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
