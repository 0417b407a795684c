"""Learners over many tables: Demšar's example from scores to sentences, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from tests.scoring.differences.demsar import AUC, LEARNERS, SCORES

BY_LEARNER = dict(zip(LEARNERS, SCORES.T.tolist(), strict=True))


@pytest.mark.slow
def test_demsars_example_from_scores_to_sentences() -> None:
    comparison = cw.compare_over_tables(BY_LEARNER, tables=list(AUC))
    assert list(comparison.mean_ranks) == ["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]
    assert round(comparison.critical_difference, 2) == 1.25
    assert comparison.conclusions[0] == (
        "The learners do not all rank alike (Friedman, F(3, 39) 3.69, p 0.0198; χ² 9.28)."
    )
    assert comparison.conclusions[1].endswith("differ at 5 %: no pair.")
    assert "which does not make them equal" in comparison.conclusions[3]
    assert "corrected for ties χ² is" in comparison.notes[0]


@pytest.mark.slow
def test_at_ten_per_cent_two_pairs_are_told_apart() -> None:
    comparison = cw.compare_over_tables(BY_LEARNER, alpha=0.1)
    assert comparison.groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5"))
    assert "C4.5+m before C4.5 (1.14) and C4.5+m+cf before C4.5 (1.18)" in comparison.conclusions[1]


@pytest.mark.slow
def test_scores_may_be_given_by_the_names_of_tables_in_any_order() -> None:
    named = {learner: dict(zip(AUC, values, strict=True)) for learner, values in BY_LEARNER.items()}
    named["C4.5+m"] = dict(reversed(named["C4.5+m"].items()))
    one, other = cw.compare_over_tables(named), cw.compare_over_tables(BY_LEARNER, tables=list(AUC))
    assert one.to_json() == other.to_json()
    assert json.loads(json.dumps(one.to_json()))["friedman"]["tables"] == 14


@pytest.mark.slow
def test_errors_are_ranked_the_other_way() -> None:
    errors = {name: [1 - value for value in values] for name, values in BY_LEARNER.items()}
    turned = cw.compare_over_tables(errors, better="less")
    plain = cw.compare_over_tables(BY_LEARNER)
    assert turned.mean_ranks == plain.mean_ranks
    assert [each.wins for each in turned.differences] == [each.wins for each in plain.differences]


@pytest.mark.slow
def test_without_a_difference_among_all_no_pair_is_tested_further() -> None:
    chance = np.random.default_rng(1)
    noise = {name: chance.normal(0.8, 0.05, 10).tolist() for name in "abc"}
    (sentence,) = cw.compare_over_tables(noise).conclusions
    assert "That does not make them equal, and pairs should not be tested further." in sentence


@pytest.mark.slow
def test_two_learners_are_compared_by_signed_ranks_alone() -> None:
    two = {"a": [0.9, 0.8, 0.85, 0.7, 0.95, 0.6, 0.75], "b": [0.8, 0.7, 0.8, 0.65, 0.9, 0.5, 0.7]}
    comparison = cw.compare_over_tables(two)
    assert (
        comparison.conclusions[0] == "By Wilcoxon's signed ranks these differ at 5 %: a before b (p 0.0156)."
    )
    assert comparison.conclusions[-1].startswith(
        "a is better than b by more than 0.01 with probability 1.000"
    )


def test_few_tables_are_named_as_too_few() -> None:
    comparison = cw.compare_over_tables({"a": [0.9, 0.8, 0.7], "b": [0.1, 0.2, 0.3]})
    assert comparison.notes == ("With 3 tables signed ranks cannot show anything at 5 %: take six or more.",)


@pytest.mark.parametrize(
    ("scores", "options", "sentence"),
    [
        ({"a": [1.0, 2.0]}, {}, "at least two learners"),
        ({"a": [1.0, 2.0], "b": [1.0]}, {}, "'b' has 1 scores for 2 tables"),
        ({"a": [1.0], "b": [1.0]}, {}, "at least two tables"),
        ({"a": [1.0, float("nan")], "b": [1.0, 2.0]}, {"tables": ["x", "y"]}, "'a' has no score on 'y'"),
        ({"a": {"x": 1.0, "y": 2.0}, "b": {"x": 1.0, "z": 2.0}}, {}, "'y' is not in all"),
        ({"a": [1.0, 2.0], "b": [1.0, 2.0]}, {"better": "most"}, "'more' or 'less', not 'most'"),
        ({"a": [1.0, 2.0], "b": [1.0, 2.0]}, {"alpha": 5}, "alpha must be between 0 and 1"),
        ({"a": [1.0, 2.0], "b": [1.0, 2.0]}, {"rope": -1}, "rope must be 0 or more"),
        ([[1.0, 2.0]], {}, "takes scores by learner"),
    ],
)
def test_what_cannot_be_compared_is_refused(scores: Any, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        cw.compare_over_tables(scores, **options)


def test_a_difference_that_only_rounding_makes_is_none() -> None:
    compared = cw.compare_over_tables({"a": [0.1 + 0.2] * 6, "b": [0.3] * 6})
    (each,) = compared.differences
    assert each.signed_ranks.p == 1.0
    assert each.signed_ranks.above == each.signed_ranks.below
    assert (each.wins, each.ties, each.losses) == (0, 6, 0)


def test_large_scores_are_rounded_by_their_own_size() -> None:
    compared = cw.compare_over_tables({"a": [1e6 + 1e-7] * 6, "b": [1e6] * 6}, better="less")
    assert compared.differences[0].signed_ranks.p == 1.0
