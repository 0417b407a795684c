"""Bias and variance: the parts of a learner's error over samples, with noise known or not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import LearningError, SchemaError, SettingError
from clearwood.study.behaviour.repeated_learning import resampled_tables
from tests.study.learners_that_watch import Watched
from tests.typed import mistyped


def two_classes(rows: int = 150, seed: int = 0) -> tuple[dict[str, Any], np.ndarray[Any, Any]]:
    """Columns, and the probability of class b; the boundary needs several cuts."""
    dice = np.random.default_rng(seed)
    x, z = dice.random(rows).round(3), dice.random(rows).round(3)
    probability = np.where((x > 0.5) ^ (z > 0.5), 0.9, 0.1)
    y = np.where(dice.random(rows) < probability, "b", "a")
    return {"x": x, "z": z, "y": y}, probability


def of_two_classes(rows: int = 150, seed: int = 0) -> cw.Table:
    return cw.read_table(two_classes(rows, seed)[0], target="y")


def numbers(rows: int = 120) -> tuple[cw.Table, np.ndarray[Any, Any]]:
    dice = np.random.default_rng(1)
    x = dice.random(rows).round(3)
    mean = np.sin(6 * x)
    return cw.read_table({"x": x, "y": mean + 0.3 * dice.normal(size=rows)}, target="y"), mean


def test_the_error_is_the_mean_over_models_learned_from_the_same_samples_by_hand() -> None:
    table = of_two_classes()
    learner = cw.CART(min_rows=2)
    parts = cw.bias_variance(learner, table, samples=6, part=0.4, seed=3).learners[0]
    train, test = cw.hold_out(table, 0.4, 3)
    models = [learner.learn(rows) for _, rows in resampled_tables(table.take(train), 6, 3)]
    held = table.take(test)
    wrong = [float((cw.predict(model, held) != names(held)).mean()) for model in models]
    assert parts.error == pytest.approx(np.mean(wrong), abs=1e-12)
    assert parts.measured == pytest.approx(parts.error, abs=1e-12)
    assert parts.deviation == pytest.approx(np.std(wrong, ddof=1), abs=1e-12)
    assert parts.domingos is not None
    assert parts.domingos.error == pytest.approx(parts.error, abs=1e-12)
    assert parts.main_error == pytest.approx(parts.domingos.bias, abs=1e-12)  # where noise counts as bias


def names(table: cw.Table) -> np.ndarray[Any, Any]:
    return np.array(table.schema.classes, dtype=object)[table.target]


def test_a_stump_is_biased_a_deep_tree_varies_and_a_forest_less() -> None:
    learners: dict[str, Any] = {
        "stump": cw.CART(max_depth=1),
        "deep": cw.CART(min_rows=2),
        "forest": cw.Forest(trees=25),
    }
    table, truth = numbers(240)
    both = cw.bias_variance(learners, table, samples=20, truth=truth)
    stump, deep, forest = (both[name].parts for name in ("stump", "deep", "forest"))
    assert stump.bias > 1.5 * deep.bias
    assert deep.variance > 1.5 * stump.variance
    assert forest.variance < deep.variance / 1.5
    assert "The noise is known" in str(both)


def test_classes_are_shown_by_both_authors() -> None:
    text = str(cw.bias_variance([cw.CART(), cw.NaiveBayes()], of_two_classes(), samples=4))
    assert "The noise is not known" in text
    assert text.count("NaiveBayes") == 2
    assert "Error by Kohavi and Wolpert = bias² + variance" in text
    assert "Error by Domingos = bias + unbiased variance − biased variance" in text


def test_every_learner_learns_from_the_same_samples() -> None:
    one, other = Watched(cw.CART()), Watched(cw.NaiveBayes())
    cw.bias_variance({"one": one, "other": other}, of_two_classes(60), samples=4)
    assert len(one.tables) == 4
    for first, second in zip(one.tables, other.tables, strict=True):
        assert first.places is not None
        assert second.places is not None
        assert first.places.tolist() == second.places.tolist()
        assert first.weights is not None
        assert second.weights is not None
        assert first.weights.tolist() == second.weights.tolist()


def test_noise_that_is_known_is_a_part_of_its_own() -> None:
    columns, probability = two_classes(300)
    table = cw.read_table(columns, target="y")
    truth = np.column_stack([1 - probability, probability])
    truth = truth if table.schema.classes == ("a", "b") else truth[:, ::-1]
    known = cw.bias_variance(cw.CART(min_rows=20), table, samples=15, truth=truth)
    unknown = cw.bias_variance(cw.CART(min_rows=20), table, samples=15)
    assert known.noise_known
    parts, blind = known.learners[0], unknown.learners[0]
    assert parts.parts.noise == pytest.approx(0.5 * (1 - 0.81 - 0.01))  # of every row
    assert blind.parts.noise == 0
    assert parts.parts.variance == pytest.approx(blind.parts.variance)
    assert parts.parts.bias < blind.parts.bias
    assert parts.domingos is not None
    assert parts.domingos.error == pytest.approx(parts.error)
    assert parts.measured == pytest.approx(blind.error)
    assert "noise" in str(known).splitlines()[3]


def test_the_parts_of_a_squared_error_add_up_and_the_noise_may_be_given() -> None:
    table, mean = numbers()
    blind = cw.bias_variance(cw.CART(min_rows=2), table, samples=12).learners[0]
    assert blind.error == pytest.approx(blind.measured, rel=1e-12)
    assert blind.domingos is None
    known = cw.bias_variance(cw.CART(min_rows=2), table, samples=12, truth=mean, noise=0.09).learners[0]
    assert known.parts.noise == pytest.approx(0.09)
    assert known.parts.variance == pytest.approx(blind.parts.variance)
    assert known.parts.bias < blind.parts.bias
    assert known.error == pytest.approx(blind.error, rel=0.3)  # of the same expectation
    guessed = cw.bias_variance(cw.CART(min_rows=2), table, samples=12, truth=mean)
    assert guessed.noise_known
    assert guessed.learners[0].parts.noise == pytest.approx(0.09, rel=0.5)


@pytest.mark.slow
def test_in_a_simulation_the_parts_come_to_what_fresh_data_sets_give() -> None:
    """The error of models of fresh samples on fresh numbers is bias² + variance + noise."""
    dice = np.random.default_rng(5)

    def fresh(rows: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        x = dice.random(rows).round(3)
        return x, np.sin(6 * x) + 0.3 * dice.normal(size=rows)

    grid = np.linspace(0.01, 0.99, 99)
    answers = []
    for _ in range(150):
        x, y = fresh(200)
        model = cw.CART(min_leaf=5).learn(cw.read_table({"x": x, "y": y}, target="y"))
        answers.append(cw.predict(model, {"x": grid}))
    truth = np.sin(6 * grid)
    from clearwood.scoring.error_parts import squared_parts

    parts = squared_parts(np.array(answers), truth, np.full(99, 0.09), np.ones(99))
    new = np.mean([np.mean((answer - truth - 0.3 * dice.normal(size=99)) ** 2) for answer in answers])
    assert parts.error == pytest.approx(float(new), rel=0.05)


def test_the_same_seed_gives_the_same_parts_and_another_seed_others() -> None:
    table = of_two_classes(80)
    first, again, other = (cw.bias_variance(cw.CART(), table, samples=5, seed=s) for s in (1, 1, 2))
    assert first == again
    assert first != other


def test_groups_are_held_out_and_drawn_whole() -> None:
    columns, _ = two_classes(120)
    table = cw.read_table({**columns, "who": [f"p{i % 12}" for i in range(120)]}, target="y")
    watched = Watched(cw.CART())
    parts = cw.bias_variance(watched, table, samples=4, group="who", part=0.25)
    assert parts.held_out == 30
    who = table.columns["who"]
    for rows in watched.tables:
        assert "who" not in rows.columns
        assert rows.places is not None
        assert rows.weights is not None
        drawn = who[rows.places]
        for each in np.unique(drawn):
            assert len(np.unique(rows.weights[drawn == each])) == 1
            assert int((drawn == each).sum()) == 10


def test_rows_without_a_target_are_left_out_of_the_judging() -> None:
    table = of_two_classes(90)
    codes = table.target.copy()
    codes[::10] = -1
    parts = cw.bias_variance(cw.CART(), replace(table, columns={**table.columns, "y": codes}), samples=3)
    assert parts.left_out > 0
    assert parts.held_out + parts.left_out == 30


def test_rows_that_rules_leave_unanswered_count_as_wrong() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    parts = cw.bias_variance(cw.PRISM(), table, samples=10).learners[0]
    assert parts.domingos is not None
    assert parts.domingos.error == pytest.approx(parts.error)
    assert parts.measured == pytest.approx(parts.error)


def test_weights_count_in_the_error() -> None:
    columns, _ = two_classes(90)
    weights = np.random.default_rng(2).integers(1, 5, 90)
    weighed = cw.read_table({**columns, "n": weights}, target="y", weight="n")
    parts = cw.bias_variance(cw.CART(max_depth=2), weighed, samples=4, seed=1).learners[0]
    train, test = cw.hold_out(weighed, 1 / 3, 1)
    held = weighed.take(test)
    assert held.weights is not None
    models = [cw.CART(max_depth=2).learn(rows) for _, rows in resampled_tables(weighed.take(train), 4, 1)]
    wrong = [np.average(cw.predict(model, held) != names(held), weights=held.weights) for model in models]
    assert parts.error == pytest.approx(np.mean(wrong))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"truth": [[1.0, 0.0]]}, r"truth must be an array of shape \(60, 2\)"),
        ({"truth": np.full((60, 2), 0.7)}, "add up to 1"),
        ({"noise": 0.1}, "Give truth as well"),
        ({"truth": np.full((60, 2), 0.5), "noise": 0.1}, "noise is for numbers"),
        ({"samples": 1}, "samples"),
        ({"part": 1.5}, "part must"),
    ],
)
def test_a_wrong_request_is_refused(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        cw.bias_variance(cw.CART(), of_two_classes(60), **given)


def test_what_cannot_be_learned_or_judged_gets_a_sentence() -> None:
    three = cw.read_table({"x": [1.5, 2.5, 3.5], "y": ["a", "b", "a"]}, target="y")
    assert cw.bias_variance(cw.CART(), three, samples=3).held_out == 1
    with pytest.raises(SchemaError, match="Name it"):
        cw.bias_variance(cw.CART(), cw.read_table({"x": [1.5, 2.5]}))
    with pytest.raises(LearningError, match=r"In sample 1: .*learns classes"):
        cw.bias_variance(cw.C45(), numbers()[0], samples=2)
    with pytest.raises(SettingError, match="takes learners"):
        cw.bias_variance(mistyped([3]), three)
    with pytest.raises(SettingError, match=r"CART\(\) twice"):
        cw.bias_variance([cw.CART(), cw.CART()], three)


def test_whoever_watches_sees_models_not_their_members() -> None:
    seen: list[str] = []
    with cw.watching(lambda progress: seen.append(str(progress))):
        cw.bias_variance([cw.Forest(trees=3), cw.CART()], of_two_classes(60), samples=2)
    assert seen == [f"{done} of 4 models" for done in range(1, 5)]


def test_to_json_has_every_part() -> None:
    told = cw.bias_variance(cw.CART(), of_two_classes(60), samples=2).to_json()
    assert told["noise"] == "unknown"
    assert set(told["learners"][0]) >= {"name", "error", "parts", "domingos", "main_error", "size"}


def test_what_an_error_comes_of_is_concluded_but_not_from_a_handful_of_rows() -> None:
    table = of_two_classes()
    stump, deep = cw.bias_variance([cw.CART(max_depth=0), cw.CART(min_rows=2)], table, samples=9).conclusions
    assert "It errs in much the same way whatever rows it sees" in stump
    assert "which more rows or many models may lessen" in deep or "owed to the sample" in deep
    few = cw.bias_variance(cw.CART(), table.take(np.arange(12)), samples=4)
    assert few.conclusions == ["4 rows held out: too few to conclude anything from."]
