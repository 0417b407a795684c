"""Answers after each round of boosting: what the model would say if learning had stopped there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import SettingError
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.model import check_kind
from clearwood.predicting.batch import leaf_of, numbers_from, shares_from
from clearwood.table.table import Table


def staged(model: Ensemble, rows: Table) -> Iterator[Floats]:
    """[row, class] probabilities or [row] numbers after each round; a round has a tree for each score.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> model = cw.Boosting(trees=3, min_child=0, rate=0.5).learn(table)
    >>> [round(float(shares[0, 1]), 3) for shares in staged(model, table)]
    [0.518, 0.408, 0.326]
    """
    check_kind("staged", model, Ensemble)
    if model.trees is None or model.combined_by != "sum":
        raise SettingError("staged is for ensembles that add up trees, as Boosting learns them.")
    return _stages(model, rows)


def _stages(model: Ensemble, rows: Table) -> Iterator[Floats]:
    for tree, scores in enumerate(staged_scores(model, rows)):
        if tree and tree % len(model.base) == 0:
            answers = scores.T.copy()
            yield numbers_from(model, answers) if model.is_numeric else shares_from(model, answers)


def staged_scores(model: Ensemble, rows: Table) -> Iterator[Floats]:
    """[score, row] before the first tree and after each, added in the order of learning, so that they are
    those of learning to the last digit; one array, which moves."""
    assert model.trees is not None
    scores = np.repeat(np.array(model.base)[:, None], len(rows), axis=1)
    yield scores
    for place, member in enumerate(model.members):
        tree: Any = member
        scores[model.trees.adds_to[place]] += model.weight(place) * tree.nodes.counts[leaf_of(tree, rows), 1]
        yield scores
