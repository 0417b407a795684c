"""Corrected impurity importance: what a column's splits gain beyond those of its own shuffled copy.

A column of many values offers many cuts, and some of them gain by chance: its impurity importance is above
0 even if it is noise. The actual impurity reduction (Nembrini, König and Wright 2018; `impurity_corrected` in
R's ranger) takes that away. A forest is grown on the table with a copy of each column beside it, all copies
shuffled by the same order of rows; what splits on the copy gain is subtracted from what those on the column
gain. Of noise the expectation is 0, whatever its values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.chance import chance_key, shuffled_places
from clearwood.errors import SettingError
from clearwood.explain.importances import impurity_decreases
from clearwood.learners.ensembles.forest import Forest
from clearwood.learners.usable_rows import usable_rows
from clearwood.measures import IMPURITIES
from clearwood.models.tree import Tree
from clearwood.table.attributes import Numeric
from clearwood.table.row_keys import in_order_of_content
from clearwood.table.table import Table
from clearwood.words.columns import in_columns

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
        lines = [(each.name, f"{each.reduction:+.5f}", f"± {each.error:.5f}") for each in self.columns]
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
