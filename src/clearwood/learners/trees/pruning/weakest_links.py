"""Cost-complexity: at which price of a leaf does each split stop paying? (Breiman et al. 1984, chapter 3)

A subtree costs its risk plus α for each leaf. As α rises from 0 the best subtree shrinks, split by
split, in an order that does not depend on where one stops: the weakest-link sequence.
"""

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import starmap
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Bools, Floats, Ints, Longs
from clearwood.bounds import choice
from clearwood.learners.learner import Grow, Learner, OwnPruner
from clearwood.learners.parts import RowPart, TakenPart, over_parts, threads_for
from clearwood.learners.trees.growing import rows_to_add_up
from clearwood.measures import IMPURITIES
from clearwood.models.decision import cost_matrix
from clearwood.models.kinds.tree.nodes import Nodes, cut_below
from clearwood.models.kinds.tree.tree import Tree, node_codes, node_values
from clearwood.models.model import check_kind, holds_medians
from clearwood.predicting.batch import leaf_of
from clearwood.predicting.through import count_through
from clearwood.records import dataclass
from clearwood.table.folding import RowPositions
from clearwood.table.folding import folds as fold_rows
from clearwood.table.table import Table

Links: TypeAlias = Literal["weakest", "rpart"]


@dataclass(frozen=True, slots=True, eq=False)
class CostComplexityPath:
    """The best subtrees from the largest to the root: entry k is best for alphas[k] ≤ α < alphas[k + 1].

    `risks` are per unit of weight; `split_alphas` [node] is the α at which each split is cut.
    """

    alphas: Floats
    leaves: Longs
    risks: Floats
    split_alphas: Floats

    @property
    def relative(self) -> Floats:
        """The alphas as parts of the root's risk: rpart's `cp`."""
        return self.alphas / self.risks[-1] if self.risks[-1] > 0 else self.alphas

    def __str__(self) -> str:
        rows = zip(self.alphas.tolist(), self.leaves.tolist(), self.risks.tolist(), strict=True)
        return "\n".join(
            ["      alpha  leaves      risk", *(f"{a:11.6g}  {n:6d}  {r:8.6f}" for a, n, r in rows)]
        )


def cost_complexity_path(tree: Tree, *, risk: str = "error", links: Links = "weakest") -> CostComplexityPath:
    """The weakest-link sequence of a tree; `risk` as in `node_risks`.

    `links` "rpart" gives each split the α that R's rpart gives it: the same on most trees, but rpart takes
    a branch to be cut to its last split before the split above is judged, which can shift an α (its table
    then lists subtrees that are not the best at any price).
    """
    check_kind("cost_complexity_path", tree, Tree)
    choice("links", links, ("weakest", "rpart"))
    is_leaf = tree.nodes.is_leaf
    risks = node_risks(tree, risk=risk)
    split_alphas = (_split_alphas if links == "weakest" else _rpart_alphas)(tree.nodes, risks)
    enters = np.where(is_leaf | (split_alphas <= 1e-10 * risks[0]), 0.0, split_alphas)
    leaves_at = least_above(tree.nodes, enters)
    ascending = np.sort(np.append(enters[enters < leaves_at], 0.0))
    # The last of each run of alphas that differ only by rounding.
    steps: Floats = ascending[np.append(np.diff(ascending) > 1e-10 * float(risks[0]), True)]
    stays = (np.searchsorted(steps, enters), np.searchsorted(steps, leaves_at))
    leaves = sums_while(*stays, np.ones(len(risks)), len(steps))
    totals = sums_while(*stays, risks, len(steps))
    return CostComplexityPath(
        steps, np.rint(leaves).astype(np.int64), totals, np.where(is_leaf, np.nan, split_alphas)
    )


def cut_at(tree: Tree, path: CostComplexityPath, alpha: float) -> Tree:
    """The best subtree where a leaf costs α."""
    return replace(tree, nodes=cut_below(tree.nodes, falls_at(path, alpha)))


def falls_at(path: CostComplexityPath, alpha: float) -> Bools:
    """[node] The splits that do not pay at this α; rounding (1e-10 of the root's risk) keeps none of them."""
    return np.nan_to_num(path.split_alphas, nan=np.inf) <= alpha + 1e-10 * float(path.risks[-1])


def weighed_by_factors(tree: Tree, counts: Floats) -> Floats:
    """Counts [·, class] by the factors that priors give the classes, if they do."""
    return counts * np.asarray(tree.decision.factors) if tree.decision.factors else counts


