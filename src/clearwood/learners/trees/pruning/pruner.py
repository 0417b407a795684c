"""A pruner as the list has it, its ledger, and the steps of its derivation: what it did to which split."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Bools, Floats, Ints, Longs
from clearwood.errors import SettingError
from clearwood.formulas.conditions import Condition, all_of
from clearwood.formulas.expressions import Expression, Number, Sum
from clearwood.learners.training import fingerprint
from clearwood.learners.trees.pruning.pessimistic import KEPT, LEAF
from clearwood.models import lineage
from clearwood.models.kinds.tree.nodes import Nodes, below, cheaper_as_leaf, cut_below
from clearwood.models.kinds.tree.tree import Tree, merged_conditions
from clearwood.models.lineage import RowsUsed
from clearwood.records import dataclass, json_of
from clearwood.registry import imported
from clearwood.table.table import Table
from clearwood.words.columns import in_columns
from clearwood.words.numbers import many
from clearwood.working.derivation import BecameLeaf, Kept, Step
from clearwood.working.figures import Figure, Grid, GridCell, Rows, compared, named, plain

# The steps of one pruning: each made when it is read, beside the tree that came of them.


@dataclass(frozen=True, slots=True)
class StepAt:
    """A step to be made, and the node it is about, as numbered before the pruning; None: the whole tree.

    Where a branch took a split's place, that is the branch's node. The step's outcome names the split by its
    number before the pruning, and leaves open where it ended.
    """

    node: int | None
    make: Callable[[], Step]


@dataclass(frozen=True, slots=True, eq=False)
class PruningSteps:
    """`tree` is what came of the steps, `after` [node before] a node's number in it; −1: it is gone."""

    tree: Tree
    after: Longs
    steps: tuple[StepAt, ...]


def cutting(tree: Tree, cut: Bools, steps: Iterable[StepAt]) -> PruningSteps:
    """The steps of a pruning that turned the marked splits [node] to leaves."""
    smaller = replace(tree, nodes=cut_below(tree.nodes, cut))
    return PruningSteps(smaller, renumbered(~below(tree.nodes, cut)), tuple(steps))


def refuse_training_rows(what: str, tree: Tree, rows: Table) -> None:
    """Refuse no rows, or the rows that the tree was learned from, where a pruning needs fresh ones."""
    if not len(rows):
        raise SettingError(f"{what} needs validation rows, and this table has none.")
    if tree.origin.fingerprint and tree.origin.fingerprint == fingerprint(rows):
        raise SettingError(
            f"The tree was learned from these very rows, which speak for every split of it. {what} needs "
            "rows it has not seen: keep some back before learning."
        )


StepsOf: TypeAlias = Callable[[Tree, Table | None, Mapping[str, Any]], PruningSteps]


@dataclass(frozen=True, slots=True)
class Pruner:
    """`prune` takes the tree, the rows if it needs any, and its settings.

    `steps` makes a derivation's steps from the tree before the pruning, the rows and the settings; it is the
    function or, where that stands in a higher room, "module:function". Without it a derivation refuses.
    `keeps_answers`: it cuts only what no answer depends on, so that its rows choose nothing.
    """

    prune: Callable[..., PrunedTree]
    about: str
    needs: RowsUsed = "none"
    steps: StepsOf | str | None = None
    keeps_answers: bool = False

    def __call__(self, tree: Tree, rows: Table | None = None, /, **settings: Any) -> PrunedTree:
        """Prune, with the rows only where they are needed."""
        given = () if self.needs == "none" else (rows,)
        return self.prune(tree, *given, **settings)

    def load_steps(self) -> StepsOf | None:
        """The function that makes a derivation's steps, imported now."""
        if isinstance(self.steps, str):
            steps: StepsOf = imported(self.steps)
            return steps
        return self.steps


# Places: where the splits of a tree that is being pruned stood when each decision was made.


WHOLE: Final = "the whole"  # the way from a node to itself


@dataclass(frozen=True, slots=True, eq=False)
class TreeUnderPruning:
    """A tree under pruning, and which branches took the place of the splits above them."""

    tree: Tree
    raised: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    # by node: after which decision it hung on which branch, in order

    def conditions(self, node: int, decision: int = 0, since: int = -1) -> tuple[Condition, ...]:
        """What held of the rows that came to a node (from another above it) when this decision was made."""
        conditions: list[Condition] = []
        parent = self.tree.nodes.parent
        while node != since and (edge := self._edge(node, decision)) > 0:
            conditions.append(self.tree.condition(edge))
            node = int(parent[edge])
        return merged_conditions(conditions[::-1])

    def _edge(self, node: int, decision: int) -> int:
        """The node whose branch led into this one then."""
        moves = self.raised.get(node)
        if not moves:
            return node
        last = bisect_right(moves, (decision, -1)) - 1
        return node if last < 0 else moves[last][1]

    def way(self, node: int, since: int, decision: int = 0) -> str:
        """The way down from one node to another, in words."""
        return all_of(self.conditions(node, decision, since)) or WHOLE

    def split(self, node: int, decision: int = 0) -> str:
        """A split in words: what it asks, and of which rows."""
        when = self.conditions(node, decision)
        return f"the split on {asks(self.tree, node)}" + (
            f" where {all_of(when)}" if when else " at the root"
        )


