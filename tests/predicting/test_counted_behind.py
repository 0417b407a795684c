"""An answer that no rows were counted for claims no share, among many rows as for one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import clearwood as cw
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.predicting.of_rules import counted_behind
from tests.rule_lists import rows_of, rules_and_tables


@given(drawn=rules_and_tables(), voting=st.booleans(), bare=st.sets(st.integers(0, 5)))
def test_the_rows_without_counts_are_those_that_explain_gives_no_shares(
    drawn: tuple[RuleList, cw.Table], voting: bool, bare: set[int]
) -> None:
    rules, table = drawn
    listed = RuleList(rules.schema, rules.rules, rules.otherwise, "vote" if voting else "first")
    counted = cw.recounted(listed, table)
    entries = tuple(replace(rule, counts=()) if i in bare else rule for i, rule in enumerate(counted.rules))
    model = replace(counted, rules=entries)
    few = table.take(np.arange(min(len(table), 5)))
    explained = [cw.explain(model, row).shares is not None for row in rows_of(few)]
    assert counted_behind(model, few).tolist() == explained