def node_risks(tree: Tree, *, risk: str = "error") -> Floats:
    """[node] What each node would cost as a leaf, per unit of the tree's weight.

    "error" is the expected cost of its answer, as in the book and in rpart (for numbers the squared or
    absolute error); the name of an impurity ("gini", "entropy", …) sums that instead, as scikit-learn does.
    """
    choice("risk", risk, ("error",) if tree.is_numeric else tuple(IMPURITIES))
    counts = tree.nodes.counts
    if tree.is_numeric:
        return np.asarray(counts[:, 2] / (counts[0, 0] or 1.0))
    counts = weighed_by_factors(tree, counts)
    weight = counts.sum(axis=1)
    if risk != "error":
        amount = weight * IMPURITIES[risk](counts)
    elif tree.decision.costs:
        amount = (counts @ np.asarray(tree.decision.costs)).min(axis=1)
    else:
        amount = weight - counts.max(axis=1)
    return np.asarray(amount / (weight[0] or 1.0))


def _split_alphas(nodes: Nodes, risks: Floats) -> Floats:
    """[node] The α from which a split and all below it cost at least as much as one leaf.

    Bottom up, each node keeps the cuts below it that happen before its own, dearest on top. Judged
    first as if all of them had happened, it undoes the dearest while that one is dearer than its own:
    each cut is undone at most once, and the smaller heap is poured into the larger.
    """
    parent, end, risk = nodes.parent.tolist(), nodes.end.tolist(), risks.tolist()
    alphas = [np.nan] * len(parent)
    risk_below = [0.0] * len(parent)  # with each child a leaf
    leaves_below = [0] * len(parent)
    cuts: list[list[tuple[float, float, int]]] = [[] for _ in parent]  # (−α, risk it adds, leaves it takes)
    for node in range(len(parent) - 1, -1, -1):
        if end[node] > node + 1:
            heap = cuts[node]
            saved, fewer = risk[node] - risk_below[node], leaves_below[node] - 1
            while heap and (fewer < 1 or -heap[0][0] * fewer >= saved):
                _, added, taken = heapq.heappop(heap)
                saved += added
                fewer += taken
            alphas[node] = saved / fewer if fewer else 0.0
            heapq.heappush(heap, (-alphas[node], saved, fewer))
        if node:
            above = parent[node]
            risk_below[above] += risk[node]
            leaves_below[above] += 1
            small, large = sorted((cuts[node], cuts[above]), key=len)
            for cut in small:
                heapq.heappush(large, cut)
            cuts[above] = large
            cuts[node] = []
    return np.array(alphas)


def _rpart_alphas(nodes: Nodes, risks: Floats) -> Floats:
    """[node] rpart's α: of each child only its state just before its own cut is known, or that it is cut."""
    is_leaf, risk, rounding = nodes.is_leaf.tolist(), risks.tolist(), 1e-12 * float(risks[0])
    alphas, kept_risk, kept_leaves = [0.0] * len(risk), list(risk), [1] * len(risk)
    for node in range(len(risk) - 1, -1, -1):
        if is_leaf[node]:
            continue
        children = sorted(nodes.children(node), key=lambda child: (alphas[child], -child))
        total, leaves = sum(kept_risk[c] for c in children), sum(kept_leaves[c] for c in children)
        for child in children:
            if leaves < 2 or (risk[node] - total) / (leaves - 1) <= alphas[child] + rounding:
                break
            total += risk[child] - kept_risk[child]
            leaves += 1 - kept_leaves[child]
        alphas[node] = (risk[node] - total) / (leaves - 1) if leaves > 1 else 0.0
        if alphas[node] > 0:
            kept_risk[node], kept_leaves[node] = total, leaves
    return np.array(alphas)


def least_above(nodes: Nodes, alphas: Floats) -> Floats:
    """[node] The smallest α of the splits above; ∞ at the root."""
    least = [np.inf] * len(alphas)
    alpha, parent = alphas.tolist(), nodes.parent.tolist()
    for node in range(1, len(least)):
        above = parent[node]
        least[node] = min(least[above], alpha[above])
    return np.array(least)


def sums_while(enters: Longs, leaves: Longs, amounts: Floats, steps: int) -> Floats:
    """[step, …] Σ of the amounts [node, …] over the leaves of each subtree: enters ≤ step < leaves."""
    stays = enters < leaves
    change = np.zeros((steps + 1, *amounts.shape[1:]))
    np.add.at(change, enters[stays], amounts[stays])
    np.add.at(change, leaves[stays], -amounts[stays])
    return np.asarray(np.cumsum(change, axis=0)[:steps], dtype=np.float64)


