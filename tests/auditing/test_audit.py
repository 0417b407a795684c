"""An audit as people meet it: its words, its figures on a table, and awkward lists."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from clearwood import datasets
from clearwood.auditing import audit
from clearwood.errors import SettingError
from clearwood.formulas.conditions import AtMost, Equals
from clearwood.learners.trees.c45 import C45
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.kinds.rules.rule_reading import parse_rules
from clearwood.models.space.search import Budget, TooLongError, find_outside
from clearwood.table import read_table
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from tests.auditing.test_audit_against_every_row import rule_lists, truth_of

TENNIS = Schema(
    (
        Nominal("Outlook", ("Sunny", "Overcast", "Rain")),
        Numeric("Humidity"),
        Nominal("Wind", ("Weak", "Strong")),
    ),
    Nominal("Play", ("Yes", "No")),
)
EXPERT = """
IF Outlook = Overcast THEN Yes
IF Humidity > 75 THEN No
IF Outlook = Sunny AND Humidity > 90 THEN No
IF Wind = Weak THEN Yes
IF Outlook = Overcast AND Wind = Weak THEN No
IF Wind = Weak AND Humidity ≤ 60 THEN Yes
IF Humidity > 90 AND Humidity ≤ 60 THEN Yes
"""


def test_an_experts_rules_are_told_what_is_wrong_with_them() -> None:
    findings = audit(parse_rules(EXPERT, TENNIS))
    assert str(findings).splitlines()[:6] == [
        "7 rules; the first rule that holds decides.",
        "Impossible: rule 7 can never hold: no cell satisfies Humidity > 90 AND Humidity ≤ 60.",
        "Dead: rule 3 never applies: rule 2 takes every row that satisfies it.",
        "Dead: rule 5 never applies: rule 1 takes every row that satisfies it.",
        "Dead: rule 6 never applies: rule 4 takes every row that satisfies it.",
        "Conflicts: 6 pairs of rules can hold at once and disagree; the order decides in 3.",
    ]
    assert [gap.region for gap in findings.gaps if gap.because == "known"] == [
        "(Outlook in {Sunny, Rain} or never met or missing) AND (Humidity ≤ 75 or missing)"
        " AND (Wind = Strong or never met or missing)"
    ]
    assert not findings.order_free


def test_several_rules_together_kill_one_that_none_of_them_kills_alone() -> None:
    rules = "IF Humidity ≤ 70 THEN Yes\nIF Wind = Weak THEN No\nIF 60 < Humidity ≤ 80 AND Wind = Weak THEN No"
    (dead,) = audit(parse_rules(rules, TENNIS)).dead
    assert (dead.rule, dead.behind) == (3, (2,))
    rules = "IF Humidity ≤ 70 THEN Yes\nIF Humidity > 65 THEN No\nIF 60 < Humidity ≤ 80 THEN No"
    (dead,) = audit(parse_rules(rules, TENNIS)).dead
    assert (dead.rule, dead.behind) == (3, (1, 2))
    assert "rules 1 and 2 take every row" in str(audit(parse_rules(rules, TENNIS)))


def test_a_rule_that_only_repeats_what_is_said_otherwise_is_redundant() -> None:
    findings = audit(parse_rules("IF Wind = Weak THEN Yes\nIF Outlook = Rain THEN No\nOTHERWISE No", TENNIS))
    assert findings.redundant == (2,)
    assert "without rule 2 every row gets the prediction it gets now" in str(findings)


def test_a_trees_rules_are_free_of_order_and_complete_for_known_cells() -> None:
    path = datasets.path("tennis_numeric")
    findings = audit(C45().learn(read_table(path, target="Play")), path)
    assert findings.order_free
    assert findings.conflicts_in_all == findings.overlaps_in_all == 0
    assert all(gap.because != "known" for gap in findings.gaps)
    assert (findings.uncovered, findings.weight) == (0.0, 14.0)


@pytest.mark.slow
@given(rule_lists())
def test_a_tables_rows_are_counted_where_they_fall(rules: RuleList) -> None:
    truth = truth_of(rules)
    findings = audit(rules, list(truth.rows), most=10_000)
    uncovered = sum(not held for held in truth.held)
    assert (findings.uncovered, findings.weight) == (uncovered, len(truth.rows))
    for pair in (*findings.conflicts, *findings.overlaps):
        assert pair.rows == sum({pair.first, pair.second} <= set(held) for held in truth.held)
    for gap in findings.gaps:
        assert gap.rows is not None
        assert gap.rows <= uncovered
    known = [gap.rows or 0 for gap in findings.gaps]
    assert sum(known) >= max([0, *known])
    assert bool(known) == bool(uncovered)


def test_rows_count_by_their_weight() -> None:
    rules = parse_rules("IF Wind = Weak THEN Yes", replace(TENNIS, weight="w"))
    findings = audit(rules, [{"Wind": "Weak", "w": 2.0}, {"Wind": "Strong", "w": 0.5}])
    assert (findings.uncovered, findings.weight) == (0.5, 2.5)


@pytest.mark.parametrize("then", [None, "Yes"])
def test_a_list_without_rules_has_one_gap(then: str | None) -> None:
    findings = audit(RuleList(TENNIS, (), Otherwise(then)), [{"Wind": "Weak"}])
    assert [(gap.region, gap.rows) for gap in findings.gaps] == [("any row", 1.0)]
    assert findings.order_free
    assert "any row" in str(findings)


def test_a_rule_that_always_holds_leaves_no_gap_and_kills_what_follows() -> None:
    findings = audit(parse_rules("ALWAYS THEN Yes\nALWAYS THEN No\nIF Wind = Weak THEN Yes", TENNIS))
    assert [each.rule for each in findings.dead] == [2, 3]
    assert findings.gaps == ()
    assert "Every row satisfies a rule" in str(findings)


def test_rules_that_vote_have_no_order_and_none_is_dead() -> None:
    findings = audit(parse_rules("RULES VOTE\nALWAYS THEN Yes\nIF Wind = Weak THEN No", TENNIS))
    assert findings.order_free
    assert findings.dead == ()
    assert findings.redundant == ()
    assert findings.conflicts_in_all == 1
    assert "for the rules vote" in str(findings)


def test_rules_that_say_numbers_disagree_when_the_numbers_differ() -> None:
    schema = Schema(TENNIS.attributes, Numeric("price"))
    findings = audit(parse_rules("ALWAYS THEN 1.5\nIF Wind = Weak THEN price = 1.5\nOTHERWISE 2", schema))
    assert (findings.conflicts_in_all, findings.overlaps_in_all) == (0, 1)


def test_what_the_budget_leaves_open_is_said_and_nothing_is_claimed() -> None:
    random = np.random.default_rng(5)
    names = tuple(f"c{i}" for i in range(12))
    schema = Schema(tuple(Nominal(name, ("a", "b", "c")) for name in names), Nominal("y", ("p", "q")))
    rules = tuple(
        Rule(
            tuple(
                Equals(str(name), "abc"[random.integers(3)])
                for name in random.choice(names, 3, replace=False)
            ),
            "pq"[random.integers(2)],
        )
        for _ in range(80)
    )
    whole, part = audit(RuleList(schema, rules)), audit(RuleList(schema, rules), budget=300)
    assert whole.unsettled == ()
    assert part.unsettled != ()
    assert part.decided_by_order <= whole.decided_by_order
    assert {each.rule for each in part.dead} <= {each.rule for each in whole.dead}
    assert set(part.redundant) <= set(whole.redundant)
    assert part.conflicts_in_all == whole.conflicts_in_all
    assert "Not settled within the budget" in str(part)


def test_a_search_stops_at_its_budget() -> None:
    with pytest.raises(TooLongError):
        find_outside([0b11, 0b11], [((0, 1), (1, 1)), ((0, 2), (1, 2))], Budget(1, 1))


def test_no_more_is_listed_than_asked_but_all_is_counted() -> None:
    findings = audit(parse_rules(EXPERT, TENNIS), most=1)
    assert (len(findings.conflicts), len(findings.overlaps)) == (1, 1)
    assert findings.conflicts_in_all == 6
    assert "… and 5 more." in str(findings)
    with pytest.raises(SettingError, match="most"):
        audit(parse_rules(EXPERT, TENNIS), most=-1)


def test_an_audit_is_plain_enough_for_json() -> None:
    data = json.loads(json.dumps(audit(parse_rules(EXPERT, TENNIS)).to_json()))
    assert data["dead"][0] == {"rule": 3, "behind": [2]}
    assert data["order_free"] is False


def test_limits_at_the_ends_of_the_numbers_part_nothing() -> None:
    largest = float(np.finfo(np.float64).max)
    rules = RuleList(TENNIS, (Rule((AtMost("Humidity", largest, True),), "Yes"), Rule((), "No")))
    findings = audit(rules)
    assert [each.rule for each in findings.dead] == [2]
    assert findings.gaps == ()
