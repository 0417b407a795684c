"""What the boosting of an additive model is given, and what it gives: whole numbers, for both engines."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats, Ints, Longs
from clearwood.counting.coding import Code, ColumnCoding, codes_of, coding_of
from clearwood.counting.cuts import midpoint
from clearwood.errors import Advice, LearningError, Place
from clearwood.learners.discretising import quantile_ends
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import UNSEEN, Column, Table, Weights

if TYPE_CHECKING:
    from clearwood.learners.ensembles.gam import GAM

GamLoss: TypeAlias = Literal["logistic", "softmax", "squared"]
CellCodes: TypeAlias = npt.NDArray[np.uint16]  # [row]
WatchRounds: TypeAlias = Callable[[int, float], bool]  # rounds done, their loss or NaN → enough?


@dataclass(frozen=True, slots=True, eq=False)
class GamTask:
    """The target and the weights of the rows, and the learner's settings; `numbers` and `base` [score] are in
    units of 2⁻²⁰. Scores × `scale` + `centre` are the user's numbers."""

    settings: GAM
    loss: GamLoss
    classes: Ints  # [row]; empty for numbers
    numbers: Longs  # [row]; empty for classes
    weights: Floats | None
    cumulative: Floats | None  # [row] the weights' running sum, where they differ
    base: Longs
    draws: int  # rows that a bag draws with replacement
    scale: float = 1.0
    centre: float = 0.0

    def __len__(self) -> int:
        return max(len(self.classes), len(self.numbers))

    @property
    def bags(self) -> int:
        return self.settings.bags_of(self.draws)

    @property
    def score(self) -> tuple[str, float]:
        """What the loss is called, and what makes it that of the user's numbers."""
        return ("squared error", self.scale**2) if self.loss == "squared" else ("log loss", 1.0)

    def native(self) -> tuple[Any, ...]:
        place = ("logistic", "softmax", "squared").index(self.loss)
        return place, self.classes, self.numbers, self.weights, self.cumulative, self.base


@dataclass(frozen=True, slots=True, eq=False)
class GamTerm:
    """A column as cells: those of its intervals or values in order, then missing, then unseen. Or a pair: a
    table of `wide` columns, cut at the places `first` and `second`."""

    codes: CellCodes
    cells: int
    ordered: bool = True
    wide: int = 0  # 0: a column
    first: tuple[int, ...] = ()  # [cell] its place among the cut positions; −1: takes no step
    second: tuple[int, ...] = ()
    direction: int = 0  # of a column: 1 if no step falls along its cells, −1 if none rises, 0: free
    name: str = ""  # of a column
    cuts: tuple[float, ...] = ()

    @property
    def missing(self) -> int:
        """The cell of a column's missing values."""
        return self.cells - 2

    def native(self) -> tuple[Any, ...]:
        places = list(self.first), list(self.second)
        return self.codes, self.cells, self.ordered, self.wide, *places, self.direction


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


# The target of an additive model in whole numbers: classes with their base scores, or numbers in units.


_MOST_DRAWS: Final = 16  # draws per row: beyond, a heavy row's weight is a chance only
SURELY: Final = 40.0  # by so much the score of a class that no row has is below: its share is 0, nearly


