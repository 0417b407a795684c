"""What columns are worth to a forest: the impurity they take away, and the cost of shuffling them out of bag.

A tree's out-of-bag rows are those that it did not draw. Shuffling a column among them shows what the tree
loses without it, on rows it has not learned from; the trees' spread gives the standard error (Breiman 2001).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.chance import chance_key, shuffled_places
from clearwood.errors import SettingError
from clearwood.explaining.importances import impurity_decreases
from clearwood.explaining.importances import tree_importances as importances_of_tree
from clearwood.learners.ensembles.forest import Forest
from clearwood.learners.ensembles.forest_task import times_drawn_by_trees
from clearwood.learners.training import fingerprint, usable_rows
from clearwood.measures import IMPURITIES
from clearwood.models.decision import Decision
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import balanced_words, check_kind
from clearwood.predicting.of_trees import codes_of_tree, numbers_of_tree
from clearwood.records import JsonRecord
from clearwood.table.attributes import Numeric
from clearwood.table.folding import in_order_of_content
from clearwood.table.table import Table
from clearwood.words.columns import in_columns


@dataclass(frozen=True, slots=True)
class ColumnImportance:
    """A column's part of the impurity that the trees take away, and by how much the out-of-bag loss rises.

    Each with its standard error over the trees; `rise` is None where no table was given.
    """

    name: str
    impurity: float
    impurity_error: float
    rise: float | None = None
    rise_error: float | None = None


@dataclass(frozen=True, slots=True)
class ForestImportances(JsonRecord):
    """The columns, the most important first: by the rise of the loss if it is known, else by impurity."""

    loss: str
    trees: int
    columns: tuple[ColumnImportance, ...]

    def __getitem__(self, name: str) -> ColumnImportance:
        return next(each for each in self.columns if each.name == name)

    def __str__(self) -> str:
        lines = [("column", "impurity", "", f"{self.loss} rises by", "")]
        for each in self.columns:
            shuffled_too = each.rise is not None and each.rise_error is not None
            rise = (
                (f"{each.rise:+.4f}".replace("-", "−"), f"± {each.rise_error:.4f}")
                if shuffled_too
                else ("", "")
            )
            lines.append((each.name, f"{each.impurity:.4f}", f"± {each.impurity_error:.4f}", *rise))
        return "\n".join(in_columns([line[: 5 if lines[-1][3] else 3] for line in lines], "figures"))


def importances(forest: Ensemble, table: Table | None = None, *, seed: int = 0) -> ForestImportances:
    """What each column is worth to a forest; with its training table also by shuffling out-of-bag cells.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> worth = importances(cw.Forest(trees=200).learn(days), days)
    >>> worth.columns[0].name
    'Outlook'
    """
    check_kind("importances", forest, Ensemble)
    if forest.trees is None or forest.combined_by == "sum":
        raise SettingError(
            "Importances over the trees are of trees that are averaged or vote. "
            "permutation_importance is for any model."
        )
    names = [each.name for each in forest.schema.attributes]
    by_tree = _impurities(forest)
    means, errors = _over_trees(by_tree)
    if forest.weights:
        means = np.average(by_tree, axis=0, weights=forest.weights)
    rises = _rises(forest, table, seed) if table is not None else None
    risen = _over_trees(rises) if rises is not None else None
    columns = [
        ColumnImportance(
            name,
            float(means[place]),
            float(errors[place]),
            None if risen is None else float(risen[0][place]),
            None if risen is None else float(risen[1][place]),
        )
        for place, name in enumerate(names)
        if forest.schema.attributes[place] in forest.schema.inputs
    ]
    columns.sort(key=lambda each: -(each.impurity if each.rise is None else each.rise))
    return ForestImportances("squared error" if forest.is_numeric else "error", forest.size, tuple(columns))


def out_of_bag_rows(forest: Ensemble, table: Table) -> Iterator[Table]:
    """The rows that each tree did not draw; a sentence where the table is not the one it learned from."""
    if forest.origin.learner != "Forest" or forest.trees is None:
        raise SettingError(
            f"Only of a Forest is it known which rows a tree drew; this is {forest.origin.learner}. "
            "Use permutation_importance on held-out rows."
        )
    if balanced_words(forest):
        raise SettingError(
            "This forest was learned from balanced rows: one that a tree did not draw may have a twin among "
            "those drawn. Use permutation_importance on held-out rows."
        )
    if forest.origin.fingerprint != fingerprint(table):
        raise SettingError(
            "Out-of-bag rows are rows that the forest learned from, and this is another table. "
            "Give the training table, or use permutation_importance on held-out rows."
        )
    part, seed = forest.origin.settings["rows"], forest.origin.settings["seed"]
    assert isinstance(seed, int)
    learner = Forest(rows="bootstrap" if isinstance(part, str) else float(str(part)), seed=seed)
    rows = in_order_of_content(usable_rows(learner, table))
    task = learner.task(rows, Decision())
    return (rows.take(np.flatnonzero(times == 0)) for times in times_drawn_by_trees(task, forest.size))


def _impurities(forest: Ensemble) -> Floats:
    """[tree, column]"""
    assert forest.trees is not None
    measure = forest.trees.measure if forest.trees.measure in IMPURITIES else "gini"
    trees = [replace(each, decision=forest.decision) for each in forest.members if isinstance(each, Tree)]
    return np.stack([importances_of_tree(tree, measure) for tree in trees])


def _rises(forest: Ensemble, table: Table, seed: int) -> Floats:
    """[tree, column] by how much the tree's loss on its out-of-bag rows rises when the column is shuffled."""
    rises = np.full((forest.size, len(forest.schema.attributes)), np.nan)
    for number, out in enumerate(out_of_bag_rows(forest, table)):
        member = forest.members[number]
        assert isinstance(member, Tree)
        tree = replace(member, decision=forest.decision)
        if not len(out):
            continue
        rises[number] = 0.0
        before = _loss(tree, out)
        for place in np.unique(tree.nodes.attribute[1:]).tolist():
            name = forest.schema.attributes[place].name
            order = shuffled_places(chance_key(seed, number, place), len(out))
            mixed = replace(out, columns={**out.columns, name: out.columns[name][order]}, checked=True)
            rises[number, place] = _loss(tree, mixed) - before
    if np.isnan(rises).all():
        raise SettingError(
            "No row is out of bag: every tree drew all of them. Learn with rows='bootstrap' or a part."
        )
    return rises


