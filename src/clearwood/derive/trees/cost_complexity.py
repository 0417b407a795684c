"""Cost-complexity pruning, step by step: what does each split save, for each leaf it costs?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from clearwood.formulas.expressions import Compared, Expression, Number, Quotient, Sum, Symbol, value_of
from clearwood.learners.trees.pruning.places import Places, numbered
from clearwood.learners.trees.pruning.pruner import StepMakers
from clearwood.learners.trees.pruning.split_steps import CHAPTER
from clearwood.learners.trees.pruning.weakest_links import (
    CostComplexityPath,
    cost_complexity_path,
    falls_at,
    least_above,
    node_risks,
)
from clearwood.models.cutting import below
from clearwood.models.nodes import Bools, Floats
from clearwood.models.tree import Tree
from clearwood.table.table import Table
from clearwood.working.derivation import Step
from clearwood.working.figures import Cell, Figure, Grid, Rows
from clearwood.working.outcomes import Cut, Kept
from clearwood.working.shorthand import less, named, plain

LISTED: Final = 40  # leaves of a subtree; one of more is told by its branches


@dataclass(frozen=True, slots=True, eq=False)
class Pricing:
    """A tree's weakest links, the price α of a leaf, and the step that tells where the price came from."""

    places: Places
    path: CostComplexityPath
    risks: Floats  # [node]
    falls: Bools  # [node]
    alpha: float
    risk: str


def pricing(tree: Tree, alpha: float, risk: str = "error") -> Pricing:
    """What `cut_at` does at this price."""
    path, risks = cost_complexity_path(tree, risk=risk), node_risks(tree, risk=risk)
    falls = falls_at(path, alpha)
    places = Places(tree, np.arange(tree.size), numbered(~below(tree.nodes, falls)))
    return Pricing(places, path, risks, falls, alpha, risk)


def cost_complexity_steps(tree: Tree, _: Table | None, settings: Mapping[str, Any]) -> StepMakers:
    """The price of a leaf as it was set, and a step for each split that it decided."""
    priced = pricing(tree, settings["alpha"], settings["risk"])
    grid = sequence_grid(priced.path, None)
    alpha = Figure("α", float(priced.alpha), because="As set.", grids=(grid,))
    decision = f"A leaf costs {priced.alpha:.4g}, as set."
    return [lambda: Step(CHAPTER, "The price of a leaf", (alpha,), decision), *link_steps(priced)]


def link_steps(priced: Pricing, only: Bools | None = None) -> list[Callable[[], Step]]:
    """A step for each split in the order in which they fall as the price of a leaf rises.

    A split that would outlive one above it falls with that one, and has no step unless both stay. `only`
    those places [node] of the tree that came of it have one, where given.
    """
    nodes, alphas = priced.places.tree.nodes, priced.path.split_alphas
    own = np.nan_to_num(alphas, nan=np.inf)
    seen = ~nodes.is_leaf & (~below(nodes, priced.falls) | (own < least_above(nodes, own)))
    seen &= priced.places.told(np.arange(len(nodes)), only)
    order = sorted(np.flatnonzero(seen).tolist(), key=lambda node: (own[node], -node))
    return [partial(_step, priced, node) for node in order]


def sequence_grid(path: CostComplexityPath, chosen: int | None) -> Grid:
    """The best subtrees, from the largest to the root alone."""
    columns = (path.alphas.tolist(), path.leaves.tolist(), path.risks.tolist())
    return Grid(
        "The weakest-link sequence",
        ("from α", "leaves", "risk"),
        list(zip(*columns, strict=True)),
        chosen,
        on_sheet=("asked", "asked", "asked"),
    )


def _step(priced: Pricing, node: int) -> Step:
    places, nodes = priced.places, priced.places.tree.nodes
    falls = bool(priced.falls[node])
    as_leaf = _risk_of_leaf(priced, node)
    subtree, leaves = _risk_of_subtree(priced, node)
    value = float(priced.path.split_alphas[node])
    if abs(value) <= 1e-12 * float(priced.path.risks[-1]):
        value = 0.0  # what is left of a difference that should be 0 is rounding
    figures = [as_leaf, subtree]
    if leaves > 1:
        figures.append(
            Figure(
                "α of the link",
                value,
                _alpha(Symbol("R", "t"), Symbol("R", "T"), Symbol("leaves")),
                _alpha(named(as_leaf), named(subtree), Number(leaves)),
                because="The risk saved for each leaf more.",
            )
        )
    else:
        figures.append(Figure("α of the link", value, because="It has one branch, and saves nothing."))
    put_in = Compared(named(figures[-1]), "≤", Number(priced.alpha))
    close = falls != (value_of(put_in) > 0)
    if close:
        rounding = Number(1e-10 * float(priced.path.risks[-1]))
        put_in = Compared(named(figures[-1]), "≤", Sum((Number(priced.alpha), rounding)))
    because = "They are equal but for rounding." if close else ""
    figures.append(Figure("α of the link ≤ α", falls, put_in=put_in, because=because))
    decision = (
        f"It saves {value:.4g} a leaf and a leaf costs {priced.alpha:.4g}: "
        f"{'it becomes a leaf' if falls else 'it stays'}."
    )
    counts = nodes.counts[node]
    weight = float(counts[0] if places.tree.is_numeric else counts.sum())
    return Step(
        CHAPTER,
        f"Prune {places.split(node)}?",
        tuple(figures),
        decision,
        (Cut if falls else Kept)(int(places.before[node])),
        Rows(weight, places.conditions(node)),
        places.ended(node),
    )


