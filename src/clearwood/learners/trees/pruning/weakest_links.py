"""Cost-complexity: at which price of a leaf does each split stop paying? (Breiman et al. 1984, chapter 3)

A subtree costs its risk plus α for each leaf. As α rises from 0 the best subtree shrinks, split by
split, in an order that does not depend on where one stops: the weakest-link sequence.
"""

from __future__ import annotations

import heapq
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.bounds import choice
from clearwood.measures import IMPURITIES
from clearwood.models.kept import check_kind
from clearwood.models.kinds.tree.cutting import cut_below
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Tree
from clearwood.records import dataclass

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
    steps = _distinct(np.sort(np.append(enters[enters < leaves_at], 0.0)), float(risks[0]))
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
    falls: Bools = np.nan_to_num(path.split_alphas, nan=np.inf) <= alpha + 1e-10 * float(path.risks[-1])
    return falls


def node_risks(tree: Tree, *, risk: str = "error") -> Floats:
    """[node] What each node would cost as a leaf, per unit of the tree's weight.

    "error" is the expected cost of its answer, as in the book and in rpart (for numbers the squared or
    absolute error); the name of an impurity ("gini", "entropy", …) sums that instead, as scikit-learn does.
    """
    choice("risk", risk, ("error",) if tree.is_numeric else tuple(IMPURITIES))
    counts = tree.nodes.counts
    if tree.is_numeric:
        return np.asarray(counts[:, 2] / (counts[0, 0] or 1.0))
    if tree.decision.factors:
        counts = counts * np.asarray(tree.decision.factors)
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


def _distinct(ascending: Floats, scale: float) -> Floats:
    """The last of each run of alphas that differ only by rounding."""
    last: Bools = np.append(np.diff(ascending) > 1e-10 * scale, True)
    return ascending[last]