def _loss(tree: Tree, rows: Table) -> float:
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    if tree.is_numeric:
        losses = (numbers_of_tree(tree, rows) - rows.target) ** 2
    else:
        losses = (codes_of_tree(tree, rows) != rows.target).astype(np.float64)
    return float(np.average(losses, weights=weights))


def _over_trees(by_tree: Floats) -> tuple[Floats, Floats]:
    """[column] the mean over the trees that know, and its standard error."""
    known = by_tree[~np.isnan(by_tree).any(axis=1)]
    mean: Floats = known.mean(axis=0)
    if len(known) < 2:
        return mean, np.zeros_like(mean)
    return mean, known.std(axis=0, ddof=1) / np.sqrt(len(known))


# Corrected impurity importance: what a column's splits gain beyond those of its own shuffled copy.
#
# A column of many values offers many cuts, and some of them gain by chance: its impurity importance is
# above 0 even if it is noise. The actual impurity reduction (Nembrini, König and Wright 2018;
# `impurity_corrected` in R's ranger) takes that away. A forest is grown on the table with a copy of each
# column beside it, all copies shuffled by the same order of rows; what splits on the copy gain is
# subtracted from what those on the column gain. Of noise the expectation is 0, whatever its values.


_SHUFFLED: Final = 211  # the purpose of the draws, beside those of the forest


