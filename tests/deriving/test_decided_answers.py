"""From shares to the answer: every part of a decision is derived, and ends in what the model answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import clearwood as cw
from clearwood.deriving.decided import with_decision
from clearwood.measures.inference import wilson
from clearwood.models.decision import Cutoff, Decision, Isotonic, Platt
from clearwood.models.model import Model
from clearwood.working.derivation import Answered
from tests.deriving.checking import check
from tests.typed import mistyped

COSTS = ((0.0, 5.0), (1.0, 0.0))
DECISIONS = {
    "cutoff": Decision(cutoff=Cutoff("Yes", 0.8)),
    "low cutoff": Decision(cutoff=Cutoff("No", 0.2)),
    "refer": Decision(refer=0.75),
    "platt": Decision(calibration=Platt((0.5, 0.7), (0.2, -0.4))),
    "isotonic": Decision(calibration=Isotonic(((0.2, 0.8), (0.1, 0.4, 0.9)), ((0.0, 0.6), (0.2, 0.5, 0.8)))),
    "prevalence": Decision(prevalence=(0.9, 0.1), trained_at=(5 / 14, 9 / 14)),
    "all of it": Decision(
        factors=(2.0, 1.0),
        calibration=Platt((0.5, 0.7), (0.2, -0.4)),
        prevalence=(0.6, 0.4),
        trained_at=(5 / 14, 9 / 14),
        refer=0.55,
        costs=COSTS,
    ),
    "nothing left to divide": Decision(calibration=Isotonic(((0.5,), (0.5,)), ((0.0,), (0.0,)))),
}


def _models() -> dict[str, Model]:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    tree = cw.ID3(max_depth=2).learn(table)
    return {
        "tree": tree,
        "rules": cw.rules_of(tree),
        "votes": cw.CN2(rules="unordered").learn(table),
        "bayes": cw.NaiveBayes().learn(table),
        "linear": cw.Logistic(penalty="l2").learn(table),
    }


ROWS = (
    {"Outlook": "Sunny", "Temperature": "Hot", "Humidity": "High", "Wind": "Weak"},
    {"Outlook": "Rainy", "Temperature": "Cool", "Humidity": "Normal", "Wind": "Strong"},
    {"Outlook": "Overcast", "Humidity": "High"},
    {"Wind": "Strong"},
)


@pytest.mark.parametrize("decision", DECISIONS.values(), ids=DECISIONS)
@pytest.mark.parametrize("kind", ["tree", "rules", "votes", "bayes", "linear"])
def test_the_derivation_ends_in_the_models_answer_with_every_number_worked_out(
    kind: str, decision: Decision
) -> None:
    model = replace(_models()[kind], decision=decision)
    for row in ROWS:
        derivation = cw.derive(model, row=row)
        check(derivation)
        last = derivation[-1].outcome
        assert isinstance(last, Answered)
        every = [{name: row.get(name) for name in ("Outlook", "Temperature", "Humidity", "Wind")}]
        answers = cw.predict(model, every)[0]
        assert last.answer == (None if answers is None else str(answers))
        assert sum(isinstance(step.outcome, Answered) for step in derivation) == 1
        if kind != "rules" and last.answer is not None and decision.adjusts:
            shares = cw.shares(model, every)[0]
            how = "at the prevalence now" if decision.prevalence else "calibrated"
            worked_out = [derivation.figure(f"P({name} | {how})").value for name in model.schema.classes]
            assert np.allclose(np.array(worked_out, dtype=float), shares)


@pytest.mark.parametrize("kind", ["tree", "rules", "votes", "bayes", "linear"])
def test_shares_are_known_by_their_class_whatever_they_are_called(kind: str) -> None:
    model = replace(_models()[kind], decision=DECISIONS["platt"])
    by_shares = cw.derive(replace(model, decision=Decision()), row=ROWS[0])
    last = by_shares[-1]
    renamed = tuple(
        each if each.share_of is None else replace(each, name=f"π of {each.share_of}")
        for each in last.figures
    )
    assert {each.share_of for each in renamed} - {None} == {"No", "Yes"}
    same = replace(by_shares, steps=[*by_shares[:-1], replace(last, figures=renamed)])
    steps = list(with_decision(model, ROWS[0], same))
    assert steps[-1].outcome == Answered(str(cw.predict(model, [ROWS[0]])[0]))
    assert "π of Yes" in str(same)


def test_each_part_says_its_numbers() -> None:
    model = _models()["tree"]
    sunny = {"Outlook": "Sunny", "Humidity": "High"}
    cut = cw.derive(replace(model, decision=Decision(cutoff=Cutoff("Yes", 0.3))), row=sunny)
    assert cut[-1].decision == "The probability of Yes, 0, is below the cutoff, 0.300: the prediction is No."
    rainy = {"Outlook": "Rainy"}
    doubtful = cw.derive(replace(model, decision=Decision(refer=0.9)), row=rainy)
    assert doubtful[-1].decision == (
        "The largest probability, 0.600, is below 0.900: the row is referred, and left without a prediction."
    )
    moved = cw.derive(
        replace(model, decision=Decision(prevalence=(0.5, 0.5), trained_at=(5 / 14, 9 / 14))), row=rainy
    )
    assert moved.figure("moved(No)").value == pytest.approx(0.4 * 0.5 / (5 / 14))
    assert "P(No | at the prevalence now)" in cw.write_derivation(moved)


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html"])
def test_it_is_written_in_every_form(form: str) -> None:
    model = replace(_models()["bayes"], decision=DECISIONS["all of it"])
    assert "calibrated" in cw.write_derivation(cw.derive(model, row=ROWS[0]), format=mistyped(form))


@pytest.mark.parametrize("decision", DECISIONS.values(), ids=DECISIONS)
@pytest.mark.parametrize("kind", ["tree", "rules"])
def test_the_interval_is_that_of_the_answer_by_the_decision_as_explain_has_it(
    kind: str, decision: Decision
) -> None:
    model = replace(_models()[kind], decision=replace(decision, factors=()))
    for row in ROWS:
        explained = cw.explain(model, row).interval
        figures = {each.name: each.value for step in cw.derive(model, row=row) for each in step.figures}
        derived = figures.get("interval from"), figures.get("interval to")
        if explained is None:
            assert derived == (None, None)
        else:
            assert derived == pytest.approx(explained)


def test_a_class_that_the_cutoff_chose_has_an_interval_around_its_own_share() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    tree = cw.ID3(max_depth=1).learn(table)
    derivation = cw.derive(
        replace(tree, decision=Decision(cutoff=Cutoff("No", 0.3))), row={"Outlook": "Rainy"}
    )
    assert derivation[-1].outcome == Answered("No")
    ends = [derivation.figure(name).value for name in ("interval from", "interval to")]
    assert ends == pytest.approx([float(end) for end in wilson(2, 5)])  # two of the five rainy days are No
