"""What the boosting of an additive model is given, and what it gives: whole numbers, for both engines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from clearwood.arrays import Floats, Ints, Longs
from clearwood.learners.ensembles.gam_cells import CellCodes, CellColumn

GamLoss: TypeAlias = Literal["logistic", "softmax", "squared"]
WatchRounds: TypeAlias = Callable[[int, float], bool]  # rounds done, their loss or NaN → enough?


@dataclass(frozen=True, slots=True, eq=False)
class GamRows:
    """The target and the weights; `numbers` and `base` [score] are in units of 2⁻²⁰."""

    loss: GamLoss
    classes: Ints  # [row]; empty for numbers
    numbers: Longs  # [row]; empty for classes
    weights: Floats | None
    cumulative: Floats | None  # [row] the weights' running sum, where they differ
    base: Longs

    def __len__(self) -> int:
        return max(len(self.classes), len(self.numbers))

    def native(self) -> tuple[Any, ...]:
        place = ("logistic", "softmax", "squared").index(self.loss)
        return place, self.classes, self.numbers, self.weights, self.cumulative, self.base


@dataclass(frozen=True, slots=True)
class Bags:
    """How many bags, how many rows each draws with replacement, and the seed."""

    bags: int
    draws: int
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class GamTerm:
    """A column, or a pair: a table of `wide` columns, cut at the places `first` and `second`."""

    codes: CellCodes
    cells: int
    ordered: bool = True
    wide: int = 0  # 0: a column
    first: tuple[int, ...] = ()  # [cell] its place among the cut positions; −1: takes no step
    second: tuple[int, ...] = ()
    direction: int = 0  # of a column: 1 if no step falls along its cells, −1 if none rises, 0: free

    def native(self) -> tuple[Any, ...]:
        places = list(self.first), list(self.second)
        return self.codes, self.cells, self.ordered, self.wide, *places, self.direction


def column_term(column: CellColumn) -> GamTerm:
    """A column as a term."""
    return GamTerm(column.codes, column.cells, column.ordered, direction=column.direction)


@dataclass(frozen=True, slots=True)
class GamSettings:
    """How steps are taken, and when they end."""

    rounds: int
    patience: int
    leaves: int
    rate: float
    l2: float
    min_leaf: int
    smoothing: int  # rounds at first whose cuts fall by chance

    def native(self) -> tuple[Any, ...]:
        return self.rounds, self.patience, self.leaves, self.rate, self.l2, self.min_leaf, self.smoothing


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """The terms boosted before, and their points [bag, score, cell of all terms]."""

    terms: list[GamTerm] = field(default_factory=list)
    points: Longs | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Boosted:
    """Points [bag, score, cell of all terms] in units, the rounds kept, and the losses."""

    points: Longs
    best: int
    losses: list[float]  # [round] of the rows not drawn, the first before any; empty where all drew all
    interrupted: bool = False
