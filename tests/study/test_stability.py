"""Stability: what of a model changes with its rows, for every kind of model."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import LearningError, SchemaError, SettingError
from clearwood.study.behaviour.repeated_learning import resampled_tables
from clearwood.study.behaviour.stability import SpreadOver
from tests.study.learners_that_watch import Watched

DAYS = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")


def patients(rows: int = 150, **more: Any) -> cw.Table:
    dice = np.random.default_rng(0)
    age, dose = dice.integers(20, 80, rows), dice.normal(size=rows).round(2)
    ill = np.where(age / 80 + 0.3 * dose + 0.3 * dice.normal(size=rows) > 0.6, "ill", "well")
    side = dice.choice(["left", "right"], rows)
    return cw.read_table({"age": age, "dose": dose, "side": side, **more, "class": ill}, target="class")


def test_roots_sizes_and_agreement_are_those_of_the_models_one_by_one() -> None:
    table = patients()
    learner = cw.CART(max_depth=3)
    sheet = cw.stability(learner, table, samples=12, seed=4)
    models, masks = [], []
    for times, rows in resampled_tables(table, 12, 4):
        models.append(learner.learn(rows))
        masks.append(times == 0)
    roots = Counter(table.schema.attributes[int(model.nodes.attribute[1])].name for model in models)
    assert dict(sheet.roots) == {name: count / 12 for name, count in roots.items()}
    assert sheet.size.mean == pytest.approx(np.mean([model.leaves for model in models]))
    answers = np.array([cw.predict(model, table) for model in models])
    pairs = [np.mean(answers[i] == answers[j]) for i in range(12) for j in range(i)]
    assert sheet.agreement == pytest.approx(np.mean(pairs))
    truth = np.array(table.schema.classes, dtype=object)[table.target]
    scores = [np.mean(answer[mask] == truth[mask]) for answer, mask in zip(answers, masks, strict=True)]
    assert sheet.score.mean == pytest.approx(np.mean(scores))
    assert sheet.score.deviation == pytest.approx(np.std(scores, ddof=1))
    most = [max(Counter(answers[:, row]).values()) for row in range(len(table))]
    assert sheet.in_doubt == sum(each < 9 for each in most)
    by_row = []
    for row in range(len(table)):
        apart = [answers[i][row] for i in range(12) if masks[i][row]]
        equal = [one == other for i, one in enumerate(apart) for other in apart[:i]]
        by_row.append(np.mean(equal) if equal else np.nan)
    assert sheet.agreement_apart == pytest.approx(np.nanmean(by_row))


def test_what_always_learns_the_same_is_wholly_stable() -> None:
    sheet = cw.stability(cw.CART(max_depth=0), DAYS, samples=5)
    assert sheet.roots == (("", 1.0),)
    assert sheet.columns == ()
    assert sheet.rules == ()
    assert sheet.rules_in_common == 1.0
    assert "(no split)" in str(sheet)
    assert cw.charts.stability(sheet).alt.endswith("100 % have the root (no split).")


def test_rules_that_recur_are_counted_with_their_thresholds_at_quantiles() -> None:
    sheet = cw.stability(cw.ID3(), DAYS, samples=30)
    assert sheet.rules is not None
    overcast = next(rule for rule in sheet.rules if str(rule.when[0]) == "Outlook = Overcast")
    root = dict(sheet.roots)["Outlook"]
    assert overcast.part <= root
    assert overcast.in_whole
    assert overcast.inside == (0.0, 4.0)
    assert [rule.part for rule in sheet.rules] == sorted((rule.part for rule in sheet.rules), reverse=True)
    assert "* in" in str(sheet)


def test_rule_lists_are_compared_by_their_rules() -> None:
    sheet = cw.stability(cw.RIPPER(), patients(), samples=10, least=0.1)
    assert sheet.rules
    assert sheet.roots == ()
    assert sheet.rules_in_common is not None
    assert 0 <= sheet.rules_in_common < 1
    assert "rules that two models share" in str(sheet)


def test_weights_are_compared_by_their_signs() -> None:
    table = patients()
    sheet = cw.stability(cw.Logistic(penalty="l2"), table, samples=8, seed=1)
    by_name = {term.name: term for term in sheet.terms}
    weights = []
    for _, rows in resampled_tables(table, 8, 1):
        model = cw.Logistic(penalty="l2").learn(rows)
        place = [str(term) for term in model.terms].index("dose")
        weights.append(model.weights[0][place])
    assert by_name["dose"].mean == pytest.approx(np.mean(weights))
    assert by_name["dose"].deviation == pytest.approx(np.std(weights, ddof=1))
    assert by_name["dose"].alike == 1.0
    assert "same sign" in str(sheet)
    assert sheet.rules is None


def test_curves_are_compared_by_their_size_and_likeness() -> None:
    sheet = cw.stability(cw.GAM(bags=2, rounds=40, pairs=0), patients(), samples=4)
    by_name = {term.name: term for term in sheet.terms}
    assert by_name["dose"].mean > by_name["side"].mean
    assert by_name["dose"].alike > 0.7
    assert -1 <= by_name["side"].alike <= 1
    assert "mean points" in str(sheet)


@pytest.mark.parametrize(
    "learner", [cw.NaiveBayes(), cw.Forest(trees=5), cw.Bagging(of=cw.NaiveBayes(), trees=3)]
)
def test_other_kinds_are_compared_by_their_columns(learner: Any) -> None:
    sheet = cw.stability(learner, patients(), samples=4)
    assert {each.name for each in sheet.columns} == {"age", "dose", "side"}
    weighed = sheet.columns[0].importance is not None
    assert weighed == (not isinstance(learner, cw.Bagging))
    assert sheet.rules is None
    assert cw.charts.stability(sheet).alt.startswith("Stability of")


def test_numbers_are_compared_by_how_far_they_differ() -> None:
    x = np.random.default_rng(0).random(100)
    table = cw.read_table({"x": x, "y": 10 * x}, target="y")
    sheet = cw.stability(cw.CART(max_depth=2), table, samples=6)
    answers = np.array(
        [cw.predict(cw.CART(max_depth=2).learn(rows), table) for _, rows in resampled_tables(table, 6, 0)]
    )
    squares = [(answers[i] - answers[j]) ** 2 for i in range(6) for j in range(i)]
    assert sheet.agreement == pytest.approx(np.sqrt(np.mean(squares)))
    assert sheet.score_name == "RMSE"
    assert sheet.in_doubt == 0
    assert "root mean square" in str(sheet)


def test_groups_are_drawn_whole_and_not_asked_about() -> None:
    table = patients(who=[f"p{i % 15}" for i in range(150)])
    watched = Watched(cw.CART())
    sheet = cw.stability(watched, table, samples=3, group="who")
    assert all("who" not in rows.columns for rows in watched.tables)
    assert "who" not in {each.name for each in sheet.columns}


def test_whole_weights_stand_for_rows_and_others_are_kept() -> None:
    times_seen = np.random.default_rng(1).integers(1, 4, 150)
    cells = {"x": np.arange(150) % 37 / 7, "n": times_seen, "y": ["a", "b"] * 75}
    by_count = cw.read_table(cells, target="y", weight="n")
    assert by_count.weights is not None
    for times, rows in resampled_tables(by_count, 3, 0):
        assert rows.weights is not None
        assert times.sum() == rows.weights.sum() == by_count.weights.sum()
    survey = cw.read_table(
        {"x": np.arange(50) / 7, "w": np.linspace(0.5, 9, 50), "y": ["a", "b"] * 25},
        target="y", weight="w", weights_are="sampling",
    )  # fmt: skip
    assert survey.weights is not None
    for times, rows in resampled_tables(survey, 3, 0):
        assert times.sum() == 50
        assert rows.weights is not None
        assert rows.places is not None
        assert rows.weights == pytest.approx(survey.weights[rows.places] * times[rows.places])


def test_a_row_drawn_twice_is_one_row_of_twice_the_weight() -> None:
    for times, rows in resampled_tables(patients(), 2, 0):
        assert rows.places is not None
        assert len(np.unique(rows.places)) == len(rows.places) == np.count_nonzero(times)


def test_few_rows_and_wrong_requests() -> None:
    three = cw.read_table({"x": [1.5, 2.5, 3.5], "y": ["a", "b", "a"]}, target="y")
    assert cw.stability(cw.CART(), three, samples=4).rows == 3
    with pytest.raises(SettingError, match="samples"):
        cw.stability(cw.CART(), DAYS, samples=1)
    with pytest.raises(SchemaError, match="Name it"):
        cw.stability(cw.CART(), cw.read_table({"x": [1.5, 2.5]}))
    with pytest.raises(LearningError):
        cw.stability(cw.C45(), cw.read_table({"x": [1.5, 2.5, 3], "y": [1.5, 2.5, 7.5]}, target="y"))


def test_the_same_seed_gives_the_same_sheet_as_text_and_as_data() -> None:
    one, again = (cw.stability(cw.C45(), patients(), samples=5, seed=2) for _ in range(2))
    assert one == again
    assert str(one) == str(again)
    told = one.to_json()
    assert told["roots"][0]["name"] == one.roots[0][0]
    assert one.rules is not None
    assert told["rules"][0]["when"] == [str(each) for each in one.rules[0].when]


def test_whoever_watches_sees_models_not_their_members() -> None:
    seen: list[str] = []
    with cw.watching(lambda progress: seen.append(str(progress))):
        cw.stability(cw.Forest(trees=3), patients(), samples=2)
    assert seen == ["1 of 3 models", "2 of 3 models", "3 of 3 models"]


def test_large_sizes_are_written_out() -> None:
    sheet = cw.stability(cw.CART(), patients(), samples=3)
    large = replace(sheet, size=SpreadOver(2940.4, 201.7, 2710.0, 3420.0), whole_size=696)
    assert "2,940 ± 202 (2,710 to 3,420) leaves; 696 from all rows" in str(large)


def test_the_share_of_a_squared_error_that_depends_on_the_sample_is_that_of_the_variance() -> None:
    spread = SpreadOver(4.0, 0.1, 3.8, 4.2)
    sheet = cw.Stability(
        learner="CART", samples=9, rows=50, classes=(), size=spread, unit="leaves", whole_size=4,
        score_name="RMSE", score=spread, agreement=2.0, agreement_apart=2.0, in_doubt=0, columns=(),
    )  # fmt: skip
    (sentence,) = sheet.conclusions
    assert "about 12 % of the squared error depends on the sample" in sentence  # 2² ÷ 2 ÷ 4²


def test_a_first_split_of_few_models_may_not_be_relied_on() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    sheet = replace(cw.stability(cw.ID3(), table, samples=5), roots=(("Wind", 0.4),), whole_root="Outlook")
    assert sheet.conclusions[0] == (
        "The first split may not be relied on: no more than 40 % of the models split on Wind first. "
        "The model of all rows splits on Outlook first."
    )