# Cross-validated α: which subtree of the weakest-link sequence does best on rows it has not seen?


AlphaRule: TypeAlias = Literal["min", "1se"]
LossesByNode: TypeAlias = Callable[[Tree, Table], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class CrossValidatedAlpha:
    """Each subtree's error on held-out rows, with its standard error; `chosen` is the position of one.

    Divided by the root's risk they are rpart's `xerror` and `xstd`. `sums` [fold, subtree, (Σ loss, Σ loss²)]
    of `weight` in all are what they come from.
    """

    path: CostComplexityPath
    errors: Floats
    deviations: Floats
    chosen: int
    sums: Floats
    weight: float

    @property
    def alpha(self) -> float:
        return float(self.path.alphas[self.chosen])

    def __str__(self) -> str:
        lines = ["      alpha  leaves      risk  held-out    ± s.e."]
        columns = (self.path.alphas, self.path.leaves, self.path.risks, self.errors, self.deviations)
        for row, (alpha, leaves, risk, error, deviation) in enumerate(
            zip(*(column.tolist() for column in columns), strict=True)
        ):
            mark = "  ← chosen" if row == self.chosen else ""
            lines.append(f"{alpha:11.6g}  {leaves:6d}  {risk:8.6f}  {error:8.6f}  {deviation:8.6f}{mark}")
        return "\n".join(lines)


def cross_validated_alpha(
    learner: Learner[Tree],
    table: Table,
    *,
    folds: int | Sequence[tuple[RowPositions, RowPositions]] = 10,
    seed: int = 0,
    rule: AlphaRule = "min",
    tree: Tree | None = None,
) -> CrossValidatedAlpha:
    """Grow a tree on each fold, prune it along the whole tree's sequence, add up its errors on held-out rows.

    A subtree is tried at the geometric mean of the two alphas between which it is best. "min" takes the
    least error, "1se" the smallest subtree within one standard error of it; of equals the smaller.
    `tree` is the learner's tree of the whole table, if there already (Breiman et al. 1984).
    rpart's `xerror` in the same folds is near, but need not be equal: its fold trees are pruned along links
    of their own.
    """
    choice("rule", rule, ("min", "1se"))
    tree = learner.learn(table) if tree is None else tree
    ours = type(learner).__module__.startswith("clearwood.learners.")  # others may not bear threads
    threads = threads_for(table) if ours else 1
    return alpha_by_growing(learner.learn, table, tree, folds, seed, rule, threads=threads)


def alpha_by_growing(
    grow: Grow,
    table: Table,
    tree: Tree,
    folds: int | Sequence[tuple[RowPositions, RowPositions]],
    seed: int,
    rule: AlphaRule,
    *,
    risk: str = "error",
    losses: LossesByNode | None = None,
    threads: int = 1,
) -> CrossValidatedAlpha:
    """The same for whatever grows a tree from rows; `tree` is what it grew from the whole table.

    Subtrees are those of `risk`, as in `node_risks`. `losses` gives for a tree and held-out rows
    [node, (Σ loss, Σ loss²)], were each node a leaf; unless given, a loss is the cost of an answer.
    """
    path = cost_complexity_path(tree, risk=risk)
    # A split that lowers nothing may be priced below 0 by rounding.
    roots = np.sqrt(np.maximum(path.alphas, 0.0))
    tried = np.append(roots[:-1] * roots[1:], np.inf)
    if len(tried) > 1:
        tried[0] = path.alphas[0]

    def lost_in(part: TakenPart) -> tuple[Floats, float]:
        grown, held = grow(part.learn), part.held_out
        if losses is not None:
            lost = losses(grown, held)
        else:
            lost = _number_losses(grown, held) if grown.is_numeric else _class_losses(tree, grown, held)
        return _held_out(grown, cost_complexity_path(grown, risk=risk), lost, tried), _weight_of(held)

    pairs = fold_rows(table, folds, seed) if isinstance(folds, int) else folds
    by_fold, held_out = zip(
        *over_parts(table, starmap(RowPart, pairs), lost_in, threads=threads), strict=True
    )
    weight = tree.weight(0) or 1.0
    if table.times is not None:  # the earliest rows are not held out
        weight *= sum(held_out) / _weight_of(table)
    sums = np.sum(by_fold, axis=0)
    errors = sums[:, 0] / weight
    deviations = np.sqrt(np.maximum(sums[:, 1] - sums[:, 0] ** 2 / weight, 0.0)) / weight
    return CrossValidatedAlpha(
        path, errors, deviations, _choose(errors, deviations, rule), np.array(by_fold), weight
    )


def _choose(errors: Floats, deviations: Floats, rule: AlphaRule) -> int:
    best = int(np.argmin(errors))
    limit = errors[best] + (deviations[best] if rule == "1se" else 0.0)
    return int(np.flatnonzero(errors <= limit * (1 + 1e-12))[-1])


def _held_out(grown: Tree, path: CostComplexityPath, losses: Floats, tried: Floats) -> Floats:
    """[tried α, (Σ loss, Σ loss²)] of a fold's tree, pruned at each α, on the rows held out."""
    enters = np.where(grown.nodes.is_leaf, 0.0, np.maximum(path.split_alphas, 0.0))
    exits = least_above(grown.nodes, enters)
    rounding = 1e-10 * float(path.risks[-1])
    first = np.searchsorted(tried, enters - rounding)
    last = np.where(np.isinf(exits), len(tried), np.searchsorted(tried, exits - rounding))
    return sums_while(first, last, losses, len(tried))


def _class_losses(whole: Tree, grown: Tree, test: Table) -> Floats:
    """[node, (Σ loss, Σ loss²)] were each node a leaf; a row's loss is its cost times its class's factor."""
    costs = cost_matrix(whole.decision)
    if costs is None:
        costs = 1.0 - np.eye(len(whole.schema.classes))
    loss = costs.T[node_codes(grown)] * _factors(whole)  # [node, true class]
    counts = count_through(grown, test)
    return np.stack([(counts * loss).sum(axis=1), (counts * loss**2).sum(axis=1)], axis=1)


def _number_losses(grown: Tree, test: Table) -> Floats:
    """[node, (Σ loss, Σ loss²)] were each node a leaf."""
    absolute = holds_medians(grown)
    values, y = node_values(grown), test.target.astype(np.float64)

    def loss(node: Ints, rows: Longs) -> Floats:
        away = np.abs(y[rows] - values[node])
        return away if absolute else away**2

    return losses_by_node(grown, test, np.flatnonzero(~np.isnan(y)), loss)


def losses_by_node(tree: Tree, test: Table, rows: Longs, loss: Callable[[Ints, Longs], Floats]) -> Floats:
    """[node, (Σ loss, Σ loss²)] over these rows, each judged at all the nodes from its leaf to the root.

    `loss` gives those of rows at nodes, the two side by side.
    """
    node = leaf_of(tree, test)[rows]
    weights = np.ones(len(test)) if test.weights is None else test.weights
    losses = np.zeros((len(tree.nodes), 2))
    while len(node):
        lost = loss(node, rows)
        for power in (1, 2):
            losses[:, power - 1] += np.bincount(node, weights[rows] * lost**power, minlength=len(losses))
        node = tree.nodes.parent[node]
        below_root = node >= 0
        node, rows = node[below_root], rows[below_root]
    return losses


def _factors(tree: Tree) -> Floats:
    """[class] The decision's factors, scaled so that they leave the table's weight as it is."""
    counts = tree.nodes.counts[0]
    factors = np.array(tree.decision.factors) if tree.decision.factors else np.ones(len(counts))
    weighed = float((counts * factors).sum())
    return factors * (counts.sum() / weighed) if weighed > 0 else factors


def _weight_of(rows: Table) -> float:
    return float(len(rows) if rows.weights is None else rows.weights.sum())


# As learners use it: at a price that is given, or that folds choose.


def _by_folds(tree: Tree, table: Table, grow: Grow, settings: Mapping[str, Any]) -> CrossValidatedAlpha:
    folds, seed, rule = (settings[name] for name in ("folds", "seed", "rule"))
    return alpha_by_growing(grow, table, tree, folds, seed, rule, threads=threads_for(table))


def _cross_validated(tree: Tree, table: Table, grow: Grow, settings: Mapping[str, Any]) -> Tree:
    chosen = _by_folds(tree, rows_to_add_up(table), grow, settings)
    return cut_at(tree, chosen.path, chosen.alpha)


COST_COMPLEXITY: Final = OwnPruner(
    lambda tree, _, __, how: cut_at(tree, cost_complexity_path(tree), how["alpha"]),
    prices=lambda tree, *_: cost_complexity_path(tree),
)
CROSS_VALIDATED: Final = OwnPruner(
    _cross_validated,
    steps="clearwood.deriving.trees.cost_complexity:cross_validated_steps",
    prices=_by_folds,
)
