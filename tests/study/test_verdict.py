"""A verdict is right by its rules: better than the constant answer, overfitted, probabilities usable."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.models.decision import Cutoff, Decision
from clearwood.scoring import Stakes
from clearwood.scoring.calibration import slope_and_error
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.scoring.intervals import score_intervals
from clearwood.scoring.positive import ConstantClasses, ConstantNumber
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions
from clearwood.study.study import study_judged_quickly, study_of
from clearwood.study.verdict import ModelVerdict, Training, study_verdict, usable_by, verdict_of
from clearwood.study.verdict_words import headline, model_verdict_lines, remarks
from clearwood.table.attributes import Nominal
from clearwood.table.table import as_counts
from tests.typed import sure

CLASSES = ("good", "bad")
MOSTLY_GOOD = ConstantClasses(CLASSES, (0.7, 0.3), "training rows")


def judged(right: float, rows: int = 1000, *, sharpness: float = 1.0, parts: int = 1) -> ClassPredictions:
    """Rows of which 30 % are bad, answered by a share whose log odds are `sharpness` times the right ones;
    `right` is how far apart the classes lie."""
    chance = np.random.default_rng(3)
    truth = (np.arange(rows) % 10 < 3).astype(np.int64)
    x = chance.normal(size=rows) + right * truth
    odds = np.log(0.3 / 0.7) + right * x - right**2 / 2  # the log odds of two normal distributions
    share = 1 / (1 + np.exp(-sharpness * odds))
    return ClassPredictions(
        classes=CLASSES,
        truth=truth,
        answers=(odds >= 0).astype(np.int64),
        shares=np.column_stack([1 - share, share]),
        weights=np.ones(rows),
        places=np.arange(rows),
        part=chance.permutation(rows) % parts,
    )


def of(predictions: Any, **settings: Any) -> ModelVerdict:
    return verdict_of(predictions, MOSTLY_GOOD, judged_by="held out", positive="bad", **settings)


def abouts(verdict: ModelVerdict) -> dict[str, str]:
    return {each.about: each.sign for each in remarks(verdict)}


@pytest.mark.parametrize("parts", [1, 10])
def test_a_model_that_separates_is_better_and_one_that_guesses_is_not(parts: int) -> None:
    good, none = of(judged(2.0, parts=parts)), of(judged(0.02, parts=parts))
    assert good.standing == "better"
    assert headline(good) == "Better than always predicting good."
    assert good.constant is not None
    low, high = good.constant.difference_interval or (0.0, 0.0)
    assert 0 < low < good.constant.difference < high
    assert good.constant.value - good.constant.of_constant == pytest.approx(good.constant.difference)
    assert none.standing == "not shown"
    assert headline(none) == "Not shown to be better than always predicting good."
    assert abouts(none)["score"] == "bad"
    assert good.constant.by == ("paired by row" if parts == 1 else "Nadeau–Bengio over 10 parts")


@pytest.mark.parametrize("parts", [1, 10])
@pytest.mark.parametrize("settings", [{}, {"costs": {("bad", "good"): 5.0, ("good", "bad"): 1.0}}])
def test_the_best_of_many_needs_more_to_be_shown_better(parts: int, settings: Any) -> None:
    rows = judged(1.0, parts=parts)
    alone, chosen = of(rows, **settings).constant, of(rows, among=12, **settings).constant
    assert alone is not None
    assert chosen is not None
    assert chosen.difference == alone.difference
    (low, high), (least, most) = alone.difference_interval or (0, 0), chosen.difference_interval or (0, 0)
    assert least < low < high < most
    assert chosen.by == f"{alone.by}, allowing for 12 contenders"


def test_the_best_of_many_by_a_cutoff_needs_more_too() -> None:
    at = Cutoff("bad", 0.3)
    rows = judged(1.0)
    alone, chosen = of(rows, cutoff=at).constant, of(rows, cutoff=at, among=12).constant
    assert alone is not None
    assert chosen is not None
    (low, high), (least, most) = alone.difference_interval or (0, 0), chosen.difference_interval or (0, 0)
    assert least < low < high < most


def test_answers_that_are_wrong_are_worse_than_the_constant() -> None:
    rows = judged(2.0)
    assert of(replace(rows, answers=1 - rows.answers)).standing == "worse"


@pytest.mark.parametrize(
    ("sharpness", "usable"), [(1.0, "usable"), (2.0, "too extreme"), (0.5, "too timid"), (30.0, "worse")]
)
def test_probabilities_are_usable_where_their_slope_is_near_one(sharpness: float, usable: str) -> None:
    made = of(judged(1.5, 4000, sharpness=sharpness)).probabilities
    assert made is not None
    assert made.usable.startswith(usable)
    assert made.slope_interval is not None
    if usable != "worse":  # probabilities next to 0 and 1 are cut off before their odds are taken
        assert made.slope_interval[0] < 1 / sharpness < made.slope_interval[1]


def test_a_slope_that_may_be_one_is_no_warning() -> None:
    # Of forty rows a slope far from 1 says little.
    for sharpness, usable in ((1.0, "usable"), (1.3, "perhaps"), (1.6, "too extreme")):
        made = of(judged(1.5, 40, sharpness=sharpness)).probabilities
        assert made is not None
        assert made.slope_interval is not None
        assert (made.slope_interval[0] < 1 < made.slope_interval[1]) == (usable != "too extreme")
        assert made.usable == usable


@pytest.mark.parametrize(
    ("slope", "ends", "usable"),
    [
        (0.33, (-0.45, 1.12), "perhaps"),
        (1.7, (0.9, 2.5), "perhaps"),
        (1.2, (1.1, 1.3), "usable"),
        (0.5, (0.3, 0.7), "too extreme"),
        (1.7, (1.2, 2.2), "too timid"),
    ],
)
def test_a_slope_far_from_one_that_may_be_one_leaves_it_open(
    slope: float, ends: tuple[float, float], usable: str
) -> None:
    assert usable_by(0.4, 0.6, slope, ends) == usable


def test_a_model_is_overfitted_where_most_of_what_it_gains_on_training_rows_is_lost() -> None:
    held = judged(0.3, 400)
    seen = replace(held, answers=held.truth).evaluation
    made = of(held, training=seen)
    assert made.training is not None
    assert (made.training.value, made.training.fitted) == (1.0, "overfitted")
    assert made.training.lost > 0.5
    assert abouts(made)["training"] == "bad"
    few = judged(0.3, 20)  # 13 of 20 right, 43 to 82 %
    by_heart = of(few, training=replace(few, answers=few.truth).evaluation).training
    assert by_heart is not None
    assert by_heart.fitted == "overfitted"
    perhaps = of(few, training=ClassEvaluation(CLASSES, ((12.0, 2.0), (2.0, 4.0)))).training
    assert perhaps is not None
    assert (perhaps.value, perhaps.fitted) == (0.8, "perhaps overfitted")
    partly = of(judged(2.0, 400), training=ClassEvaluation(CLASSES, ((200.0, 0.0), (0.0, 200.0))))
    assert partly.training is not None
    assert partly.training.fitted == "partly overfitted"
    assert 0.25 <= partly.training.lost < 0.5
    assert abouts(partly)["training"] == "open"
    like_it = of(judged(2.0, 400), training=judged(2.0, 400).evaluation)
    assert like_it.training is not None
    assert like_it.training.fitted == "not overfitted"


@pytest.mark.parametrize("learner", [cw.C45(), cw.ID3(), cw.NaiveBayes()], ids=str)
def test_the_verdict_has_the_score_of_the_folds_however_many_rows_each_has(learner: Any) -> None:
    days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    folds = cw.cross_validate(learner, days, folds=10)
    made = verdict_of(
        folds.predictions,
        ConstantClasses(("No", "Yes"), (5 / 14, 9 / 14), "training rows"),
        judged_by="folds",
    )
    assert made.constant is not None
    choice = cw.choose(days, {"one": learner}, design=cw.Folds(10))
    assert folds.score == pytest.approx(made.constant.value)
    assert choice["one"].score == pytest.approx(made.constant.value)


def test_a_model_with_costs_is_introduced_by_them_and_not_by_its_accuracy() -> None:
    costs = ((0.0, 1.0), (5.0, 0.0))
    rows = replace(judged(1.0), costs=costs)
    made = of(rows)
    assert made.constant is not None
    assert (made.constant.score, made.costs) == ("cost", costs)
    assert made.constant.constant == "bad"  # always bad costs 0.7, always good 1.5
    assert made.constant.of_constant == pytest.approx(0.7)
    text = "\n".join(model_verdict_lines(made))
    assert "Accuracy" not in text
    assert "good predicted as bad 1, bad predicted as good 5" in text
    asked = of(judged(1.0), costs={("bad", "good"): 5.0})
    assert asked.constant == made.constant


@pytest.mark.parametrize("parts", [1, 5])
def test_a_model_with_a_cutoff_is_introduced_by_recall_and_false_alarms(parts: int) -> None:
    rows = judged(1.5, parts=parts)
    cut = replace(rows, answers=(rows.shares[:, 1] >= 0.2).astype(np.int64))
    made = of(cut, cutoff=Cutoff("bad", 0.2))
    assert made.constant is not None
    assert made.at_cutoff is not None
    own = cut.truth == 1
    assert made.at_cutoff.recall == pytest.approx(cut.answers[own].mean())
    assert made.at_cutoff.false_alarms == pytest.approx(cut.answers[~own].mean())
    assert made.constant.value == pytest.approx(cut.answers[own].mean() - cut.answers[~own].mean())
    assert made.standing == "better"
    text = " ".join(" ".join(model_verdict_lines(made)).replace("│", "").split())
    assert "bad from a probability of 0.2 on, it finds" in text
    assert "Accuracy" not in text
    assert "cost" not in text.split("! ")[0].split("✓ Prob")[0]
    alike = of(replace(cut, answers=np.ones(len(cut), dtype=np.int64)), cutoff=Cutoff("bad", 0.0))
    assert alike.standing == "not shown"


def test_the_interval_at_a_cutoff_lies_around_what_all_rows_together_give() -> None:
    """Folds of 20, 80 and 900 rows: the mean of what they give is another number."""
    rows = judged(1.0)
    rows = replace(rows, part=np.repeat([0, 1, 2], [20, 80, 900]))
    against = of(rows, cutoff=Cutoff("bad", 0.4)).constant
    assert against is not None
    assert against.interval is not None
    assert sum(against.interval) / 2 == pytest.approx(against.value, abs=1e-12)


def test_numbers_are_compared_with_their_mean() -> None:
    chance = np.random.default_rng(1)
    truth = chance.normal(10, 3, 300)
    rows = NumberPredictions(
        target="y",
        truth=truth,
        answers=truth + chance.normal(0, 1, 300),
        weights=np.ones(300),
        places=np.arange(300),
        part=np.zeros(300, dtype=np.int64),
    )
    mean = ConstantNumber(10.0, None, "training rows")
    made = verdict_of(rows, mean, judged_by="held out")
    assert made.standing == "better"
    assert made.constant is not None
    assert made.constant.value == pytest.approx(np.sqrt(np.mean((rows.truth - rows.answers) ** 2)))
    assert made.constant.difference_interval is not None
    assert made.constant.difference_interval[1] < 0
    assert headline(made) == "Better than always 10, the mean of the training rows."
    useless = verdict_of(replace(rows, answers=np.full(300, 10.0)), mean, judged_by="held out")
    assert useless.standing == "not shown"


def test_a_verdict_is_plain_data_with_the_sentences_that_people_read() -> None:
    made = of(judged(1.0), training=judged(1.0).evaluation)
    data = json.loads(json.dumps(made.to_json(), allow_nan=False))
    assert data["standing"] == made.standing
    assert data["sentences"][0] == headline(made)
    assert data["constant"]["difference_interval"] == list(made.constant.difference_interval)  # type: ignore[union-attr, arg-type]


def credit(rows: int = 300) -> cw.Table:
    drawing = np.random.default_rng(5)
    bad = drawing.random(rows) < 0.3
    columns = {f"noise{i}": drawing.normal(size=rows) for i in range(4)}
    amount = np.round(drawing.normal(3.0 + 1.5 * bad, 1.0), 1)
    return cw.read_table({"amount": amount, **columns, "risk": np.where(bad, "bad", "good")}, target="risk")


def test_a_model_of_all_rows_is_judged_by_folds_of_a_small_table() -> None:
    table = credit(60)
    study = study_judged_quickly(cw.CART(max_depth=2), table)
    assert study.model.origin.rows == 60
    assert study.folds is not None
    assert study_verdict(study).judged_by == "folds"


def test_of_a_large_table_a_part_is_held_out_before_all_rows_are_learned_from() -> None:
    table = credit(6_000)
    study = study_judged_quickly(cw.CART(max_depth=3), table)
    assert study.model.origin.rows == 6_000
    assert study.folds is not None
    assert len(study.folds.folds) == 1
    assert study.folds.together.weight == 1_500
    verdict = study_verdict(study)
    assert (verdict.judged_by, verdict.rows) == ("held out", 1_500)
    assert (
        cw.predict(study.model, table).tolist()
        == cw.predict(cw.CART(max_depth=3).learn(table), table).tolist()
    )


@pytest.mark.parametrize("learner", [cw.Forest(trees=60), cw.Bagging(trees=30)], ids=["forest", "bagging"])
def test_rows_out_of_bag_judge_an_ensemble_that_draws_rows(learner: Any) -> None:
    table = credit(200)
    study = study_judged_quickly(learner, table)
    given = study.out_of_bag
    assert isinstance(given, ClassPredictions)
    assert study.folds is None
    assert study_verdict(study).judged_by == "out of bag"
    assert study.model.out_of_bag is not None  # type: ignore[union-attr]
    # What the curve of the ensemble ends with is the error of these answers.
    wrong = float((given.truth != given.answers).mean())
    assert wrong == pytest.approx(study.model.out_of_bag.values[-1])  # type: ignore[union-attr]
    assert study_verdict(study).training is not None
    assert study_verdict(study).training.fitted == "memorises"  # type: ignore[union-attr]


def test_boosted_stumps_do_not_know_their_training_rows_by_heart() -> None:
    """Their score on them is no better than that of a stump or two, and was said to tell nothing."""
    verdict = study_verdict(study_judged_quickly(cw.AdaBoost(trees=10), credit(200)))
    assert sure(Training, verdict.training).fitted != "memorises"


@pytest.mark.parametrize("learner", [cw.Forest(trees=60), cw.Bagging(trees=30)], ids=["forest", "bagging"])
def test_rows_out_of_bag_keep_their_truth_where_weights_have_parts(learner: Any) -> None:
    table = credit(200)
    weights = np.random.default_rng(3).uniform(0.5, 2, 200)
    table = replace(table, weights=weights, weights_are="sampling")
    study = study_judged_quickly(learner, table)
    given = study.out_of_bag
    assert isinstance(given, ClassPredictions)
    assert (given.truth == table.target[given.places]).all()
    assert (given.weights == as_counts(table).weights[given.places]).all()  # type: ignore[index]
    wrong = float(given.weights @ (given.truth != given.answers) / given.weights.sum())
    assert wrong == pytest.approx(study.model.out_of_bag.values[-1])  # type: ignore[union-attr]


@pytest.mark.parametrize("learner", [cw.Forest(trees=60), cw.Bagging(trees=30)], ids=["forest", "bagging"])
def test_rows_out_of_bag_keep_their_classes_in_whatever_order_these_are_declared(learner: Any) -> None:
    table = credit(200)
    target = table.schema.target
    assert isinstance(target, Nominal)
    turned = replace(
        table,
        schema=replace(table.schema, target=replace(target, values=target.values[::-1])),
        columns={**table.columns, target.name: (1 - table.target).astype(np.int32)},
    )
    one, other = (study_judged_quickly(learner, each).out_of_bag for each in (table, turned))
    assert isinstance(one, ClassPredictions)
    assert isinstance(other, ClassPredictions)
    assert (one.shares == other.shares[:, ::-1]).all()


def test_rows_out_of_bag_keep_their_number_where_numbers_have_parts() -> None:
    chance = np.random.default_rng(4)
    x = chance.normal(0, 1, 150)
    table = cw.read_table({"x": x, "y": np.round(30 * x + chance.normal(0, 3, 150), 1)}, target="y")
    given = study_judged_quickly(cw.Forest(trees=60), table).out_of_bag
    assert isinstance(given, NumberPredictions)
    assert (given.truth == table.target[given.places]).all()
    assert np.corrcoef(given.truth, given.answers)[0, 1] > 0.9


def test_a_single_row_is_not_judged() -> None:
    table = cw.read_table({"x": [1.0], "y": ["a"]}, target="y")
    verdict = study_verdict(study_judged_quickly(cw.CART(), table))
    assert verdict.judged_by == "training rows"
    assert headline(verdict) == "Not evaluated on rows that it was not learned from."


def test_a_study_of_a_cutoff_has_no_accuracy_in_its_verdict() -> None:
    recipe = cw.Recipe(cw.NaiveBayes(), after=(cw.Deciding(cutoff=cw.ForRecall("bad", 0.8)),))
    verdict = study_verdict(study_of(recipe, credit(), cw.Folds(5)))
    assert verdict.at_cutoff is not None
    assert "ccuracy" not in " ".join(verdict.to_json()["sentences"])


@pytest.mark.slow
def test_reports_and_choices_begin_with_the_verdict() -> None:
    table = credit()
    page = cw.report(table, learner=cw.CART(max_depth=2)).html
    assert page.index('id="verdict"') < page.index('id="data"')
    assert '<div class="verdict"><p><strong>' in page
    lead = page.split("</header>", 1)[0]
    assert "predicts" in lead
    assert "% correctly" not in lead
    choice = cw.choose(table, [cw.CART(max_depth=2), cw.NaiveBayes()], design=cw.Folds(3))
    assert str(choice).startswith("│ Verdict: ")
    assert choice.to_json()["verdict"]["standing"] == choice.verdict.standing
    assert choice.verdict.constant is not None
    assert choice.verdict.constant.by == "Nadeau–Bengio over 3 parts, allowing for 2 contenders"
    assert choice.report().html.index('id="verdict"') < choice.report().html.index('id="choice"')


@pytest.mark.slow
def test_a_boosted_model_is_not_led_in_by_its_training_loss_alone() -> None:
    page = cw.report(credit(), learner=cw.Boosting(trees=40)).html
    model = page.split('id="model"', 1)[1]
    assert model.index("Log loss on rows not learned from") < model.index("on training rows")


def test_an_edit_of_curves_is_judged_by_the_costs_of_the_model() -> None:
    table = credit()
    gam = cw.GAM(pairs=0).learn(table)
    gam = replace(gam, decision=Decision(costs=((0.0, 1.0), (5.0, 0.0))))
    edited = cw.flatten(gam, "noise0")
    text = str(cw.compare_curves(gam, edited, table))
    assert "a row costs" in text
    evaluation = cw.evaluate(gam, table)
    assert isinstance(evaluation, ClassEvaluation)
    assert evaluation.cost is not None
    assert f"a row costs {evaluation.cost.per_row:.4g}, " in text


def test_a_leak_stands_in_the_box_before_the_score_on_every_page() -> None:
    columns = {"x": [k % 7 for k in range(200)], "paid": [("no", "yes")[k % 2] for k in range(200)]}
    table = cw.read_table(columns | {"late": [("yes", "no")[k % 2] for k in range(200)]}, target="late")
    page = cw.report(table, learner=cw.C45()).html
    box = page[page.index('<div class="verdict">') : page.index("</ul>", page.index('<div class="verdict">'))]
    assert box.index('data-about="leak"') < box.index('data-about="score"')
    choice = cw.choose(table, [cw.C45()])
    assert "alone predicts the class of 100 % of the rows" in box
    assert remarks(choice.verdict)[0].about == "leak"
    assert choice.verdict.to_json()["leaks"]


def made_classes(rows: int = 240) -> cw.Table:
    chance = np.random.default_rng(11)
    x, z = chance.normal(size=(2, rows))
    y = np.where(chance.random(rows) < 1 / (1 + np.exp(-x - z)), "bad", "good")
    return cw.read_table({"x": x, "z": z, "y": y}, target="y")


def test_the_slope_of_folds_has_the_interval_that_scores_give_it() -> None:
    predictions = judged(1.0, 400, parts=5)
    slope = cw.scores(predictions, positive="bad")["calibration_slope"]
    verdict = verdict_of(predictions, MOSTLY_GOOD, judged_by="folds", positive="bad")
    assert verdict.probabilities is not None
    assert verdict.probabilities.slope_interval == slope.interval


@pytest.mark.parametrize("folds", [None, 5])
def test_a_report_has_one_interval_of_the_slope(folds: int | None) -> None:
    table = made_classes()
    page = cw.report(table, learner=cw.CART(max_depth=3), folds=folds, test_part=None if folds else 0.4).html
    told = re.search(r"calibration slope \S+ \((\S+) to (\S+?)\)", page)
    cells = re.search(r"calibration slope</.*?<td[^>]*>[^<]*<.*?(−?[\d.]+) to (−?[\d.]+)<", page, re.S)
    assert told is not None
    assert cells is not None
    # The sentence has fewer digits than the table.
    for short, full in zip(told.groups(), cells.groups(), strict=True):
        assert short == two_decimals(full)


def two_decimals(number: str) -> str:
    return f"{float(number.replace('−', '-')):.2f}".replace("-", "−")


def test_the_slope_of_one_held_out_part_has_the_interval_of_rows_drawn_anew() -> None:
    """The likelihood's curvature gave .38 to .50 where a report drew .33 to .55: probabilities of 0 and 1 lie
    on no line of log odds."""
    chance = np.random.default_rng(0)
    x = chance.normal(size=(3, 2400))
    bad = chance.random(2400) < 1 / (1 + np.exp(1 - x[0] - x[2] ** 2))
    columns = {f"x{place}": column for place, column in enumerate(x)}
    table = cw.read_table({**columns, "y": np.where(bad, "bad", "good")}, target="y")
    study = study_of(cw.CART(max_depth=4, min_leaf=1), table, cw.HoldOut(0.5))
    found = study_verdict(study, "bad").probabilities
    assert found is not None
    assert found.slope_interval is not None
    drawn = score_intervals(("calibration_slope",), study.predictions, Stakes("bad"))["calibration_slope"]
    assert drawn.interval is not None
    assert isinstance(study.predictions, ClassPredictions)
    width = drawn.interval[1] - drawn.interval[0]
    assert found.slope_interval == pytest.approx(drawn.interval, abs=0.15 * width)
    _, by_curvature = slope_and_error(study.predictions, Stakes("bad"))
    assert 2 * 1.96 * by_curvature < 0.85 * width