def _alpha(as_leaf: Expression, subtree: Expression, leaves: Expression) -> Expression:
    return Quotient(less(as_leaf, subtree), less(leaves, Number(1)))


def _weight(tree: Tree) -> float:
    """The whole tree's weight, by which risks are divided."""
    counts = tree.nodes.counts[0]
    if tree.is_numeric:
        return float(counts[0]) or 1.0
    if tree.decision.factors:
        counts = counts * np.asarray(tree.decision.factors)
    return float(counts.sum()) or 1.0


def _risk_of_leaf(priced: Pricing, node: int) -> Figure:
    tree, weight = priced.places.tree, _weight(priced.places.tree)
    risk = float(priced.risks[node])
    top: Expression = plain(_rounded(risk * weight))
    what = "wrong answers"
    if tree.is_numeric:
        what = "error of the number"
    elif priced.risk != "error":
        what = f"{priced.risk} times weight"
    elif tree.decision.costs:
        what = "cost of the answers"
    else:
        counts = tree.nodes.counts[node]
        weighed = counts * np.asarray(tree.decision.factors) if tree.decision.factors else counts
        top = less(plain(float(weighed.sum())), plain(float(weighed.max())))
    return Figure(
        "risk as a leaf",
        risk,
        Quotient(Symbol(what, "t"), Symbol("N")),
        Quotient(top, plain(weight)),
    )


def _risk_of_subtree(priced: Pricing, node: int) -> tuple[Figure, int]:
    """The risk of a split's subtree when its turn comes: the weaker links below it are cut by then."""
    places, weight = priced.places, _weight(priced.places.tree)
    leaves = _leaves(priced, node)
    parts: list[tuple[int, float, int]] = [(leaf, float(priced.risks[leaf]) * weight, 1) for leaf in leaves]
    if len(leaves) > LISTED:
        parts = []
        for child in places.tree.nodes.children(node):
            inside = [leaf for leaf in leaves if child <= leaf < places.tree.nodes.end[child]]
            parts.append((child, float(priced.risks[inside].sum()) * weight, len(inside)))
    rows: list[tuple[Cell, ...]] = [
        (places.way(place, node), count, _rounded(amount)) for place, amount, count in parts
    ]
    figure = Figure(
        "risk of the subtree",
        float(priced.risks[leaves].sum()),
        Quotient(Sum((Symbol("loss", "1"), Symbol("…"), Symbol("loss", "leaves"))), Symbol("N")),
        Quotient(Sum(tuple(plain(_rounded(amount)) for _, amount, _ in parts)), plain(weight)),
        because=f"It has {len(leaves)} leaves once the weaker links below are cut.",
        grids=(
            Grid(
                "Parts of the subtree", ("part", "leaves", "loss"), rows, on_sheet=("given", "given", "asked")
            ),
        ),
    )
    return figure, len(leaves)


def _leaves(priced: Pricing, node: int) -> list[int]:
    """The leaves of a split's subtree just before it falls."""
    nodes, alphas = priced.places.tree.nodes, priced.path.split_alphas
    # Links of one strength fall together: rounding must not part them.
    own, end = alphas[node] - 1e-10 * float(priced.path.risks[-1]), nodes.end
    found, place = [], node + 1
    while place < end[node]:
        is_leaf = end[place] == place + 1
        if is_leaf or alphas[place] < own:
            found.append(place)
            place = int(end[place])
        else:
            place += 1
    return found


def _rounded(amount: float) -> float:
    """A risk times its weight is a count again, which rounding may have missed."""
    nearest = round(amount, 9)
    return nearest if abs(nearest - amount) <= 1e-12 * max(1.0, abs(amount)) else amount
