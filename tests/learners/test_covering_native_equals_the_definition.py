"""The native CN2 and PRISM give the very rules of their definitions, on any table."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from clearwood.errors import ClearwoodWarning
from clearwood.learners.rules.cn2 import CN2
from clearwood.learners.rules.prism import PRISM
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.table.attributes import Nominal
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.learners.random_tables import random_tables

LEARNERS: dict[str, CN2 | PRISM] = {
    "ordered": CN2(),
    "ordered entropy": CN2(measure="entropy", max_conditions=3),
    "ordered wracc": CN2(measure="wracc", beam=2, max_conditions=None),
    "ordered equal": CN2(negations=False, missing="lost", max_conditions=3),
    "ordered lost": CN2(missing="lost"),
    "ordered tested": CN2(measure="entropy", alpha=0.1, min_rows=2),
    "unordered": CN2(rules="unordered", max_conditions=3),
    "unordered entropy": CN2(rules="unordered", measure="entropy", beam=2, max_conditions=2, missing="lost"),
    "unordered wracc": CN2(rules="unordered", measure="wracc", min_rows=2.5),
    "unordered tested": CN2(rules="unordered", alpha=0.05, otherwise="abstain"),
    "prism": PRISM(),
    "prism width": PRISM(cuts="width", bins=3, otherwise="abstain"),
}
many = settings(
    max_examples=int(os.environ.get("CLEARWOOD_EXAMPLES", "25")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def same(actual: RuleList, expected: RuleList) -> None:
    """The same rules; weights to the last digits, for they may be added in another order."""
    assert [(rule.when, rule.then) for rule in actual] == [(rule.when, rule.then) for rule in expected]
    assert (actual.otherwise.then, actual.matching) == (expected.otherwise.then, expected.matching)
    for one, two in zip((*actual, actual.otherwise), (*expected, expected.otherwise), strict=True):
        np.testing.assert_allclose(one.counts, two.counts, rtol=1e-9, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(LEARNERS))
@many
@given(table=random_tables(("nominal", "ordinal"), max_rows=50, max_columns=4, max_values=60))
def test_the_same_rules(name: str, table: Table) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)  # numbers that PRISM finds no cut for
        same(LEARNERS[name].learn(table), LEARNERS[name].learn_with_steps(table)[0])


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_prism_counts_alike_where_many_rules_begin_with_one_value(weighted: bool) -> None:
    random = np.random.default_rng(3)
    columns = {name: random.integers(-1, 4, 300).astype(np.int32) for name in "abcd"}
    schema = Schema(tuple(Nominal(name, tuple("uvwx")) for name in "abcd"), Nominal("y", tuple("ABC")))
    columns["y"] = random.integers(0, 3, 300).astype(np.int32)
    table = Table(schema, columns, random.integers(1, 50, 300) / 7.3 if weighted else None)
    rules = PRISM().learn(table)
    assert len(rules) > 100
    same(rules, PRISM().learn_with_steps(table)[0])
