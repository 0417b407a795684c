"""Cost-complexity pruning by the price of a leaf, α: given, or chosen by cross-validation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from clearwood.derive.trees.cost_complexity import priced_steps
from clearwood.formulas.expressions import Number, Over, Power, Quotient, Root, Sum, Symbol, value_of
from clearwood.learners.trees.pruning.cross_validated_alpha import (
    AlphaRule,
    CrossValidatedAlpha,
    Grow,
    alpha_by_growing,
)
from clearwood.learners.trees.pruning.pruning_steps import PruningSteps
from clearwood.learners.trees.pruning.split_steps import CHAPTER
from clearwood.learners.trees.pruning.weakest_links import CostComplexityPath, cost_complexity_path
from clearwood.models.tree import Tree
from clearwood.table.table import Table
from clearwood.working.derivation import Step
from clearwood.working.figures import ASKED, Figure, Grid, less, plain

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
    columns = (path.alphas.tolist(), path.leaves.tolist(), path.risks.tolist())
    grid = Grid(
        "The weakest-link sequence",
        ("from α", "leaves", "risk"),
        list(zip(*columns, strict=True)),
        max(chosen, 0),
        on_sheet=("asked", "asked", "asked"),
    )
    figure = Figure("α", alpha, because="As set.", grids=(grid,), on_sheet="given")
    return Step(CHAPTER, _TITLE, (figure,), f"A leaf costs {alpha:.4g}, as set.")


def _tried_step(tried: CrossValidatedAlpha, settings: Mapping[str, Any]) -> Step:
    """The sequence of subtrees, and their errors on held-out rows."""
    rule, folds = settings["rule"], settings["folds"]
    figure = Figure("α", tried.alpha, because=_rule(rule, folds, tried), grids=(_tried_grid(tried),))
    which = "does best" if rule == "min" else "is the smallest within one standard error of the best"
    leaves = _leaves(tried.path, tried.chosen)
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
    name = f"the tree of {_leaves(tried.path, place)}"
    losses, squares = tried.sums[:, place, 0].tolist(), tried.sums[:, place, 1].tolist()
    whole, n = plain(tried.weight), Symbol("N", means="the number of all rows held out")
    loss, square = Sum(tuple(map(plain, losses))), Sum(tuple(map(plain, squares)))
    first, second = (Over("Σ", "fold", Symbol(each)) for each in ("loss", "loss²"))
    error = Figure(
        f"held-out error of {name}", float(tried.errors[place]), Quotient(first, n), Quotient(loss, whole)
    )
    value = float(tried.deviations[place])
    put_in = Quotient(Root(less(square, Quotient(Power(loss, Number(2)), whole))), whole)
    # Where all rows lose alike, what is left of the difference is rounding.
    agrees = math.isclose(value_of(put_in), value, rel_tol=1e-9, abs_tol=1e-12)
    deviation = Figure(
        f"standard error of {name}",
        value,
        Quotient(Root(less(second, Quotient(Power(first, Number(2)), n))), n),
        put_in if agrees else Number(value),
    )
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


def _leaves(path: CostComplexityPath, chosen: int) -> str:
    leaves = int(path.leaves[chosen])
    return f"{leaves:,} {'leaf' if leaves == 1 else 'leaves'}"
