"""Naive Bayes: the native sums and answers are those of the definition, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood import _native
from clearwood.learners.bayes.sums import summed
from clearwood.learners.training import usable_rows
from clearwood.models.kinds.bayes.bayes_terms import ROUNDING
from clearwood.predicting import predict_codes
from clearwood.predicting import shares as bayes_shares
from clearwood.predicting.bayes import log_joint
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import UNSEEN, Column, Table
from tests.definitions.bayes import log_joint_by_terms, summed_by_counts
from tests.learners.bayes_tables import LEARNERS, many, tables_for


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
@many
@given(data=st.data())
def test_the_sums_are_those_of_exact_fractions(name: str, data: st.DataObject) -> None:
    learner = LEARNERS[name]
    rows = usable_rows(learner, data.draw(tables_for(name)))
    plan = learner.plan(rows)
    assert summed(plan, rows) == summed_by_counts(plan, rows)


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
@many
@given(data=st.data())
def test_the_answers_are_those_of_the_terms_added_one_by_one(name: str, data: st.DataObject) -> None:
    table = data.draw(tables_for(name))
    model = LEARNERS[name].learn(table)
    for attribute in table.schema.inputs:  # some cells hold a value never met
        if isinstance(attribute, Nominal):
            table.columns[attribute.name][::3] = UNSEEN
    joint = log_joint(model, table)
    np.testing.assert_array_equal(joint, log_joint_by_terms(model, table))
    shares = bayes_shares(model, table)
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-12)
    assert ((shares >= 0) & (shares <= 1)).all()
    codes = predict_codes(model, table)
    np.testing.assert_array_equal(shares[np.arange(len(table)), codes], shares.max(axis=1))
    possible = np.isfinite(joint).any(axis=1)
    most = joint[possible].max(axis=1)
    level = most - ROUNDING * (1 + np.abs(most))  # those that only rounding sets apart are equal, …
    largest = joint[possible] >= level[:, None]
    np.testing.assert_array_equal(codes[possible], largest.argmax(axis=1))  # … and the first of them answers


@given(
    st.lists(st.floats(-1e140, 1e140), min_size=1, max_size=20),
    st.lists(st.floats(1e-3, 1e3), min_size=20, max_size=20),
    st.booleans(),
)
def test_sums_of_any_numbers_are_exact(numbers: list[float], weights: list[float], weighted: bool) -> None:
    rows = Table(
        Schema((Numeric("x"),), Nominal("y", ("a", "b"))),
        {"x": np.array(numbers), "y": np.arange(len(numbers), dtype=np.int32) % 2},
        np.array(weights[: len(numbers)]) if weighted else None,
    )
    plan = LEARNERS["gaussian"].plan(rows)
    assert summed(plan, rows) == summed_by_counts(plan, rows)


def test_the_thread_count_changes_nothing() -> None:
    random = np.random.default_rng(5)
    size = 300_000
    columns: list[Column] = [random.normal(size=size), random.normal(size=size).astype(np.float32)]
    codes = [
        random.integers(-2, 7, size).astype(np.int32),
        random.integers(0, 200_000, size).astype(np.int32),
    ]
    target = random.integers(0, 3, size).astype(np.int32)
    actual = []
    try:
        for threads in (1, 2, 3):
            _native.set_thread_count(threads)
            sums = _native.moments(columns, target, 3, None)
            cells, _ = _native.tally(codes, [7, 200_000], target, 3, None)
            actual.append(b"".join(each.tobytes() for each in (*sums[:4], cells)))
    finally:
        _native.set_thread_count(0)
    assert actual[0] == actual[1] == actual[2]


def test_a_code_out_of_range_is_refused_by_the_native_code() -> None:
    codes, target = np.array([0, 5], dtype=np.int32), np.zeros(2, dtype=np.int32)
    with pytest.raises(ValueError, match="none of the column's values"):
        _native.tally([codes], [5], target, 1, None)
    with pytest.raises(ValueError, match="none of the classes"):
        _native.tally([target], [5], codes, 1, None)
    with pytest.raises(ValueError, match="none of the column's values"):
        _native.bayes_codes([("codes", codes, np.zeros((7, 1)))], np.zeros(1), 2)
