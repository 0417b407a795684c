"""Cost-complexity pruning, step by step: what does each split save, for each leaf it costs?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.formulas.expressions import Expression, Number, Over, Root, Sum, Symbol, value_of
from clearwood.learners.learner import Grow
from clearwood.learners.trees.pruning.pruner import (
    CHAPTER,
    PruningSteps,
    StepAt,
    TreeUnderPruning,
    cutting,
    split_step,
)
from clearwood.learners.trees.pruning.weakest_links import (
    AlphaRule,
    CostComplexityPath,
    CrossValidatedAlpha,
    alpha_by_growing,
    cost_complexity_path,
    falls_at,
    least_above,
    node_risks,
    weighed_by_factors,
)
from clearwood.models.kinds.tree.nodes import below
from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.table import Table
from clearwood.working.derivation import Step
from clearwood.working.figures import ASKED, Figure, Grid, GridCell, compared, named, plain

_N: Final = Symbol("N", means="the number of all training rows")

LISTED: Final = 40  # leaves of a subtree; a larger one is shown by its branches


@dataclass(frozen=True, slots=True, eq=False)
class Pricing:
    """A tree's weakest links, and which of them fall where a leaf costs α."""

    places: TreeUnderPruning
    path: CostComplexityPath
    risks: Floats  # [node]
    falls: Bools  # [node]
    alpha: float
    risk: str


def priced_steps(
    tree: Tree, path: CostComplexityPath, alpha: float, price: Callable[[], Step], risk: str = "error"
) -> PruningSteps:
    """The step on the price of a leaf, then one for each split that it keeps or cuts."""
    priced = Pricing(
        TreeUnderPruning(tree), path, node_risks(tree, risk=risk), falls_at(path, alpha), alpha, risk
    )
    return cutting(tree, priced.falls, [StepAt(None, price), *_link_steps(priced)])


def _link_steps(priced: Pricing) -> list[StepAt]:
    """A step for each split in the order in which they fall as the price of a leaf rises.

    A split that would outlive one above it falls with that one, and has no step unless both stay.
    """
    nodes, alphas = priced.places.tree.nodes, priced.path.split_alphas
    own = np.nan_to_num(alphas, nan=np.inf)
    seen = ~nodes.is_leaf & (~below(nodes, priced.falls) | (own < least_above(nodes, own)))
    order = sorted(np.flatnonzero(seen).tolist(), key=lambda node: (own[node], -node))
    return [StepAt(node, partial(_step, priced, node)) for node in order]


def _step(priced: Pricing, node: int) -> Step:
    places = priced.places
    falls = bool(priced.falls[node])
    as_leaf = _risk_of_leaf(priced, node)
    subtree, leaves = _risk_of_subtree(priced, node)
    value = float(priced.path.split_alphas[node])
    if abs(value) <= 1e-12 * float(priced.path.risks[-1]):
        value = 0.0  # what is left of a difference that should be 0 is rounding
    figures = [as_leaf, subtree]
    if leaves > 1:
        put_in = _alpha(named(as_leaf), named(subtree), Number(leaves))
        because = "The risk saved for each leaf more."
        figures.append(Figure("α of the link", value, _LINK, put_in, because=because))
    else:
        figures.append(Figure("α of the link", value, because="It has one branch, and saves nothing."))
    alpha = Number(priced.alpha)
    nearly, close = alpha + Number(_rounding(priced)), "They are equal but for rounding."
    figures.append(compared("α of the link ≤ α", falls, figures[-1], "≤", alpha, nearly, close))
    decision = (
        f"Its α is {value:.4g}, the error saved per leaf, and α is set to {priced.alpha:.4g}: "
        f"{'it becomes a leaf' if falls else 'it stays'}."
    )
    return split_step(places, node, tuple(figures), decision, cut=falls)


def _alpha(as_leaf: Expression, subtree: Expression, leaves: Expression) -> Expression:
    return (as_leaf - subtree) / (leaves - 1)


