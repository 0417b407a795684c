"""SHAP values: how far each column of a row moves a tree's or an ensemble's answer from the mean answer.

What is divided is a game (Lundberg 2020, path-dependent). With a set of columns known, a row goes on at a
split of a known column as prediction sends it, and at any other split down every branch, by the branch's
part of the training weight. A column's value is what knowing it adds, averaged over the orders in which the
columns can become known (Shapley 1953).

Prediction sends by `models/routing.py`: what a surrogate decides is credited to the column that it stands
in for, and where a cell sends a row down every branch by its share, the row's parts follow these shares.
Where shares and training weights agree, such a cell adds nothing. The values are exact and add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Ints
from clearwood.errors import SettingError
from clearwood.models.kinds.ensemble.ensemble import Ensemble, score_name
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Tree, node_codes, node_shares, node_values
from clearwood.models.model import check_kind, kept
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.columns import cells_at, table_for
from clearwood.table.attributes import Ignored

ShapScale: TypeAlias = Literal["probability", "votes", "log odds", "score", "log", "number"]


@dataclass(frozen=True, slots=True, eq=False)
class ShapValues:
    """`base` [score] and the `contributions` [row, column, score] of a row add up to its prediction on
    `scale`.

    A score is a class of "probability" (the mean of the trees', before a decision's calibration or
    prevalence), of "votes" (its part of them; a row in parts divides its vote as well) and of "score" (what
    softmax takes); "log odds" of the second class, "log" of a number (what exp takes) and "number" are one
    alone.
    """

    columns: tuple[str, ...]
    scores: tuple[str, ...]
    scale: ShapScale
    base: Floats
    contributions: Floats

    @property
    def answers(self) -> Floats:
        """[row, score] what they add up to."""
        total: Floats = self.base + self.contributions.sum(axis=1)
        return total

    def of_row(self, row: int) -> ShapValues:
        """Those of one row alone."""
        return replace(self, contributions=self.contributions[row : row + 1])


def shap_values(model: Tree | Ensemble, rows: Any) -> ShapValues:
    """What each column adds to the prediction of each row, exactly.

    `rows` is a Table, or anything a table can be made of.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> values = shap_values(cw.ID3().learn(table), table)
    >>> values.scale, values.scores, [round(each, 4) for each in values.base.tolist()]
    ('probability', ('No', 'Yes'), [0.3571, 0.6429])
    >>> dict(zip(values.columns, (round(each, 4) for each in values.contributions[0, :, 1].tolist())))
    {'Outlook': -0.4429, 'Temperature': 0.0, 'Humidity': -0.2714, 'Wind': 0.0714}
    """
    check_kind("shap_values", model, Tree, Ensemble)
    schema = model.schema
    places = [place for place, each in enumerate(schema.attributes) if not isinstance(each, Ignored)]
    names = tuple(schema.attributes[place].name for place in places)
    task = _task_of(model)
    table = table_for(model, rows)
    tested = sorted(schema.positions[name] for name in columns_used(model))
    cells, values = cells_at(schema, tested, table)
    base, added = _native.shap(
        task.nodes,
        task.weights,
        task.answers,
        task.adds_to,
        task.scales,
        task.width,
        cells,
        values,
        len(table),
    )
    if task.without_first:  # shares add up to 1, and what moves them to 0
        base = np.concatenate([[1 - base.sum()], base])
        added = np.concatenate([-added.sum(axis=2, keepdims=True), added], axis=2)
    return ShapValues(names, task.scores, task.scale, base + task.base, added[:, places])


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """Trees by their nodes, the training weight of these and what they answer, the score that each tree
    begins at, and what its answers are multiplied by."""

    scale: ShapScale
    scores: tuple[str, ...]
    nodes: list[Nodes]
    weights: list[Floats]
    answers: list[Floats]
    adds_to: Ints
    scales: Floats
    base: Floats
    without_first: bool = False  # the first class's answer is 1 less the others'

    @property
    def width(self) -> int:
        return len(self.scores) - self.without_first


@kept
def _task_of(model: Tree | Ensemble) -> _Task:
    if isinstance(model, Tree):
        trees, weights = [model], np.ones(1)
    else:
        trees = [each for each in model.members if isinstance(each, Tree)]
        if len(trees) < model.size:
            raise SettingError(
                "shap_values takes an ensemble of trees, and a member of this one is another model. "
                "permutation_importance and partial_dependence take any model."
            )
        weights = np.array([model.weight(member) for member in range(model.size)])
    first = np.zeros(len(trees), dtype=np.int32)
    if isinstance(model, Ensemble) and model.combined_by == "sum":
        assert model.trees is not None, "a sum has trees"
        names = tuple(score_name(model.schema, model.link, score) for score in range(len(model.base)))
        scales: dict[str, ShapScale] = {
            "logistic": "log odds",
            "softmax": "score",
            "exp": "log",
            "identity": "number",
        }
        scores = model.schema.classes if model.link == "softmax" else names
        values = [node_values(tree)[:, None] for tree in trees]
        return _made(
            trees, scales[model.link], scores, values, model.trees.adds_to, weights, np.array(model.base)
        )
    weights = weights / weights.sum()
    if model.is_numeric:
        values = [node_values(tree)[:, None] for tree in trees]
        return _made(trees, "number", (model.schema.predicted.name,), values, first, weights, np.zeros(1))
    classes = model.schema.classes
    if isinstance(model, Ensemble) and model.combined_by == "votes":
        of_class = np.eye(len(classes))
        answers = [of_class[node_codes(tree)][:, 1:] for tree in trees]
        scale: ShapScale = "votes"
    else:
        answers = [node_shares(tree)[:, 1:] for tree in trees]
        scale = "probability"
    zero = np.zeros(len(classes))
    return _made(trees, scale, classes, answers, first, weights, zero, without_first=True)


def _made(
    trees: Sequence[Tree],
    scale: ShapScale,
    scores: tuple[str, ...],
    answers: Sequence[Floats],
    adds_to: Ints,
    scales: Floats,
    base: Floats,
    *,
    without_first: bool = False,
) -> _Task:
    return _Task(
        scale,
        scores,
        [tree.nodes for tree in trees],
        [np.ascontiguousarray(tree.weights) for tree in trees],
        [np.ascontiguousarray(each) for each in answers],
        adds_to,
        scales,
        base,
        without_first,
    )
