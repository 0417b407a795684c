"""The smallest change in a tree, exactly: the row goes down with all its options, cheapest box first.

At a split a box is parted by the branches: each branch takes the options of the split's column that satisfy
its condition and no earlier one's. Options that no branch takes (the empty cell, as it is) ask the surrogates
in order, which part the box by their own columns; what is left follows `otherwise`, or goes down every branch
with its share. So a box has *pending* nodes, most often one, and the shares of the leaves that it came to.
When none is pending, all rows of the box are answered alike.

A box that cannot lead to a wanted class is dropped: each node knows, from the leaves below, by how much a
wanted class can at best lie ahead.

In order: (1) a column's options are its cell, then what it may become by cost, then by value (`moves.py`).
(2) The box of the lowest key is taken: fewest cells, then the sum of costs in schema order, then the columns'
places, then the options, each compared from the first on (`boxes.py`). (3) Its first pending node is parted,
and the parts wait with keys of their own. (4) The first box with nothing pending and a wanted answer is it.
No two rows have the same key, so that the order in which parts are made does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.explain.boxes import OptionBox, Options, Queue, changed_by, cheapest_in, row_with
from clearwood.explain.moves import CheapestChange
from clearwood.explain.search_time import SearchTime
from clearwood.models.conditions import Condition
from clearwood.models.kept import kept
from clearwood.models.routing import Route, route_at
from clearwood.models.tree import Tree
from clearwood.predict.answers import cost_matrix, node_codes, node_shares
from clearwood.predict.one import predict_one
from clearwood.table.row import Row

Pending: TypeAlias = tuple[tuple[int, float], ...]  # nodes still to be gone through, each with its share
WaysDown: TypeAlias = Iterator[tuple[OptionBox, Pending]]

_MOST_LEADS: Final = 4_000_000  # numbers of leads that are kept of a tree: 32 MB; each class may have its own
_NEARLY: Final = 1e-9  # a bound is a sum in another order than the answer's


def change_in_tree(
    tree: Tree, row: Row, options: Options, targets: frozenset[str], to: str | None, time: SearchTime
) -> CheapestChange:
    """The cheapest cells that make the answer one of the wanted classes; `to` where only one is."""
    walk = _Walk(tree, options)
    classes = tree.schema.classes
    known = _known(tree)
    answers = known.answers
    lead = known.leads(predict_one(tree, row) if to is None else to, rival=to is not None)
    goals = [classes.index(name) for name in (targets if to is None else classes) if name != to]
    queue: Queue[tuple[Pending, tuple[int, ...], Floats]] = Queue(options, time)
    queue.put({}, (((0, 1.0),), (), lead[0]))
    for box, (pending, leaves, bound) in queue:
        if not pending:
            chosen = cheapest_in(box)
            answer = (
                answers[leaves[0]] if len(leaves) == 1 else predict_one(tree, row_with(row, options, chosen))
            )
            if answer in targets:
                return CheapestChange(changed_by(options, chosen))
            continue
        (node, share), *rest = pending
        if walk.is_leaf[node]:
            queue.put(box, (tuple(rest), (*leaves, node), bound))
            continue
        for part, ways in walk.ways(node, box):
            ahead = bound - share * lead[node]
            for child, of_it in ways:
                ahead = ahead + share * of_it * lead[child]
            best = [ahead[c] >= -_NEARLY for c in goals]
            if all(best) if to is not None else any(best):
                further = tuple((child, share * of_it) for child, of_it in ways)
                queue.put(part, ((*further, *rest), leaves, ahead))
    return queue.without_change()


class _Walk:
    """How a box is parted at each node; what a condition takes of a column's options is worked out once."""

    def __init__(self, tree: Tree, options: Options) -> None:
        self.tree, self.options = tree, options
        self.is_leaf = _known(tree).is_leaf
        self._taken: dict[Condition, int] = {}
        self._ways = _known(tree).ways

    def ways(self, node: int, box: OptionBox) -> WaysDown:
        """The parts of the box, each with the nodes it comes to and their shares."""
        way = self._ways.get(node)
        if way is None:
            way = self._ways[node] = self.tree.nodes.children(node), route_at(self.tree, node)
        children, route = way
        for test in route.tests:
            place = self.tree.schema.positions[test.when.name]
            held = box.get(place, self.options[place].all)
            taken = held & self._taking(place, test.when)
            if taken:
                yield {**box, place: taken}, ((children[test.way.branch], 1.0),)
                if taken == held:
                    return
                box = {**box, place: held & ~taken}
        yield box, tuple((children[way.branch], way.part) for way in route.rest)

    def _taking(self, place: int, condition: Condition) -> int:
        taken = self._taken.get(condition)
        if taken is None:
            taken = self._taken[condition] = self.options[place].taking(condition)
        return taken


class _Known:
    """What the searches of all rows know of a tree: its leaves, the answers of its nodes, the ways down from
    those met so far, and how far a class can be ahead below each."""

    def __init__(self, tree: Tree) -> None:
        classes = tree.schema.classes
        self.is_leaf: list[bool] = tree.nodes.is_leaf.tolist()
        self.answers = [classes[code] for code in node_codes(tree).tolist()]
        self.ways: dict[int, tuple[list[int], Route[Condition]]] = {}
        shares, costs = node_shares(tree), cost_matrix(tree.decision)
        self._worth = shares if costs is None else -(shares @ costs)
        self._classes, self._parents = classes, tree.nodes.parent.tolist()
        self._leads: dict[tuple[str, bool], list[Floats]] = {}

    def leads(self, answer: str | float, *, rival: bool) -> list[Floats]:
        """[node][class] how far each class is at best ahead of the answer in a leaf below; with `rival` how
        far the answer is ahead of it. Ahead is by share, or by less expected cost."""
        leads = self._leads.get((str(answer), rival))
        if leads is None:
            own = self._worth[:, [self._classes.index(str(answer))]]
            lead = own - self._worth if rival else self._worth - own
            lead[~np.array(self.is_leaf)] = -np.inf
            for node in range(len(self._parents) - 1, 0, -1):
                np.maximum(lead[self._parents[node]], lead[node], out=lead[self._parents[node]])
            if (len(self._leads) + 1) * self._worth.size > _MOST_LEADS:
                self._leads.clear()
            leads = self._leads[str(answer), rival] = list(lead)
        return leads


@kept
def _known(tree: Tree) -> _Known:
    return _Known(tree)