@dataclass(frozen=True, slots=True)
class ColumnReduction:
    """A column, the impurity per row that its splits take away beyond its copy's, and the standard error of
    that over the trees; it is below 0 where the copy did better."""

    name: str
    reduction: float
    error: float


@dataclass(frozen=True, slots=True)
class CorrectedImportances:
    """The columns, the most important first."""

    measure: str
    trees: int
    columns: tuple[ColumnReduction, ...]

    def __getitem__(self, name: str) -> ColumnReduction:
        return next(each for each in self.columns if each.name == name)

    def __str__(self) -> str:
        lines = [
            (each.name, f"{each.reduction:+.5f}".replace("-", "−"), f"± {each.error:.5f}")
            for each in self.columns
        ]
        return "\n".join(in_columns([("column", f"{self.measure} reduced by", ""), *lines], "figures"))


def corrected_importances(learner: Forest, table: Table) -> CorrectedImportances:
    """What each column takes away beyond its shuffled copy, by a forest with the learner's settings.

    The forest is grown for this alone: it may split on copies, and does not predict.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> worth = corrected_importances(cw.Forest(trees=300), days)
    >>> worth.measure, worth.columns[0].name
    ('gini', 'Outlook')
    """
    if not isinstance(learner, Forest):
        raise SettingError(
            f"corrected_importances grows a forest of its own: give a Forest, not a {type(learner).__name__}."
        )
    rows = in_order_of_content(usable_rows(learner, table))
    beside, own = with_shuffled_copies(rows, learner.seed)
    numeric = isinstance(rows.schema.target, Numeric)
    # As many columns are drawn at each node as without the copies (as in ranger).
    drawn = learner.columns or max(1, len(own) // 3 if numeric else math.isqrt(len(own)))
    forest = replace(learner, columns=drawn, out_of_bag=False).learn(beside)
    assert forest.trees is not None
    measure = forest.trees.measure if forest.trees.measure in IMPURITIES else "gini"
    places = [beside.schema.positions[name] for name in own]
    copies = [beside.schema.positions[name] for name in own.values()]
    by_tree = []
    for member in forest.members:
        assert isinstance(member, Tree)
        tree = replace(member, decision=forest.decision)
        gains = impurity_decreases(tree, measure) / (_weight(tree) or 1.0)
        by_tree.append(gains[places] - gains[copies])
    reductions = np.stack(by_tree)
    means = reductions.mean(axis=0)
    spread = reductions.std(axis=0, ddof=1) if len(reductions) > 1 else np.full(len(own), np.nan)
    errors: Floats = spread / math.sqrt(len(reductions))
    columns = [
        ColumnReduction(name, float(mean), float(error))
        for name, mean, error in zip(own, means, errors, strict=True)
    ]
    columns.sort(key=lambda each: -each.reduction)
    return CorrectedImportances("squared error" if numeric else measure, forest.size, tuple(columns))


def with_shuffled_copies(rows: Table, seed: int) -> tuple[Table, dict[str, str]]:
    """The rows with a copy of each input column, all shuffled by one order; and the names of the copies."""
    order = shuffled_places(chance_key(seed, _SHUFFLED), len(rows))
    taken = {each.name for each in rows.schema.attributes}
    attributes, columns = list(rows.schema.attributes), dict(rows.columns)
    copies: dict[str, str] = {}
    for attribute in rows.schema.inputs:
        name = f"{attribute.name} (shuffled)"
        while name in taken:
            name += "'"
        taken.add(name)
        copies[attribute.name] = name
        attributes.append(replace(attribute, name=name))
        columns[name] = rows.columns[attribute.name][order]
    schema = replace(rows.schema, attributes=tuple(attributes))
    return replace(rows, schema=schema, columns=columns), copies


def _weight(tree: Tree) -> float:
    """Of the root, as the impurities count it."""
    if tree.is_numeric:
        return tree.weight(0)
    return float((tree.nodes.counts[0] * np.array(tree.decision.factors or 1.0)).sum())
