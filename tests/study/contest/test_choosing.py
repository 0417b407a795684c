"""Choosing: every contender is judged alike on the same rows, and a refusal stops nobody else."""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood import _native
from clearwood.errors import ClearwoodError, LearningError, SchemaError, SettingError
from clearwood.models.lineage import Chosen
from clearwood.scoring.differences.paired import corrected_resampled_t
from clearwood.scoring.predictions import ClassPredictions, predictions_of
from clearwood.scoring.scores import score_by_name
from clearwood.study.contest.choice import corrected_words
from clearwood.study.dividing import judged_to_learned, parts_by_design, rows_to_learn
from tests.study.contest.tables import credit, prices
from tests.typed import mistyped

FEW = [cw.C45(), cw.CART(max_depth=2), cw.NaiveBayes()]


@dataclass(frozen=True)
class Refusing:
    """A learner that refuses every table."""

    def learn(self, table: cw.Table) -> Any:
        raise LearningError(f"No use of {len(table)} rows.")


@dataclass(frozen=True)
class Buggy:
    """A learner with a bug."""

    def learn(self, table: cw.Table) -> Any:
        return table.no_such_attribute  # type: ignore[attr-defined]


def test_every_contender_is_judged_on_the_same_rows() -> None:
    choice = cw.choose(credit(), [*FEW, "knn"], design=cw.Folds(5, repeats=2, group="customer"))
    first, *others = choice.predictions.values()
    for other in others:
        assert np.array_equal(first.places, other.places)
        assert np.array_equal(first.part, other.part)
        assert np.array_equal(first.truth, other.truth)


def test_scores_are_those_of_a_plain_loop_over_the_parts() -> None:
    table, design = credit(), cw.Folds(5, group="customer")
    choice = cw.choose(table, [cw.CART(max_depth=2)], design=design)
    rows = rows_to_learn(design, table)
    plain, sizes = [], []
    parts = parts_by_design(design, table)
    for part in parts:
        model = cw.CART(max_depth=2).learn(rows.take(part.learn))
        plain.append(score_by_name("accuracy", predictions_of(model, rows.take(part.judge))))
        sizes.append(cw.reading_size(model))
    judged = choice["cart:max_depth=2"]
    assert list(judged.scores) == plain
    assert list(judged.sizes) == sizes
    weights = [len(part.judge) for part in parts]
    assert judged.score == pytest.approx(np.average(plain, weights=weights))  # of all rows together
    assert judged.standard_error == pytest.approx(
        np.std(plain, ddof=1) * math.sqrt(1 / 5 + judged_to_learned(parts))
    )


def test_what_rows_are_divided_by_is_not_learned_from() -> None:
    choice = cw.choose(credit(), ["id3"], design=cw.Folds(4, group="customer"))
    assert "customer" not in {each.name for each in choice.model.schema.inputs}


def test_threads_change_nothing() -> None:
    before = _native.thread_count()
    try:
        made = []
        for threads in (1, 3):
            _native.set_thread_count(threads)
            made.append(cw.choose(credit(), [*FEW, cw.RIPPER()], design=cw.Folds(6)))
    finally:
        _native.set_thread_count(before)
    one, three = made
    assert [each.name for each in one.judged] == [each.name for each in three.judged]
    for a, b in zip(one.judged, three.judged, strict=True):
        assert (a.scores, a.sizes, a.notes) == (b.scores, b.sizes, b.notes)


def test_a_contender_that_refuses_stops_nobody() -> None:
    choice = cw.choose(
        credit(), {"good": cw.C45(), "broken": Refusing(), "numbers only": "gam"}, design=cw.Folds(3)
    )
    assert choice["broken"].refused == "In part 1 of 3: No use of 100 rows."
    assert not choice["good"].refused
    assert "broken: In part 1 of 3" in str(choice)
    assert choice.judged[-1].name == "broken"


def test_if_all_fail_their_sentences_are_the_refusal() -> None:
    with pytest.raises(LearningError, match=r"No contender could be evaluated\. Refusing: In part 1 of 10"):
        cw.choose(credit(), [Refusing()])


@pytest.mark.parametrize("design", [cw.Folds(3), cw.HoldOut(0.3), cw.Bootstrap(3)])
@pytest.mark.parametrize("options", [{}, {"budget": 60.0}])
def test_a_bug_is_not_a_refusal(design: Any, options: dict[str, Any]) -> None:
    """Not while it is judged, nor while its time is estimated."""
    with pytest.raises(AttributeError, match="no_such_attribute"):
        cw.choose(credit(), {"good": cw.C45(), "buggy": Buggy()}, design=design, **options)


def test_differences_are_from_the_best_readable_one_by_the_corrected_test() -> None:
    choice = cw.choose(credit(), FEW, design=cw.Folds(5, repeats=3))
    best = choice.best(simplest=False)
    assert [each.first for each in choice.differences] == [best.name] * 2
    for each in choice.differences:
        other = choice[each.second]
        apart = np.array(best.scores) - np.array(other.scores)
        tested = corrected_resampled_t(apart, choice.contest.judged_to_learned)
        assert (each.difference, each.p) == pytest.approx((tested.mean, tested.p), rel=1e-12, abs=1e-15)
        assert each.p <= each.adjusted_p <= 2 * each.p
        assert each.gain >= 0


