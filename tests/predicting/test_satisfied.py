"""Rows as bits: each condition asked of each cell, and the rules' rows from them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.errors import SettingError
from clearwood.formulas.conditions import AtMost, Equals, OneOf, holds
from clearwood.models.kinds.rules.rule_list import Rule, RuleList
from clearwood.predicting import satisfied as home
from clearwood.predicting.satisfied import as_bits, as_truths, satisfied, taken
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Table
from tests.rule_lists import covers, first_of, rows_of, rules_and_tables


@pytest.mark.slow
@given(example=rules_and_tables(max_rows=150))
def test_every_condition_and_rule_has_its_rows(example: tuple[RuleList, Table]) -> None:
    rules, table = example
    rows, actual = rows_of(table), satisfied(rules.schema, rules, table)
    for bits, condition in zip(actual.bits, actual.conditions, strict=True):
        assert as_truths(bits, len(rows)).tolist() == [holds(condition, row[condition.name]) for row in rows]
    covered = actual.covered()
    for bits, rule in zip(covered, rules, strict=True):
        assert as_truths(bits, len(rows)).tolist() == [covers(rule, row) for row in rows]
    own, left = taken(covered, len(rows))
    firsts = [first_of(rules, row) for row in rows]
    for i, bits in enumerate(own):
        assert as_truths(bits, len(rows)).tolist() == [at == i for at in firsts]
    assert as_truths(left, len(rows)).tolist() == [at is None for at in firsts]


@given(truths=st.lists(st.booleans(), max_size=200))
def test_truths_come_back_from_bits(truths: list[bool]) -> None:
    assert as_truths(as_bits(np.array(truths, dtype=np.bool_)), len(truths)).tolist() == truths


def test_an_unseen_value_satisfies_nothing_and_a_float32_is_not_rounded_up() -> None:
    schema = Schema((Nominal("c", ("a", "b")), Numeric("x")), Nominal("y", ("n", "y")))
    cells = {"c": np.array([0, 1, MISSING, UNSEEN], np.int32), "x": np.full(4, 0.1, np.float32)}
    rules = [Rule((OneOf("c", ("a", "b"), or_missing=True),), "y"), Rule((AtMost("x", 0.1),), "y")]
    satisfying = satisfied(schema, rules, Table(schema, cells))
    assert [as_truths(bits, 4).tolist() for bits in satisfying.bits] == [
        [True, True, True, False],
        [False] * 4,
    ]


def test_codes_of_another_schema_are_read_by_name() -> None:
    ours = Schema((Nominal("c", ("a", "b")),), Nominal("y", ("n", "y")))
    theirs = Schema((Nominal("c", ("z", "b", "a")),), Nominal("y", ("n", "y")))
    table = Table(theirs, {"c": np.array([0, 1, 2], np.int32)})
    satisfying = satisfied(ours, [Rule((Equals("c", "a"),), "y")], table)
    assert as_truths(satisfying.bits[0], 3).tolist() == [False, False, True]


def test_more_bits_than_memory_allows_are_refused_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "MOST_BYTES", 10)
    schema = Schema((Numeric("x"),), Nominal("y", ("n", "y")))
    table = Table(schema, {"x": np.zeros(100)})
    with pytest.raises(SettingError, match="1 conditions over 100 rows"):
        satisfied(schema, [Rule((AtMost("x", 1.0),), "y")], table)
