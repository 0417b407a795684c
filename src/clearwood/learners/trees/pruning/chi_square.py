"""Chi-square pruning: no split whose branches are independent of the class (Quinlan 1986)."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Final

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.bounds import Within
from clearwood.errors import SettingError
from clearwood.formulas.expressions import Compared, Number
from clearwood.learners.trees.pruning.pruner import (
    PrunedTree,
    Pruner,
    PruningSteps,
    TreeUnderPruning,
    cut_to_leaves,
    split_step,
    steps_above_leaves,
)
from clearwood.measures.contingency import chi_square
from clearwood.measures.inference import f_sf
from clearwood.models.kinds.tree.nodes import while_children_are_leaves
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import check_kind, holds_medians
from clearwood.registry import checked
from clearwood.table.table import Table
from clearwood.words.numbers import short
from clearwood.working.derivation import Step
from clearwood.working.figures import Figure, named
from clearwood.working.table_tests import contingency_figure, f_figure


@checked
def prune_chi_square(
    tree: Tree, alpha: Annotated[float, Within(0, 1), "Level of the test: smaller prunes more."] = 0.05
) -> PrunedTree:
    """Bottom up, cut a split above leaves if its chi-square test has p > α.

    The table is branch × class, tested by Pearson's chi-square; the means of a numeric target by
    the F test. Rows are those the tree was grown on; weights count as rows.
    """
    check_kind("prune_chi_square", tree, Tree)
    if holds_medians(tree):
        raise SettingError(
            "The F test needs a tree of means, and this one holds medians. Use another pruner."
        )
    statistic, p = split_tests(tree)
    cut = while_children_are_leaves(tree.nodes, p > alpha)
    sign = "F" if tree.is_numeric else "χ²"
    because = f"{sign} = {{before_{sign}:.4g}}, p = {{before_p:.4g}} > {alpha:g}: chance explains this split"
    return cut_to_leaves("chi-square", tree, cut, {sign: statistic, "p": p}, {}, because, {"alpha": alpha})


def split_tests(tree: Tree) -> tuple[Floats, Floats]:
    """[node] The statistic and p of each split, those of as many branches tested together."""
    nodes = tree.nodes
    branches = np.bincount(nodes.parent[1:], minlength=len(nodes))
    by_parent = np.argsort(nodes.parent[1:], kind="stable") + 1
    first = np.concatenate(([0], np.cumsum(branches)))
    statistic, p = np.full(len(nodes), np.nan), np.zeros(len(nodes))
    for width in np.unique(branches[branches > 0]).tolist():
        at = np.flatnonzero(branches == width)
        tables = nodes.counts[by_parent[first[at][:, None] + np.arange(width)]]  # [split, branch, class]
        if tree.is_numeric:
            statistic[at], p[at] = _f_tests(tables)
        else:
            verdict = chi_square(tables)
            statistic[at], p[at] = verdict.statistic, verdict.p
    return statistic, p


def _f_tests(groups: Floats) -> tuple[Floats, Floats]:
    """One-way analysis of variance over [split, branch, (weight, mean, error)] → F and p, both [split]."""
    weight, mean, error = np.moveaxis(groups, -1, 0)
    total, filled = weight.sum(axis=1), (weight > 0).sum(axis=1)
    grand = (weight * mean).sum(axis=1) / np.where(total > 0, total, 1.0)
    explained = (weight * (mean - grand[:, None]) ** 2).sum(axis=1)
    scatter = error.sum(axis=1)
    df, rest = filled - 1.0, total - filled
    testable = (df > 0) & (rest > 0) & (explained > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        f = np.where(testable, (explained / df) / (scatter / rest), 0.0)
    p = np.where(testable, f_sf(f, np.maximum(df, 1.0), np.where(rest > 0, rest, 1.0)), 1.0)
    return f, p


def chi_square_steps(tree: Tree, _: Table | None, settings: Mapping[str, Any]) -> PruningSteps:
    """A step for each split whose branches all ended in leaves, bottom up."""
    alpha = float(settings["alpha"])
    statistic, p = split_tests(tree)
    cut = while_children_are_leaves(tree.nodes, p > alpha)
    return steps_above_leaves(tree, cut, partial(_tested, cut, statistic, p, alpha))


def _tested(
    cuts: Bools, statistics: Floats, ps: Floats, alpha: float, places: TreeUnderPruning, node: int
) -> Step:
    tree, cut = places.tree, bool(cuts[node])
    statistic, p = float(statistics[node]), float(ps[node])
    children = tree.nodes.children(node)
    names = [str(tree.condition(child)) for child in children]
    counts = tree.nodes.counts[children]
    if tree.is_numeric:
        weight, mean, error = counts.T.tolist()
        figure = f_figure("split", names, weight, mean, error, statistic, p)
    else:
        figure = contingency_figure("split", "χ²", names, tree.schema.classes, counts, chi_square(counts))
    compared = Figure("p > alpha", cut, put_in=Compared(named(figure), ">", Number(alpha)))
    decision = (
        f"Chance alone gives such branches with p = {short(p)}, "
        f"{'above' if cut else 'at most'} {alpha:g}: {'it becomes a leaf' if cut else 'it stays'}."
    )
    return split_step(places, node, (figure, compared), decision, cut=cut)


PRUNER: Final = Pruner(
    prune_chi_square, "Cut splits that chance explains (Quinlan 1986).", steps=chi_square_steps
)
