"""Shared growth: learners that differ only in where growing stops, or in how they prune, grow one tree.

A split is chosen by the rows of its node alone, so that a tree of fewer levels is the larger tree cut there.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

import numpy as np

from clearwood.arrays import Bools, Longs
from clearwood.learners.training import made_of
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.id3 import ID3
from clearwood.learners.trees.pruning.own import prune_grown
from clearwood.models.kinds.tree.nodes import Nodes, cut_below
from clearwood.models.kinds.tree.tree import Tree
from clearwood.registry import settings_of
from clearwood.table.table import Table

_SLACK: Final = 1e-9  # as the growers allow: shares of rows add up with rounding


@dataclass(frozen=True, slots=True)
class _Growth:
    """Which settings only stop the growing, and which are for the pruning after it."""

    stop: tuple[str, ...]
    prune: tuple[str, ...] = ()


_GROWTHS: Final[dict[type[Any], _Growth]] = {
    CART: _Growth(("max_depth", "min_rows"), ("alpha", "folds", "seed")),
    # The min_rows of C4.5 is about a split's branches, and so decides which split is taken.
    C45: _Growth(("max_depth",), ("confidence", "prune", "collapse", "raise_subtrees", "confidence_table")),
    ID3: _Growth(("max_depth", "min_rows")),
}


def growing_alike(learners: Iterable[Any]) -> list[list[int]]:
    """The places of the learners, those that can share a tree together; others are alone.

    >>> growing_alike([CART(max_depth=2), CART(min_leaf=9), CART(alpha=0.01), ID3()])
    [[0, 2], [1], [3]]
    """
    together: dict[object, list[int]] = {}
    for place, learner in enumerate(learners):
        growth = _GROWTHS.get(type(learner))
        key: object = place
        if growth is not None:
            apart = {*growth.stop, *growth.prune}
            decisive = [each.name for each in fields(learner) if each.name not in apart]
            key = (type(learner), *(repr(getattr(learner, name)) for name in decisive))
        together.setdefault(key, []).append(place)
    return list(together.values())


def grown_for(learners: Sequence[Any], table: Table) -> Tree:
    """The tree that all of these can be cut from, grown once."""
    first = learners[0]
    growth = _GROWTHS[type(first)]
    maker: Callable[..., Any] = type(first)
    usual = settings_of(maker)
    widest: dict[str, Any] = {name: usual[name].default for name in growth.prune}
    depths = [each.max_depth for each in learners]
    widest["max_depth"] = None if None in depths else max(depths)
    if "min_rows" in growth.stop:
        widest["min_rows"] = min(each.min_rows for each in learners)
    grown: Tree = replace(first, **widest).grow(table)
    return grown


def learned_from_grown(learner: Any, grown: Tree, table: Table) -> Tree:
    """The tree that the learner learns from these rows, cut from the one grown for several."""
    tree = replace(
        grown,
        nodes=cut_below(grown.nodes, _stops(learner, grown)),
        origin=replace(grown.origin, settings=made_of(learner).settings),
    )
    return prune_grown(tree, learner.prunings(), table, learner.grow)


def same_tree_key(learner: Any, grown: Tree) -> object:
    """What two learners that share a tree have in common if they learn the same nodes, settings apart."""
    prunings = learner.prunings()
    grows_again = any(each.pruner == "cross-validated" for each in prunings)
    return _stops(learner, grown).tobytes(), repr(prunings), repr(learner) if grows_again else ""


def _stops(learner: Any, grown: Tree) -> Bools:
    """[node] whether it is a split at which the learner would have stopped."""
    stops = np.zeros(len(grown.nodes), dtype=np.bool_)
    if learner.max_depth is not None:
        stops |= _depths(grown.nodes) >= learner.max_depth
    if "min_rows" in _GROWTHS[type(learner)].stop:
        stops |= grown.weights < learner.min_rows - _SLACK
    return stops & ~grown.nodes.is_leaf


def _depths(nodes: Nodes) -> Longs:
    """[node] the splits above it."""
    changes = np.zeros(len(nodes) + 1, dtype=np.int64)
    splits = np.flatnonzero(~nodes.is_leaf)
    np.add.at(changes, splits + 1, 1)
    np.add.at(changes, nodes.end[splits], -1)
    return np.cumsum(changes)[:-1]
