"""Where costs decide, the report judges by them, and the form says that they decided."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.models.decision import Cutoff, Decision
from clearwood.scoring.evaluation import ClassEvaluation
from tests.reporting.conftest import Opened


@pytest.fixture(scope="module")
def credit() -> cw.Report:
    """400 applicants, three in ten of them bad, which is five times as dear to miss as to suspect."""
    drawing = np.random.default_rng(5)
    bad = drawing.random(400) < 0.3
    amount = np.round(drawing.normal(3.0 + 1.2 * bad, 1.0), 1)
    rows = {"amount": amount, "risk": np.where(bad, "bad", "good")}
    learner = cw.CART(costs={("bad", "good"): 5}, max_depth=2)
    return cw.report(rows, target="risk", learner=learner)


@pytest.mark.slow
def test_the_lead_the_evaluation_and_the_card_have_the_expected_cost(credit: cw.Report) -> None:
    judged = credit.study.judged
    assert isinstance(judged, ClassEvaluation)
    assert judged.cost is not None
    of = {"bad": "bad predicted as good 5", "good": "good predicted as bad 1"}
    costs = ", ".join(of[each] for each in judged.classes)
    sentence = f"By its costs ({costs}) a row costs {judged.cost.per_row:.4g} on average"
    lead, rest = credit.html.split("</header>", 1)
    assert "correctly" not in lead  # a model with costs is not introduced by its accuracy
    verdict = rest.split('id="verdict"', 1)[1].split("</section>", 1)[0]
    assert f"A row costs {judged.cost.per_row:.4g}" in verdict
    assert f"Costs: {costs}." in verdict
    assert "ccuracy" not in verdict
    before, card = rest.split('id="card"', 1)
    assert sentence in before
    assert sentence in card
    assert (
        f"the best constant prediction, {judged.cost.constant}, {judged.cost.constant_per_row:.4g}." in rest
    )
    always_good = 5 * sum(judged.confusion[judged.classes.index("bad")]) / judged.weight
    assert "Always predicting good, the commonest class, would be correct for" in rest
    assert f", and cost {always_good:.4g} per row." in rest


@pytest.mark.slow
def test_the_rules_beside_the_tree_have_what_a_row_costs(credit: cw.Report) -> None:
    rules = credit.html.split('id="rules"', 1)[1].split("</section>", 1)[0]
    seen = cw.evaluate(credit.study.model, credit.study.learned_from)
    assert isinstance(seen, ClassEvaluation)
    assert seen.cost is not None
    assert f"{seen.cost.per_row:.4g} with the tree; the best constant prediction, bad" in rules
    assert "learned from: cost per row" in rules


@pytest.mark.slow
def test_a_report_of_a_model_with_a_cutoff_has_no_costs_that_nobody_gave(credit: cw.Report) -> None:
    # Without a profile nobody knows that it was learned from most of the table, and the table judges it.
    tree = replace(credit.study.model, decision=Decision(cutoff=Cutoff("bad", 0.2)), profile=None)
    page = cw.report(credit.study.table, model=tree).html
    assert "Predicts bad from a probability of 0.2 on." in page
    assert "By its costs" not in page
    assert "a row costs" not in page
    assert "cost" not in str(cw.evaluate(tree, credit.study.table))


def test_folds_have_a_column_of_costs() -> None:
    report = cw.report(
        cw.datasets.path("tennis"), target="PlayTennis", learner=cw.CART(costs={("No", "Yes"): 5}), folds=3
    )
    assert "cost per row" in report.html


def test_the_form_says_that_costs_decided(credit: cw.Report, opened: Opened) -> None:
    tab, model = opened(credit.html), credit.study.model
    answers = []
    for amount in ("1", "2", "3", "4", "5", "6"):
        tab.locator(".fields input").first.fill(amount)
        shares = cw.shares(model, {"amount": [float(amount)]})[0]
        answer = tab.locator(".answer-text").inner_text()
        likeliest = model.schema.classes[int(np.argmax(shares))]
        decided = tab.locator(".decided")
        answers.append(answer != likeliest)
        assert decided.count() == (answer != likeliest)
        if answer != likeliest:
            assert decided.inner_text().startswith("Costs decided: bad is expected to cost")
    assert True in answers
    assert False in answers


_DECIDED = """([decision, classes, answer, shares]) =>
    answer_view_js.decidedText(decision, classes, answer, shares)"""


@pytest.mark.parametrize(
    ("answer", "shares", "sentence"),
    [
        ("bad", [0.3, 0.7], "The cutoff decided: the probability of bad is at least 20 %."),
        ("good", [0.1, 0.9], ""),
    ],
)
def test_a_cutoff_that_decided_is_named(run_module: Any, answer: str, shares: Any, sentence: str) -> None:
    decision = {"factors": [], "costs": [], "cutoff": {"positive": "bad", "at": 0.2}}
    given = [decision, ["bad", "good"], answer, shares]
    assert run_module("answer_view.js", _DECIDED, given) == sentence
