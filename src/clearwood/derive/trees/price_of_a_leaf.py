"""The price of a leaf: the α that CART prunes at, given or chosen by cross-validation."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from clearwood.derive.trees.cost_complexity import sequence_grid
from clearwood.errors import LearningError
from clearwood.formulas.expressions import Number, Over, Power, Quotient, Root, Sum, Symbol, value_of
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.pruning.cross_validated_alpha import CrossValidatedAlpha, cross_validated_alpha
from clearwood.learners.trees.pruning.split_steps import CHAPTER
from clearwood.learners.trees.pruning.weakest_links import CostComplexityPath, cost_complexity_path
from clearwood.models.tree import Tree
from clearwood.table.table import Table
from clearwood.working.derivation import Step
from clearwood.working.figures import ASKED, Figure, Grid
from clearwood.working.shorthand import less, plain


def price_of(learner: CART, grown: Tree, final: Tree) -> float:
    """The α the final tree was pruned at; if it was chosen, that of the subtree with as many leaves."""
    if not isinstance(learner.alpha, str):
        return learner.alpha or 0.0
    path = cost_complexity_path(grown)
    found = np.flatnonzero(path.leaves == final.leaves)
    if not len(found):
        raise LearningError(
            f"At no price of a leaf does this table's tree have {final.leaves:,} leaves: it was learned from "
            "other rows, or changed since. Derive the tree the learner gives for this table."
        )
    return float(path.alphas[found[0]])


def tried_prices(learner: CART, grown: Tree, table: Table) -> CrossValidatedAlpha | None:
    """The prices that cross-validation tried; None where the price was given."""
    if not isinstance(learner.alpha, str):
        return None
    return cross_validated_alpha(
        replace(learner, alpha=None),
        table,
        folds=learner.folds,
        seed=learner.seed,
        rule="min" if learner.alpha == "cv" else "1se",
        tree=grown,
    )


def price_step(learner: CART, grown: Tree, table: Table, tried: CrossValidatedAlpha | None = None) -> Step:
    """How α was come by: the sequence of subtrees and, if it was chosen, their errors on held-out rows."""
    tried = tried or tried_prices(learner, grown, table)
    if tried is None:
        path = cost_complexity_path(grown)
        alpha = float(learner.alpha or 0.0)
        chosen = int(np.searchsorted(path.alphas, alpha + 1e-10 * float(path.risks[-1]), "right")) - 1
        figure = Figure(
            "α", alpha, because="As set.", grids=(sequence_grid(path, max(chosen, 0)),), on_sheet="given"
        )
        return Step(CHAPTER, "The price of a leaf", (figure,), f"A leaf costs {alpha:.4g}, as set.")
    figure = Figure("α", tried.alpha, because=_rule(learner, tried), grids=(_tried_grid(tried),))
    which = "does best" if learner.alpha == "cv" else "is the smallest within one standard error of the best"
    leaves = _leaves(tried.path, tried.chosen)
    decision = f"A leaf costs {tried.alpha:.4g}: the tree of {leaves} {which} on held-out rows."
    return Step(CHAPTER, "The price of a leaf", (figure,), decision)


def _tried_grid(tried: CrossValidatedAlpha) -> Grid:
    path = tried.path
    columns = (path.alphas, path.leaves, path.risks, tried.errors, tried.deviations)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    names = ("from α", "leaves", "risk", "held-out error", "standard error")
    title = "The weakest-link sequence, cross-validated"
    return Grid(title, names, rows, tried.chosen, partial(_held_out, tried), (ASKED,) * len(names))


def _held_out(tried: CrossValidatedAlpha, place: int) -> Figure:
    """A subtree's error on the rows held out, fold by fold, and its standard error."""
    said = f"the tree of {_leaves(tried.path, place)}"
    losses, squares = tried.sums[:, place, 0].tolist(), tried.sums[:, place, 1].tolist()
    whole, n = plain(tried.weight), Symbol("N")
    loss, square = Sum(tuple(map(plain, losses))), Sum(tuple(map(plain, squares)))
    first, second = (Over("Σ", "fold", Symbol(each)) for each in ("loss", "loss²"))
    error = Figure(
        f"held-out error of {said}", float(tried.errors[place]), Quotient(first, n), Quotient(loss, whole)
    )
    value = float(tried.deviations[place])
    put_in = Quotient(Root(less(square, Quotient(Power(loss, Number(2)), whole))), whole)
    # Where all rows lose alike, what is left of the difference is rounding.
    agrees = math.isclose(value_of(put_in), value, rel_tol=1e-9, abs_tol=1e-12)
    deviation = Figure(
        f"standard error of {said}",
        value,
        Quotient(Root(less(second, Quotient(Power(first, Number(2)), n))), n),
        put_in if agrees else Number(value),
    )
    return replace(error, under=(deviation,))


def _rule(learner: CART, tried: CrossValidatedAlpha) -> str:
    best = int(np.argmin(tried.errors))
    least, deviation = float(tried.errors[best]), float(tried.deviations[best])
    if learner.alpha == "cv":
        return f"The least held-out error of {learner.folds} folds, {least:.4g}; of equals the fewest leaves."
    return (
        f"The fewest leaves whose held-out error is at most {least:.4g} + {deviation:.4g}, the least of "
        f"{learner.folds} folds and its standard error."
    )


def _leaves(path: CostComplexityPath, chosen: int) -> str:
    leaves = int(path.leaves[chosen])
    return f"{leaves:,} {'leaf' if leaves == 1 else 'leaves'}"
