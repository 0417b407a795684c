"""Models of balanced rows: their shares speak of the classes as they come, and no count is hidden."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

import clearwood as cw
from clearwood.catalogue import BALANCERS
from clearwood.errors import LearningError, SettingError
from clearwood.explaining.forest_importances import out_of_bag_rows
from clearwood.learners.training import fingerprint
from clearwood.models.decision import Cutoff
from clearwood.models.lineage import Balanced
from clearwood.study.recipe import Balance
from clearwood.table.attributes import Nominal
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.balancing.rare_classes import rare_table

LEARNERS: list[Any] = [
    cw.CART(max_depth=3),
    cw.C45(),
    cw.RIPPER(),
    cw.CN2(rules="unordered", max_conditions=2, min_rows=10),
    cw.NaiveBayes(),
    cw.Logistic(),
    cw.Forest(trees=5, max_depth=3),
    cw.Boosting(trees=5),
    cw.AdaBoost(trees=3),
    cw.GAM(bags=1, rounds=20, pairs=0),
]
NAMES = [type(each).__name__ for each in LEARNERS]


def _balanced(learner: Any, by: str = "over", **settings: Any) -> Any:
    return cw.Recipe(learner, before=(Balance(by, settings),))


def _uncorrected(model: Any) -> Any:
    return replace(model, decision=replace(model.decision, prevalence=(), trained_at=(), cutoff=None))


@pytest.mark.parametrize("learner", LEARNERS, ids=NAMES)
@pytest.mark.parametrize("by", ["weights", "under"])
def test_shares_are_moved_to_the_true_prevalence_and_auc_stays(learner: Any, by: str) -> None:
    train, test = rare_table(600, seed=1), rare_table(1500, seed=2)
    model = _balanced(learner, by).learn(train)
    raw = cw.shares(_uncorrected(model), test)
    moved = cw.shares(model, test)
    true = np.bincount(train.target) / len(train)
    expected = raw * (true / 0.5)
    assert np.allclose(moved, expected / expected.sum(axis=1, keepdims=True), atol=1e-6)
    truth = test.target
    assert log_loss(truth, moved[:, 1].clip(1e-6, 1 - 1e-6)) <= log_loss(
        truth, raw[:, 1].clip(1e-6, 1 - 1e-6)
    )
    assert brier_score_loss(truth, moved[:, 1]) <= brier_score_loss(truth, raw[:, 1])
    # Rounded, since ties may part in the last digit.
    after, before = roc_auc_score(truth, moved[:, 1].round(9)), roc_auc_score(truth, raw[:, 1].round(9))
    assert after == pytest.approx(before, abs=1e-9)


def test_the_correction_is_exact_where_the_balanced_shares_are() -> None:
    # Of 90 common rows 30 are in A; of 10 rare ones 8: P(rare | A) is 8/38, P(rare | B) 2/62.
    cells = [("A", 0)] * 30 + [("B", 0)] * 60 + [("A", 1)] * 8 + [("B", 1)] * 2
    schema = Schema((Nominal("group", ("A", "B")),), Nominal("class", ("common", "rare")))
    group = np.array(["AB".index(name) for name, _ in cells], dtype=np.int32)
    table = Table(schema, {"group": group, "class": np.array([code for _, code in cells], dtype=np.int32)})
    model = _balanced(cw.ID3(), "weights").learn(table)
    assert cw.shares(_uncorrected(model), table)[0, 1] == pytest.approx((8 * 5) / (8 * 5 + 30 * 5 / 9))
    assert cw.shares(model, table)[0, 1] == pytest.approx(8 / 38, abs=1e-12)
    assert cw.shares(model, table)[-1, 1] == pytest.approx(2 / 62, abs=1e-12)
    assert model.decision.cutoff == Cutoff("rare", 0.1)
    assert cw.predict(model, table)[[0, 40]].tolist() == ["rare", "common"]


@pytest.mark.parametrize("learner", LEARNERS, ids=NAMES)
def test_of_two_classes_the_answers_are_those_that_the_balanced_rows_teach(learner: Any) -> None:
    train, test = rare_table(400, seed=1), rare_table(500, seed=2)
    model = _balanced(learner).learn(train)
    raw = cw.shares(_uncorrected(model), test)[:, 1]
    sure = np.abs(raw - 0.5) > 1e-4
    answers, taught = cw.predict(model, test), cw.predict(_uncorrected(model), test)
    assert answers[sure].tolist() == taught[sure].tolist()
    plain = learner.learn(train)
    assert (answers == "rare").sum() >= (cw.predict(plain, test) == "rare").sum()


def test_with_three_classes_the_likeliest_at_the_true_prevalence_answers() -> None:
    table = cw.read_table({"x": list("aaaabbbbbbcc") * 5, "y": list("112311122233") * 5}, target="y")
    model = _balanced(cw.ID3(), "weights").learn(table)
    assert model.decision.cutoff is None
    assert cw.predict(model, table).tolist() == cw.predict(cw.ID3().learn(table), table).tolist()
    assert np.allclose(cw.shares(model, table), cw.shares(cw.ID3().learn(table), table))


def test_costs_decide_in_the_place_of_a_cutoff() -> None:
    model = _balanced(cw.CART(costs={("rare", "common"): 5.0})).learn(rare_table())
    assert model.decision.cutoff is None
    assert model.decision.costs == ((0.0, 1.0), (5.0, 0.0))
    assert model.decision.prevalence


def test_priors_that_were_given_are_the_prevalence_that_was_asked_for() -> None:
    for learner in (cw.CART(priors="equal"), cw.NaiveBayes(priors={"common": 0.8, "rare": 0.2})):
        model = _balanced(learner).learn(rare_table())
        assert model.decision.prevalence == ()
        assert model.decision.cutoff is None


@pytest.mark.parametrize("by", list(BALANCERS))
def test_the_origin_is_the_table_and_the_lineage_tells_how_it_was_balanced(by: str, tmp_path: Path) -> None:
    table = rare_table()
    model = _balanced(cw.CART(max_depth=2), by).learn(table)
    assert model.origin.rows == len(table)
    assert model.origin.fingerprint == fingerprint(table)
    (done,) = [each for each in model.origin.after if isinstance(each, Balanced)]
    assert done.by == by
    assert done.before == tuple(np.bincount(table.target).tolist())
    place = tmp_path / "model.json"
    cw.save(model, place)
    assert cw.load(place) == model


@pytest.mark.parametrize("learner", LEARNERS, ids=NAMES)
def test_every_print_says_whose_the_counts_are_and_where_shares_are_moved(learner: Any) -> None:
    text = str(_balanced(learner, "over").learn(rare_table()))
    assert "of the training rows balanced by over (common" in text
    assert "Probabilities are moved to the prevalence common" in text


@pytest.mark.parametrize("by", list(BALANCERS))
@pytest.mark.parametrize("learner", [cw.CART(max_depth=2), cw.C45(), cw.RIPPER(), cw.TreeRules()])
def test_a_derivation_counts_the_balanced_rows_again(learner: Any, by: str) -> None:
    table = rare_table(120)
    model = _balanced(learner, by).learn(table)
    derived = cw.derive(model, table)
    assert len(derived) > 0
    assert any(f"balanced by {by}" in line for line in derived.given)


@pytest.mark.parametrize("learner", LEARNERS, ids=NAMES)
def test_an_answer_is_derived_to_the_corrected_share(learner: Any) -> None:
    table = rare_table(200)
    model = _balanced(learner).learn(table)
    row = {"x": 2.0, "age": 30.0, "size": "XL", "color": "blue"}
    text = str(cw.derive(model, row=row))
    assert "The probabilities are moved from the class frequencies of the training rows" in text


def test_a_pruned_tree_is_balanced_before_and_corrected_after() -> None:
    from clearwood.cli.learning import pruning_of

    table = rare_table(400)
    for name in ("error-based", "reduced-error"):
        recipe = cw.Recipe(cw.CART(), (pruning_of(name),), before=(Balance("over"),))
        model: Any = recipe.learn(table)
        assert [type(each).__name__ for each in model.origin.after] == ["Balanced", "Pruned"]
        assert model.decision.prevalence
    grown: Any = cw.Recipe(cw.CART(), (pruning_of("error-based"),), before=(Balance("over"),)).learn(table)
    assert len(cw.derive(grown, table)) > 0


def test_rules_counted_again_on_rows_as_they_come_need_no_correction() -> None:
    table = rare_table(400)
    rules = _balanced(cw.RIPPER()).learn(table)
    again = cw.recounted(rules, table)
    assert again.decision.prevalence == ()
    assert "balanced" not in str(again)
    assert [rule.then for rule in again] == [rule.then for rule in rules]


def test_what_would_mix_balanced_rows_with_others_is_refused() -> None:
    table = rare_table(200)
    bayes, rules = _balanced(cw.NaiveBayes()).learn(table), _balanced(cw.RIPPER()).learn(table)
    forest = _balanced(cw.Forest(trees=2)).learn(table)
    boosting = _balanced(cw.Boosting(trees=2)).learn(table)
    for mix in (
        lambda: cw.NaiveBayes().learn_more(bayes, table),
        lambda: cw.merged(bayes, bayes),
        lambda: cw.simplify_rules(rules, table),
        lambda: cw.Forest(trees=4).learn_more(forest, table),
        lambda: cw.Boosting(trees=2).learn_more(boosting, table),
    ):
        with pytest.raises(LearningError, match="this model's were balanced by over"):
            mix()


def test_weights_keep_their_meaning_in_the_origin() -> None:
    table = replace(rare_table(), weights=np.linspace(0.5, 1.5, 300), weights_are="importance")
    model = _balanced(cw.CART(max_depth=2), "weights").learn(table)
    assert model.origin.weights_are == "importance"
    assert len(cw.derive(model, table)) > 0


def test_a_balanced_report_is_written() -> None:
    page = cw.report(rare_table(150), learner=_balanced(cw.CART(max_depth=2), "smote"), folds=3)
    assert "of the training rows balanced by smote" in page.html


def test_a_report_says_that_selection_and_balancing_came_before_learning() -> None:
    recipe = cw.Recipe(cw.CART(max_depth=2), before=(cw.Selection("gain", keep=1), cw.Balance("over")))
    card = cw.report(rare_table(150), learner=recipe, folds=3).html.split("Model card")[-1]
    assert re.search(
        "<dt>Before learning</dt><dd><bdi>1 of . columns selected by gain .*balanced by over", card
    )
    assert "After learning" not in card


def test_counts_of_class_weights_are_printed_without_rounding_errors() -> None:
    text = str(_balanced(cw.CART(max_depth=1), "weights").learn(rare_table(750)))
    assert not re.search(r"[0-9]\.[0-9]{3,}", text.split("balanced by weights")[1].split(").")[0])


def test_out_of_bag_rows_of_a_balanced_forest_may_have_twins_in_the_bag() -> None:
    table = rare_table(200)
    forest = _balanced(cw.Forest(trees=3)).learn(table)
    with pytest.raises(SettingError, match="learned from balanced rows"):
        list(out_of_bag_rows(forest, table))


def test_a_profile_is_of_the_rows_as_they_come() -> None:
    table = rare_table(200)
    model = _balanced(cw.CART(max_depth=2), "over").learn(table)
    plain = cw.CART(max_depth=2).learn(table)
    assert cw.with_profile(model, table).profile == cw.with_profile(plain, table).profile