def test_one_part_is_tested_over_its_rows() -> None:
    choice = cw.choose(credit(), FEW, design=cw.HoldOut(0.3))
    assert {each.test for each in choice.differences} == {"McNemar's exact test"}
    accuracy, error = choice["c45"].score, choice["c45"].standard_error
    assert error == pytest.approx(math.sqrt(accuracy * (1 - accuracy) / 45), rel=0.2)


@pytest.mark.parametrize("by", ["mcc", "log_loss"])
def test_a_score_without_a_test_over_rows_is_tested_by_the_same_draws_for_both(by: str) -> None:
    choice = cw.choose(credit(), FEW, design=cw.HoldOut(0.5), by=by)
    best = choice.reference
    assert len(choice.differences) == 2
    for each in choice.differences:
        assert each.test == "paired bootstrap of the rows"
        assert each.difference == best.score - choice[each.second].score
        assert each.interval[0] < each.difference < each.interval[1]
        assert 0 <= each.p <= each.adjusted_p <= 1
    assert str(choice).count("paired bootstrap of the rows") == 1


def test_the_draws_are_paired_and_come_near_to_delong() -> None:
    """For the AUC both can be had: the interval by the same draws is about DeLong's."""
    choice = cw.choose(credit(400), FEW, design=cw.HoldOut(0.5), by="auc", positive="bad")
    delong = choice.differences[0]
    assert delong.test != "paired bootstrap of the rows"
    drawn = np.array(choice.reference.drawn) - np.array(choice[delong.second].drawn)
    assert np.std(drawn, ddof=1) * 2 * 1.96 == pytest.approx(
        delong.interval[1] - delong.interval[0], rel=0.25
    )


@pytest.mark.parametrize("table", [credit(), prices()])
def test_bootstrap_samples_give_the_632_plus_estimate_of_cross_validation(table: cw.Table) -> None:
    tree, design = cw.CART(max_depth=2), cw.Bootstrap(8)
    choice = cw.choose(table, {"tree": tree, "knn": "knn"}, design=design)
    alone = cw.cross_validate(tree, table, design=design).bootstrap
    assert alone is not None
    assert choice["tree"].bootstrap == alone
    assert choice["knn"].bootstrap is not None
    assert choice["tree"].to_json()["bootstrap"]["estimate_632_plus"] == alone.estimate
    for text in (str(choice), str(choice.table), choice.report().html):
        assert (".632+ RMSE" if alone.squared else ".632+ accuracy") in text
        assert corrected_words(alone) in text
    assert ".632+" not in str(cw.choose(table, {"tree": tree}, design=cw.Folds(3)))


def test_numbers_are_judged_by_their_error() -> None:
    choice = cw.choose(
        prices(), [cw.CART(max_depth=1), cw.CART(), "lda", "random_forest"], design=cw.Folds(4)
    )
    assert (choice.by, choice.entry.better) == ("rmse", "less")
    assert choice["lda"].refused.endswith("tells classes apart, but the target is a number.")
    scores = [each.score for each in choice.judged if not each.refused]
    assert scores == sorted(scores)
    assert choice.baseline.score > scores[0]


def test_weights_count_in_learning_and_in_judging() -> None:
    weighted = cw.choose(credit(weights=True), ["c45", "lda"], design=cw.Folds(4))
    plain = cw.choose(credit(), ["c45", "lda"], design=cw.Folds(4))
    assert weighted["c45"].scores != plain["c45"].scores
    assert weighted["lda"].notes == (
        "It learns without the weights of the rows, and is evaluated with them.",
    )
    assert plain["lda"].notes == ()


def test_costs_decide_for_every_contender() -> None:
    costs = {("bad", "good"): 10.0}
    choice = cw.choose(credit(), ["bayes", "ripper", "knn"], design=cw.Folds(4), costs=costs)
    assert choice.by == "cost"
    for each in choice.judged:
        assert isinstance(each.predictions, ClassPredictions)
        called_bad = np.array(each.predictions.answers == each.predictions.classes.index("bad"))
        assert called_bad.mean() > 0.5, each.name  # to say good too often would be dear
    assert choice.baseline.score <= 1


def test_a_learner_keeps_costs_of_its_own() -> None:
    own = cw.CART(max_depth=3, costs={("bad", "good"): 2.0})
    choice = cw.choose(credit(), [own], design=cw.Folds(3), costs={("bad", "good"): 9.0})
    assert choice["cart:max_depth=3,costs=bad/good:2.0"].contender.learns is own


def test_other_scores_order_the_contenders() -> None:
    pytest.importorskip("clearwood.scoring.share_scores")
    choice = cw.choose(credit(), [*FEW, "svm"], design=cw.Folds(4), by="auc", positive="bad")
    scores = [each.score for each in choice.judged]
    assert scores == sorted(scores, reverse=True)
    assert all(0.5 < each <= 1 for each in scores)