_LINK: Final = _alpha(
    Symbol("R", "t", "the risk of the node as a leaf"),
    Symbol("R", "T", "the risk of the subtree below it"),
    Symbol("leaves"),
)


def _weight(tree: Tree) -> float:
    """The whole tree's weight, by which risks are divided."""
    counts = tree.nodes.counts[0]
    if tree.is_numeric:
        return float(counts[0]) or 1.0
    return float(weighed_by_factors(tree, counts).sum()) or 1.0


def _risk_of_leaf(priced: Pricing, node: int) -> Figure:
    tree, weight = priced.places.tree, _weight(priced.places.tree)
    risk = float(priced.risks[node])
    top: Expression = plain(_rounded(risk * weight))
    what = "wrong predictions"
    if tree.is_numeric:
        what = "error of the number"
    elif priced.risk != "error":
        what = f"{priced.risk} times weight"
    elif tree.decision.costs:
        what = "cost of the predictions"
    else:
        weighed = weighed_by_factors(tree, tree.nodes.counts[node])
        top = plain(float(weighed.sum())) - plain(float(weighed.max()))
    formula = Symbol(what, "t", f"the {what} of node t as a leaf") / _N
    return Figure("risk as a leaf", risk, formula, top / plain(weight))


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
    rows: list[tuple[GridCell, ...]] = [
        (places.way(place, node), count, _rounded(amount)) for place, amount, count in parts
    ]
    columns = ("part", "leaves", "loss")
    grid = Grid("Parts of the subtree", columns, rows, on_sheet=("given", "given", "asked"))
    put_in = Sum(tuple(plain(_rounded(amount)) for _, amount, _ in parts)) / plain(weight)
    because, risk = (
        f"It has {len(leaves)} leaves once the weaker links below are cut.",
        priced.risks[leaves].sum(),
    )
    figure = Figure("risk of the subtree", float(risk), _LOSS, put_in, because=because, grids=(grid,))
    return figure, len(leaves)


_LOSS: Final = (
    Symbol("loss", "1", "the loss of the first leaf")
    + Symbol("…")
    + Symbol("loss", "leaves", "the loss of the last leaf")
) / _N


def _leaves(priced: Pricing, node: int) -> list[int]:
    """The leaves of a split's subtree just before it falls."""
    nodes, alphas = priced.places.tree.nodes, priced.path.split_alphas
    # Links of one strength fall together: rounding must not part them.
    own, end = alphas[node] - _rounding(priced), nodes.end
    leaves, place = [], node + 1
    while place < end[node]:
        is_leaf = end[place] == place + 1
        if is_leaf or alphas[place] < own:
            leaves.append(place)
            place = int(end[place])
        else:
            place += 1
    return leaves


def _rounding(priced: Pricing) -> float:
    return 1e-10 * float(priced.path.risks[-1])


def _rounded(amount: float) -> float:
    """A risk times its weight is a count again, which rounding may have missed."""
    nearest = round(amount, 9)
    return nearest if abs(nearest - amount) <= 1e-12 * max(1.0, abs(amount)) else amount


# Cost-complexity pruning by the price of a leaf, α: given, or chosen by cross-validation.


_TITLE: Final = "The price of a leaf"


def cost_complexity_steps(tree: Tree, _: Table | None, settings: Mapping[str, Any]) -> PruningSteps:
    """The price as it was set, and a step for each split."""
    alpha, risk = float(settings["alpha"]), settings.get("risk", "error")
    path = cost_complexity_path(tree, risk=risk)
    return priced_steps(tree, path, alpha, partial(_set_step, path, alpha), risk)


def cross_validated_steps(tree: Tree, rows: Table, grow: Grow, settings: Mapping[str, Any]) -> PruningSteps:
    """The prices that were tried on held-out rows, and a step for each split at the one that was chosen."""
    tried = alpha_by_growing(grow, rows, tree, settings["folds"], settings["seed"], settings["rule"])
    return priced_steps(tree, tried.path, tried.alpha, partial(_tried_step, tried, settings))