def asks(tree: Tree, node: int) -> str:
    """The attribute a split asks about."""
    return tree.schema.attributes[int(tree.nodes.attribute[node + 1])].name


def kept_by(nodes: Nodes, at: Ints, became: Ints) -> Bools:
    """[node] Is it there after decisions at these nodes, each kept, made a leaf, or replaced by one below?"""
    alive = np.ones(len(nodes), dtype=np.bool_)
    for node, above in zip(at.tolist(), became.tolist(), strict=True):
        if above == LEAF:
            alive[node + 1 : nodes.end[node]] = False
        elif above != KEPT:
            # What lives below the raised node lies between its own place and its old end.
            alive[node:above] = False
            alive[nodes.end[above] : nodes.end[node]] = False
    return alive


def renumbered(keep: Bools) -> Longs:
    """[node] Its number among those that are kept; −1 for the others."""
    return np.where(keep, np.cumsum(keep) - 1, -1).astype(np.int64)


def branch_of(tree: Tree, node: int, below: int) -> int:
    """Which branch of a node, from 0, leads to one below it."""
    children: Sequence[int] = tree.nodes.children(node)
    return bisect_right(children, below) - 1


# Steps of a pruning: a split, what it would cost as a leaf, and what its branches cost together.


CHAPTER: Final = "Pruning"


def split_step(
    places: TreeUnderPruning,
    node: int,
    figures: tuple[Figure, ...],
    decision: str,
    *,
    cut: bool,
    verb: str = "Prune",
) -> Step:
    """A step about one split."""
    rows = Rows(places.tree.weight(node), places.conditions(node))
    outcome = (BecameLeaf if cut else Kept)(node)
    return Step(CHAPTER, f"{verb} {places.split(node)}?", figures, decision, outcome, rows)


def steps_above_leaves(tree: Tree, cut: Bools, make: Callable[[TreeUnderPruning, int], Step]) -> PruningSteps:
    """A step for each split whose branches all ended in leaves, by nature or by a cut, the last first."""
    nodes, places = tree.nodes, TreeUnderPruning(tree)
    open_below = np.zeros(len(nodes), dtype=np.bool_)
    for node in range(len(nodes) - 1, 0, -1):
        if not nodes.is_leaf[node] and not cut[node]:
            open_below[nodes.parent[node]] = True
    splits = np.flatnonzero(~nodes.is_leaf & ~open_below)[::-1].tolist()
    return cutting(tree, cut, [StepAt(node, partial(make, places, node)) for node in splits])


def node_costs(tree: Tree, as_leaf: Floats, what: str, split_costs: Floats | float = 0.0) -> NodeCosts:
    """Bottom up, what each node costs, where a split becomes a leaf if that costs no more."""
    cut, subtree = cheaper_as_leaf(tree.nodes, as_leaf, split_costs)
    return NodeCosts(TreeUnderPruning(tree), as_leaf, subtree, cut, what)


@dataclass(frozen=True, slots=True, eq=False)
class NodeCosts:
    """[node] What each costs as a leaf, what each split cost when it was judged, and which were cut."""

    places: TreeUnderPruning
    as_leaf: Floats
    subtree: Floats
    cut: Bools
    what: str  # errors, bits

    def steps(self, make: Callable[[int], Step]) -> PruningSteps:
        """A step for each split, bottom up."""
        tree = self.places.tree
        splits = np.flatnonzero(~tree.nodes.is_leaf)[::-1].tolist()
        return cutting(tree, self.cut, [StepAt(node, partial(make, node)) for node in splits])

    def step(self, node: int, as_leaf: Figure, split_cost: Sequence[Figure] = ()) -> Step:
        """Compare a leaf, worked out in the figure, with the branches and what asking costs."""
        subtree = self._subtree(node, split_cost)
        cut, rounding = bool(self.cut[node]), Number(1e-9 * max(1.0, abs(float(self.as_leaf[node]))))
        right, close = named(subtree), "They are equal but for rounding."
        is_cheaper = compared("leaf ≤ subtree", cut, as_leaf, "≤", right, right + rounding, close)
        before, after = float(self.subtree[node]), float(self.as_leaf[node])
        decision = (
            f"{after:.4g} {self.what} as a leaf, {before:.4g} as a split: "
            f"{'it becomes a leaf' if cut else 'it stays'}."
        )
        return split_step(self.places, node, (as_leaf, subtree, is_cheaper), decision, cut=cut)

    def _subtree(self, node: int, split_cost: Sequence[Figure]) -> Figure:
        tree = self.places.tree
        children = tree.nodes.children(node)
        is_leaf = tree.nodes.is_leaf
        costs = [
            float((self.as_leaf if is_leaf[child] or self.cut[child] else self.subtree)[child])
            for child in children
        ]
        rows: list[tuple[GridCell, ...]] = [
            (str(tree.condition(child)), cost) for child, cost in zip(children, costs, strict=True)
        ]
        terms: tuple[Expression, ...] = (*map(named, split_cost), *map(plain, costs))
        return Figure(
            f"{self.what} of the subtree",
            float(self.subtree[node]),
            put_in=Sum(terms),
            because="What its branches come to, each cut at its best.",
            grids=(Grid("Branches", ("branch", self.what), rows, on_sheet=("given", "asked")),),
            under=tuple(split_cost),
        )


