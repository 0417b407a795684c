"""RIPPER's native search takes the very steps of the definition, on any table and any number of threads."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from clearwood import _native
from clearwood.counting.coding import on_ladders
from clearwood.learners.rules.ripper import RIPPER, search
from clearwood.learners.rules.ripper_definition import search_by_counts
from clearwood.learners.rules.ripper_search import RipperSearch, SearchDraft
from clearwood.learners.training import usable_rows
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.learners.random_tables import random_tables

LEARNERS = {
    "as it comes": RIPPER(),
    "another seed": RIPPER(seed=7, folds=2, min_rows=1),
    "many rounds": RIPPER(optimizations=4, check_error=False, min_rows=0, seed=3),
    "no round": RIPPER(optimizations=0, folds=5),
    "unpruned": RIPPER(prune=False, min_rows=1),
}
many = settings(
    max_examples=int(os.environ.get("CLEARWOOD_EXAMPLES", "40")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def by_counts(learner: RIPPER, table: Table) -> RipperSearch:
    rows = usable_rows(learner, table)
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    return search_by_counts(learner, on_ladders(rows), rows.target, len(rows.schema.classes), weights)


def native(learner: RIPPER, table: Table) -> RipperSearch:
    rows = usable_rows(learner, table)
    return search(learner, rows, on_ladders(rows), steps=True)


def same(actual: RipperSearch, expected: RipperSearch) -> None:
    """Rules to the last digit; gains and bits to the last digits, for they are summed in another order."""
    assert actual.rules == expected.rules
    assert actual.otherwise == expected.otherwise
    np.testing.assert_array_equal(actual.taken, expected.taken)
    assert [step[:4] for step in actual.steps] == [step[:4] for step in expected.steps]
    for one, two in zip(actual.steps, expected.steps, strict=True):
        assert (one.before, one.after) == pytest.approx((two.before, two.after), rel=1e-9, abs=1e-9)
        for draft, other in zip(one.drafts, two.drafts, strict=True):
            assert plain(draft) == plain(other)
            assert numbers(draft) == pytest.approx(numbers(other), rel=1e-9, abs=1e-9)


def plain(draft: SearchDraft) -> tuple[object, ...]:
    return (draft.kind, draft.start, draft.grown, draft.kept)


def numbers(draft: SearchDraft) -> tuple[float, ...]:
    return (*draft.gains, draft.value_grown, draft.value, draft.length)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(LEARNERS))
@many
@given(table=random_tables(("nominal", "ordinal")))
def test_the_same_steps_and_rules(name: str, table: Table) -> None:
    same(native(LEARNERS[name], table), by_counts(LEARNERS[name], table))


@pytest.mark.slow
@settings(parent=many, max_examples=5)
@given(table=random_tables(("nominal",), max_rows=900, columns=("real", "float32", "nominal", "many")))
def test_the_same_where_columns_have_too_many_values_to_count(table: Table) -> None:
    same(native(RIPPER(), table), by_counts(RIPPER(), table))


@pytest.mark.slow
def test_threads_change_nothing() -> None:
    random = np.random.default_rng(5)
    rows = 30_000
    x = [random.normal(size=rows), random.normal(size=rows).round(1), *random.integers(0, 9, (12, rows))]
    arrays = [each if each.dtype == np.float64 else each.astype(np.int32) for each in x]
    target = ((arrays[0] + arrays[1] > 1.5) ^ (arrays[2] == 3)).astype(np.int32)
    names = [f"x{place}" for place in range(len(arrays))]
    numbers = [Numeric(name) for name in names[:2]]
    values = [Nominal(name, tuple("abcdefghi")) for name in names[2:]]
    schema = Schema((*numbers, *values), Nominal("y", ("no", "yes")))
    table = Table(schema, dict(zip(names, arrays, strict=True)) | {"y": target})
    coded = on_ladders(table).native()

    def rules(threads: int) -> object:
        actual = _native.ripper(
            coded,
            2,
            target,
            None,
            folds=3,
            min_rows=2,
            optimizations=1,
            prune=True,
            check_error=True,
            seed=1,
            steps=True,
            threads=threads,
        )
        return actual[0], actual[1], actual[2].tolist(), actual[3]

    assert rules(1) == rules(4)
