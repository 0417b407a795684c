"""A decision's parts are honoured by every model, row by row as in many rows at once, and in every verb."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.models.decision import Cutoff, Decision, Isotonic, Platt, adjusted, decided
from clearwood.models.model import Model

TABLE = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
CLASSES = TABLE.schema.classes
MODELS: dict[str, Model] = {
    "tree": cw.C45(prune=False, min_rows=4).learn(TABLE),
    "rules": cw.rules_of(cw.C45(prune=False, min_rows=4).learn(TABLE)),
    "votes": replace(cw.rules_of(cw.C45(prune=False, min_rows=4).learn(TABLE)), matching="vote"),
    "bayes": cw.NaiveBayes().learn(TABLE),
    "linear": cw.Logistic(penalty="l2").learn(TABLE),
    "ensemble": cw.Bagging(of=cw.C45(prune=False, min_rows=4), trees=7).learn(TABLE),
    "votes of members": cw.AdaBoost(of=cw.C45(min_rows=4), trees=4).learn(TABLE),
}
PLATT = Platt((0.5, 0.5), (0.4, -0.4))
STEPS = Isotonic(((0.0, 0.4, 1.0), (0.1, 0.9)), ((0.1, 0.5, 0.9), (0.2, 0.7)))
DECISIONS = {
    "cutoff": Decision(cutoff=Cutoff("Play", 0.9)),
    "refer": Decision(refer=0.8),
    "cutoff and refer": Decision(cutoff=Cutoff("Don't Play", 0.2), refer=0.7),
    "platt": Decision(calibration=PLATT),
    "platt of pure leaves": Decision(
        calibration=Platt((0.5, 0.5), (0.4, -0.4), least=1 / 16), cutoff=Cutoff("Play", 0.7)
    ),
    "isotonic": Decision(calibration=STEPS, refer=0.6),
    "prevalence": Decision(prevalence=(0.05, 0.95), trained_at=(9 / 14, 5 / 14)),
    "all": Decision((1.5, 1.0), ((0.0, 4.0), (1.0, 0.0)), None, 0.55, PLATT, (0.3, 0.7), (9 / 14, 5 / 14)),
}


@pytest.mark.parametrize("decision", DECISIONS.values(), ids=DECISIONS)
@pytest.mark.parametrize("name", MODELS)
def test_one_row_is_decided_as_many_are(name: str, decision: Decision) -> None:
    model = replace(MODELS[name], decision=decision)
    one = cw.row_predictor(model)
    rows = [dict(zip(one.names, cells, strict=True)) for cells in _cells()]
    at_once = {key: [row[key] for row in rows] for key in one.names}
    assert [one(row) for row in rows] == cw.predict(model, at_once).tolist()
    for row, shares in zip(rows, cw.shares(model, at_once).tolist(), strict=True):
        assert list(one.shares(row).values()) == pytest.approx(shares, abs=1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_a_row_is_referred_where_no_class_is_sure_enough(name: str) -> None:
    sure = cw.shares(MODELS[name], TABLE).max(axis=1)
    limit = float(np.median(sure))
    answers = cw.predict(replace(MODELS[name], decision=Decision(refer=limit)), TABLE)
    plain = cw.predict(MODELS[name], TABLE)
    assert [answer is None for answer in answers] == (sure < limit).tolist()
    assert all(a == b for a, b in zip(answers, plain, strict=True) if a is not None)


@pytest.mark.parametrize("name", MODELS)
def test_a_cutoff_answers_its_class_from_there_up(name: str) -> None:
    share = cw.shares(MODELS[name], TABLE)[:, 0]
    limit = float(np.sort(share)[len(share) // 2])
    answers = cw.predict(replace(MODELS[name], decision=Decision(cutoff=Cutoff(CLASSES[0], limit))), TABLE)
    assert answers.tolist() == [CLASSES[0] if each >= limit else CLASSES[1] for each in share]


def test_shares_are_those_of_the_formulas() -> None:
    shares = np.array([[0.8, 0.2], [1.0, 0.0], [0.0, 0.0]])
    odds = np.log(0.8 / 0.2)
    first, second = 1 / (1 + np.exp(-0.5 * odds - 0.4)), 1 / (1 + np.exp(0.5 * odds + 0.4))
    actual = adjusted(shares, Decision(calibration=PLATT))
    assert actual[0].tolist() == pytest.approx([first / (first + second), second / (first + second)])
    assert actual[1, 0] > 0.999
    assert actual[2].tolist() == [0.0, 0.0]
    by_steps = adjusted(shares, Decision(calibration=STEPS))[0]
    assert by_steps.tolist() == pytest.approx(
        [(0.5 + 0.4 * 4 / 6) / (0.5 + 0.4 * 4 / 6 + 0.2625), 0.2625 / 1.0291666667]
    )
    moved = adjusted(shares, Decision(prevalence=(0.1, 0.9), trained_at=(0.5, 0.5)))[0]
    assert moved.tolist() == pytest.approx([0.08 / 0.26, 0.18 / 0.26])


def test_a_plain_decision_leaves_shares_as_they_are() -> None:
    shares = np.array([[0.8, 0.2]])
    assert adjusted(shares, Decision()) is shares
    assert Decision((1.0, 2.0), ((0.0, 1.0), (1.0, 0.0))).is_plain
    assert not any(decision.is_plain for decision in DECISIONS.values())


def test_where_rules_say_nothing_nothing_is_decided() -> None:
    silent = decided(np.zeros((1, 2)), Decision(cutoff=Cutoff(CLASSES[0], 0.0)), CLASSES)
    assert silent.tolist() == [-1]


@pytest.mark.parametrize("decision", DECISIONS.values(), ids=DECISIONS)
@pytest.mark.parametrize("name", MODELS)
def test_a_model_is_explained_and_saved_with_its_decision(
    name: str, decision: Decision, tmp_path: Any
) -> None:
    model = replace(MODELS[name], decision=decision)
    assert cw.load(cw.save(model, tmp_path / "m.json")) == model
    for cells in _cells():
        row = dict(zip(cw.row_predictor(model).names, cells, strict=True))
        explanation = cw.explain(model, row)
        assert explanation.answer == cw.row_predictor(model)(row)
        assert explanation.shares == cw.row_predictor(model).shares(row)
        assert str(explanation)
        if explanation.change.cells:
            changed = {**row, **{each.name: each.after for each in explanation.change.cells}}
            assert cw.row_predictor(model)(changed) == explanation.change.instead
            assert explanation.change.instead not in (None, explanation.answer)


def test_intervals_are_of_the_class_that_is_answered_or_there_are_none() -> None:
    tree = MODELS["tree"]
    referred = replace(tree, decision=Decision(refer=0.8))
    silent = np.isnan(cw.intervals(referred, TABLE)).any(axis=1)
    assert silent.tolist() == [answer is None for answer in cw.predict(referred, TABLE)]
    with pytest.raises(SettingError, match="the interval of its counts is not that of the prediction"):
        cw.intervals(replace(tree, decision=Decision(calibration=PLATT)), TABLE)


def test_a_drawn_tree_shows_what_its_rows_get() -> None:
    tree = MODELS["tree"]
    cut = replace(
        tree, decision=Decision(cutoff=Cutoff("Play", 1.0), prevalence=(0.1, 0.9), trained_at=(0.5, 0.5))
    )
    assert str(cut) != str(tree)


def _cells() -> list[tuple[Any, ...]]:
    return [
        ("Sunny", 24.0, 70.0, "Weak"),
        ("Sunny", 27.0, 90.0, "Strong"),
        ("Overcast", 22.0, 90.0, "Strong"),
        ("Rain", 21.0, 80.0, "Strong"),
        ("Rain", 20.0, None, "Weak"),
        (None, None, None, None),
    ]
