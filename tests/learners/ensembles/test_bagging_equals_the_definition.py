"""Bagging learns the very members of its definition, which repeats the rows it draws, on any table."""

from __future__ import annotations

import os
import warnings
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import clearwood as cw
from clearwood.learners.ensembles.members import times_drawn
from clearwood.learners.training import usable_rows
from clearwood.models.kinds.tree.tree import Tree
from clearwood.table.table import Table
from tests.definitions.bagging import bagging_by_definition
from tests.learners.random_tables import random_tables
from tests.same_nodes import same_nodes

CLASSES = {
    "CART": cw.Bagging(of=cw.CART(), trees=4),
    "votes of small trees": cw.Bagging(of=cw.CART(max_depth=2), trees=5, combine="votes", seed=3),
    "ID3": cw.Bagging(of=cw.ID3(max_depth=3), trees=3, seed=8),
    "priors": cw.Bagging(of=cw.CART(priors="equal", max_depth=3), trees=3),
}
many = settings(
    max_examples=int(os.environ.get("CLEARWOOD_EXAMPLES", "40")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def same_ensemble(learner: cw.Bagging, table: Table) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model, expected = learner.learn(table), bagging_by_definition(learner, table)
    rows = usable_rows(learner, table)
    for place, (member, plain) in enumerate(zip(model.members, expected.members, strict=True)):
        times = np.bincount(expected.drawn[place], minlength=len(rows))
        assert times_drawn(rows, learner.seed, place).tolist() == times.tolist()
        same_nodes(cast(Tree, member).nodes, cast(Tree, plain).nodes)
    known: list[Any] = [error for error in expected.errors if error is not None]
    if not known:
        assert model.out_of_bag is None
        return
    assert model.out_of_bag is not None
    errors = [known[0] if error is None else error for error in expected.errors]
    assert model.out_of_bag.values == pytest.approx(errors, rel=1e-9, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSES)
@many
@given(table=random_tables(("nominal", "ordinal"), max_rows=40))
def test_the_same_members_of_classes(name: str, table: Table) -> None:
    same_ensemble(CLASSES[name], table)


@pytest.mark.slow
@many
@given(table=random_tables(("numeric",), max_rows=40))
def test_the_same_members_of_numbers(table: Table) -> None:
    same_ensemble(cw.Bagging(of=cw.CART(max_depth=4), trees=4, seed=1), table)


@pytest.mark.slow
@many
@given(table=random_tables(("nominal",), max_rows=40, missing=(0.0,)))
def test_the_same_members_by_c45(table: Table) -> None:
    same_ensemble(cw.Bagging(trees=3), table)


@pytest.mark.parametrize("of", [cw.NaiveBayes(), cw.CN2(), cw.PRISM()])
def test_rules_and_bayes_answer_as_those_learned_from_repeated_rows(of: Any) -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    learner = cw.Bagging(of=of, trees=4, seed=2)
    expected = bagging_by_definition(learner, table).members
    for member, plain in zip(learner.learn(table).members, expected, strict=True):
        np.testing.assert_allclose(cw.shares(member, table), cw.shares(plain, table), rtol=1e-9)
