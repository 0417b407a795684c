"""mRMR: columns that tell much of the target, and little of each other (Peng, Long and Ding 2005)."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.registry import checked
from clearwood.selecting.coded_columns import Bins, CountableColumns, CutBy, coded_columns, shared_bits
from clearwood.selecting.ranking import ColumnOrder, ColumnScore, Selector
from clearwood.table.table import Table

_STEPS: Final = 50  # where no number of columns is given: each step compares one more with all others


@checked
def order_by_mrmr(
    rows: Table, keep: int | None = None, *, cuts: CutBy = "mdl", bins: Bins = 10
) -> ColumnOrder:
    """One column after another: the one with the largest relevance less mean redundancy, in bits.

    Relevance is the information it has about the target, redundancy that about the columns before it, on
    average. Where no number of columns is given, those are chosen before the first that is more redundant
    than relevant. After as many steps as columns are kept (50 where no number is given) the others follow in
    the order that the next step would have; those that tell nothing of the target are the last.
    """
    coded = coded_columns(rows, cuts, bins)
    names = list(coded.codes)
    relevance = np.array([_information(coded, name) for name in names])
    redundancy = np.zeros(len(names))
    left = relevance > 0
    order: list[ColumnScore] = []
    chosen = True
    while left.any() and len(order) < (keep or _STEPS):
        value = np.where(left, relevance - redundancy / max(len(order), 1), -np.inf)
        best = int(np.argmax(value))
        chosen = chosen and bool(value[best] > 0)
        order.append(_scored(names[best], relevance[best], redundancy[best], len(order), chosen=chosen))
        left[best] = False
        for place in np.flatnonzero(left).tolist():
            redundancy[place] += _information(coded, names[place], names[best])
    before = len(order)
    rest = [_scored(names[at], relevance[at], redundancy[at], before) for at in np.flatnonzero(left).tolist()]
    rest.sort(key=lambda each: -each.score)
    idle = [_scored(names[at], 0.0, 0.0, before) for at in np.flatnonzero(relevance == 0).tolist()]
    return ColumnOrder((*order, *rest, *idle), coded.notes)


def _information(coded: CountableColumns, name: str, other: str | None = None) -> float:
    if other is None:
        codes, size = coded.target, coded.classes
    else:
        codes, size = coded.codes[other], coded.sizes[other]
    bits = shared_bits(coded.codes[name], codes, coded.weights, coded.sizes[name], size).information
    return bits if bits > 1e-12 else 0.0


def _scored(
    name: str, relevance: float, redundancy: float, before: int, *, chosen: bool = False
) -> ColumnScore:
    mean = float(redundancy) / max(before, 1)
    figures = {"relevance": float(relevance), "redundancy": mean}
    return ColumnScore(name, float(relevance) - mean, figures, chosen)


SELECTOR: Final = Selector(
    order_by_mrmr,
    "Much relevance to the target, little redundancy among the columns.",
    "mRMR in bits",
    chooses=True,
)
