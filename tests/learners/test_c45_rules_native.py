"""The native C4.5rules finds the very rules of the definition, on any table."""

from __future__ import annotations

import os
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from clearwood import _native
from clearwood.learners.rules.c45_rules import C45Rules, LeafRules, condition_bits, leaf_classes
from clearwood.learners.training import usable_rows
from clearwood.table.table import Table
from tests.definitions.c45_rules import rules_by_counts
from tests.learners.random_tables import random_tables

LEARNERS = {
    "as it comes": C45Rules(),
    "climbing": C45Rules(exhaustive=0, min_rows=1),
    "free theory": C45Rules(theory_weight=0, min_rows=1, exhaustive=4),
    "groups": C45Rules(group_values=True, confidence=0.6, drop_harmful=True, exhaustive=3),
    "quinlan, steps": C45Rules(confidence_table="quinlan", ordinal="cut", exhaustive=5, drop_harmful=True),
}


def defined(learner: C45Rules, table: Table) -> LeafRules:
    rows = usable_rows(learner, table)
    tree = learner.unpruned_tree(rows)
    return rules_by_counts(learner, tree, rows, leaf_classes(tree), condition_bits(tree, rows))


def same(actual: LeafRules, expected: LeafRules) -> None:
    for each in fields(LeafRules):
        one: Any = np.asarray(getattr(actual, each.name))
        two: Any = np.asarray(getattr(expected, each.name))
        assert one.shape == two.shape, each.name
        if one.dtype == np.float64:
            np.testing.assert_allclose(one, two, rtol=1e-7, atol=1e-7, err_msg=each.name)
        else:
            np.testing.assert_array_equal(one, two, err_msg=each.name)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(LEARNERS))
@settings(
    max_examples=int(os.environ.get("CLEARWOOD_EXAMPLES", "40")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(table=random_tables(("nominal", "ordinal"), max_rows=60, max_columns=4, max_values=30))
def test_the_same_rules(name: str, table: Table) -> None:
    same(LEARNERS[name].leaf_rules(table)[1], defined(LEARNERS[name], table))


def test_the_same_rules_whatever_the_number_of_threads() -> None:
    random = np.random.default_rng(3)
    from clearwood.table.attributes import Nominal, Numeric
    from clearwood.table.schema import Schema

    a, b = random.normal(size=3000), random.integers(0, 9, 3000).astype(np.int32)
    y = ((a > 0.3) ^ (b > 4) ^ (random.random(3000) < 0.1)).astype(np.int32)
    schema = Schema(
        (Numeric("a"), Nominal("b", tuple("abcdefghi")), Numeric("c")), Nominal("y", ("no", "yes"))
    )
    table = Table(schema, {"a": a, "b": b, "c": random.normal(size=3000), "y": y})
    try:
        actual = []
        for threads in (1, 3):
            _native.set_thread_count(threads)
            actual.append(C45Rules().leaf_rules(table)[1])
        same(actual[0], actual[1])
    finally:
        _native.set_thread_count(0)
