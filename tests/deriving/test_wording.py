"""Derivations and explanations say what they mean, in sentences that read one way only."""

from __future__ import annotations

import re

import pytest

import clearwood as cw
from clearwood.deriving.bayes.tables import derive_bayes_rule
from clearwood.draw.derivations import write_derivation
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.reporting.evidence_section import evidence_section
from clearwood.study.study import study_of


def derived(learner: Learner[Model], data: str) -> str:
    table = cw.read_table(cw.datasets.path(data), target=cw.datasets.TARGETS[data])
    return write_derivation(cw.derive(learner.learn(table), table), width=200)


def test_a_certain_answer_from_three_rows_does_not_read_as_one_in_three() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    text = str(cw.explain(cw.ID3().learn(table), {"Outlook": "Sunny", "Humidity": "High"}))
    assert text.startswith("PlayTennis is No: probability 1, from 3 training rows (95 % interval 0.44 to 1).")


def test_a_critical_value_has_one_name_and_its_level_in_the_formula() -> None:
    text = derived(cw.TreeRules(), "tennis_56")
    assert "critical χ² = χ² quantile(1 − α, df)" in text
    assert "= χ² quantile(1 − 0.05, 1)" in text
    assert not re.search(r"critical χ².*=.*=.*=", text)


def test_a_comparison_with_a_long_name_has_its_colon_behind_the_name() -> None:
    text = derived(cw.CHAID(min_rows=2, min_leaf=1, alpha_split=0.3), "hire")
    assert "smallest adjusted p ≤ alpha_split:\n" in text
    assert not re.search(r"^ *:", text, re.M)


def test_letters_are_defined_once_where_they_are_first_used() -> None:
    text = derived(cw.C45(), "tennis_numeric")
    for letter in ("n_c", "p_c", "S_v", "N", "e", "U", "CF"):
        assert len(re.findall(rf"(?:where|,)\s+{letter} is ", text)) == 1, letter
    bayes = derived(cw.NaiveBayes(), "tennis")
    assert "k is the number of values of the attribute" in bayes


@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")  # of the row that is left
def test_the_last_step_of_a_class_in_ila_is_not_called_by_the_step_before() -> None:
    text = derived(cw.ILA3(), "objects")
    assert "No: which of its rows are left without a rule?" in text
    assert text.count("No: which of its rows are left without a rule?") == 1


def test_two_rows_are_both() -> None:
    assert "Both rows are Yes: a leaf." in derived(cw.ID3(), "tennis")


def test_too_few_rows_and_a_prior_in_plain_sentences() -> None:
    assert "A split needs 6 rows, and only 5 rows reached this node: a leaf." in derived(
        cw.ID3(min_rows=6), "tennis"
    )
    rule = derive_bayes_rule(cw.bayes_rule(prior=0.008, sensitivity=0.98, false_positive=0.03))
    assert "Each prior times the probability of a positive test." in write_derivation(rule)


def test_the_absolute_error_is_not_called_squared() -> None:
    prices = {"x": [k // 2 + 0.5 for k in range(40)], "y": [k % 7 + (k > 19) * 10.5 for k in range(40)]}
    table = cw.read_table(prices, target="y")
    section = evidence_section(study_of(cw.CART(measure="absolute", max_depth=2), table))
    assert section is not None
    assert "share of the decrease in absolute error" in section.html
    assert "squared error" not in section.html
