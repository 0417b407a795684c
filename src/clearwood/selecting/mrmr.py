"""mRMR: columns that tell much of the target, and little of each other (Peng, Long and Ding 2005)."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.registry import checked
from clearwood.selecting.by_counts import Bins, Cuts
from clearwood.selecting.coded_columns import CodedColumns, coded_columns, shared_bits
from clearwood.selecting.selector import ColumnScore, Order, Selector
from clearwood.table.table import Table

_STEPS: Final = 50  # where no number of columns is given: beyond, the order no longer changes much


@checked
def order_by_mrmr(rows: Table, keep: int | None = None, *, cuts: Cuts = "mdl", bins: Bins = 10) -> Order:
    """One column after another: the one with the largest relevance less mean redundancy, in bits.

    Relevance is the information it has about the target, redundancy that about the columns chosen before it,
    on average. After as many steps as columns are kept (50 where no number is given) the others follow in the
    order that the next step would have.
    """
    coded = coded_columns(rows, cuts, bins)
    names = list(coded.codes)
    relevance = np.array([_information(coded, name) for name in names])
    redundancy = np.zeros(len(names))
    left = np.ones(len(names), dtype=np.bool_)
    order: list[ColumnScore] = []
    for step in range(min(len(names), keep or _STEPS)):
        value = np.where(left, relevance - redundancy / max(step, 1), -np.inf)
        best = int(np.argmax(value))
        order.append(_scored(names[best], relevance[best], redundancy[best], step))
        left[best] = False
        for place in np.flatnonzero(left).tolist():
            redundancy[place] += _information(coded, names[place], names[best])
    step = len(order)
    rest = [_scored(names[at], relevance[at], redundancy[at], step) for at in np.flatnonzero(left).tolist()]
    rest.sort(key=lambda each: -each.score)
    return Order((*order, *rest), coded.notes)


def _information(coded: CodedColumns, name: str, other: str | None = None) -> float:
    if other is None:
        codes, size = coded.target, coded.classes
    else:
        codes, size = coded.codes[other], coded.sizes[other]
    bits = shared_bits(coded.codes[name], codes, coded.weights, coded.sizes[name], size).information
    return bits if bits > 1e-12 else 0.0


def _scored(name: str, relevance: float, redundancy: float, before: int) -> ColumnScore:
    mean = float(redundancy) / max(before, 1)
    return ColumnScore(name, float(relevance) - mean, {"relevance": float(relevance), "redundancy": mean})


SELECTOR: Final = Selector(
    order_by_mrmr, "Much relevance to the target, little redundancy among the columns.", "mRMR in bits"
)
