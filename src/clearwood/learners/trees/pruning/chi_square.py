"""Chi-square pruning: no split whose branches are independent of the class (Quinlan 1986)."""

from __future__ import annotations

import numpy as np

from clearwood.errors import SettingError
from clearwood.learners.trees.pruning.ledger import Pruned, cut_to_leaves
from clearwood.measures.chi_square import chi_square as pearson
from clearwood.measures.p_values import f_sf
from clearwood.models.bottom_up import while_children_are_leaves
from clearwood.models.kinds import check_kind
from clearwood.models.nodes import Floats
from clearwood.models.tree import Tree
from clearwood.predict.answers import holds_medians
from clearwood.registry import between


def chi_square(tree: Tree, alpha: float = 0.05) -> Pruned:
    """Bottom up, cut a split above leaves when chance alone would give its table with p > α.

    The table is branch × class, tested by Pearson's chi-square; the means of a numeric target by
    the F test. Rows are those the tree was grown on; weights count as rows.
    """
    check_kind("chi_square", tree, Tree)
    between("alpha", alpha, 0, 1)
    if holds_medians(tree):
        raise SettingError(
            "The F test needs a tree of means, and this one holds medians. Use another pruner."
        )
    statistic, p = split_tests(tree)
    cut = while_children_are_leaves(tree.nodes, p > alpha)
    sign = "F" if tree.is_numeric else "χ²"
    because = f"{sign} = {{before_{sign}:.4g}}, p = {{before_p:.4g}} > {alpha:g}: chance explains this split"
    return cut_to_leaves("chi_square", tree, cut, {sign: statistic, "p": p}, {}, because, {"alpha": alpha})


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
            found = pearson(tables)
            statistic[at], p[at] = found.statistic, found.p
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
