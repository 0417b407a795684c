"""Ten rows, every score of them worked out on paper, and how scores are printed and written as data."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import SchemaError, SettingError
from clearwood.models.decision import Cutoff
from clearwood.scoring import SCORES, Stakes
from clearwood.scoring.answer_scores import (
    NOTHING,
    counting_all_rows,
    note_on_kinds,
    note_on_unanswered,
    part_answered,
)
from clearwood.scoring.calibration import calibration_of
from clearwood.scoring.coverage import coverage_of, refer_for
from clearwood.scoring.cutoff_aims import ForCost, ForPrecision, ForRecall, chosen_by, note_on_choice
from clearwood.scoring.cutoffs import best_cutoff, cutoffs_of
from clearwood.scoring.differences.paired import bayesian_correlated_t
from clearwood.scoring.intervals import error_of_terms, least_rows, score_intervals, terms_of_parts
from clearwood.scoring.positive import ConstantNumber, baseline_of, baseline_predictions, constant_classes
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions, Predictions
from clearwood.scoring.recalibration import Recalibration
from clearwood.scoring.roc import roc_of
from clearwood.scoring.scores import check_orders, score_figure, scores_of, usual_score
from clearwood.scoring.share_scores import lift_table

OF_BAD = [0.9, 0.8, 0.8, 0.6, 0.4, 0.4, 0.2, 0.2, 0.2, 0.1]
TRUTH = [0, 0, 1, 0, 1, 0, 1, 1, 1, 1]  # four are bad: of 0.9, 0.8, 0.6 and 0.4
DEAR = Stakes("bad", {("bad", "good"): 5.0})


def _given(truth: Any, shares: Any, classes: tuple[str, ...] = ("bad", "good")) -> ClassPredictions:
    rows = len(truth)
    return ClassPredictions(
        classes=classes,
        truth=np.asarray(truth),
        answers=np.argmax(shares, axis=1),
        shares=np.asarray(shares, dtype=float),
        weights=np.ones(rows),
        places=np.arange(rows),
        part=np.zeros(rows, dtype=np.int64),
    )


TEN = _given(TRUTH, np.column_stack([OF_BAD, 1 - np.array(OF_BAD)]))
SIX = _given(
    [0, 0, 1, 2, 2, 0],
    [[0.6, 0.3, 0.1], [0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7], [0.1, 0.5, 0.4], [0.3, 0.3, 0.4]],
    ("a", "b", "c"),
)
NUMBERS = NumberPredictions(
    target="y",
    truth=np.array([1.0, 2, 3, 6]),
    answers=np.array([2.0, 2, 2, 4]),
    weights=np.ones(4),
    places=np.arange(4),
    part=np.zeros(4, dtype=np.int64),
)


def test_every_score_of_ten_rows_is_that_of_paper() -> None:
    # Predicted bad are 0.9, 0.8, 0.8 and 0.6: three hits, one false alarm, one missed.
    scores = scores_of(TEN, DEAR, quick=True)
    by_hand = {
        "accuracy": 8 / 10,
        "balanced_accuracy": (3 / 4 + 5 / 6) / 2,
        "recall": 3 / 4,
        "precision": 3 / 4,
        "f_beta": 2 * 3 / (2 * 3 + 1 + 1),
        "mcc": (3 * 5 - 1 * 1) / math.sqrt(4 * 4 * 6 * 6),
        "kappa": (0.8 - 0.52) / (1 - 0.52),  # by chance 0.4 · 0.4 + 0.6 · 0.6
        "auc": (6 + 5.5 + 5 + 4.5) / 24,
        "average_precision": (1 + 2 / 3 + 3 / 4 + 4 / 6) / 4,
        "ks": 1 - 2 / 6,  # from 0.4 on
        "lift": 2.5,
        "log_loss": -sum(map(math.log, [0.9, 0.8, 0.2, 0.6, 0.6, 0.4, 0.8, 0.8, 0.8, 0.9])) / 10,
        "brier": (0.01 + 0.04 + 0.64 + 0.16 + 0.16 + 0.36 + 3 * 0.04 + 0.01) / 10,
        # Six probabilities: 0.9 (all bad), 0.8 (half), 0.6 (all), 0.4 (half), 0.2 and 0.1 (none).
        "brier_reliability": (0.01 + 2 * 0.09 + 0.16 + 2 * 0.01 + 3 * 0.04 + 0.01) / 10,
        "brier_resolution": (2 * 0.36 + 4 * 0.01 + 4 * 0.16) / 10,
        "brier_uncertainty": 0.4 * 0.6,
        "cost": (5 * 1 + 1 * 1) / 10,
        "cost_at_best_cutoff": 2 / 10,  # from 0.4 on: two false alarms
    }
    assert {each.name: each.value for each in scores if not each.name.startswith("cal")} == pytest.approx(
        by_hand
    )
    against = {each.name: each.baseline for each in scores}
    assert against["accuracy"] == 0.6
    assert against["recall"] == 0
    assert math.isnan(against["precision"] or 0)
    assert (against["cost"], against["cost_at_best_cutoff"]) == pytest.approx((0.6, 0.6))
    assert scores.cutoff is not None
    assert scores.cutoff.positive == "bad"
    assert scores.cutoff.at == pytest.approx(0.3)
    assert scores.cutoff.per_row == pytest.approx(0.2)
    assert scores["auc"].interval is not None
    assert scores["mcc"].interval is None  # it would be drawn


def test_scores_are_printed_beside_the_baseline_with_what_they_are_about() -> None:
    lines = str(scores_of(TEN, DEAR, notes=("Of training rows.",))).splitlines()
    assert lines[0] == "Of training rows."
    assert lines[1] == "10 rows; recall, AUC and lift are about bad"
    assert lines[2].split() == ["score", "value", "95", "%", "interval", "baseline"]
    of = {line[:25].strip(): line[25:].split() for line in lines[3:-1]}
    assert of["accuracy"] == ["0.8000", "0.4902", "to", "0.9433", "0.6000"]
    assert of["F1"][0] == "0.7500"
    assert of["calibration slope"][-1] == "–"
    assert [line[:14] for line in lines if line.startswith("  ")] == [
        "  reliability ",
        "  resolution  ",
        "  uncertainty ",
    ]
    assert of["reliability"] == ["0.0500", "0.0000"]
    assert lines[-1] == (
        "baseline: always good, 60.0 % of the rows evaluated; for costs always bad, "
        "the cheapest by the same probabilities"
    )
    assert repr(scores_of(TEN, DEAR, quick=True)) == "<Scores: 20 of 10 rows>"
    alike = scores_of(TEN, Stakes("bad", {("bad", "good"): 1.1}), quick=True)
    assert str(alike).endswith("always good, 60.0 % of the rows evaluated, for costs too")
    without = scores_of(TEN, quick=True)
    assert (without.positive, without.guessed) == ("bad", "name")
    assert str(without).endswith("baseline: always good, 60.0 % of the rows evaluated")


def test_scores_as_data_have_null_where_there_is_nothing() -> None:
    data = json.loads(json.dumps(scores_of(TEN, DEAR, quick=True).to_json()))
    assert (data["rows"], data["effective_rows"]) == (10, None)
    assert (data["positive"], data["positive_guessed_by"]) == ("bad", None)
    assert data["scores"]["precision"]["baseline"] is None
    assert data["scores"]["precision"]["value"] == 0.75
    assert data["scores"]["mcc"]["interval"] is None
    assert data["scores"]["recall"]["interval"] == pytest.approx([0.300642, 0.954413], abs=1e-6)
    assert data["baseline"]["cheapest"] == "bad"
    assert data["baseline"]["constant"] == "always good, 60.0 % of the rows evaluated"
    assert data["costs"] == [[0, 5], [1, 0]]
    assert data["best_cutoff"] == {"positive": "bad", "at": pytest.approx(0.3), "per_row": 0.2}
    assert data["lift"][0] == {
        "part": 0.1,
        "rows": 1,
        "from_share": 0.9,
        "hits": 1,
        "gained": 0.25,
        "lift": 2.5,
    }
    assert data["calibration"]["brier"] == pytest.approx(0.15)
    of_numbers = scores_of(NUMBERS, quick=True).to_json()
    assert [of_numbers[name] for name in ("positive", "costs", "best_cutoff", "lift", "calibration")] == [
        None
    ] * 5
    guessed = scores_of(TEN, quick=True).to_json()
    assert guessed["positive_guessed_by"] == "name"
    assert guessed["costs"] is None
    assert guessed["best_cutoff"] is None


def test_weights_of_a_sample_say_how_many_rows_they_are_worth_and_counts_do_not() -> None:
    weights = np.array([2.0, 1, 1, 1, 1, 1, 1, 1, 0.5, 0.5])
    sampled = scores_of(replace(TEN, weights=weights, weights_are="sampling"), quick=True)
    assert sampled.effective == pytest.approx(100 / 11.5)
    assert str(sampled).startswith(
        "10 rows by weight, as good as 8.696 of equal weight; recall, AUC and lift are about bad"
    )
    assert sampled["accuracy"].interval is None
    assert scores_of(replace(TEN, weights=weights, weights_are="counts"), quick=True).effective is None


def test_only_scores_that_say_something_are_shown() -> None:
    about_one = {"recall", "ks", "lift", "calibration_slope", "calibration_intercept"}
    of_two = {each.name for each in scores_of(TEN, quick=True)}
    assert about_one <= of_two
    assert "auc_hand_till" not in of_two
    assert not {name for name in of_two if "cost" in name or "profit" in name}
    of_three = {each.name for each in scores_of(SIX, quick=True)}
    assert not about_one & of_three
    assert "auc_hand_till" in of_three
    named = {each.name for each in scores_of(SIX, Stakes("b", {("a", "b"): -2.0}), quick=True)}
    assert named == of_three | about_one | {"profit"}
    brings = {each.name for each in scores_of(TEN, Stakes("bad", {("bad", "bad"): -1.0}), quick=True)}
    assert brings - of_two == {"profit", "profit_at_best_cutoff"}
    assert [each.name for each in scores_of(NUMBERS, quick=True)] == ["rmse", "mae", "r2"]
    assert [each.name for each in scores_of(replace(NUMBERS, quantile=0.75), quick=True)] == [
        "pinball",
        "mae",
    ]
    labels = [each.label for each in scores_of(SIX, Stakes(beta=2.0), quick=True)]
    assert "F2, mean of classes" in labels
    assert "AUC, mean of classes" in labels
    assert "F1" in [each.label for each in scores_of(SIX, Stakes("b"), quick=True)]


def test_numbers_are_scored_and_have_their_constant() -> None:
    scores = scores_of(NUMBERS, quick=True)
    assert [each.value for each in scores] == pytest.approx([math.sqrt(6 / 4), 4 / 4, 1 - 6 / 14])
    assert [each.baseline for each in scores] == pytest.approx([math.sqrt(14 / 4), 6 / 4, 0])
    assert str(scores).endswith("baseline: always 3, the mean of the rows evaluated")
    upper = scores_of(replace(NUMBERS, quantile=0.75), quick=True)
    # Errors −1, 0, 1 and 2: 0.25 · 1 + 0.75 · 1 + 0.75 · 2 over four rows.
    assert upper["pinball"].value == pytest.approx((0.25 + 0.75 + 1.5) / 4)
    assert str(upper).endswith("baseline: always 3, the 0.75 quantile of the rows evaluated")
    assert str(scores_of(replace(NUMBERS, quantile=0.5), quick=True)).endswith(
        "always 2, the median of the rows evaluated"
    )
    heavy = replace(NUMBERS, quantile=0.5, weights=np.array([1.0, 1, 1, 5]))
    assert baseline_of(None, heavy) == ConstantNumber(6.0, 0.5, "these rows")
    nothing = baseline_of(None, replace(NUMBERS, weights=np.zeros(4)))
    assert isinstance(nothing, ConstantNumber)
    assert math.isnan(nothing.number)
    assert baseline_predictions(ConstantNumber(7.0, None, "these rows"), NUMBERS).answers.tolist() == [7] * 4


def test_the_constant_of_a_model_is_of_its_training_rows() -> None:
    days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    model = cw.with_profile(cw.ID3().learn(days), days)
    assert str(baseline_of(model, TEN)) == "always Yes, 64.3 % of the training rows"
    assert constant_classes(("a", "b"), [0.0, 0.0], "these rows").shares == (0.5, 0.5)
    heights = cw.read_table({"x": [1, 2, 3, 4], "y": [1.0, 2.0, 4.0, 9.0]}, target="y")
    of_means = baseline_of(cw.with_profile(cw.CART().learn(heights), heights), NUMBERS)
    assert of_means == ConstantNumber(4.0, None, "training rows")
    assert baseline_of(cw.CART().learn(heights), NUMBERS) == ConstantNumber(3.0, None, "these rows")
    assert str(of_means) == "always 4, the mean of the training rows"


def test_what_cannot_be_scored_is_refused_with_the_reason() -> None:
    with pytest.raises(SchemaError, match="in none is the truth known"):
        scores_of(TEN.take(np.zeros(0, dtype=np.int64)))
    with pytest.raises(SchemaError, match="It knows bad and good"):
        scores_of(replace(TEN, truth=np.full(10, -2)))
    with pytest.raises(SettingError, match="are for classes"):
        scores_of(NUMBERS, Stakes("bad"))
    with pytest.raises(SettingError, match="are for classes"):
        scores_of(NUMBERS, Stakes(costs={}))
    with pytest.raises(SettingError, match="'accuracy'"):
        scores_of(TEN, quick=True)["acuracy"]
    with pytest.raises(SettingError, match="best at 1"):
        check_orders(SCORES["calibration_slope"])
    check_orders(SCORES["accuracy"])
    assert [usual_score(numbers=True, quantile=each) for each in (None, 0.5, 0.9)] == [
        "rmse",
        "mae",
        "pinball",
    ]


def test_figures_have_four_decimals_or_six_digits() -> None:
    values = [99.99999, 100.0, -123456.789, -0.00001, -0.5, math.nan]
    assert [score_figure(each) for each in values] == ["100.0000", "100", "−123457", "0.0000", "−0.5000", "–"]


def test_a_lift_table_says_where_parts_of_rows_are_counted() -> None:
    table = lift_table(TEN, "bad")
    assert table is not None
    # Of the two rows of 0.8, one of them bad, half a one is taken on average: as of the two of 0.4.
    assert [each.hits for each in table.steps] == pytest.approx([1, 1.5, 2, 3, 3.5, 4, 4, 4, 4, 4])
    assert [each.from_share for each in table.steps] == [0.9, 0.8, 0.8, 0.6, 0.4, 0.4, 0.2, 0.2, 0.2, 0.1]
    lines = str(table).splitlines()
    assert lines[0].split() == [
        "rows",
        "taken",
        "rows",
        "probability",
        "from",
        "bad",
        "among",
        "them",
        "of",
        "all",
        "lift",
    ]
    assert lines[2].split() == ["20", "%", "2", "0.8000", "1.5", "37.5", "%", "1.875"]
    assert lines[10].split() == ["100", "%", "10", "0.1000", "4", "100.0", "%", "1.000"]
    assert lines[11].startswith("A decile may end within a row")
    weighed = lift_table(replace(TEN, weights=np.full(10, 2.0)), "bad")
    assert weighed is not None
    assert str(weighed).endswith("Rows are counted by their weights.")
    assert lift_table(replace(TEN, truth=np.ones(10, dtype=int)), "bad") is None
    # Seven tenths of many rows are no whole number to the last digit, and yet no part of a row.
    many = 5_130
    ranked = np.linspace(0.9, 0.1, many)
    large = lift_table(_given(np.arange(many) % 2, np.column_stack([ranked, 1 - ranked])), "bad")
    assert large is not None
    assert any(each.rows % 1 for each in large.steps)
    assert "parts of them" not in str(large)


def test_the_best_cutoff_may_take_every_row_or_none() -> None:
    free = best_cutoff(TEN, Stakes("bad", {("good", "bad"): 0.0}))
    assert free is not None
    assert free.at == pytest.approx(0.3)  # the greatest that costs nothing
    assert free.per_row == 0
    all_of_them = best_cutoff(TEN, Stakes("bad", {("good", "bad"): -1.0, ("bad", "good"): 9.0}))
    assert all_of_them is not None
    assert all_of_them.at == 0
    assert all_of_them.per_row == pytest.approx(-0.6)
    none = best_cutoff(TEN, Stakes("bad", {("good", "bad"): 99.0, ("bad", "bad"): 1.0}))
    assert none is not None
    assert none.at is None
    assert none.per_row == pytest.approx(0.4)
    assert scores_of(TEN, Stakes("bad", {("good", "bad"): 99.0, ("bad", "bad"): 1.0}), quick=True)[
        "cost_at_best_cutoff"
    ].value == pytest.approx(0.4)
    assert best_cutoff(SIX, Stakes("a")) is None
    of_three = SCORES["cost_at_best_cutoff"].statistic(SIX, Stakes("a"))
    assert of_three.why == "a cutoff is for two classes"
    assert np.isnan(of_three.of(np.ones((2, 6)))).tolist() == [True, True]
    of_none = SCORES["profit_at_best_cutoff"].statistic(replace(TEN, shares=np.zeros((10, 2))), DEAR)
    assert of_none.why.startswith("no row has probabilities")


COSTS = ((0.0, 5.0), (1.0, 0.0))


def test_each_cutoff_of_ten_rows_is_that_of_paper() -> None:
    table = cutoffs_of(("bad", "good"), TEN.judged, "bad", costs=COSTS)
    assert table.at.tolist() == pytest.approx([0, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95], abs=0.06)
    assert table.hits.tolist() == [4, 4, 4, 3, 2, 1, 0]
    assert table.alarms.tolist() == [6, 5, 2, 1, 1, 0, 0]
    assert table.costs is not None
    assert table.costs[:, 0] * 10 == pytest.approx([6, 5, 2, 6, 11, 15, 20])
    assert table.alarm_part.tolist() == pytest.approx([1, 0.9, 0.6, 0.4, 0.3, 0.1, 0])
    assert [line["precision"] for line in table.lines()][-1] is None
    for aim, place in (
        (ForRecall("bad", 0.75), 3),
        (ForRecall("bad", 0.76), 2),
        (ForPrecision("bad", 0.75), 3),
        (ForPrecision("bad", 0.76), 5),
        (ForCost("bad"), 2),
    ):
        chosen = chosen_by(aim, table)
        assert chosen.chosen == table.at[place]
        assert [line["chosen"] for line in chosen.lines()].index(True) == place
        assert note_on_choice(chosen) == ""
    given = chosen_by(Cutoff("bad", 0.45), table)
    assert [line["chosen"] for line in given.lines()].index(True) == 3
    assert (given.chosen, given.aim) == (0.45, "given")
    text = str(given).splitlines()
    assert text[0] == "bad is predicted from the cutoff on"
    assert text[-1] == "4 rows of bad, 6 others"
    assert text[5].split()[-1] == "chosen"
    assert text[5].split()[1:2] == ["0.7500"]
    assert text[5].split()[-5:-2] == ["0.1875", "to", "2.117"]
    referred = cutoffs_of(("bad", "good"), TEN.judged, "bad", refer=0.65)
    assert referred.unanswered == 3
    assert str(referred).endswith("2 rows of bad, 5 others; 3 referred and not counted")


def test_a_cutoff_that_parts_no_rows_says_so() -> None:
    table = cutoffs_of(("bad", "good"), TEN.judged, "bad")
    every = chosen_by(Cutoff("bad", 0.0), table)
    assert note_on_choice(every) == (
        "By the cutoff chosen given, every row is predicted bad: the probabilities do not rank these rows "
        "well enough."
    )
    assert "no row is predicted bad" in note_on_choice(chosen_by(Cutoff("bad", 1.0), table))
    alike = cutoffs_of(("bad", "good"), replace(TEN, shares=np.full((10, 2), 0.5)).judged, "bad")
    assert note_on_choice(chosen_by(ForRecall("bad", 0.5), alike)) == (
        "All rows have the same probability of bad, and no cutoff tells them apart: "
        "every row is predicted bad."
    )
    assert note_on_choice(table) == ""
    with pytest.raises(SettingError, match=r"from 0 to 1, not 1\.5"):
        chosen_by(Cutoff("bad", 1.5), table)


def test_coverage_of_ten_rows_is_that_of_paper() -> None:
    best = np.maximum(OF_BAD, 1 - np.array(OF_BAD))
    truth = np.array(TRUTH)
    curve = coverage_of(truth, TEN.answers, best, np.ones(10), 0.7)
    # 0.9: two, both right; 0.8: five more, one of them wrong; 0.6: three more, one of them wrong.
    assert curve.least.tolist() == pytest.approx([0.6, 0.8, 0.9])
    assert curve.answered.tolist() == [10, 7, 2]
    assert curve.right.tolist() == [8, 6, 2]
    assert curve.rows.tolist() == [10, 7, 2]
    assert curve.place_of_chosen == 1
    assert [line["chosen"] for line in curve.lines()] == [False, True, False]
    assert str(curve).splitlines()[2].split()[:6] == ["0.7", "7", "70.0", "%", "0.8571", "0.4869"]
    assert refer_for(6 / 7, curve).chosen == curve.refer[1]
    assert refer_for(0.9, curve).chosen == curve.refer[2]
    assert refer_for(0.8, curve).chosen == 0
    wrong = coverage_of(1 - truth, TEN.answers, best, np.ones(10))
    with pytest.raises(SettingError, match=r"The best is 0.2, where rows below 0 are\s+referred"):
        refer_for(0.5, wrong)
    assert wrong.place_of_chosen is None
    above = coverage_of(truth, TEN.answers, best, np.ones(10), 0.95)
    assert str(above).endswith("Below 0.95, which is set, every row is referred.")
    some = coverage_of(
        np.append(truth, -1), np.append(TEN.answers, 0), np.append(best, 0.9), np.append(np.ones(9), [0, 1])
    )
    assert some.weight == pytest.approx(9)
    weighed = coverage_of(truth, TEN.answers, best, np.arange(1.0, 11), weighs=True)
    assert weighed.rows[0] == pytest.approx(55**2 / 385)


def test_bins_of_ten_rows_are_those_of_paper() -> None:
    halves = calibration_of(("bad", "good"), TEN.judged, 2)
    low, high = halves.reliability["bad"]
    assert (low.weight, high.weight) == (6, 4)
    assert (low.predicted, low.observed) == pytest.approx((1.5 / 6, 1 / 6))
    assert (high.predicted, high.observed) == pytest.approx((3.1 / 4, 3 / 4))
    assert halves.error == {"bad": pytest.approx((0.5 + 0.1) / 10)}
    assert str(halves).splitlines()[0] == "log loss 0.4651, Brier score 0.1500, 10 rows"
    of_three = calibration_of(SIX.classes, SIX.judged, 1)
    # One bin: the distance of the mean probability from how often the class comes.
    assert of_three.error == pytest.approx({"a": 3 / 6 - 1.8 / 6, "b": 2.2 / 6 - 1 / 6, "c": 0})
    text = str(Recalibration("platt", of_three, of_three)).splitlines()
    assert text[1].split() == ["before", "0.6986", "0.3967", "0.1333"]
    assert text[-1] == "6 rows"
    assert list(calibration_of(SIX.classes, SIX.judged, 1, positive="b").reliability) == ["b"]


def test_the_curve_begins_with_no_row_and_a_precision_of_1() -> None:
    with np.errstate(all="raise"):
        curve = roc_of(("bad", "good"), TEN.judged, "bad").curves[0]
        assert curve.precision.tolist() == pytest.approx([1, 1, 2 / 3, 3 / 4, 4 / 6, 4 / 9, 4 / 10])
    assert curve.recall.tolist() == [0, 0.25, 0.5, 0.75, 1, 1, 1]
    assert curve.auc == pytest.approx(21 / 24)


def _noted(by: str, **quantiles: float | None) -> list[str]:
    given: dict[str, Predictions | None] = {
        name: replace(NUMBERS, quantile=each) for name, each in quantiles.items()
    }
    return note_on_kinds(given, by, SCORES[by])


def test_a_score_of_means_beside_quantiles_says_whom_it_favours() -> None:
    assert _noted("rmse", tree=None, forest=None) == []
    assert _noted("pinball", tree=0.9) == []
    assert _noted("mae", tree=0.5) == []
    assert note_on_kinds({"tree": TEN, "none": None}, "rmse", SCORES["rmse"]) == []
    assert _noted("rmse", tree=0.9) == ["Predicted are 0.9 quantiles by tree: RMSE favours means."]
    assert _noted("mae", tree=None, forest=0.5, sum=None) == [
        "Predicted are means by tree and sum; medians by forest: MAE favours medians."
    ]
    assert _noted("pinball", tree=None, forest=0.1)[0].endswith("favours the quantile that it is of.")


def test_rows_without_a_prediction_count_as_wrong_or_are_refused() -> None:
    half = replace(TEN, answers=np.where(np.arange(10) < 4, TEN.answers, -1))
    assert part_answered(half) == pytest.approx(0.4)
    assert part_answered(TEN) == 1
    assert part_answered(replace(NUMBERS, answers=np.array([1.0, np.nan, 2, 3]))) == pytest.approx(0.75)
    counted = counting_all_rows(half, SCORES["accuracy"])
    assert isinstance(counted, ClassPredictions)
    assert counted.classes == ("bad", "good", NOTHING)
    assert SCORES["accuracy"].value(counted, Stakes("bad")) == pytest.approx(0.3)
    assert SCORES["recall"].value(counted, Stakes("bad")) == pytest.approx(0.75)
    # Recalls 3 ⁄ 4 and 0: no answer is no class of its own.
    assert SCORES["balanced_accuracy"].value(counted, Stakes("bad")) == pytest.approx(0.375)
    # Precisions 3 ⁄ 4 and, of what was never predicted, 0; F of 3 hits, 1 missed, 1 false alarm, and 0.
    assert SCORES["precision"].value(counted, Stakes()) == pytest.approx(0.375)
    assert SCORES["f_beta"].value(counted, Stakes()) == pytest.approx(0.375)
    by_shares = counting_all_rows(half, SCORES["auc"])
    assert isinstance(by_shares, ClassPredictions)
    assert by_shares.answers.tolist() == TEN.answers.tolist()
    assert counting_all_rows(TEN, SCORES["accuracy"]) is TEN
    with pytest.raises(
        SettingError, match=r"leaves 60.0 % of the rows without a prediction.*or take accuracy"
    ):
        counting_all_rows(half, SCORES["cost"])
    with pytest.raises(SettingError, match=r"60\.0 %"):
        counting_all_rows(
            replace(half, shares=np.where(np.arange(10)[:, None] < 4, TEN.shares, 0)), SCORES["auc"]
        )
    with pytest.raises(SettingError, match=r"25.0 %.*Let it predict all rows\."):
        counting_all_rows(replace(NUMBERS, answers=np.array([1.0, np.nan, 2, 3])), SCORES["rmse"])
    assert counting_all_rows(NUMBERS, SCORES["rmse"]) is NUMBERS
    assert note_on_unanswered({"tree": 1.0}, SCORES["accuracy"]) == []
    assert note_on_unanswered({"tree": 1.0, "rules": 0.4}, SCORES["accuracy"]) == [
        "Of the rows rules predicts 40.0 %; rows without a prediction count as wrong."
    ]
    assert note_on_unanswered({"rules": 0.4}, SCORES["auc"])[0].endswith("the others by their probabilities.")


def test_roots_of_parts_add_what_their_squares_add() -> None:
    # Squares 9 and 25, mean 17: √17 + (9 − 17) ÷ 2√17 and √17 + (25 − 17) ÷ 2√17.
    assert terms_of_parts([3.0, 5.0], "root") == pytest.approx(np.array([13, 21]) / math.sqrt(17))
    assert terms_of_parts([0.0, 0.0], "root").tolist() == [0, 0]
    assert terms_of_parts([3.0, 5.0], "mean").tolist() == [3, 5]
    assert math.isnan(error_of_terms(np.array([1.0, math.nan])))
    assert error_of_terms(np.array([1.0, 3, math.nan])) == pytest.approx(1)  # √(½ · 2)
    assert error_of_terms(np.array([1.0, 3]), 0.25) == pytest.approx(math.sqrt(0.75 * 2))
    assert [least_rows(SCORES[name]) for name in ("accuracy", "rmse", "mcc", "auc", "ks")] == [1, 1, 5, 2, 5]


def test_differences_as_large_as_the_rope_are_no_matter() -> None:
    for difference, favoured in (
        (0.25, (0, 1, 0)),
        (-0.25, (0, 1, 0)),
        (0.375, (1, 0, 0)),
        (-0.5, (0, 0, 1)),
    ):
        posterior = bayesian_correlated_t([difference] * 4, 0.25, rope=0.25)
        assert (posterior.first, posterior.equivalent, posterior.second) == favoured


def test_quick_intervals_are_those_by_formula() -> None:
    quick = score_intervals(("accuracy", "auc", "mcc", "brier_reliability", "cost"), TEN, DEAR, quick=True)
    assert {name for name, each in quick.items() if each.interval is not None} == {"accuracy", "auc", "cost"}
    drawn = score_intervals(("mcc", "brier_reliability"), TEN, DEAR)
    assert drawn["mcc"].by == "bootstrap of 2,000 draws"
    assert drawn["brier_reliability"].interval is None
    profit = score_intervals(("profit",), TEN, DEAR)["profit"]
    assert profit.value == pytest.approx(-0.6)
    ends = quick["cost"].interval
    assert ends is not None
    assert profit.interval == pytest.approx((-ends[1], -ends[0]))
