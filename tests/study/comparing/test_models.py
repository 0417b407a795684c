"""Models on the same rows: what is tested, what may be concluded, and which rows they differ on."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import brier_score_loss, roc_auc_score

import clearwood as cw
from clearwood.errors import SchemaError, SettingError
from clearwood.models.model import Model
from clearwood.table.table import Table

rows = np.random.default_rng(4)


def made(count: int, *, seed: int = 1, **more: Any) -> Table:
    """A class that x decides, with noise."""
    chance = np.random.default_rng(seed)
    x, z = chance.normal(size=(2, count))
    y = np.where(x + 0.6 * chance.normal(size=count) > 0, "yes", "no")
    return cw.read_table({"x": x, "z": z, "y": y, **more}, target="y")


@pytest.fixture(scope="module")
def two() -> dict[str, Model]:
    learned = made(300)
    return {
        "good": cw.CART(max_depth=2).learn(learned),
        "poor": cw.CART(max_depth=1, measure="gini").learn(
            cw.read_table(
                {
                    "x": learned.columns["z"],
                    "z": learned.columns["z"],
                    "y": np.array(["no", "yes"])[learned.target],
                },
                target="y",
            )
        ),
    }


def test_accuracy_is_tested_by_the_rows_on_which_the_two_differ(two: dict[str, Model]) -> None:
    fresh = made(200, seed=2)
    comparison = cw.compare_models(two, fresh)
    right = {
        name: cw.predict(model, fresh) == np.array(fresh.schema.classes)[fresh.target]
        for name, model in two.items()
    }
    agreement = comparison.agreements[0]
    only = int((right["good"] & ~right["poor"]).sum()), int((right["poor"] & ~right["good"]).sum())
    assert (agreement.only_first, agreement.only_second) == only
    assert agreement.rows_only_second == tuple((np.flatnonzero(right["poor"] & ~right["good"]) + 1).tolist())
    assert agreement.both_right + sum(only) + agreement.both_wrong == 200
    assert agreement.same_answer == 1 - sum(only) / 200
    difference = comparison.difference("good", "poor", "accuracy")
    assert difference.p == pytest.approx(stats.binomtest(min(only), sum(only)).pvalue, rel=1e-9)
    assert difference.difference == pytest.approx((only[0] - only[1]) / 200)
    assert difference.is_shown
    assert difference.ahead == "good"
    assert "good has a better accuracy than poor." in difference.conclusion


def test_auc_and_brier_score_are_scikit_learns(two: dict[str, Model]) -> None:
    fresh = made(200, seed=3)
    comparison = cw.compare_models(two, fresh)
    for name, model in two.items():
        yes = np.array(fresh.schema.classes)[fresh.target] == "yes"
        share = cw.shares(model, fresh)[:, model.schema.classes.index("yes")]
        assert comparison.scores["AUC"][name] == pytest.approx(roc_auc_score(yes, share))
        assert comparison.scores["Brier score"][name] == pytest.approx(brier_score_loss(yes, share))
    assert comparison.difference("good", "poor", "auc").test == "DeLong's test"
    brier = comparison.difference("good", "poor", "brier")
    assert brier.difference < 0 < brier.gain


def test_a_model_and_itself_show_no_difference_and_are_not_called_equal_by_few_rows(
    two: dict[str, Model],
) -> None:
    same = {"one": two["good"], "other": two["good"]}
    few = cw.compare_models(same, made(20, seed=5)).difference("one", "other", "accuracy")
    assert few.p == 1.0
    assert few.interval[0] < -0.1 < 0.1 < few.interval[1]
    assert "No difference in accuracy was shown between one and other. That does not make them equal" in (
        few.conclusion
    )
    many = cw.compare_models(same, made(2000, seed=5)).difference("one", "other", "accuracy")
    assert many.is_equivalent
    assert "practically equivalent" in many.conclusion


def test_three_models_are_three_pairs_whose_p_is_adjusted_by_holm(two: dict[str, Model]) -> None:
    three = {**two, "constant": cw.CART(min_rows=10_000).learn(made(300))}
    comparison = cw.compare_models(three, made(150, seed=6))
    tested = [each for each in comparison.differences if each.score == "accuracy"]
    assert [(each.first, each.second) for each in tested] == [
        ("good", "poor"),
        ("good", "constant"),
        ("poor", "constant"),
    ]
    assert {each.comparisons for each in tested} == {3}
    assert all(each.adjusted_p >= each.p for each in tested)


def test_rows_that_a_model_was_learned_from_are_recognised_in_any_order(two: dict[str, Model]) -> None:
    learned = made(300)
    turned = learned.take(np.arange(300)[::-1])
    known = {"good": cw.with_profile(two["good"], learned), "poor": two["poor"]}
    for table in (learned, turned):
        comparison = cw.compare_models(known, table)
        assert "learned from these very rows" in comparison.seen["good"]
        assert "poor" not in comparison.seen
        difference = comparison.difference("good", "poor", "accuracy")
        assert not difference.is_shown
        assert difference.conclusion.endswith(f"good was {comparison.seen['good']}.")
        assert "Give rows that no model has seen." in comparison.notes[0]


def test_numbers_are_compared_by_paired_errors() -> None:
    chance = np.random.default_rng(9)
    x = chance.normal(size=400)
    table = cw.read_table({"x": x, "y": x**2 + 0.3 * chance.normal(size=400)}, target="y")
    learned, fresh = table.take(np.arange(250)), table.take(np.arange(250, 400))
    models = {"deep": cw.CART(min_leaf=5).learn(learned), "stump": cw.CART(max_depth=1).learn(learned)}
    comparison = cw.compare_models(models, fresh)
    assert comparison.agreements == ()
    errors = {name: fresh.target - cw.predict(model, fresh) for name, model in models.items()}
    for score, loss in (("mse", np.square), ("mae", np.abs)):
        ours = comparison.difference("deep", "stump", score)
        theirs = stats.ttest_rel(loss(errors["deep"]), loss(errors["stump"]))
        assert ours.p == pytest.approx(theirs.pvalue, rel=1e-7)
        assert ours.interval == pytest.approx(tuple(theirs.confidence_interval(0.95)), rel=1e-7)
        assert ours.gain > 0
    assert "mean squared error" in str(comparison)


def test_counts_are_as_many_rows_and_sampling_weights_as_many_as_they_are_worth(
    two: dict[str, Model],
) -> None:
    fresh = made(120, seed=7)
    counts = rows.integers(1, 4, 120)
    columns = {name: fresh.columns[name] for name in ("x", "z")}
    y = np.array(fresh.schema.classes)[fresh.target]

    written_out = {name: np.repeat(each, counts) for name, each in {**columns, "y": y}.items()}

    def weighed(weights_are: Any) -> Table:
        return cw.read_table(
            {**columns, "w": counts, "y": y}, target="y", weight="w", weights_are=weights_are
        )

    by_rows = cw.compare_models(two, cw.read_table(written_out, target="y"))
    weighted = cw.compare_models(two, weighed("counts"))
    sampled = cw.compare_models(two, weighed("sampling"))
    for score in ("accuracy", "auc", "brier"):
        ours, theirs = (each.difference("good", "poor", score) for each in (weighted, by_rows))
        assert (ours.p, ours.difference) == pytest.approx((theirs.p, theirs.difference), rel=1e-6)
        assert ours.interval == pytest.approx(theirs.interval, abs=1e-6)
        wider = sampled.difference("good", "poor", score)
        assert wider.difference == pytest.approx(ours.difference)
        assert wider.interval[1] - wider.interval[0] > ours.interval[1] - ours.interval[0]
    assert any("effective number of rows" in note for note in sampled.notes)


def test_costs_decide_where_they_are_given(two: dict[str, Model]) -> None:
    comparison = cw.compare_models(two, made(200, seed=8), costs={("yes", "no"): 5.0})
    cost = comparison.difference("good", "poor", "cost")
    assert cost.label == "expected cost"
    assert cost.of_first < cost.of_second
    assert "cost" not in {each.score for each in cw.compare_models(two, made(50, seed=8)).differences}


def test_the_costs_of_one_model_compare_both_and_come_before_accuracy(two: dict[str, Model]) -> None:
    """Where only one of the models had costs, they were not shown at all, and accuracy came first."""
    fresh = made(200, seed=8)
    costly = {**two, "good": cw.with_costs(two["good"], {("yes", "no"): 5.0})}
    comparison = cw.compare_models(costly, fresh)
    asked = cw.compare_models(costly, fresh, costs={("yes", "no"): 5.0})
    assert [each.score for each in comparison.differences][:2] == ["cost", "accuracy"]
    assert comparison.differences[0] == asked.differences[0]
    said = "The expected cost is by the costs of good: no predicted as yes 1, yes predicted as no 5."
    assert said in comparison.notes
    two_costs = {**costly, "poor": cw.with_costs(two["poor"], {("yes", "no"): 2.0})}
    different = cw.compare_models(two_costs, fresh)
    assert "cost" not in {each.score for each in different.differences}
    assert "good and poor have different costs. To compare by one: costs='…'." in different.notes


def test_where_a_cutoff_decides_recall_and_specificity_come_before_accuracy(two: dict[str, Model]) -> None:
    """Each is the part of the rows of its kind that are right, tested by those on which the models differ."""
    fresh = made(200, seed=8)
    models = {**two, "good": cw.with_cutoff(two["good"], "yes", 0.2)}
    comparison = cw.compare_models(models, fresh)
    assert [each.score for each in comparison.differences][:3] == ["recall", "specificity", "accuracy"]
    yes = np.array(fresh.schema.classes)[fresh.target] == "yes"
    called = {name: cw.predict(model, fresh) == "yes" for name, model in models.items()}
    recall, specificity, _, *_ = comparison.differences
    assert recall.of_first == pytest.approx(called["good"][yes].mean())
    assert recall.of_second == pytest.approx(called["poor"][yes].mean())
    assert specificity.of_first == pytest.approx(1 - called["good"][~yes].mean())
    only = [int((one & ~other)[yes].sum()) for one, other in [(called["good"], called["poor"])]]
    other_only = int((called["poor"] & ~called["good"])[yes].sum())
    assert recall.p == pytest.approx(stats.binomtest(only[0], only[0] + other_only).pvalue, rel=1e-9)
    assert recall.label == "recall of yes"


def test_a_class_that_only_one_model_knows_is_compared_by_name() -> None:
    x = [k + 0.5 for k in range(60)]
    three = cw.read_table({"x": x, "y": ["a", "b", "c"] * 20}, target="y")
    two_classes = three.take(np.flatnonzero(three.target < 2))
    narrow = cw.read_table(
        {"x": two_classes.columns["x"], "y": np.array(["b", "a"])[two_classes.target]}, target="y"
    )
    models = {"wide": cw.CART().learn(three), "narrow": cw.CART().learn(narrow)}
    comparison = cw.compare_models(models, three)
    assert {each.score for each in comparison.differences} == {"accuracy"}
    assert comparison.scores["accuracy"]["narrow"] < 0.7


def test_rows_that_one_leaves_unanswered_are_counted_apart() -> None:
    table = made(200)
    silent = cw.read_rules("IF x > 1 THEN y = yes\nIF x < -1 THEN y = no\nOTHERWISE refer", table.schema)
    models: dict[str, Model] = {"rules": silent, "tree": cw.CART(max_depth=1).learn(table)}
    comparison = cw.compare_models(models, made(100, seed=11))
    agreement = comparison.agreements[0]
    assert agreement.unanswered > 0
    judged = agreement.both_right + agreement.only_first + agreement.only_second + agreement.both_wrong
    assert judged + agreement.unanswered == 100


@pytest.mark.parametrize(
    ("models", "sentence"),
    [
        (lambda m: [m["good"]], "at least two models, and 1 given"),
        (lambda m: m["good"], "takes a list of models"),
        (lambda m: [m["good"], cw.CART()], "compare_models"),
    ],
)
def test_what_cannot_be_compared_is_refused(two: dict[str, Model], models: Any, sentence: str) -> None:
    with pytest.raises((SettingError, SchemaError, TypeError), match=sentence):
        cw.compare_models(models(two), made(20))


def test_models_of_other_targets_and_a_negative_rope_are_refused(two: dict[str, Model]) -> None:
    other = cw.CART().learn(cw.read_table({"x": [1.0, 2, 3, 4], "u": list("abab")}, target="u"))
    with pytest.raises(SettingError, match="only models of the same target can be compared"):
        cw.compare_models({"good": two["good"], "other": other}, made(20))
    with pytest.raises(SettingError, match="rope must be 0 or more"):
        cw.compare_models(two, made(20), rope=-1)
    with pytest.raises(SettingError, match="No difference"):
        cw.compare_models(two, made(20)).difference("good", "poor", "rmse")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_few_rows_have_a_sentence_or_a_defined_answer(two: dict[str, Model], count: int) -> None:
    comparison = cw.compare_models(two, made(30, seed=12).take(np.arange(count)))
    data = json.loads(json.dumps(comparison.to_json(), allow_nan=False))
    assert data["rows"] == count
    assert str(comparison)


def test_rows_without_a_true_answer_are_left_out_and_none_at_all_are_refused(two: dict[str, Model]) -> None:
    y = [None] * 5 + ["yes", "no"] * 10
    columns: dict[str, Any] = {"x": np.arange(25.0) - 12, "z": np.arange(25.0), "y": y}
    comparison = cw.compare_models(two, columns)
    assert comparison.rows == 20
    assert "5 rows without a known truth are left out." in comparison.notes
    with pytest.raises(SchemaError, match="in none is the truth known"):
        cw.compare_models(two, {name: each[:5] for name, each in columns.items()})


def test_models_of_one_kind_are_numbered_and_any_rows_can_be_given(two: dict[str, Model]) -> None:
    fresh = made(40, seed=13)
    y = np.array(fresh.schema.classes)[fresh.target]
    comparison = cw.compare_models(
        list(two.values()), {"x": fresh.columns["x"], "z": fresh.columns["z"], "y": y}
    )
    assert comparison.names == ("CART 1", "CART 2")
    assert repr(comparison) == "<ModelComparison of CART 1 and CART 2 on 40 rows>"
    assert not math.isnan(comparison.differences[0].p)
    assert "<pre" in comparison._repr_html_()


@pytest.mark.slow
def test_a_hundred_thousand_rows_are_compared_at_once(two: dict[str, Model]) -> None:
    comparison = cw.compare_models(two, made(100_000, seed=14))
    assert comparison.difference("good", "poor", "auc").is_shown
