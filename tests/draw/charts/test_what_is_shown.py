"""What each chart shows: the numbers in its specification are those that were found."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.draw.palette import class_colours
from clearwood.draw.picture import Picture
from clearwood.scoring.evaluation import ClassEvaluation
from tests.book_tables import book_table
from tests.judging import judged
from tests.shared_data import load_shared
from tests.typed import mistyped


def tennis() -> cw.Table:
    return book_table("tennis", target="PlayTennis")


def records(picture: Picture) -> list[list[dict[str, Any]]]:
    """Every list of data in a specification, in order."""

    def search(part: Any) -> Iterator[list[dict[str, Any]]]:
        if isinstance(part, dict):
            if set(part) == {"values"}:
                yield part["values"]
            for each in part.values():
                yield from search(each)
        elif isinstance(part, list):
            for each in part:
                yield from search(each)

    return list(search(picture.spec))


def texts(picture: Picture) -> list[str]:
    return [re.sub("&#?\\w+;", "?", each) for each in re.findall(r">([^<>]+)</text>", picture.svg)]


def test_a_confusion_matrix_holds_each_count_and_its_part_of_the_true_class() -> None:
    picture = cw.charts.confusion(ClassEvaluation(("No", "Yes"), ((3.0, 2.0), (1.0, 8.0))))
    (cells,) = records(picture)
    assert [(c["true"], c["predicted"], c["weight"], c["right"]) for c in cells] == [
        ("No", "No", 3.0, True), ("No", "Yes", 2.0, False),
        ("Yes", "No", 1.0, False), ("Yes", "Yes", 8.0, True),
    ]  # fmt: skip
    assert [round(c["share"], 3) for c in cells] == [0.6, 0.4, 0.111, 0.889]
    assert {"3", "2", "1", "8", "60 %", "89 %"} <= set(texts(picture))


def test_a_confusion_matrix_shows_what_is_unknown_and_unsaid() -> None:
    evaluation = ClassEvaluation(("a", "b"), ((3.0, 0.0), (1.0, 8.0)), (2.0, 0.0), 0, (1.0, 0.0, 4.0))
    picture = cw.charts.confusion(evaluation)
    (cells,) = records(picture)
    weights = {(c["true"], c["predicted"]): c["weight"] for c in cells}
    assert weights["(unknown)", "a"] == 2.0
    assert weights["(unknown)", "(nothing)"] == 4.0
    assert weights["a", "(nothing)"] == 1.0
    assert sum(weights.values()) == evaluation.weight


def test_a_matrix_without_rows_or_of_numbers_is_refused() -> None:
    with pytest.raises(cw.errors.SettingError, match="no rows"):
        cw.charts.confusion(ClassEvaluation(("a",), ((0.0,),)))
    numbers = cw.evaluate(cw.CART(min_rows=50).learn(load_shared("auto_mpg")), load_shared("auto_mpg"))
    with pytest.raises(cw.errors.SettingError, match="of classes"):
        cw.charts.confusion(mistyped(numbers))


def test_a_roc_curve_keeps_its_corners_and_its_area() -> None:
    table = tennis()
    curve = cw.roc(cw.NaiveBayes().learn(table), table)
    picture = cw.charts.roc(curve)
    points = next(each for each in records(picture) if "class" in each[0])
    x, y = ([point[axis] for point in points] for axis in "xy")
    assert (x[0], y[0], x[-1], y[-1]) == (0.0, 0.0, 1.0, 1.0)
    area = sum((x[i + 1] - x[i]) * (y[i + 1] + y[i]) / 2 for i in range(len(x) - 1))
    assert area == pytest.approx(curve.curves[0].auc, abs=1e-12)
    # 83/90 by exact fractions: a yes and a no have the same share, which rounding once told apart.
    assert points[0]["class"] == "0.922  Yes"
    assert class_colours(table.schema.classes)["Yes"] in picture.svg


def test_precision_and_recall_end_at_the_share_of_the_class() -> None:
    table = tennis()
    picture = cw.charts.precision_recall(cw.roc(cw.NaiveBayes().learn(table), table))
    points = records(picture)[0]
    assert (points[0]["x"], points[-1]["x"]) == (0.0, 1.0)
    assert points[-1]["y"] == pytest.approx(9 / 14)


@pytest.mark.parametrize("chart", ["gains", "lift", "precision_recall", "roc"])
def test_curves_beyond_eight_classes_are_dashed_since_their_colours_look_alike(chart: str) -> None:
    draw = np.random.default_rng(0)
    classes = np.arange(90) % 9
    cells = {"x": (classes + draw.normal(0, 2, 90)).tolist(), "y": [f"class {each}" for each in classes]}
    table = cw.read_table(cells, target="y")
    picture = getattr(cw.charts, chart)(cw.roc(cw.NaiveBayes().learn(table), table))
    dashes = picture.spec["layer"][-1]["encoding"]["strokeDash"]["scale"]["range"]
    assert dashes == [[1, 0]] * 8 + [[6, 3]]


def test_calibration_shows_every_bin_that_has_rows() -> None:
    table = load_shared("diabetes")
    curve = cw.calibration(cw.NaiveBayes().learn(table), table)
    (name,) = curve.reliability
    points = next(each for each in records(cw.charts.calibration(curve)) if "predicted" in each[0])
    bins = [each for each in curve.reliability[name] if each.weight]
    assert [(p["predicted"], p["observed"], p["low"]) for p in points] == [
        (b.predicted, b.observed, b.interval[0]) for b in bins
    ]


def test_class_shares_count_weights() -> None:
    table = cw.read_table(
        {"x": list("abcd"), "w": [1.0, 2.0, 0.5, 4.0], "y": ["p", "q", "p", "q"]}, target="y", weight="w"
    )
    picture = cw.charts.class_shares(table)
    assert [(r["class"], r["weight"]) for r in records(picture)[0]] == [("p", 1.5), ("q", 6.0)]
    assert "6 (80.0 %)" in [" ".join(each.split()) for each in texts(picture)]


def test_bars_stack_to_the_rows_of_each_value() -> None:
    bars, sums = records(cw.charts.distribution(tennis(), "Outlook"))
    assert {(r["value"], r["class"]): r["weight"] for r in bars} == {
        ("Sunny", "No"): 3.0, ("Sunny", "Yes"): 2.0, ("Overcast", "Yes"): 4.0,
        ("Rainy", "No"): 2.0, ("Rainy", "Yes"): 3.0,
    }  # fmt: skip
    assert [(r["value"], r["total"]) for r in sums] == [("Sunny", 5.0), ("Overcast", 4.0), ("Rainy", 5.0)]


@pytest.mark.slow
def test_a_histogram_counts_every_row_once() -> None:
    table = load_shared("adult")
    bars = records(cw.charts.distribution(table, "age"))[0]
    assert sum(bar["weight"] for bar in bars) == len(table)
    for bar in bars[:6]:
        inside = (table.columns["age"] >= bar["low"]) & (table.columns["age"] < bar["high"])
        own = table.target == table.schema.classes.index(bar["class"])
        assert bar["weight"] == (inside & own).sum()


def test_rare_values_stand_together_and_empty_cells_by_themselves() -> None:
    values = [f"v{i:02d}" for i in range(30) for _ in range(i + 2)] + [None] * 5
    table = cw.read_table(
        {"x": values, "y": ["a", "b"] * (len(values) // 2) + ["a"] * (len(values) % 2)}, target="y"
    )
    _, sums = records(cw.charts.distribution(table, "x"))
    assert len(sums) == 21
    assert sums[-2]["value"] == "(11 other values)"
    assert (sums[-1]["value"], sums[-1]["total"]) == ("(missing)", 5.0)
    assert sum(each["total"] for each in sums) == len(values)


def test_tiles_of_a_mosaic_have_the_areas_of_their_counts() -> None:
    tiles = records(cw.charts.mosaic(tennis(), "Outlook"))[0]
    heights = {tile["value"]: tile["bottom"] - tile["top"] for tile in tiles}
    assert heights["Sunny"] / heights["Overcast"] == pytest.approx(5 / 4)
    for tile in tiles:
        total = {"Sunny": 5, "Overcast": 4, "Rainy": 5}[tile["value"]]
        assert tile["right"] - tile["left"] == pytest.approx(320 * tile["weight"] / total, abs=1)


def test_residuals_are_pearson_s() -> None:
    tiles = records(cw.charts.mosaic(load_shared("titanic"), "sex", shade="residual"))[0]
    counts = np.array([[t["weight"] for t in tiles if t["value"] == v] for v in ("female", "male")])
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    actual = [[t["residual"] for t in tiles if t["value"] == v] for v in ("female", "male")]
    assert np.array(actual) == pytest.approx((counts - expected) / np.sqrt(expected))
    assert {t["sign"] for t in tiles} == {"more than expected", "fewer than expected"}


def test_a_mosaic_of_numbers_points_to_the_distribution() -> None:
    with pytest.raises(cw.errors.SettingError, match=r"charts\.distribution"):
        cw.charts.mosaic(load_shared("iris"), load_shared("iris").schema.attributes[0].name)


def test_bars_of_evidence_add_up_to_the_last() -> None:
    table = book_table("buys_computer", target="buys_computer")
    row = {"age": "<=30", "income": "medium", "student": "yes", "credit_rating": "fair"}
    contributions = cw.evidence(cw.NaiveBayes().learn(table), row)
    bars = records(cw.charts.evidence(contributions))[0]
    assert [bar["label"] for bar in bars] == [
        "prior", "age: <=30", "income: medium", "student: yes", "credit_rating: fair", "in all",
    ]  # fmt: skip
    assert sum(bar["odds"] for bar in bars[:-1]) == pytest.approx(bars[-1]["odds"])
    assert bars[-1]["odds"] == pytest.approx(math.log(contributions.shares[1] / contributions.shares[0]))


def test_what_cannot_be_goes_beyond_the_longest_bar_and_says_so() -> None:
    model = cw.NaiveBayes(smoothing=0).learn(tennis())
    bars = records(cw.charts.evidence(cw.evidence(model, {"Outlook": "Overcast", "Wind": "Strong"})))[0]
    overcast = next(bar for bar in bars if bar["label"] == "Outlook: Overcast")
    assert overcast["figure"] == "+∞"
    assert overcast["odds"] == max(bar["odds"] for bar in bars)


def test_odds_ratios_and_intervals_are_the_estimates() -> None:
    table = cw.read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    model = cw.Logistic().learn(table)
    slope = cw.estimates(model)[1]
    rows = next(each for each in records(cw.charts.weights(model)) if "ratio" in each[0])
    assert rows[0]["ratio"] == pytest.approx(slope.odds_ratio)
    assert (rows[0]["low"], rows[0]["high"]) == pytest.approx(slope.odds_interval)
    assert rows[0]["figure"] == "3.37  (0.563 to 20.1)"


def test_separated_terms_point_beyond_the_edge() -> None:
    table = cw.read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aaabbb")}, target="y")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = cw.Logistic().learn(table)
    rows = next(each for each in records(cw.charts.weights(model)) if "ratio" in each[0])
    assert (rows[0]["ratio"], rows[0]["figure"], rows[0]["beyond_high"]) == (None, "∞", True)


def test_a_nomogram_places_each_value_at_its_points_and_shares_under_their_totals() -> None:
    table = book_table("buys_computer", target="buys_computer")
    nomogram = cw.nomogram(cw.NaiveBayes().learn(table), "yes")
    picture = cw.charts.nomogram(nomogram)
    words = next(each for each in records(picture) if "muted" in each[0])
    places = {tuple(word["text"]): word["x"] for word in words}
    for scale in nomogram.scales:
        for tick in scale.ticks:
            assert tick.points is not None
            assert places[(tick.label,)] == pytest.approx(4.6 * tick.points, abs=1e-9)
    total = sum(scale.length for scale in nomogram.scales)
    assert nomogram.share(places[("90 %",)] / 460 * total) == pytest.approx(0.9)


def test_the_cost_complexity_chart_marks_what_was_chosen() -> None:
    chosen = cw.cross_validated_alpha(cw.CART(min_rows=10), load_shared("diabetes"), folds=5, rule="1se")
    lists = records(cw.charts.cost_complexity(chosen))
    steps = next(each for each in lists if len(each) == len(chosen.errors))
    assert [step["error"] for step in steps] == chosen.errors.tolist()
    assert [step["leaves"] for step in steps] == chosen.path.leaves.tolist()
    marked = [each[0] for each in lists if len(each) == 1 and "alpha" in each[0]]
    assert {mark["alpha"] for mark in marked} == {chosen.alpha}


def test_the_overfitting_chart_holds_both_curves() -> None:
    actual = cw.overfitting(cw.CART(min_rows=10), load_shared("diabetes"))
    curve = next(each for each in records(cw.charts.overfitting(actual)) if "training" in each[0])
    assert [point["validation"] for point in curve] == actual.validation.tolist()
    assert [point["training"] for point in curve] == actual.training.tolist()
    assert f"best, {actual.validation[actual.best]:.3f}, at" in cw.charts.overfitting(actual).alt


def test_the_cuts_show_every_gain_and_every_row_s_place() -> None:
    table = book_table("tennis_numeric", target="Play")
    curve = cw.cut_curve(table, "Humidity")
    gains, *_, ticks, _ = records(cw.charts.cuts(curve))
    assert [(r["limit"], r["gain"]) for r in gains] == list(
        zip(curve.limits.tolist(), curve.gains.tolist(), strict=True)
    )
    humid = table.columns["Humidity"].tolist()
    expected = {
        (value, table.schema.classes[code]) for value, code in zip(humid, table.target.tolist(), strict=True)
    }
    assert {(tick["value"], tick["class"]) for tick in ticks} == expected


@pytest.mark.slow
def test_nineteen_classes_are_all_named() -> None:
    table = load_shared("soybean")
    model = cw.NaiveBayes().learn(table)
    for picture in (cw.charts.confusion(judged(model, table)), cw.charts.roc(cw.roc(model, table))):
        answers = "".join(texts(picture))
        for name in table.schema.classes:
            assert name.replace("&", "?") in answers


def test_one_class_alone_is_drawn_or_refused_in_a_sentence() -> None:
    table = cw.read_table({"x": list("abab"), "y": list("pppp")}, target="y")
    assert cw.charts.class_shares(table).alt == "y in 4 rows: p 4 (100 %)."
    assert "a 2, b 2" in cw.charts.distribution(table, "x").alt
    model = cw.NaiveBayes().learn(table)
    assert "None is wrong" in cw.charts.confusion(judged(model, table)).alt
    with pytest.raises(cw.errors.SettingError, match="only class"):
        cw.charts.evidence(cw.evidence(model, {"x": "a"}))


def test_tables_without_rows_or_classes_are_refused_in_a_sentence() -> None:
    table = tennis()
    nothing = table.take(np.array([], dtype=np.int64))
    with pytest.raises(cw.errors.SchemaError, match="no classes to draw"):
        cw.charts.class_shares(nothing)
    for draw in (cw.charts.distribution, cw.charts.mosaic):
        with pytest.raises(cw.errors.SchemaError, match="no rows of 'Wind' to draw"):
            draw(nothing, "Wind")
    numbers = load_shared("auto_mpg")
    with pytest.raises(cw.errors.SchemaError, match="target of classes"):
        cw.charts.class_shares(numbers)
    assert "rows by" not in cw.charts.distribution(numbers, numbers.schema.attributes[0].name).alt


@pytest.mark.parametrize(
    "chart",
    ["calibration", "confusion", "cost_complexity", "cuts", "evidence", "nomogram", "overfitting",
     "precision_recall", "roc"],
)  # fmt: skip
def test_a_model_given_in_place_of_what_was_found_is_told_the_way(chart: str) -> None:
    model = cw.NaiveBayes().learn(tennis())
    with pytest.raises(
        cw.errors.SettingError, match=rf"charts\.{chart} draws the result of \w+\(.*, not a BayesTables"
    ):
        getattr(cw.charts, chart)(model)


def test_rows_that_were_not_read_yet_are_told_the_way() -> None:
    with pytest.raises(cw.errors.SettingError, match=r"Read it first: read_table"):
        cw.charts.class_shares(mistyped([{"x": 1}]))
    with pytest.raises(cw.errors.SettingError, match="is the target itself"):
        cw.charts.mosaic(tennis(), "PlayTennis")


@pytest.mark.parametrize("numbers", [[-1.7e308, 0.0, 1.7e308, 1.0], [1e-310, 2e-310, 3e-310, 4e-310]])
def test_numbers_no_axis_can_hold_are_refused_in_a_sentence(numbers: list[float]) -> None:
    schema = cw.Schema((cw.Numeric("x"),), cw.Nominal("y", ("a", "b")))
    table = cw.encode({"x": numbers, "y": list("abab")}, schema)
    with pytest.raises(cw.errors.SettingError, match="Rescale them"):
        cw.charts.distribution(table, "x")
    with pytest.raises(cw.errors.SettingError, match="Rescale them"):
        cw.charts.cuts(cw.cut_curve(table, "x"))


@pytest.mark.slow
@pytest.mark.parametrize("unit", [1e-9, 1e-3, 1e6])
def test_odds_ratios_in_any_unit_are_drawn_or_pointed_at(unit: float) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=60)
    y = np.where(x + rng.normal(size=60) > 0, "b", "a")
    table = cw.read_table({"x": (x * unit).tolist(), "y": y.tolist()}, target="y")
    rows = next(each for each in records(cw.charts.weights(cw.Logistic().learn(table))) if "ratio" in each[0])
    assert (rows[0]["ratio"] is None) == (unit < 1e-2)
    assert rows[0]["beyond_high"] == (unit < 1e-2)


def test_curves_of_the_same_rows_are_lines_of_their_own() -> None:
    """AdaBoost keeps two, of all members and of each: one line would join them to a saw-tooth."""
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    picture = cw.charts.learning(cw.AdaBoost(trees=12).learn(table))
    assert picture.spec is not None
    line = picture.spec["layer"][0]
    assert line["encoding"]["color"]["field"] == "curve"
    points = [(each["curve"], each["members"]) for each in line["data"]["values"]]
    assert len(points) == len(set(points)) == 24
    assert {curve for curve, _ in points} == {"error", "weighted error of the member"}
    assert "training rows and training rows" not in picture.alt
