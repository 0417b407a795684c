"""Where the book's rule chooses an approximation for a small cell, Fisher's p stands beside it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import fisher_exact

import clearwood as cw
from clearwood.draw.derivations import write_derivation
from clearwood.learners.rules.simplifying.ledger import ConditionTest


def condition_tests() -> list[ConditionTest]:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    simplified = cw.simplify_rules(cw.rules_of(cw.C45().learn(table)), table)
    return [test for record in simplified.ledger.records for test in record.tests]


def test_the_exact_p_is_given_where_the_smallest_expected_count_is_below_five() -> None:
    tests = condition_tests()
    small = [test for test in tests if test.test != "fisher" and np.min(test.expected) < 5]
    assert small
    assert all((test.fisher_p is not None) == (test in small) for test in tests)
    for test in small:
        assert test.fisher_p == pytest.approx(fisher_exact(np.array(test.observed)).pvalue)
        assert f"below 5: Fisher's exact test gives p = {test.fisher_p:.4g}." in str(test)
        assert test.to_json()["fisher_p"] == test.fisher_p


def test_large_cells_need_no_exact_p() -> None:
    table = cw.read_table(cw.datasets.path("tennis_56"), target="Play")
    simplified = cw.simplify_rules(cw.rules_of(cw.C45().learn(table)), table)
    assert "Fisher" not in str(simplified.ledger.records[0].tests[0])


def test_the_derivation_gives_the_exact_p_beside_the_one_that_decided() -> None:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    text = write_derivation(cw.derive(cw.TreeRules().learn(table), table))
    assert "Fisher's p(Outlook = Sunny)" in text
    assert "below 5. The test above decides nevertheless" in text


def test_a_condition_that_is_kept_in_spite_of_its_p_is_explained() -> None:
    kept = [test for test in condition_tests() if test.kept and test.p > 0.05]
    assert kept
    assert all("one must stay" in test.why for test in kept)
