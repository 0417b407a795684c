"""Reduced-error pruning: cut each split that does not pay on rows the tree has not seen (Quinlan 1987)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats, Ints
from clearwood.errors import SettingError
from clearwood.formulas.expressions import Expression, Extreme, Number, Sum, Symbol
from clearwood.learners.trees.pruning.pruner import (
    NodeCosts,
    PrunedTree,
    Pruner,
    PruningSteps,
    cut_to_leaves,
    node_costs,
    refuse_training_rows,
)
from clearwood.models.decision import cost_matrix
from clearwood.models.kinds.tree.tree import Tree, node_codes, node_values
from clearwood.models.model import check_kind
from clearwood.predicting.through import count_through
from clearwood.table.table import Table
from clearwood.working.derivation import Step
from clearwood.working.figures import Figure, Grid, GridCell, plain


def prune_reduced_error(tree: Tree, validation: Table) -> PrunedTree:
    """Bottom up, replace a split by a leaf if the error on the validation rows does not rise.

    The error is the cost of the wrong answers, or the squared error of numbers. A split that no
    validation row reaches is cut: nothing supports it. The rows that the tree was learned from are refused.
    """
    check_kind("prune_reduced_error", tree, Tree)
    refuse_training_rows("Reduced-error pruning", tree, validation)
    costs = node_costs(tree, validation_errors(tree, validation), "errors")
    return cut_to_leaves(
        "reduced-error",
        tree,
        costs.cut,
        {"errors": costs.subtree},
        {"errors": costs.as_leaf},
        "validation errors: {after_errors:.4g} as a leaf, {before_errors:.4g} as a split",
        rows=validation,
    )


def validation_errors(tree: Tree, validation: Table) -> Floats:
    """[node] The error of the validation rows that pass a node, were it a leaf."""
    if tree.is_numeric:
        sums, about = _about_the_root(tree, validation)
        weight, total, squares = sums.T
        return np.asarray(np.maximum(squares - 2 * about * total + about**2 * weight, 0.0))
    counts, called, costs = count_through(tree, validation), node_codes(tree), cost_matrix(tree.decision)
    if costs is not None:
        return np.asarray((counts * costs.T[called]).sum(axis=1))
    return np.asarray(counts.sum(axis=1) - counts[np.arange(len(counts)), called])


def reduced_error_steps(tree: Tree, validation: Table | None, _: Mapping[str, Any]) -> PruningSteps:
    """A step for each split, bottom up."""
    if validation is None:
        raise SettingError("Reduced-error pruning is derived by its validation rows: give them.")
    costs = node_costs(tree, validation_errors(tree, validation), "errors")
    if tree.is_numeric:
        sums, about = _about_the_root(tree, validation)
        return costs.steps(lambda node: _number_step(costs, node, sums[node], float(about[node])))
    counts, called = count_through(tree, validation), node_codes(tree)
    return costs.steps(lambda node: _class_step(costs, node, counts[node], called))


def _class_step(costs: NodeCosts, node: int, counts: Floats, called: Ints) -> Step:
    tree, classes = costs.places.tree, costs.places.tree.schema.classes
    answer, matrix = int(called[node]), cost_matrix(tree.decision)
    rows: list[tuple[GridCell, ...]] = list(zip(classes, counts.tolist(), strict=True))
    grid = Grid("Validation rows here", ("class", "rows"), rows)
    put_in: Expression = plain(float(counts.sum())) - plain(float(counts[answer]))
    formula: Expression = Symbol("N", means="the number of validation rows here") - Symbol(
        "n", "answer", "the number of them of the class that the leaf predicts"
    )
    if matrix is not None:
        put_in = Sum(
            tuple(
                plain(float(count)) * plain(float(cost))
                for count, cost in zip(counts, matrix[:, answer], strict=True)
            )
        )
        formula = Symbol("cost of the prediction")
    because = f"As a leaf it predicts {classes[answer]}."
    if not counts.sum() > 0:
        because += " No validation row comes here: nothing speaks for the split."
    figure = Figure(
        "errors as a leaf", float(costs.as_leaf[node]), formula, put_in, because=because, grids=(grid,)
    )
    return costs.step(node, figure)


def _number_step(costs: NodeCosts, node: int, sums: Floats, about: float) -> Step:
    """Σ w(y − a)² from sums about the root's number: Σ wd² − 2a·Σ wd + a²·Σ w."""
    weight, total, squares = (float(each) for each in sums)
    w, d, dd, a = (
        Symbol("Σ w", means="the sum of the rows' weights"),
        Symbol("Σ w·d", means="the weighted sum of their distances d from the root's number"),
        Symbol("Σ w·d²", means="the weighted sum of the squares of these distances"),
        Symbol("a", means="the distance of the leaf's number from the root's"),
    )
    figure = Figure(
        "errors as a leaf",
        float(costs.as_leaf[node]),
        _squares(w, d, dd, a),
        _squares(*(Number(each) for each in (weight, total, squares, about))),
        because="Squared errors; d and a are how far a row and the leaf's number lie from the root's number.",
    )
    return costs.step(node, figure)


def _squares(w: Expression, d: Expression, dd: Expression, a: Expression) -> Expression:
    terms = (dd, -(2 * a * d), a**2 * w)
    return Extreme("max", (Sum(terms), Number(0)))


def _about_the_root(tree: Tree, validation: Table) -> tuple[Floats, Floats]:
    """[node, 3] Σw, Σwd and Σwd² of the rows' distances d from the root's number, so that no digits are lost;
    [node] that of its own."""
    values = node_values(tree)
    shifted = validation.target.astype(np.float64) - values[0]
    rows = replace(validation, columns={**validation.columns, tree.schema.predicted.name: shifted})
    return count_through(tree, rows), values - values[0]


PRUNER: Final = Pruner(
    prune_reduced_error,
    "Cut splits that do not help on held-out rows (Quinlan 1987).",
    needs="fresh",
    steps=reduced_error_steps,
)
