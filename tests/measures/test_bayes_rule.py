"""Bayes' rule as a calculator, and the same evidence at another prevalence."""

from __future__ import annotations

import numpy as np
import pytest

from clearwood import datasets
from clearwood.errors import SettingError
from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.measures.bayes_rule import bayes_rule
from clearwood.predicting import shares as bayes_shares
from clearwood.predicting.intervals import at_prevalence, shares_at_prevalence
from clearwood.table import read_table


def test_the_books_cancer_test() -> None:
    assert bayes_rule(0.008, 0.98, 0.03).posterior == pytest.approx(0.20851063829787236, abs=1e-15)


def test_a_prevalence_of_nothing_or_all_stays() -> None:
    assert bayes_rule(0, 0.98, 0.03).posterior == 0
    assert bayes_rule(1, 0.98, 0.03).posterior == 1


@pytest.mark.parametrize("given", [(0, 0.9, 0), (1, 0, 0.5), (0.5, 0, 0)])
def test_a_test_that_is_never_positive_is_refused(given: tuple[float, float, float]) -> None:
    with pytest.raises(SettingError, match="never positive"):
        bayes_rule(*given)


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan"), True, "0.5"])
def test_what_is_no_probability_is_refused(bad: float) -> None:
    with pytest.raises(SettingError, match="sensitivity must be a probability"):
        bayes_rule(0.5, bad, 0.5)


def test_a_model_and_its_shares_agree_at_another_prevalence() -> None:
    table = read_table(datasets.path("buys_computer"), target="buys_computer")
    model = NaiveBayes().learn(table)
    there = bayes_shares(at_prevalence(model, {"yes": 0.1}), table)
    turned = shares_at_prevalence(bayes_shares(model, table), {"no": 5 / 14, "yes": 9 / 14}, {"yes": 0.1})
    np.testing.assert_allclose(there, turned, rtol=1e-12)


def test_prevalence_zero_rules_a_class_out_and_one_all_others() -> None:
    table = read_table(datasets.path("buys_computer"), target="buys_computer")
    model = NaiveBayes().learn(table)
    assert (bayes_shares(at_prevalence(model, {"yes": 0}), table)[:, 1] == 0).all()
    assert (bayes_shares(at_prevalence(model, {"yes": 1}), table)[:, 1] == 1).all()
    none = shares_at_prevalence(np.array([[1.0, 0.0]]), {"no": 0.5, "yes": 0.5}, {"yes": 1})
    assert none.tolist() == [[0, 1]]


def test_classes_not_named_share_what_is_left_as_before() -> None:
    shares = np.array([[0.2, 0.2, 0.6]])
    turned = shares_at_prevalence(shares, {"a": 0.2, "b": 0.2, "c": 0.6}, {"a": 0.6})
    np.testing.assert_allclose(turned, [[0.6, 0.1, 0.3]])


@pytest.mark.parametrize(
    ("prevalence", "sentence"),
    [
        ({"yes": 1.5}, "from 0 to 1"),
        ({"yes": 0.7, "no": 0.7}, "sum to 1.4"),
        ({"yes": 0.2, "no": 0.7}, "sum to 0.9"),
        ({"maybe": 0.2}, "No class 'maybe'"),
        ({}, "a probability by class"),
    ],
)
def test_a_prevalence_that_cannot_be_is_refused(prevalence: dict[str, float], sentence: str) -> None:
    table = read_table(datasets.path("buys_computer"), target="buys_computer")
    with pytest.raises(SettingError, match=sentence):
        at_prevalence(NaiveBayes().learn(table), prevalence)


def test_nothing_is_known_of_a_class_never_met() -> None:
    with pytest.raises(SettingError, match="'yes' was never met"):
        shares_at_prevalence(np.array([[1.0, 0.0]]), {"no": 1, "yes": 0}, {"yes": 0.5})