def test_the_model_is_learned_from_all_rows_and_says_among_whom_it_was_chosen() -> None:
    choice = cw.choose(credit(), FEW, design=cw.Folds(4))
    model = choice.model
    assert model.origin.rows == 150
    done = model.origin.after[-1]
    assert isinstance(done, Chosen)
    assert set(done.among) == {"c45", "cart:max_depth=2", "bayes"}
    assert choice.model is model
    assert cw.predict(model, credit()).shape == (150,)


def test_three_rows_and_one_class_are_judged_or_refused_in_a_sentence() -> None:
    three = cw.read_table({"x": [1.0, 2.0, 3.0], "y": ["a", "b", "a"]}, target="y")
    choice = cw.choose(three)
    assert len(choice.contest.parts) == 3
    assert choice.recommendation.reasons
    same = cw.read_table({"x": np.arange(20.0), "y": ["a"] * 20}, target="y")
    choice = cw.choose(same, ["c45", "cart", "bayes", "svm"])
    assert choice["c45"].score == 1
    assert "svm" in choice.table.refused


def test_what_cannot_be_judged_is_refused() -> None:
    table = credit()
    refusals: list[tuple[type[ClearwoodError], str, dict[str, Any]]] = [
        (SettingError, "No learner or reference model 'svn'. Did you mean 'svm'", {"learners": ["svn"]}),
        (SettingError, "in a list, or by name", {"learners": "svm"}),
        (SettingError, "not a int", {"learners": [3]}),
        (SettingError, "at least one learner", {"learners": []}),
        (SettingError, "'rmse' is a score of numbers", {"by": "rmse"}),
        (SettingError, "No class 'god'", {"positive": "god"}),
        (SettingError, "budget must be above 0 seconds", {"budget": 0}),
        (SettingError, "No class 'worse'|worse", {"costs": {("worse", "good"): 2}}),
    ]
    for kind, sentence, given in refusals:
        with pytest.raises(kind, match=sentence):
            cw.choose(table, **{"learners": FEW, **given})
    with pytest.raises(SchemaError, match="at least two rows"):
        cw.choose(table.take(np.array([0])), FEW)
    with pytest.raises(SettingError, match="choose takes a Table"):
        cw.choose(mistyped([1, 2]), FEW)


def test_all_predictions_are_written_with_the_contender() -> None:
    choice = cw.choose(credit(), ["c45", "knn"], design=cw.Folds(3))
    place = choice.save_predictions(Path("predictions.csv"))
    try:
        rows = list(csv.DictReader(place.open(encoding="utf-8")))
    finally:
        place.unlink()
    assert len(rows) == 300
    assert {each["contender"] for each in rows} == {"c45", "knn"}
    right = [each["true"] == each["predicted"] for each in rows if each["contender"] == "knn"]
    assert np.mean(right) == pytest.approx(choice["knn"].score)


def test_whoever_watches_sees_every_model_and_can_end_it() -> None:
    seen: list[int] = []
    with cw.watching(lambda progress: seen.append(progress.done)):
        cw.choose(credit(), FEW, design=cw.Folds(3))
    assert seen[:9] == list(range(1, 10))
    with cw.watching(lambda progress: progress.done >= 4):
        choice = cw.choose(credit(), FEW, design=cw.Folds(3))
    names = [each.name for each in choice.judged]
    assert names[0] == "c45"  # a fold of the next may be done by then, so that it is complete too
    assert "bayes" not in names
    assert "bayes was not evaluated: the work was interrupted." in choice.notes


def test_readable_learners_take_part_where_none_are_named() -> None:
    choice = cw.choose(credit(60), design=cw.HoldOut(0.3), tune=False)
    names = {each.name for each in choice.judged}
    assert {"c45", "cart:alpha=1se", "chaid", "ripper", "tree-rules", "bayes", "logistic", "gam"} <= names
    assert {"svm", "knn", "lda", "random_forest"} <= names


def test_a_judged_contender_and_a_difference_show_themselves_in_a_line() -> None:
    contenders = {"tree": cw.CART(max_depth=2), "broken": Refusing(), "knn": "knn"}
    choice = cw.choose(credit(), contenders, design=cw.Folds(3))
    tree = choice["tree"]
    assert repr(choice.best()) == f"<JudgedContender {tree}>"
    assert re.fullmatch(r"tree: 0\.\d+ ± 0\.\d+ over 3 parts, reading size \d+", str(tree))
    assert str(choice["knn"]).endswith("over 3 parts, not readable")
    assert str(choice["broken"]).startswith("broken: In part 1 of 3")
    shape = r"<ScoreDifference accuracy tree 0\.\d+, knn 0\.\d+: −?0\.\d+ \(95 %: .* to .*\), adjusted p .*>"
    assert re.fullmatch(shape, repr(choice.differences[0]))


def test_a_choice_is_plain_data_for_machines() -> None:
    import json

    choice = cw.choose(credit(), FEW, design=cw.Folds(3))
    data = json.loads(json.dumps(choice.to_json()))
    assert data["recommended"] == choice.recommendation.name
    assert [each["name"] for each in data["contenders"]] == [each.name for each in choice.judged]