# The ledger of a pruning: what was cut, with the numbers that decided, in the order of deciding.


Action: TypeAlias = Literal["leaf", "raised"]
NamedNumbers: TypeAlias = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Cut:
    """One decision: the split at `node` (of the tree as it was) became a leaf, or a branch took its place."""

    node: int
    condition: str
    action: Action
    before: NamedNumbers
    after: NamedNumbers
    because: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """The cuts of one pruning, bottom up; a cut below another was made first. `settings` are the pruner's."""

    pruner: str
    cuts: tuple[Cut, ...]
    size_before: int
    size_after: int
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.cuts)

    def __iter__(self) -> Iterator[Cut]:
        return iter(self.cuts)

    def __str__(self) -> str:
        cuts = "1 cut" if len(self.cuts) == 1 else f"{len(self.cuts)} cuts"
        heading = f"{self.pruner}: {cuts}, {many(self.size_before, 'node')} → {self.size_after}"
        if not self.cuts:
            return heading
        names = list(dict.fromkeys(name for cut in self.cuts for name in (*cut.before, *cut.after)))
        rows = [["node", "under", "becomes", *names, "because"]]
        for cut in self.cuts:
            changes = [_change(cut.before.get(name), cut.after.get(name)) for name in names]
            rows.append([str(cut.node), cut.condition, cut.action, *changes, cut.because])
        return "\n".join([heading, *in_columns(rows)])

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        own = json_of(self, "pruner", "settings", "cuts", cuts=self.cuts)
        return {"pruner": self.pruner, "settings": dict(self.settings), **own}


@dataclass(frozen=True, slots=True)
class PrunedTree:
    """The smaller tree, and how it became so."""

    tree: Tree
    ledger: Ledger


def cut_to_leaves(
    pruner: str,
    tree: Tree,
    cut: Bools,
    before: Mapping[str, Floats],
    after: Mapping[str, Floats],
    because: str,
    settings: Mapping[str, Any] | None = None,
    rows: Table | None = None,
) -> PrunedTree:
    """Turn the marked splits to leaves and write it down: numbers are [node], `because` formats them by name.

    Names in `because` are those of the numbers, with `before_` and `after_` put first. `rows` are those that
    decided, if any did.
    """
    at = np.flatnonzero(cut)[::-1]
    smaller = replace(tree, nodes=cut_below(tree.nodes, cut))
    columns = {f"before_{name}": column[at].tolist() for name, column in before.items()}
    columns |= {f"after_{name}": column[at].tolist() for name, column in after.items()}
    cuts = []
    for node, *numbers in zip(at.tolist(), *columns.values(), strict=True):
        cuts.append(
            Cut(
                node,
                condition_text(tree, node),
                "leaf",
                dict(zip(before, numbers, strict=False)),
                dict(zip(after, numbers[len(before) :], strict=True)),
                because.format_map(dict(zip(columns, numbers, strict=True))),
            )
        )
    ledger = Ledger(pruner, tuple(cuts), tree.size, smaller.size, settings or {})
    return PrunedTree(with_entry(smaller, ledger, rows), ledger)


def with_entry(smaller: Tree, ledger: Ledger, rows: Table | None) -> Tree:
    """The smaller tree with the pruning in its lineage; `rows` are those that decided, if any did."""
    origin, mark, cuts = smaller.origin, "", tuple[int, ...]()
    used: lineage.RowsUsed = "none" if rows is None else "training"
    if rows is not None and (digest := fingerprint(rows)) != origin.fingerprint:
        mark, used = digest, "fresh"
        if all(cut.action == "leaf" for cut in ledger):
            cuts = tuple(cut.node for cut in ledger)
    done = lineage.Pruned(
        ledger.pruner, ledger.settings, ledger.size_before, ledger.size_after, used, mark, cuts
    )
    return replace(smaller, origin=origin.then(done))


def condition_text(tree: Tree, node: int) -> str:
    """What leads to a node, in its own words."""
    return str(tree.condition(node)) if node else "(root)"


def _change(before: float | None, after: float | None) -> str:
    if before is None or after is None:
        only = before if after is None else after
        return "" if only is None else f"{only:.4g}"
    return f"{before:.4g} → {after:.4g}"
