"""Pruners that look only above leaves: a test of the branches, or the answers of siblings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from clearwood.derive.table_tests.contingency import contingency_figure
from clearwood.derive.table_tests.variance import f_figure
from clearwood.formulas.expressions import Compared, Number
from clearwood.learners.trees.pruning.chi_square import split_tests
from clearwood.learners.trees.pruning.collapse_siblings import of_one_answer
from clearwood.learners.trees.pruning.places import Places
from clearwood.learners.trees.pruning.pruning_steps import PruningSteps, StepAt, cutting
from clearwood.learners.trees.pruning.split_steps import split_step
from clearwood.measures.chi_square import chi_square
from clearwood.models.bottom_up import while_children_are_leaves
from clearwood.models.nodes import Bools, Floats
from clearwood.models.tree import Tree
from clearwood.predict.answers import node_codes, node_values
from clearwood.table.table import Table
from clearwood.words.numbers import short
from clearwood.working.derivation import Step
from clearwood.working.figures import Cell, Figure, Grid
from clearwood.working.shorthand import named


def chi_square_steps(tree: Tree, _: Table | None, settings: Mapping[str, Any]) -> PruningSteps:
    """A step for each split whose branches all ended in leaves, bottom up."""
    alpha = float(settings["alpha"])
    statistic, p = split_tests(tree)
    cut = while_children_are_leaves(tree.nodes, p > alpha)
    places = Places(tree)
    steps = [
        StepAt(
            node,
            partial(_tested, places, node, bool(cut[node]), float(statistic[node]), float(p[node]), alpha),
        )
        for node in _looked_at(tree, cut)
    ]
    return cutting(tree, cut, steps)


def sibling_steps(tree: Tree, _: Table | None, __: Mapping[str, Any]) -> PruningSteps:
    """The same for siblings of one answer."""
    cut = while_children_are_leaves(tree.nodes, of_one_answer(tree))
    places = Places(tree)
    answers = node_values(tree) if tree.is_numeric else node_codes(tree).astype(np.float64)
    steps = [
        StepAt(node, partial(_asked_alike, places, node, bool(cut[node]), answers))
        for node in _looked_at(tree, cut)
    ]
    return cutting(tree, cut, steps)


def _looked_at(tree: Tree, cut: Bools) -> list[int]:
    """The splits whose children are leaves, by nature or by a cut; the last first."""
    nodes = tree.nodes
    open_below = np.zeros(len(nodes), dtype=np.bool_)
    for node in range(len(nodes) - 1, 0, -1):
        if not nodes.is_leaf[node] and not cut[node]:
            open_below[nodes.parent[node]] = True
    found: list[int] = np.flatnonzero(~nodes.is_leaf & ~open_below)[::-1].tolist()
    return found


def _tested(places: Places, node: int, cut: bool, statistic: float, p: float, alpha: float) -> Step:
    tree = places.tree
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


def _asked_alike(places: Places, node: int, cut: bool, answers: Floats) -> Step:
    tree = places.tree

    def said(of: int) -> Cell:
        return float(answers[of]) if tree.is_numeric else tree.schema.classes[int(answers[of])]

    children = tree.nodes.children(node)
    rows: list[tuple[Cell, ...]] = [
        ("without the question", said(node)),
        *((str(tree.condition(child)), said(child)) for child in children),
    ]
    figure = Figure("one answer", cut, grids=(Grid("Answers", ("branch", "answer"), rows),))
    decision = (
        f"All {len(children)} branches give the same answer: it becomes a leaf."
        if cut
        else "The branches give different answers: it stays."
    )
    return split_step(places, node, (figure,), decision, cut=cut)
