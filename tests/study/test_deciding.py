"""Deciding anew: by hand, by fresh rows, and by folds of the training rows alone."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ClearwoodWarning, SettingError
from clearwood.learners.training import fingerprint
from clearwood.models.in_words import lineage_lines
from clearwood.models.lineage import Balanced, Calibrated, Decided
from clearwood.models.model import Model
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.study.known_rows import chosen_in_learning, chosen_since
from clearwood.study.recipe import PreparedRows
from clearwood.study.study import study_of, study_of_model
from tests.models.test_kinds import MODELS, TABLE
from tests.typed import mistyped, sure, values_of

FRESH = TABLE.take(np.arange(0, 14, 2))


def people(rows: int, seed: int = 0) -> cw.Table:
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=rows), rng.normal(size=rows)
    bad = rng.random(rows) < 1 / (1 + np.exp(2 - 1.5 * x))
    return cw.read_table({"x": x.round(2), "z": z.round(2), "y": np.where(bad, "bad", "good")}, target="y")


FOREST: Model = cw.Forest(trees=5, seed=1).learn(TABLE)


@pytest.mark.parametrize("kind", MODELS)
def test_every_kind_of_model_takes_every_part_and_keeps_it_in_its_file(kind: str, tmp_path: Any) -> None:
    step = cw.Deciding(calibrate="platt", cutoff=cw.ForRecall("No", 0.5), refer=0.4)
    model = step.on_fresh_rows(FOREST if kind == "Ensemble" else MODELS[kind], FRESH)
    cw.save(model, tmp_path / "model.json")
    loaded = cw.load(tmp_path / "model.json")
    assert loaded.decision == model.decision
    assert [type(done) for done in loaded.origin.after[-3:]] == [Calibrated, Decided, Decided]
    one = cw.row_predictor(loaded)
    names = ("Outlook", "Temperature", "Humidity", "Wind")
    rows = [{name: _cell(name, row) for name in names} for row in range(14)]
    assert [one(row) for row in rows] == cw.predict(loaded, TABLE).tolist()
    derived = [cw.derive(loaded, row=row)[-1].outcome.answer for row in rows[:3]]  # type: ignore[union-attr]
    assert derived == cw.predict(loaded, TABLE).tolist()[:3]
    assert cw.explain(loaded, rows[0]).answer == derived[0]


def _cell(name: str, row: int) -> str:
    return str(values_of(TABLE.schema[name])[TABLE.columns[name][row]])


def test_a_cutoff_given_answers_from_there_on_and_takes_the_place_of_costs() -> None:
    costly = cw.CART(costs={("No", "Yes"): 5}).learn(TABLE)
    model = cw.with_cutoff(costly, "No", 0.3)
    assert model.decision.costs == ()
    shares = cw.shares(model, TABLE)[:, TABLE.schema.classes.index("No")]
    assert cw.predict(model, TABLE).tolist() == ["No" if share >= 0.3 else "Yes" for share in shares]
    assert lineage_lines(model.origin.after)[-1].endswith("cutoff set to 0.3 for No.")
    back = cw.with_costs(model, {("No", "Yes"): 5})
    assert back.decision == costly.decision


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "needs a cutoff"),
        ({"at": 0.3, "recall": 0.5}, "Give one of them"),
        ({"table": FRESH, "recall": 0.5, "precision": 0.5}, "recall and precision"),
        ({"table": TABLE, "recall": 0.5}, "learned from"),
        ({"at": 1.5}, "probability from 0 to 1"),
    ],
)
def test_what_cannot_be_meant_is_refused(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(cw.errors.ClearwoodError, match=sentence):
        cw.with_cutoff(MODELS["Tree"], "No", **given)


def test_numbers_have_no_cutoff_and_a_class_must_be_there() -> None:
    numbers = cw.CART().learn(cw.read_table({"x": [1.0, 2.0, 3.0], "y": [1.5, 2.5, 3.5]}, target="y"))
    with pytest.raises(SettingError, match="predicts numbers"):
        cw.with_cutoff(numbers, "a", 0.5)
    with pytest.raises(SettingError, match="predicts numbers"):
        cw.with_refer(numbers, 0.5)
    with pytest.raises(SettingError, match="No class 'Maybe'"):
        cw.with_cutoff(MODELS["Tree"], "Maybe", 0.5)
    with pytest.raises(SettingError, match="takes a probability, or a table"):
        cw.with_refer(MODELS["Tree"])


def test_rows_that_chose_are_known_again_by_a_later_score() -> None:
    table = people(600)
    learned, fresh, later = (table.take(np.arange(i, i + 200)) for i in (0, 200, 400))
    model = cw.with_cutoff(cw.NaiveBayes().learn(learned), "bad", table=fresh, recall=0.8)
    assert chosen_since(model.origin, fingerprint(fresh)) == ("the cutoff",)
    assert "chose the cutoff" in str(study_of_model(model, fresh).unjudged)
    assert study_of_model(model, later).judged is not None
    found = cw.cutoffs(model, fresh, "bad")
    (line,) = [each for each in found.lines() if each["chosen"]]
    assert line["recall"] >= 0.8


def test_in_a_recipe_the_training_rows_choose_by_folds_and_the_judging_rows_have_no_part() -> None:
    table = people(400)
    step = cw.Deciding(calibrate="platt", cutoff=cw.ForRecall("bad", 0.8))
    recipe = cw.Recipe(cw.C45(), after=(step,))
    part = table.take(np.arange(300))
    model = recipe.learn(part)
    assert model.origin.fingerprint == fingerprint(part)
    assert [done.by for done in model.origin.after[-2:]] == ["training", "training"]  # type: ignore[union-attr]
    assert chosen_in_learning(model.origin) == ("the calibration", "the cutoff")
    # Whatever the classes of the judging rows are, the model is the same.
    design = cw.HoldOut(0.25, seed=1)
    learned = study_of(recipe, table, design)
    held = learned.held_out
    assert held is not None
    assert held.places is not None
    again = table.columns["y"].copy()
    again[held.places] = 1 - again[held.places]
    other = replace(table, columns={**table.columns, "y": again}, checked=True)
    learned_from = other.take(np.setdiff1d(np.arange(400), held.places))
    assert recipe.learn(learned_from).decision == learned.model.decision


def test_out_of_fold_shares_hold_what_the_training_shares_promise_and_break() -> None:
    """A tree grown to its end is certain of its own rows: a cutoff by them would find nothing to choose."""
    table = people(600, seed=4)
    later = people(3000, seed=5)
    grown = cw.CART(min_rows=2, min_leaf=1)
    model = cw.Recipe(grown, after=(cw.Deciding(calibrate="isotonic"),)).learn(table)
    before, after = (cw.calibration(each, later) for each in (grown.learn(table), model))
    assert after.log_loss < 0.3 * before.log_loss
    assert after.brier < before.brier


def test_folds_around_the_recipe_choose_anew_in_each() -> None:
    table = people(300)
    recipe = cw.Recipe(cw.NaiveBayes(), after=(cw.Deciding(cutoff=cw.ForRecall("bad", 0.9), folds=3),))
    judged = cw.cross_validate(recipe, table, folds=4)
    plain = cw.cross_validate(cw.NaiveBayes(), table, folds=4)
    recall = [sure(ClassEvaluation, each.together).recall["bad"] for each in (judged, plain)]
    assert recall[0] > 0.75 > recall[1]


def test_noise_gets_no_skill_from_deciding() -> None:
    rng = np.random.default_rng(8)
    noise = cw.read_table({"x": rng.normal(size=400), "y": rng.choice(["a", "b"], 400)}, target="y")
    recipe = cw.Recipe(
        cw.C45(min_rows=1, prune=False), after=(cw.Deciding(calibrate="isotonic", cutoff=cw.ForCost("a")),)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)  # of folds in which all shares are equal
        judged = cw.cross_validate(recipe, noise, folds=5)
    assert 0.42 < sure(ClassEvaluation, judged.together).accuracy < 0.58


def test_a_cutoff_of_least_cost_without_costs_makes_the_fewest_mistakes_and_keeps_none() -> None:
    """Nobody stated that both mistakes cost 1: the model was evaluated by such costs from then on."""
    x = np.arange(60) * 1.5
    fresh = cw.read_table({"x": x, "y": np.where((x > 30) ^ (x % 7 == 0), "bad", "good")}, target="y")
    model = cw.C45(min_rows=1, prune=False).learn(fresh.take(np.arange(0, 60, 2)))
    decided = cw.Deciding(cutoff=cw.ForCost("bad")).on_fresh_rows(model, fresh.take(np.arange(1, 60, 2)))
    assert decided.decision.cutoff is not None
    assert decided.decision.costs_kept == ()
    (done,) = decided.origin.after[-1:]
    assert "for the fewest mistakes, as no costs are given" in str(done)
    costly = cw.with_costs(model, {("bad", "good"): 5})
    own = cw.Deciding(cutoff=cw.ForCost("bad")).on_fresh_rows(costly, fresh.take(np.arange(1, 60, 2)))
    assert own.decision.costs_kept == costly.decision.costs


def test_answers_may_be_referred_until_they_are_accurate_enough() -> None:
    table = people(500)
    step = cw.Deciding(accuracy=0.9)
    model = cw.Recipe(cw.NaiveBayes(), after=(step,)).learn(table)
    assert model.decision.refer is not None
    later = cw.evaluate(model, people(2000, seed=3))
    assert later.accuracy > 0.86  # type: ignore[union-attr]
    assert later.answered < 1  # type: ignore[union-attr]


@pytest.mark.parametrize("rows", [1, 3])
def test_few_rows_get_a_sentence_or_a_model(rows: int) -> None:
    table = people(40).take(np.arange(rows))
    recipe = cw.Recipe(cw.C45(), after=(cw.Deciding(cutoff=cw.ForRecall("bad", 0.5)),))
    with pytest.raises(cw.errors.ClearwoodError):
        recipe.learn(table)


def test_sampling_weights_count_in_the_choice() -> None:
    """Rows that weigh nothing choose nothing."""
    rows = people(400)
    light = np.where(np.arange(400) < 200, 1.0, 1e-9)
    weighed = replace(rows, weights=light, weights_are="counts")
    model: Model = cw.NaiveBayes().learn(people(300, seed=9))
    one = cw.with_cutoff(model, "bad", table=weighed, recall=0.8).decision.cutoff
    other = cw.with_cutoff(model, "bad", table=rows.take(np.arange(200)), recall=0.8).decision.cutoff
    assert one is not None
    assert other is not None
    assert one.at == pytest.approx(other.at, abs=0.02)


def test_wrong_steps_are_refused_when_made() -> None:
    with pytest.raises(SettingError, match="calibrate"):
        cw.Deciding(calibrate=mistyped("plat"))
    with pytest.raises(SettingError, match="Give one of them"):
        cw.Deciding(refer=0.5, accuracy=0.9)
    with pytest.raises(SettingError, match="they choose"):
        cw.Deciding(calibrate="platt").on_fresh_rows(MODELS["Tree"])


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_the_cutoff_of_a_calibrated_model_is_one_of_its_own_shares(method: Any) -> None:
    """Chosen on the shares of other calibrations, it would fall on a step of this one."""
    table, later = people(500, seed=11), people(4000, seed=12)
    step = cw.Deciding(calibrate=method, cutoff=cw.ForRecall("bad", 0.8))
    model = cw.Recipe(cw.NaiveBayes(), after=(step,)).learn(table)
    recall = sure(ClassEvaluation, cw.evaluate(model, later)).recall["bad"]
    assert 0.7 < recall < 0.95


@dataclass(frozen=True)
class _TwiceBad:
    """A preparation that takes every bad row twice."""

    def prepare(self, table: cw.Table) -> PreparedRows:
        bad = np.asarray(table.target) == table.schema.classes.index("bad")
        rows = np.concatenate([np.arange(len(table)), np.flatnonzero(bad)])
        counts = np.bincount(table.target).astype(float)
        twice = counts * np.where(np.array(table.schema.classes) == "bad", 2.0, 1.0)
        done = Balanced("twice bad", tuple(counts.tolist()), tuple(twice.tolist()))
        return PreparedRows(table.take(rows), done)


def test_calibration_takes_the_place_of_a_correction_to_the_true_prevalence() -> None:
    table, later = people(800, seed=1), people(4000, seed=2)
    place = table.schema.classes.index("bad")
    true = float((later.target == later.schema.classes.index("bad")).mean())
    cut = cw.Deciding(cutoff=cw.ForRecall("bad", 0.8))
    corrected = cw.Recipe(cw.NaiveBayes(), before=(_TwiceBad(),), after=(cut,)).learn(table)
    assert corrected.decision.prevalence
    both = replace(cut, calibrate="platt")
    calibrated = cw.Recipe(cw.NaiveBayes(), before=(_TwiceBad(),), after=(both,)).learn(table)
    assert calibrated.decision.prevalence == ()
    for model in (corrected, calibrated):
        assert cw.shares(model, later)[:, place].mean() == pytest.approx(true, abs=0.05)
        recall = sure(ClassEvaluation, cw.evaluate(model, later)).recall["bad"]
        assert recall == pytest.approx(0.8, abs=0.08)
