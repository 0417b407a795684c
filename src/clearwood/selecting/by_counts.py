"""Filters by counts: what a column alone tells of the target, from how often their values meet."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Final, TypeAlias

import numpy as np

from clearwood.bounds import Whole
from clearwood.learners.discretising import CutMethod
from clearwood.measures.chi_square import chi_square
from clearwood.measures.gain import gain
from clearwood.measures.gain_ratio import ratio
from clearwood.measures.split_information import split_information
from clearwood.registry import checked
from clearwood.selecting.coded_columns import CountableColumns, coded_columns, shared_bits
from clearwood.selecting.selector import ColumnOrder, ColumnScore, Selector, best_first
from clearwood.table.table import Table

CutBy: TypeAlias = Annotated[
    CutMethod, "How numbers are cut: mdl by the classes, frequency or width into bins."
]
Bins: TypeAlias = Annotated[int, Whole(2, 1000), "How many bins, where cuts is frequency or width."]


@checked
def order_by_gain(rows: Table, _: int | None = None, *, cuts: CutBy = "mdl", bins: Bins = 10) -> ColumnOrder:
    """The bits that the column tells of the target; missing cells tell nothing (Quinlan 1993)."""
    return _ordered(rows, _gain, cuts, bins)


@checked
def order_by_gain_ratio(
    rows: Table, _: int | None = None, *, cuts: CutBy = "mdl", bins: Bins = 10
) -> ColumnOrder:
    """Gain by the bits it takes to say the column's value; missing cells are one more value there."""
    return _ordered(rows, _gain_ratio, cuts, bins)


@checked
def order_by_uncertainty(
    rows: Table, _: int | None = None, *, cuts: CutBy = "mdl", bins: Bins = 10
) -> ColumnOrder:
    """Symmetrical uncertainty: 2 · gain ÷ (entropy of the column + entropy of the target), from 0 to 1."""
    return _ordered(rows, _uncertainty, cuts, bins)


@checked
def order_by_chi_square(
    rows: Table, _: int | None = None, *, cuts: CutBy = "mdl", bins: Bins = 10
) -> ColumnOrder:
    """−log10 of chi-square's p: the statistic alone favours columns of many values.

    Where the classes made the cuts, p is smaller than it should be: it ranks, and proves nothing.
    """
    return _ordered(rows, _chi_square, cuts, bins)


_ScoreOf: TypeAlias = Callable[[CountableColumns, str], ColumnScore]


def _ordered(rows: Table, score_of: _ScoreOf, cuts: CutMethod, bins: int) -> ColumnOrder:
    coded = coded_columns(rows, cuts, bins)
    return ColumnOrder(best_first([score_of(coded, name) for name in coded.codes]), coded.notes)


def _gain(coded: CountableColumns, name: str) -> ColumnScore:
    return ColumnScore(name, _positive(coded.known(name) * float(gain(coded.counts(name)))))


def _gain_ratio(coded: CountableColumns, name: str) -> ColumnScore:
    counts = coded.counts(name)
    known = coded.known(name)
    total = float(counts.sum())
    missing = total * (1 - known) / known if known > 0 else 0.0
    bits = split_information(np.append(counts.sum(axis=1), missing))
    return ColumnScore(name, _positive(float(ratio(known * gain(counts), bits))))


def _uncertainty(coded: CountableColumns, name: str) -> ColumnScore:
    shared = shared_bits(coded.codes[name], coded.target, coded.weights, coded.sizes[name], coded.classes)
    return ColumnScore(name, _positive(shared.uncertainty))


def _chi_square(coded: CountableColumns, name: str) -> ColumnScore:
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