def _set_step(path: CostComplexityPath, alpha: float) -> Step:
    """The sequence of subtrees, and which of them the price takes."""
    chosen = int(np.searchsorted(path.alphas, alpha + 1e-10 * float(path.risks[-1]), "right")) - 1
    rows = list(zip(path.alphas.tolist(), path.leaves.tolist(), path.risks.tolist(), strict=True))
    names = ("from α", "leaves", "risk")
    grid = Grid("The weakest-link sequence", names, rows, max(chosen, 0), on_sheet=(ASKED,) * 3)
    figure = Figure("α", alpha, because="As set.", grids=(grid,), on_sheet="given")
    return Step(CHAPTER, _TITLE, (figure,), f"A leaf costs {alpha:.4g}, as set.")


def _tried_step(tried: CrossValidatedAlpha, settings: Mapping[str, Any]) -> Step:
    """The sequence of subtrees, and their errors on held-out rows."""
    rule, folds = settings["rule"], settings["folds"]
    figure = Figure("α", tried.alpha, because=_rule(rule, folds, tried), grids=(_tried_grid(tried),))
    which = "does best" if rule == "min" else "is the smallest within one standard error of the best"
    leaves = _leaves_by_price(tried.path, tried.chosen)
    decision = f"A leaf costs {tried.alpha:.4g}: the tree of {leaves} {which} on held-out rows."
    return Step(CHAPTER, _TITLE, (figure,), decision)


def _tried_grid(tried: CrossValidatedAlpha) -> Grid:
    path = tried.path
    columns = (path.alphas, path.leaves, path.risks, tried.errors, tried.deviations)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    names = ("from α", "leaves", "risk", "held-out error", "standard error")
    title = "The weakest-link sequence, cross-validated"
    return Grid(title, names, rows, tried.chosen, partial(_held_out, tried), (ASKED,) * len(names))


def _held_out(tried: CrossValidatedAlpha, place: int) -> Figure:
    """A subtree's error on the rows held out, fold by fold, and its standard error."""
    name = f"the tree of {_leaves_by_price(tried.path, place)}"
    losses, squares = tried.sums[:, place, 0].tolist(), tried.sums[:, place, 1].tolist()
    whole, n = plain(tried.weight), Symbol("N", means="the number of all rows held out")
    loss, square = Sum(tuple(map(plain, losses))), Sum(tuple(map(plain, squares)))
    first, second = (Over("Σ", "fold", Symbol(each)) for each in ("loss", "loss²"))
    error = Figure(f"held-out error of {name}", float(tried.errors[place]), first / n, loss / whole)
    value = float(tried.deviations[place])
    put_in = Root(square - loss**2 / whole) / whole
    # Where all rows lose alike, what is left of the difference is rounding.
    agrees = math.isclose(value_of(put_in), value, rel_tol=1e-9, abs_tol=1e-12)
    formula, own = Root(second - first**2 / n) / n, put_in if agrees else Number(value)
    deviation = Figure(f"standard error of {name}", value, formula, own)
    return replace(error, under=(deviation,))


def _rule(rule: AlphaRule, folds: int, tried: CrossValidatedAlpha) -> str:
    best = int(np.argmin(tried.errors))
    least, deviation = float(tried.errors[best]), float(tried.deviations[best])
    if rule == "min":
        return f"The lowest held-out error of {folds} folds, {least:.4g}; of equals the fewest leaves."
    return (
        f"The fewest leaves whose held-out error is at most {least:.4g} + {deviation:.4g}, the least of "
        f"{folds} folds and its standard error."
    )


def _leaves_by_price(path: CostComplexityPath, chosen: int) -> str:
    leaves = int(path.leaves[chosen])
    return f"{leaves:,} {'leaf' if leaves == 1 else 'leaves'}"