def gam_task(learner: GAM, rows: Table) -> GamTask:
    """The target in whole numbers, and what is asked of it."""
    weights, draws = rows.weights, draws_of(rows)
    equal = weights is None or bool((weights == weights[0]).all())
    cumulative = None if equal or weights is None else np.cumsum(weights)
    no_classes, no_numbers = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int64)
    if isinstance(rows.schema.target, Numeric):
        y = rows.target.astype(np.float64)
        w = np.ones(len(y)) if weights is None else weights
        whole = math.fsum(w.tolist())
        centre = math.fsum((w * (y / whole)).tolist())
        off = y - centre
        largest = float(np.abs(off).max())
        scale = largest and largest * math.sqrt(math.fsum((w * (off / largest) ** 2).tolist()) / whole)
        scale = scale or 1.0
        numbers = np.rint(off / scale * UNIT).astype(np.int64)
        base = np.zeros(1, dtype=np.int64)
        return GamTask(
            learner, "squared", no_classes, numbers, weights, cumulative, base, draws, scale, centre
        )
    names = rows.schema.classes
    by_class = np.bincount(rows.target, weights, len(names))
    classes = np.ascontiguousarray(rows.target, dtype=np.int32)
    if len(names) == 2:
        odds = [math.log(float(by_class[1]) / float(by_class[0]))]
        loss: GamLoss = "logistic"
    else:
        odds = [math.log(float(each / by_class.sum())) if each > 0 else -SURELY for each in by_class]
        loss = "softmax"
    base = np.array([round(each * UNIT) for each in odds], dtype=np.int64)
    return GamTask(learner, loss, classes, no_numbers, weights, cumulative, base, draws)


def draws_of(rows: Table) -> int:
    """How many rows a bag draws: as many as the weights count."""
    total = float(len(rows)) if rows.weights is None else float(rows.weights.sum())
    return int(min(max(round(total), 1), _MOST_DRAWS * len(rows)))


# The cells of an additive model's columns: intervals or values, and one each for missing and unseen.


_MOST_VALUES: Final = 60_000  # a cell's number fits two bytes


def cell_columns(rows: Table, bins: int) -> list[GamTerm]:
    """Every column that can have a curve, in the schema's order.

    >>> from clearwood.table import read_table
    >>> table = read_table({"x": [1.0, 3.0, None, 4.0], "y": ["a", "a", "b", "b"]}, target="y")
    >>> [(each.cuts, each.codes.tolist(), each.cells) for each in cell_columns(table, 255)]
    [((2.0, 3.5), [0, 1, 3, 2], 5)]
    """
    for each in rows.schema.inputs:
        if isinstance(each, Nominal | Ordinal) and len(each.values) > _MOST_VALUES:
            raise LearningError(
                f"Column '{each.name}' has {len(each.values):,} values; a curve has at most "
                f"{_MOST_VALUES:,}. Leave it out: ",
                Advice("ignore", [each.name]),
                ", or group its values first.",
                place=Place(column=each.name),
            )
    cuts = {
        each.name: each.cuts or cuts_between(rows.columns[each.name], rows.weights, bins)
        for each in rows.schema.inputs
        if isinstance(each, Numeric)
    }
    coded = codes_of(rows, coding_of(rows, cuts=cuts))
    return [
        _cell_column(column, codes, rows)
        for column, codes in zip(coded.coding.columns, coded.columns, strict=True)
    ]


def _cell_column(column: ColumnCoding, codes: Code, rows: Table) -> GamTerm:
    name, cells = column.attribute.name, codes.astype(np.uint16)
    if not column.numeric:
        cells[rows.columns[name] == UNSEEN] += 1
    cuts = tuple(column.cuts.tolist())
    return GamTerm(cells, column.known + 2, column.ordered, name=name, cuts=cuts)


def cuts_between(column: Column, weights: Weights | None, bins: int) -> tuple[float, ...]:
    """Midpoints between neighbouring values: all, or those at quantiles where values are more than bins."""
    known = ~np.isnan(column)
    numbers = column[known].astype(np.float64)
    values = np.unique(numbers)
    if len(values) < 2:
        return ()
    if len(values) <= bins:
        low, high = values[:-1], values[1:]
    else:
        low = quantile_ends(numbers, None if weights is None else weights[known], bins)
        high = values[np.searchsorted(values, low, side="right")]
    return tuple(midpoint(a, b) for a, b in zip(low.tolist(), high.tolist(), strict=True))


# The curves of the losses as whole numbers, the same on every machine: share, power of e, ln(1 + e^s).
#
# A point each 1/128 of a score; between two points both engines go by a straight line. The library's `exp`
# differs between machines in its last digit, so powers of e are made by multiplying whole numbers.


Curves: TypeAlias = tuple[Ints, Ints, Floats]

