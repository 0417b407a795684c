"""The leaf that a row comes to, in every tree at once: one native operation instead of thousands of choices.

The operation adds up what the leaves say, and gives a float. Here each leaf says its own place among those of
its tree, a whole number that a float holds exactly, and each tree has its own sum; thresholds are doubles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, assert_never

import numpy as np

from clearwood.export.exportable import Exportable
from clearwood.export.onnx.formulas import DOUBLE, ColumnFormulas
from clearwood.export.onnx.graph import ML, tensor_setting
from clearwood.export.program.formula import ChoiceCase, Choose, Constant, Holds
from clearwood.export.program.of_tree import TreeRoute
from clearwood.models.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
    exclude_each_other,
)
from clearwood.models.ensemble import Ensemble
from clearwood.models.routing import route_at
from clearwood.models.tree import Tree

_ON_THE_WAY: Final = re.compile(r"(|tree_\d+_)(?:leaf|below_\d+|branch_\d+)")  # of `program/of_tree.py`

_NODE_LISTS: Final[tuple[str, ...]] = (
    "nodes_treeids",
    "nodes_nodeids",
    "nodes_featureids",
    "nodes_modes",
    "nodes_truenodeids",
    "nodes_falsenodeids",
    "nodes_missing_value_tracks_true",
)
_TARGET_LISTS: Final[tuple[str, ...]] = ("target_treeids", "target_nodeids", "target_ids")


@dataclass(frozen=True, slots=True)
class _Question:
    """What an inner node asks: a comparison of a column of the operation's table."""

    column: int
    mode: str
    value: float
    missing: bool = False


@dataclass(slots=True)
class _TreeNodes:
    """The nodes of all trees, as the operation takes them."""

    settings: dict[str, list[Any]] = field(
        default_factory=lambda: {name: [] for name in (*_NODE_LISTS, *_TARGET_LISTS)}
    )
    values: list[float] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)

    def inner(self, tree: int, node: int, asks: _Question, yes: int, no: int) -> None:
        """A node that asks."""
        self._node(tree, node, asks.mode, asks.value, asks.column, yes, no, asks.missing)

    def leaf(self, tree: int, node: int, place: int) -> None:
        """A node that says its place."""
        self._node(tree, node, "LEAF", 0.0, 0, 0, 0, False)
        for name, entry in zip(_TARGET_LISTS, (tree, node, tree), strict=True):
            self.settings[name].append(entry)
        self.weights.append(float(place))

    def _node(
        self, tree: int, node: int, mode: str, value: float, column: int, yes: int, no: int, missing: bool
    ) -> None:
        entries = (tree, node, column, mode, yes, no, int(missing))
        for name, entry in zip(_NODE_LISTS, entries, strict=True):
            self.settings[name].append(entry)
        self.values.append(value)


@dataclass(slots=True)
class _Table:
    """The columns that the operation is given: numbers, codes of texts, and what is worked out before."""

    formulas: ColumnFormulas
    columns: list[str] = field(default_factory=list)
    _places: dict[str, int] = field(default_factory=dict)

    def place(self, tensor: str) -> int:
        """The column with this tensor."""
        if tensor not in self._places:
            self._places[tensor] = len(self.columns)
            self.columns.append(tensor)
        return self._places[tensor]

    def question(self, condition: Condition) -> _Question:
        """What is to be asked of the table."""
        cells, codes = self.formulas.cells, self.formulas.codes
        name = condition.name
        match condition:
            case AtMost(_, limit, missing) if name in cells:
                return _Question(self.place(cells[name]), "BRANCH_LEQ", limit, missing)
            case Below(_, limit, missing) if name in cells:
                return _Question(self.place(cells[name]), "BRANCH_LT", limit, missing)
            case Above(_, limit, missing) if name in cells:
                return _Question(self.place(cells[name]), "BRANCH_GT", limit, missing)
            case AtLeast(_, limit, missing) if name in cells:
                return _Question(self.place(cells[name]), "BRANCH_GTE", limit, missing)
            case Equals(_, value) if name in codes and value in self.formulas.values[name]:
                wide = self.formulas.graph.once("Cast", codes[name], to=DOUBLE)
                place = self.formulas.values[name].index(value)
                return _Question(self.place(wide), "BRANCH_EQ", float(place))
            case AtMost() | Below() | Above() | AtLeast() | Equals() | OneOf() | Between() | IsMissing():
                held = self.formulas.graph.once("Cast", self.formulas.test(Holds(condition)), to=DOUBLE)
                return _Question(self.place(held), "BRANCH_GT", 0.5)
            case _:
                assert_never(condition)

    def branch(self, route: TreeRoute, rest: int) -> int:
        """A column with the branch that a route takes; `rest` where no test holds."""
        cases = (ChoiceCase(Holds(test.when), Constant(float(test.way.branch))) for test in route.tests)
        return self.place(self.formulas.formula(Choose(tuple(cases), Constant(float(rest)))))


