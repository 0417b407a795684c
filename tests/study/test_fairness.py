"""Groups: rates, gaps and ratios are counted right, and where rows are too few no figure is given."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from statsmodels.stats.proportion import confint_proportions_2indep

import clearwood as cw
from clearwood.checking.assertions.score import ScoreWithin
from clearwood.errors import SchemaError, SettingError
from clearwood.measures.inference import difference_interval, ratio_interval, wilson
from clearwood.scoring.by_group import NamedGroups, groups_in_source, named_groups, rates_by_group
from clearwood.scoring.predictions import ClassPredictions
from clearwood.study.fairness.groups import (
    protect,
    scores_of_groups,
    with_fairness,
    with_fairness_of_model,
)
from clearwood.study.profiling import profile_of
from clearwood.study.study import study_of
from clearwood.table.attributes import Ignored
from clearwood.table.schema import in_rows
from clearwood.table.sources import read_raw


def predictions(truth: Any, answers: Any, weights: Any = None) -> ClassPredictions:
    truth, answers = np.array(truth), np.array(answers)
    rows = len(truth)
    return ClassPredictions(
        classes=("good", "bad"),
        truth=truth,
        answers=answers,
        shares=np.full((rows, 2), 0.5),
        weights=np.ones(rows) if weights is None else np.array(weights, dtype=float),
        places=np.arange(rows),
        part=np.zeros(rows, dtype=np.int64),
    )


def groups(of: Any) -> NamedGroups:
    return NamedGroups("sex", ("f", "m"), np.array(of))


def credit(rows: int = 600, seed: int = 0) -> cw.Table:
    """Women are refused more often, by a column that tells their sex."""
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 2, rows)
    height = np.where(sex == 1, 180, 166) + rng.normal(size=rows) * 5
    bad = rng.random(rows) < np.where(sex == 1, 0.2, 0.6)
    return cw.read_table(
        {
            "sex": np.where(sex == 1, "m", "f"),
            "height": height.round(1),
            "noise": rng.normal(size=rows).round(2),
            "class": np.where(bad, "bad", "good"),
        },
        target="class",
    )


@pytest.mark.parametrize("counts", [(56, 70, 48, 80), (5, 56, 0, 29), (9, 10, 3, 10)])
def test_intervals_of_differences_and_ratios_are_statsmodels(counts: tuple[int, int, int, int]) -> None:
    low, high = difference_interval(*counts)
    assert (low, high) == pytest.approx(confint_proportions_2indep(*counts, method="newcomb", compare="diff"))
    ratio = ratio_interval(*counts)
    if ratio is None:
        assert counts[2] == 0
    else:
        theirs = confint_proportions_2indep(*counts, method="log", compare="ratio")
        assert ratio == pytest.approx(theirs, rel=1e-6)


def test_rates_gaps_and_ratios_are_counted_by_hand() -> None:
    # f: 20 rows, 10 bad, 8 answered bad of which 6 are; m: 40 rows, 10 bad, 10 answered bad of which 5 are.
    truth = [1] * 10 + [0] * 10 + [1] * 10 + [0] * 30
    answers = [1] * 6 + [0] * 4 + [1] * 2 + [0] * 8 + [1] * 5 + [0] * 5 + [1] * 5 + [0] * 25
    table = rates_by_group(predictions(truth, answers), groups([0] * 20 + [1] * 40), "bad", favourable="good")
    f, m = table.groups
    assert f.rates["selected"].value == 12 / 20
    assert f.rates["recall"].value == 6 / 10
    assert f.rates["false_alarms"].value == 2 / 10
    assert m.rates["precision"].value == 5 / 10
    assert m.rates["accuracy"].value == 30 / 40
    assert table.reference == "m"
    (gap,) = table.gaps["selected"]
    assert gap.gap == pytest.approx(12 / 20 - 30 / 40)
    assert gap.interval == pytest.approx(difference_interval(12, 20, 30, 40))
    (ratio,) = table.ratios
    assert ratio.group == "f"
    assert ratio.ratio == pytest.approx(0.8)
    assert ratio.shown == "open"
    assert ratio.verdict == "open: the figure is at least 0.8, but the interval includes 0.8"
    assert not f.rates["precision"].is_given  # 8 rows answered bad
    assert table.gaps["precision"] == ()
    assert "f: too few rows for precision (8 rows predicted bad)." in str(table)
    assert json.loads(json.dumps(table.to_json()))["groups"][0]["precision"]["value"] is None


def test_a_group_without_positives_one_group_and_rows_left_unanswered() -> None:
    alone = rates_by_group(predictions([0, 1] * 10, [0, 1] * 10), groups([0] * 20), "bad")
    assert "There is one group: nothing to compare." in str(alone)
    assert alone.ratios == ()
    none = rates_by_group(
        predictions([0] * 20 + [0, 1] * 10, [0] * 20 + [1, -1] * 10), groups([0] * 20 + [1] * 20), "bad"
    )
    assert np.isnan(none.groups[0].rates["recall"].value)
    assert none.shows_answered
    assert none.groups[1].rates["answered"].value == 0.5
    assert "predicted at all" in str(none)
    nobody = rates_by_group(predictions([0, 1] * 20, [0] * 40), groups([0] * 20 + [1] * 20), "bad")
    assert nobody.ratios == ()  # no group is answered bad: there is no largest rate


def test_weights_count() -> None:
    table = rates_by_group(
        predictions([1] * 40, [1, 0] * 20, [3, 1] * 20), groups([0] * 20 + [1] * 20), "bad"
    )
    assert table.groups[0].rates["recall"].value == 0.75


def test_numbers_are_quarters_and_empty_cells_a_group() -> None:
    rows = {"age": [*range(20, 60), None], "y": ["a", "b"] * 20 + ["a"]}
    found = named_groups(cw.read_table(rows, target="y"), "age")
    assert found.names == ("≤ 29", "29 to 39", "39 to 49", "> 49", "(missing)")
    assert np.bincount(found.of).tolist() == [10, 10, 10, 10, 1]
    raw = groups_in_source(read_raw(rows), "age")
    assert raw.names == found.names
    with pytest.raises(cw.errors.ColumnError, match="No column 'agee'"):
        groups_in_source(read_raw(rows), "agee")


def test_a_model_is_judged_by_a_column_that_it_never_saw() -> None:
    table = credit()
    model = cw.CART(max_depth=2).learn(protect(table, ["sex"]))
    assert model.schema["sex"] == Ignored("sex", "it is protected")
    found = cw.by_group(model, table, "sex", positive="bad", favourable="good")
    assert found.gaps["selected"][0].gap != 0
    records = [
        {"sex": "m" if k % 2 else "f", "height": 180.0 - 14 * (k % 2), "noise": 0.0, "class": "bad"}
        for k in range(40)
    ]
    assert [each.group for each in cw.by_group(model, records, "sex", positive="bad").groups] == ["f", "m"]
    with pytest.raises(SchemaError, match="left out"):
        cw.by_group(model, protect(table, ["sex"]), "sex", positive="bad")


def test_the_positive_class_is_that_of_the_training_rows_whichever_rows_are_evaluated() -> None:
    """Among the training rows b is rare, among those evaluated a."""
    rows = {"x": [k % 9 for k in range(270)], "sex": ["f", "m"] * 135, "y": list("aab" * 90)}
    table = cw.read_table(rows, target="y")
    model = replace(cw.CART(max_depth=2).learn(table), profile=profile_of(table))
    chosen = np.r_[np.flatnonzero(table.target == 1), np.flatnonzero(table.target == 0)[:20]]
    mostly_b = table.take(chosen)
    assert cw.by_group(model, mostly_b, "sex").positive == "b"
    assert cw.by_group(model, mostly_b, "sex", favourable="b").positive == "a"
    assert cw.by_group(replace(model, profile=None), mostly_b, "sex").positive == "a"
    with_lift = cw.scores_by_group(model, mostly_b, "sex").scores["f"]
    assert with_lift == cw.scores_by_group(model, mostly_b, "sex", positive="b").scores["f"]
    asserted = cw.check(model, [ScoreWithin(score="recall", at_least=0.0)], mostly_b)
    assert "recall of b is" in str(asserted)


def test_scores_by_group_have_intervals_and_small_groups_none() -> None:
    table = credit(200)
    few = table.take(np.concatenate([np.flatnonzero(table.columns["sex"] == 0), [0]]))
    model = cw.NaiveBayes().learn(table)
    found = cw.scores_by_group(model, table, "sex", positive="bad")
    assert [each.name for each in found.scores["f"]] == ["accuracy", "auc", "log_loss", "brier"]
    assert all(each.interval is not None for each in found.scores["f"])
    assert found.to_json()["groups"][0]["scores"]["auc"]["interval"] is not None
    small = cw.scores_by_group(model, few, "sex")
    assert len(small.scores) >= 1
    numbers = cw.read_table(
        {"x": [1.0, 2.0] * 20, "g": list("aabb") * 10, "y": [1.5, 2.5] * 20},
        target="y",
        kinds={"y": "numeric"},
    )
    errors = cw.scores_by_group(cw.CART().learn(numbers), numbers, "g")
    assert errors.scores["a"][0].name == "rmse"
    with pytest.raises(SettingError, match="predicts numbers"):
        cw.by_group(cw.CART().learn(numbers), numbers, "g")


def test_a_proxy_is_found_and_noise_is_none() -> None:
    found = cw.proxies(credit(), "sex")
    assert found.columns[0].column == "height"
    assert found.score > 0.9
    assert "above all by height" in found.verdict
    rng = np.random.default_rng(1)
    noise = cw.read_table(
        {"g": rng.choice(["a", "b"], 300), "x": rng.normal(size=300), "y": rng.choice(["c", "d"], 300)},
        target="y",
    )
    assert abs(cw.proxies(noise, "g").score - 0.5) < 0.1
    ages = {"age": range(60), "years": range(60), "y": ["a", "b"] * 30}
    kinds = {"age": "numeric", "years": "numeric"}
    age = cw.proxies(cw.read_table(ages, target="y", kinds=kinds), "age")
    assert age.score_name == "R²"
    assert age.score > 0.8


def test_the_area_of_a_proxy_is_the_mean_over_the_folds() -> None:
    rng = np.random.default_rng(1)
    columns = {"x": rng.normal(size=90), "g": rng.choice(["a", "b"], 90)}
    found = cw.proxies(
        cw.read_table({**columns, "y": rng.choice(["c", "d"], 90)}, target="y"),
        "g",
        learner=cw.CART(min_leaf=5),
    )
    folds = cw.cross_validate(
        cw.CART(min_leaf=5), cw.read_table(columns, target="g"), design=cw.Folds(5)
    ).predictions
    assert isinstance(folds, ClassPredictions)
    areas = [
        roc_auc_score(folds.truth[here], folds.shares[here, 1])
        for here in (folds.part == k for k in range(5))
    ]
    assert found.score == pytest.approx(np.mean(areas))
    assert found.score != pytest.approx(roc_auc_score(folds.truth, folds.shares[:, 1]), abs=1e-3)


def test_too_few_rows_to_rank_say_so() -> None:
    rows = {"x": [1.0, 2.0, 3.0], "g": ["a", "b", "b"], "y": ["c", "d", "c"]}
    found = cw.proxies(cw.read_table(rows, target="y", kinds={"x": "numeric", "g": "nominal"}), "g", folds=3)
    assert "too few rows" in found.verdict
    assert found.to_json()["AUC"] is None


@pytest.mark.parametrize(
    ("columns", "protected", "sentence"),
    [
        ({"g": ["a"] * 6, "x": [1, 2] * 3, "y": list("cd") * 3}, "g", "fewer than two values"),
        ({"g": list("ab") * 3, "y": list("cd") * 3}, "g", "No column is asked"),
        ({"g": list("ab") * 3, "y": list("cd") * 3}, "y", "cannot be protected"),
    ],
)
def test_where_no_proxy_can_be_looked_for_a_sentence_says_so(
    columns: dict[str, Any], protected: str, sentence: str
) -> None:
    with pytest.raises(cw.errors.ClearwoodError, match=sentence):
        cw.proxies(cw.read_table(columns, target="y", kinds={"g": "nominal"}), protected)


@pytest.mark.parametrize("design", [cw.HoldOut(0.4), cw.Folds(3, repeats=2)])
def test_a_study_compares_the_groups_on_rows_that_judge(design: Any) -> None:
    table = credit(300)
    study = replace(study_of(cw.C45(), protect(table, ["sex"]), design), positive="bad")
    fair = with_fairness(study, table, ["sex"], favourable="good").fairness
    assert fair is not None
    judged = 120 if isinstance(design, cw.HoldOut) else 300
    assert sum(each.rows for each in fair.groups[0].groups) == pytest.approx(judged)
    assert "held out" in fair.on or "held-out" in fair.on
    assert set(fair.to_json()) == {"on", "groups", "proxies"}


def test_a_rate_of_sampled_rows_is_of_the_rows_that_speak_for_it() -> None:
    # 30 men of weight 30, 900 women of weight 1: half of each are bad, and all answers are right.
    sex, truth = np.repeat([1, 0], [30, 900]), np.arange(930) % 2
    weights = in_rows(np.where(sex == 1, 30.0, 1.0), "sampling")
    given = replace(predictions(truth, truth, weights), weights_are="sampling")
    of_men = rates_by_group(given, groups(sex), "bad").groups[1].rates["recall"]
    assert of_men.total == pytest.approx(15)
    assert of_men.interval == pytest.approx(tuple(map(float, wilson(15, 15))))


def test_a_gap_between_sampled_groups_is_beyond_chance_only_by_their_rows() -> None:
    sex = np.repeat([1, 0], [30, 900])
    truth, answers = np.ones(930, dtype=int), np.ones(930, dtype=int)
    answers[:3], answers[30:60] = 0, 0  # recalls of 0.9 and 0.967
    weights = in_rows(np.where(sex == 1, 30.0, 1.0), "sampling")
    given = replace(predictions(truth, answers, weights), weights_are="sampling")
    (gap,) = rates_by_group(given, groups(sex), "bad").gaps["recall"]
    assert gap.interval == pytest.approx(
        difference_interval(870, 900, 27, 30) if gap.group == "f" else difference_interval(27, 30, 870, 900)
    )


def test_a_rate_of_few_heavy_rows_is_not_given_however_much_they_weigh() -> None:
    sex, truth = np.repeat([1, 0], [8, 900]), np.arange(908) % 2
    weights = in_rows(np.where(sex == 1, 100.0, 1.0), "sampling") * 20
    given = replace(predictions(truth, truth, weights), weights_are="sampling")
    assert not rates_by_group(given, groups(sex), "bad").groups[1].rates["accuracy"].is_given
    assert "m" not in scores_of_groups(given, groups(sex), positive="bad").scores


def test_the_four_fifths_verdicts_hold_for_all_groups_together() -> None:
    of = np.repeat([0, 1, 2, 3], 100)
    answers = np.concatenate([np.arange(100) < count for count in (90, 60, 85, 88)]).astype(int)
    named = NamedGroups("region", ("a", "b", "c", "d"), of)
    ratios = rates_by_group(predictions(answers, answers), named, "bad").ratios
    assert [each.group for each in ratios] == ["b", "c", "d"]
    assert ratios[0].interval == ratio_interval(60, 100, 90, 100, 1 - 0.05 / 3)
    assert ratios[0].verdict == "open: the figure is below 0.8, but the interval includes 0.8"
    alone = rates_by_group(predictions(answers[:200], answers[:200]), named.take(np.arange(200)), "bad")
    assert alone.ratios[0].verdict == "shown to be below four fifths"


@pytest.mark.parametrize(
    ("one", "other", "rows", "shown"),
    [
        (12, 21, 30, "open"),  # 0.571, 0.348 to 0.939: the gap is beyond chance, not that it is over a fifth
        (25, 30, 30, "open"),  # 0.833, 0.710 to 0.978
        (250, 700, 1000, "below"),
        (940, 1000, 1000, "at least"),
    ],
)
def test_what_is_said_of_four_fifths_is_what_the_interval_shows(
    one: int, other: int, rows: int, shown: str
) -> None:
    answers = np.r_[np.arange(rows) < one, np.arange(rows) < other].astype(int)
    (ratio,) = rates_by_group(
        predictions(answers, answers), groups([0] * rows + [1] * rows), "bad", favourable="bad"
    ).ratios
    assert ratio.interval is not None
    assert ratio.shown == shown
    if shown == "open":
        assert ratio.interval[0] < 0.8 <= ratio.interval[1]
        assert ratio.verdict.startswith("open: ")
        assert "chance" not in ratio.verdict
    else:
        assert ratio.verdict == f"shown to be {shown} four fifths"


def test_a_reference_of_few_rows_is_named_as_such() -> None:
    answers = np.r_[np.arange(200) < 100, np.arange(13) < 12].astype(int)
    table = rates_by_group(predictions(answers, answers), groups([0] * 200 + [1] * 13), "bad")
    assert table.most_selected == "m"
    assert "relative to m, the group most often predicted bad, which has 13 rows" in str(table)
    assert any("13 rows" in each for each in table.to_json()["not_given"])
    large = rates_by_group(predictions(answers[:200], answers[:200]), groups([0] * 100 + [1] * 100), "bad")
    assert "uncertain" not in str(large)


def test_a_score_about_a_class_is_not_given_of_a_group_with_few_rows_of_it() -> None:
    truth = np.r_[np.arange(100) < 40, np.arange(60) < 7].astype(int)
    made = scores_of_groups(
        predictions(truth, truth), groups([0] * 100 + [1] * 60), positive="bad", only=("recall",)
    )
    assert made.scores["f"][0].value == 1.0
    assert np.isnan(made.scores["m"][0].value)
    assert made.scores["m"][0].why == "too few rows of bad (7)"


def test_a_column_that_rows_are_divided_by_is_no_proxy() -> None:
    table = credit(400)
    customer = [f"{'fm'[code]}{k % 20}" for k, code in enumerate(np.asarray(table.columns["sex"]))]
    raw = {
        "customer": customer,
        "sex": [row[0] for row in customer],
        "noise": table.columns["noise"],
        "class": np.array(table.schema.classes)[table.target],
    }
    whole = cw.read_table(raw, target="class", kinds={"customer": "nominal"})
    study = study_of(cw.CART(max_depth=2), protect(whole, ["sex"]), cw.Folds(5, group="customer"))
    fairness = with_fairness(study, whole, ["sex"]).fairness
    assert fairness is not None
    (found,) = fairness.proxies
    assert [each.column for each in found.columns] == ["noise"]
    assert found.score < 0.65


def test_a_rate_of_all_or_none_is_as_uncertain_as_its_rows() -> None:
    """12 of 12 may be 8 in 10, so that 190 of 300 is not shown to be below four fifths of it; 0 of 300 is."""
    of = np.repeat([0, 1, 2], [300, 12, 300])
    answers = np.concatenate([np.arange(300) < 190, np.arange(12) < 12, np.arange(300) < 0]).astype(int)
    named = NamedGroups("region", ("a", "b", "c"), of)
    a, c = rates_by_group(predictions(answers, answers), named, "bad").ratios
    assert a.verdict == "open: the figure is below 0.8, but the interval includes 0.8"
    assert c.verdict == "shown to be below four fifths"
    rng, hit = np.random.default_rng(1), []
    for x, y in zip(rng.binomial(30, 0.8, 2000), rng.binomial(30, 0.98, 2000), strict=True):
        ends = ratio_interval(int(x), 30, int(y), 30)
        assert ends is not None
        hit.append(ends[0] <= 0.8 / 0.98 <= ends[1])
    assert 0.93 < np.mean(hit) < 0.975  # 0.90 where a proportion of 1 was certain


def test_the_prediction_that_people_want_is_a_guess_only_where_nobody_named_it() -> None:
    given = predictions([0, 1] * 40, [0, 0, 1, 1] * 20)
    of = groups([0] * 40 + [1] * 40)
    assert "This takes good for the prediction that people want" in str(rates_by_group(given, of, "good"))
    for named in ("good", "bad"):
        assert "name it if not" not in str(rates_by_group(given, of, "good", favourable=named))


def test_groups_of_a_source_stand_in_an_order_of_their_own() -> None:
    cells = {"g": ["b", "a10", "a9", None, "b"], "x": [1.0, 2.0, 3.0, 4.0, 5.0]}
    found = groups_in_source(read_raw(cells), "g")
    assert found.names == ("a9", "a10", "b", "(missing)")
    assert found.of.tolist() == [2, 1, 0, 3, 2]


def test_groups_are_read_as_the_model_reads_their_column() -> None:
    cells = {"sex": ["M", "m", "f", "999"] * 10, "x": [1, 2, 3, 4] * 10, "y": ["a", "b"] * 20}
    named = {"sex": {"M": "m"}}
    table = cw.read_table(cells, target="y", recode=named, missing={"sex": "999"}, ignore=["sex"])
    model = cw.CART().learn(table)
    assert [each.group for each in cw.by_group(model, cells, "sex", positive="a").groups] == [
        "f",
        "m",
        "(missing)",
    ]
    study = with_fairness_of_model(study_of(cw.CART(), table), cells, ["sex"])
    assert study.fairness is not None
    assert [each.group for each in study.fairness.groups[0].groups] == ["f", "m", "(missing)"]