BITS: Final = 20  # scores, shares and gradients are whole numbers of units of 2⁻²⁰
UNIT: Final = 1 << BITS
REACH: Final = 16  # beyond ±16 a share is 0 or 1, to a ten-millionth
POWER_BITS: Final = 24  # powers of e are whole numbers of units of 2⁻²⁴
_WIDE: Final = 128  # bits behind the point while powers are multiplied
_HALVES: Final = 256  # half-points to a score
STEP_BITS: Final = BITS - 7  # of a score between two points


@cache
def curves() -> Curves:
    """The share at scores −16 … 16 in units, e^x for x from −16 to 0 in units of 2⁻²⁴, and ln(1 + e^s).

    >>> share, power, softplus = curves()
    >>> (float(share[2048] / UNIT), float(power[-1] / 2**24), round(float(softplus[2048]), 6))
    (0.5, 1.0, 0.693147)
    """
    powers = _powers(REACH * _HALVES)  # [k] e^(−k/256)
    one = 1 << _WIDE
    below = [(p << _WIDE) // (one + p) for p in reversed(powers)]  # the share at −16 … 0, each half-point
    shares = below + [one - share for share in reversed(below[:-1])]
    points = shares[::2]
    logistic = np.array([_rounded(share, BITS) for share in points], dtype=np.int32)
    exponential = np.array([_rounded(p, POWER_BITS) for p in reversed(powers[::2])], dtype=np.int32)
    # ln(1 + e^s) is what the share adds up to: by Simpson's rule from point to point.
    size = [share / one for share in shares]
    softplus = [powers[-1] / one]
    for k in range(0, len(size) - 1, 2):
        softplus.append(softplus[-1] + (size[k] + 4.0 * size[k + 1] + size[k + 2]) / (6.0 * _HALVES / 2))
    return logistic, exponential, np.array(softplus)


def _powers(count: int) -> list[int]:
    """[k] e^(−k/256) for k from 0 to count, behind `_WIDE` bits."""
    one = 1 << _WIDE
    step, term, k = one, one, 0
    while term:
        k += 1
        term //= _HALVES * k
        step += term if k % 2 == 0 else -term
    powers = [one]
    for _ in range(count):
        powers.append((powers[-1] * step) >> _WIDE)
    return powers


def _rounded(number: int, bits: int) -> int:
    return (number + (1 << (_WIDE - bits - 1))) >> (_WIDE - bits)


def _between_points(curve: Ints, at: Longs) -> Longs:
    """The curve at so many units from its first point, by a straight line between two points."""
    points, place, part = curve.astype(np.int64), at >> STEP_BITS, at & ((1 << STEP_BITS) - 1)
    return np.asarray(points[place] + (((points[place + 1] - points[place]) * part) >> STEP_BITS))


def logistic_shares(scores: Longs) -> Longs:
    """The share of the second of two classes, in units, at scores in units.

    >>> logistic_shares(np.array([0, UNIT, -40 * UNIT])).tolist()
    [524288, 766570, 0]
    """
    at = np.clip(scores, -REACH * UNIT, REACH * UNIT - 1) + REACH * UNIT
    return _between_points(curves()[0], at)


def powers_of_e(scores: Longs) -> Longs:
    """[row, score] e^(score − the row's highest), in units of 2⁻²⁴; 0 from 16 below it."""
    below = scores - scores.max(axis=1, keepdims=True)
    at = np.clip(below + REACH * UNIT, 0, REACH * UNIT - 1)
    return np.where(below < -REACH * UNIT, 0, _between_points(curves()[1], at))


def softmax_shares(scores: Longs) -> Longs:
    """[row, score] each class's share, in units.

    >>> softmax_shares(np.array([[0, 0], [UNIT, 0]])).tolist()
    [[524287, 524287], [766570, 282005]]
    """
    power = powers_of_e(scores)
    each = (1 << 50) // power.sum(axis=1, keepdims=True)
    return np.asarray((power * each) >> 30)
