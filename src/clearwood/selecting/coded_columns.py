"""Columns as codes: every column and the target as values that can be counted, numbers cut into intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats, Ints
from clearwood.bounds import Whole
from clearwood.counting.coding import interval_codes
from clearwood.learners.discretising import CutMethod, bin_column, cuts_for, interval_names
from clearwood.measures.contingency import chi_square
from clearwood.measures.information import entropy, gain, ratio, split_information
from clearwood.registry import checked
from clearwood.selecting.ranking import ColumnOrder, ColumnScore, OrderOf, Selector, best_first
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Table, Weights
from clearwood.words.numbers import with_and

PARTS: Final = 10  # of a numeric target, of about equal weight
_MOST_CELLS: Final = 2_000_000  # of a table of counts; a larger one is counted by the pairs that occur
_MOST_NAMES: Final = 5  # of columns, in a note


@dataclass(frozen=True, slots=True, eq=False)
class CountableColumns:
    """The codes of each column and of the target, below 0 where a cell is missing; how many values each has.

    A numeric column that no cut is worth making in has one value: it tells nothing.
    """

    codes: Mapping[str, Ints]  # by column [row]
    sizes: Mapping[str, int]
    target: Ints  # [row]
    classes: int
    weights: Weights | None
    notes: tuple[str, ...] = ()

    def counts(self, name: str) -> Floats:
        """[value, class] the weight of the rows whose cell is known."""
        return count_pairs(self.codes[name], self.target, self.weights, self.sizes[name], self.classes)

    def known(self, name: str) -> float:
        """The part of the weight whose cell is known."""
        there = self.codes[name] >= 0
        if self.weights is None:
            return float(there.mean())
        return float(self.weights[there].sum() / self.weights.sum())

    def shared(self, name: str, other: str | None = None) -> SharedBits:
        """What a column and another, or the target, tell of each other, by the rows where both are known."""
        codes = self.target if other is None else self.codes[other]
        size = self.classes if other is None else self.sizes[other]
        return _shared_bits(self.codes[name], codes, self.weights, self.sizes[name], size)


def coded_columns(rows: Table, cuts: CutMethod, bins: int) -> CountableColumns:
    """The columns of rows that all have a target; text is not among them."""
    target = rows.schema.predicted
    notes: tuple[str, ...] = ()
    if isinstance(target, Numeric):
        classes_of, ends = bin_column(target, rows.target, rows.weights, PARTS)
        names = interval_names(tuple(ends.tolist())) if len(ends) else ("all",)
        schema = replace(rows.schema, target=Ordinal(target.name, names))
        rows = replace(rows, schema=schema, columns={**rows.columns, target.name: classes_of})
        if len(names) > 1:
            notes = (f"{target.name} was cut into {len(names)} parts of about equal weight.",)
    codes: dict[str, Ints] = {}
    sizes: dict[str, int] = {}
    limits = cuts_for(rows, cuts, bins)
    for attribute in rows.schema.inputs:
        name = attribute.name
        match attribute:
            case Numeric():
                codes[name] = interval_codes(rows.columns[name], limits[name])
                sizes[name] = len(limits[name]) + 1
            case Nominal(_, values) | Ordinal(_, values):
                codes[name], sizes[name] = rows.columns[name], len(values)
            case Text():
                continue
            case Ignored():
                raise AssertionError("an ignored column is no input")
            case _:
                assert_never(attribute)
    if cuts == "mdl":
        # Why numbers score 0, which does not say that they tell nothing.
        uncut = [name for name, ends in limits.items() if not len(ends)]
        if len(uncut) > _MOST_NAMES:
            uncut[_MOST_NAMES:] = [f"{len(uncut) - _MOST_NAMES:,} more"]
        if uncut:
            notes += (f"{with_and(uncut)}: no cut worth making, counted as 0; relieff does not cut.",)
    return CountableColumns(codes, sizes, rows.target, len(rows.schema.classes), rows.weights, notes)


def count_pairs(one: Ints, other: Ints, weights: Weights | None, values: int, others: int) -> Floats:
    """[value, other] the weight of the rows where both are known; values that never occur may be absent."""
    both = (one >= 0) & (other >= 0)
    whole = bool(both.all())
    left: npt.NDArray[Any] = (one if whole else one[both]).astype(np.int64)
    right: npt.NDArray[Any] = other if whole else other[both]
    heavy = None if weights is None else weights if whole else weights[both]
    if values * others > _MOST_CELLS:
        _, left = np.unique(left, return_inverse=True)
        _, right = np.unique(right, return_inverse=True)
        values, others = int(left.max(initial=-1)) + 1, int(right.max(initial=-1)) + 1
    places = left * others + right
    return np.bincount(places, heavy, minlength=values * others).astype(np.float64).reshape(values, others)


def _shared_bits(one: Ints, other: Ints, weights: Weights | None, values: int, others: int) -> SharedBits:
    counts = count_pairs(one, other, weights, values, others)
    total = float(counts.sum())
    if not total > 0:
        return SharedBits(0.0, 0.0, 0.0, 0.0)
    here, there = float(entropy(counts.sum(axis=1))), float(entropy(counts.sum(axis=0)))
    every = len(one) if weights is None else float(weights.sum())
    return SharedBits(max(0.0, here + there - float(entropy(counts.ravel()))), here, there, total / every)


@dataclass(frozen=True, slots=True)
class SharedBits:
    """The mutual information of two columns, their entropies, and the part of the weight that has both."""

    mutual: float
    one: float
    other: float
    known: float

    @property
    def information(self) -> float:
        """In bits; missing cells tell nothing."""
        return self.known * self.mutual

    @property
    def uncertainty(self) -> float:
        """Symmetrical: 2 · I ÷ (H + H), from 0 to 1; missing cells tell nothing."""
        bits = self.one + self.other
        return self.known * 2 * self.mutual / bits if bits > 0 else 0.0


# Filters by counts: what a column alone tells of the target, from how often their values meet.


CutBy: TypeAlias = Annotated[
    CutMethod, "How numbers are cut: mdl by the classes, frequency or width into bins."
]
Bins: TypeAlias = Annotated[int, Whole(2, 1000), "How many bins, where cuts is frequency or width."]


_ScoreOf: TypeAlias = Callable[[CountableColumns, str], ColumnScore]


def _by_counts(score_of: _ScoreOf) -> OrderOf:
    """Orders columns by what each alone tells of the target."""

    @checked
    def order(rows: Table, _: int | None = None, *, cuts: CutBy = "mdl", bins: Bins = 10) -> ColumnOrder:
        coded = coded_columns(rows, cuts, bins)
        return ColumnOrder(best_first([score_of(coded, name) for name in coded.codes]), coded.notes)

    order.__doc__ = score_of.__doc__
    return order


@_by_counts
def order_by_gain(coded: CountableColumns, name: str) -> ColumnScore:
    """The bits that the column tells of the target; missing cells tell nothing (Quinlan 1993)."""
    return ColumnScore(name, _positive(coded.known(name) * float(gain(coded.counts(name)))))


@_by_counts
def order_by_gain_ratio(coded: CountableColumns, name: str) -> ColumnScore:
    """Gain by the bits it takes to say the column's value; missing cells are one more value there."""
    counts = coded.counts(name)
    known = coded.known(name)
    missing = float(counts.sum()) * (1 - known) / known if known > 0 else 0.0
    bits = split_information(np.append(counts.sum(axis=1), missing))
    return ColumnScore(name, _positive(float(ratio(known * gain(counts), bits))))


