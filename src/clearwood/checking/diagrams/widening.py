"""Widening: a box of rows at one end of a product is made as large as it can be without other rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from clearwood.arrays import Bools
from clearwood.audit.axes import Domains
from clearwood.checking.diagrams.product import DiagramProduct, NodePairs

_MOST_PAIRS: Final = 50_000  # that may be looked at to free a column; beyond it stays as it is


def widened_at(product: DiagramProduct, box: Domains, end: int, everywhere: Domains) -> Domains:
    """A box that holds this one, in which all rows come to the same end; the fewest columns restricted."""
    order = product.nodes.order
    level_of = {column: level for level, column in enumerate(order.columns)}
    wide = list(box)
    for column, everything in enumerate(everywhere):
        level = level_of.get(column)
        wide[column] = everything if level is None else wide[column] | _safe(product, wide, end, level)
    return wide


def _safe(product: DiagramProduct, box: Domains, end: int, free: int) -> int:
    """The groups of the level `free` with which all rows of the box, whatever they have there, come to this
    end."""
    order = product.nodes.order
    groups = [
        np.array(
            [place for place, group in enumerate(own) if level == free or box[column] >> group & 1],
            dtype=np.int64,
        )
        for level, (column, own) in enumerate(zip(order.columns, order.groups, strict=True))
    ]
    met = _met(product, groups)
    if met is None:
        return 0
    fine: list[Bools] = [np.zeros(0, dtype=np.bool_) for _ in met]
    fine[-1] = met[-1] == end
    safe = np.ones(len(groups[free]), dtype=np.bool_)
    for level in range(len(met) - 2, -1, -1):
        if not len(met[level]):
            continue
        then = _then(product, level, met[level], groups[level])
        good = np.zeros(then.shape, dtype=np.bool_)
        levels = product.levels_of(then)
        for below in np.unique(levels[levels >= 0]).tolist():
            there = levels == below
            good[there] = fine[below][np.searchsorted(met[below], then[there])]
        if level == free:
            safe = np.logical_and.reduce(good, axis=0)
        fine[level] = np.logical_and.reduce(good, axis=1)
    own = order.groups[free]
    return sum(1 << own[place] for place in groups[free][safe].tolist())


def _met(product: DiagramProduct, groups: Sequence[NodePairs]) -> list[NodePairs] | None:
    """[level] the pairs that rows of the box come to; None where they are too many."""
    waiting: list[list[NodePairs]] = [[] for _ in product.levels]
    first = next(level for level, own in enumerate(product.levels) if len(own.pairs))
    waiting[first].append(product.levels[first].pairs[:1])
    met: list[NodePairs] = []
    for level, reached in enumerate(waiting):
        own = np.unique(np.concatenate(reached)) if reached else np.zeros(0, dtype=np.int64)
        met.append(own)
        if sum(map(len, met)) > _MOST_PAIRS:
            return None
        if level < len(groups) and len(own):
            then = np.unique(_then(product, level, own, groups[level]))
            levels = product.levels_of(then)
            for below in np.unique(levels[levels >= 0]).tolist():
                waiting[below].append(then[levels == below])
    return met


def _then(product: DiagramProduct, level: int, pairs: NodePairs, groups: NodePairs) -> NodePairs:
    own = product.levels[level]
    then: NodePairs = own.then[np.searchsorted(own.pairs, pairs)][:, groups]
    return then
