"""AdaBoost has the very rounds of its definition, row by row, on any table."""

from __future__ import annotations

import os
import warnings
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings

import clearwood as cw
from clearwood.errors import LearningError
from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.table import Table
from tests.definitions.adaboost import adaboost_by_definition
from tests.learners.random_tables import random_tables
from tests.same_nodes import same_nodes

LEARNERS = {
    "stumps": cw.AdaBoost(trees=6),
    "two levels, half steps": cw.AdaBoost(of=cw.CART(max_depth=2), trees=4, rate=0.5),
    "ID3": cw.AdaBoost(of=cw.ID3(max_depth=2), trees=4),
    "leaves of three": cw.AdaBoost(of=cw.CART(max_depth=3, min_leaf=3), trees=4),
}
many = settings(
    max_examples=int(os.environ.get("CLEARWOOD_EXAMPLES", "60")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def same_rounds(learner: cw.AdaBoost, table: Table) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = adaboost_by_definition(learner, table)
        except LearningError:
            with pytest.raises(LearningError, match="no better than chance"):
                learner.learn(table)
            return
        model = learner.learn(table)
    assert model.size == len(expected)
    for member, plain in zip(model.members, expected, strict=True):
        same_nodes(cast(Tree, member).nodes, cast(Tree, plain.member).nodes)
    assert model.weights == pytest.approx([each.weight for each in expected], rel=1e-6, abs=1e-9)
    so_far, of_members = (curve.values for curve in model.curves)
    assert of_members == pytest.approx([each.error for each in expected], rel=1e-6, abs=1e-12)
    assert so_far == pytest.approx([each.error_of_all for each in expected], rel=1e-9, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
@many
@given(table=random_tables(("nominal", "ordinal"), max_rows=50))
def test_the_same_rounds(name: str, table: Table) -> None:
    same_rounds(LEARNERS[name], table)


@pytest.mark.slow
@many
@given(table=random_tables(("nominal",), max_rows=50, missing=(0.0,)))
def test_the_same_rounds_of_boosted_c45(table: Table) -> None:
    same_rounds(cw.AdaBoost(of=cw.C45(), trees=4), table)