@_by_counts
def order_by_uncertainty(coded: CountableColumns, name: str) -> ColumnScore:
    """Symmetrical uncertainty: 2 · gain ÷ (entropy of the column + entropy of the target), from 0 to 1."""
    return ColumnScore(name, _positive(coded.shared(name).uncertainty))


@_by_counts
def order_by_chi_square(coded: CountableColumns, name: str) -> ColumnScore:
    """−log10 of chi-square's p: the statistic alone favours columns of many values.

    Where the classes made the cuts, p is smaller than it should be: it ranks, and proves nothing.
    """
    verdict = chi_square(coded.counts(name))
    score = _positive(-float(verdict.log_p) / math.log(10))
    figures = {"chi-square": float(verdict.statistic), "df": float(verdict.df), "p": float(verdict.p)}
    return ColumnScore(name, score, figures)


def _positive(score: float) -> float:
    """Rounding alone makes no column better than another."""
    return score if score > 1e-12 else 0.0


GAIN: Final = Selector(order_by_gain, "What the column tells about the target, in bits.", "gain in bits")
GAIN_RATIO: Final = Selector(
    order_by_gain_ratio, "Gain by the bits of the column itself, against many values.", "gain ratio"
)
UNCERTAINTY: Final = Selector(
    order_by_uncertainty, "Symmetrical uncertainty: gain as a part of both entropies.", "uncertainty"
)
CHI_SQUARE: Final = Selector(
    order_by_chi_square, "Pearson's chi-square test of the column with the target.", "−log10 p"
)