def trees_of(model: Exportable) -> tuple[tuple[str, Tree], ...]:
    """The trees of a model, each with what begins the names of its steps; none of a model without trees."""
    if isinstance(model, Tree):
        return (("", model),)
    if isinstance(model, Ensemble) and model.trees is not None:
        members = ((f"tree_{place}_", each) for place, each in enumerate(model.members, 1))
        return tuple((before, each) for before, each in members if isinstance(each, Tree))
    return ()


def lay_leaves(formulas: ColumnFormulas, trees: Sequence[tuple[str, Tree]]) -> None:
    """The steps with the leaves of all trees, worked out by one operation."""
    graph = formulas.graph
    nodes, table = _TreeNodes(), _Table(formulas)
    asking = [(before, tree) for before, tree in trees if len(tree.nodes) > 1]
    for number, (_, tree) in enumerate(asking):
        _add_tree(nodes, table, number, tree)
    if not asking:
        return
    columns = graph.add("Concat", *table.columns, axis=1) if len(table.columns) > 1 else table.columns[0]
    settings: dict[str, Any] = {
        "n_targets": len(asking),
        "nodes_values_as_tensor": tensor_setting(np.array(nodes.values)),
        "target_weights_as_tensor": tensor_setting(np.array(nodes.weights)),
        **nodes.settings,
    }
    places = graph.operation("TreeEnsembleRegressor", (columns,), settings, domain=ML)
    wide = graph.add("Cast", places, to=DOUBLE)
    for number, (before, _) in enumerate(asking):
        at = graph.constant(np.array([number], np.int64))
        formulas.steps[f"{before}leaf"] = graph.add("Gather", wide, at, axis=1)


def replaced_by_leaves(names: Iterable[str], trees: Sequence[tuple[str, Tree]]) -> set[str]:
    """The steps on the way to a leaf, which the operation works out: the leaf, and pieces of the way."""
    asking = {before for before, tree in trees if len(tree.nodes) > 1}
    return {name for name in names if (met := _ON_THE_WAY.fullmatch(name)) and met[1] in asking}


def _add_tree(nodes: _TreeNodes, table: _Table, number: int, tree: Tree) -> None:
    leaves = np.flatnonzero(tree.nodes.is_leaf).tolist()
    places = {node: place for place, node in enumerate(leaves)}
    next_free = len(tree.nodes)  # a split of several tests is several nodes; the first has its number
    for node in range(len(tree.nodes)):
        if node in places:
            nodes.leaf(number, node, places[node])
            continue
        route = route_at(tree, node)
        children = [int(each) for each in tree.nodes.children(node)]
        rest = route.rest[0].branch if len(route.rest) == 1 else -1
        asked = _questions(table, route, rest)
        last = next_free if rest < 0 else children[rest]
        next_free += rest < 0
        if not asked:  # all rows go one way, but a node has to ask
            always = _Question(table.branch(route, rest), "BRANCH_EQ", float(rest))
            nodes.inner(number, node, always, last, next_free)
            nodes.leaf(number, next_free, 0)
            next_free += 1
        at = node
        for place, (question, branch) in enumerate(asked):
            no = last
            if place < len(asked) - 1:
                no, next_free = next_free, next_free + 1
            nodes.inner(number, at, question, children[branch], no)
            at = no
        if rest < 0:  # behind the others: onnxruntime takes a tree's first node for its root
            nodes.leaf(number, last, -1)  # the row is divided among leaves


def _questions(table: _Table, route: TreeRoute, rest: int) -> list[tuple[_Question, int]]:
    """What is asked in order, each with its branch, every branch once; what is left goes to `rest`."""
    tests = [(test.when, test.way.branch) for test in route.tests]
    apart = all(
        exclude_each_other(one, other) for place, (one, _) in enumerate(tests) for other, _ in tests[:place]
    )
    if apart:
        tests = [each for each in tests if each[1] != rest]
        if len({branch for _, branch in tests}) == len(tests):
            return [(table.question(when), branch) for when, branch in tests]
    column = table.branch(route, rest)
    branches = dict.fromkeys(test.way.branch for test in route.tests)
    return [(_Question(column, "BRANCH_EQ", float(each)), each) for each in branches if each != rest]
