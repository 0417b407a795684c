"""GAM on tables of every odd shape: a sentence, or behaviour that is stated here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ClearwoodWarning, LearningError, SettingError
from clearwood.learners.ensembles.gam import GAM
from clearwood.learners.ensembles.gam_tables import purify
from clearwood.predicting.batch import shares
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import Column, Table
from tests.shared_data import load_shared

QUICK = cw.GAM(bags=3, rounds=40, pairs=2)


def numbers(rows: int, seed: int = 0) -> dict[str, object]:
    random = np.random.default_rng(seed)
    x, z = random.uniform(-3, 3, rows), random.normal(size=rows)
    y = np.where(np.sin(2 * x) + random.normal(scale=0.3, size=rows) > 0, "up", "down")
    y[0] = "down"  # the first class is the first that occurs
    return {"x": x, "z": z, "y": y.tolist()}


def test_it_finds_the_shape_of_a_wave() -> None:
    model = cw.GAM(pairs=0).learn(cw.read_table(numbers(2000), target="y"))
    shape = model["x"]
    middle = [(a + b) / 2 for a, b in zip(shape.cuts, shape.cuts[1:], strict=False)]
    found = np.array(shape.points[0][1:-3])
    assert np.corrcoef(found, np.sin(2 * np.array(middle)))[0, 1] > 0.9
    assert np.abs(model["z"].points[0]).max() < 0.5 * np.abs(found).max()


def test_curves_have_a_mean_of_nothing_over_the_rows() -> None:
    model = QUICK.learn(cw.read_table(numbers(500), target="y"))
    for shape in model.shapes:
        assert np.average(shape.points[0], weights=shape.rows) == pytest.approx(0, abs=1e-9)


def test_a_pair_says_nothing_that_one_of_its_columns_says_alone() -> None:
    rows = {"a": [0, 0, 1, 1] * 50, "b": [0, 1, 0, 1] * 50, "y": list("nyyn") * 50}
    model = cw.GAM(pairs=1).learn(cw.read_table(rows, target="y"))
    (pair,) = model.pairs
    wide = len(pair.cuts[1]) + 3
    points = np.array(pair.points[0]).reshape(-1, wide)
    weights = np.array(pair.rows).reshape(-1, wide)
    assert np.abs((points * weights).sum(axis=0)).max() < 1e-6
    assert np.abs((points * weights).sum(axis=1)).max() < 1e-6
    assert list(cw.predict(model, {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})) == list("nyyn")


def test_what_is_taken_out_of_a_pair_goes_to_its_columns() -> None:
    random = np.random.default_rng(2)
    table, weights = random.normal(size=(1, 1, 4, 5)), random.uniform(0.1, 2, (4, 5))
    points, (first, second) = purify(table, weights)
    np.testing.assert_allclose(points + first[..., None] + second[:, :, None, :], table, atol=1e-9)


def test_one_class_is_answered_surely() -> None:
    model = QUICK.learn(cw.read_table({"x": [1, 2], "y": ["a", "a"]}, target="y"))
    assert cw.shares(model, [{"x": 9}]).tolist() == [[1.0]]
    assert str(model)


def test_the_order_of_the_rows_changes_nothing() -> None:
    table = cw.read_table({**numbers(300), "k": [k % 3 for k in range(300)]}, target="y")
    turned = table.take(np.random.default_rng(4).permutation(300))
    assert QUICK.learn(table).shapes == QUICK.learn(turned).shapes


def test_a_bag_that_drew_every_row_has_no_judge_and_takes_no_step() -> None:
    model = cw.GAM().learn(cw.read_table({"x": [1.0], "y": [4.0]}, target="y", kinds={"y": "numeric"}))
    assert model.shapes == ()
    assert cw.predict(model, {"x": [9.0]}).tolist() == [4.0]


def test_columns_that_are_constant_or_empty_have_no_curve() -> None:
    rows = {**numbers(300), "same": [7.0] * 300, "none": [None] * 300, "word": ["a"] * 300}
    table = cw.read_table(rows, target="y", kinds={"none": "numeric", "word": "nominal"})
    model = QUICK.learn(table)
    assert set(model.columns) <= {"x", "z"}


def test_a_missing_cell_has_points_of_its_own() -> None:
    x = [None if k % 3 == 0 else float(k % 7) for k in range(300)]
    y = ["hole" if cell is None else "full" for cell in x]
    model = cw.GAM(bags=4).learn(cw.read_table({"x": x, "y": y}, target="y"))
    assert list(cw.predict(model, [{"x": None}, {"x": 3.0}])) == ["hole", "full"]


def test_an_unseen_value_answers_as_the_average_row() -> None:
    rows = {"c": ["a", "b", "c"] * 40, "y": ["n", "y", "y"] * 40}
    model = cw.GAM(bags=3).learn(cw.read_table(rows, target="y"))
    odds = cw.shares(model, [{"c": "zebra"}])[0]
    assert np.log(odds[1] / odds[0]) == pytest.approx(model.base[0])


def test_ten_thousand_values_are_learned() -> None:
    random = np.random.default_rng(3)
    codes = random.integers(0, 10_000, 12_000)
    y = np.where((codes % 2 == 0) ^ (random.random(12_000) < 0.1), "even", "odd")
    table = cw.read_table(
        {"c": [f"v{c}" for c in codes], "y": y.tolist()}, target="y", kinds={"c": "nominal"}
    )
    assert len(cw.GAM(bags=2, rounds=5).learn(table)["c"].points[0]) > 6_000


def test_rows_of_no_weight_do_not_count() -> None:
    rows = numbers(200)
    weights = (np.arange(200) + 1) % 2
    weighed = cw.read_table({**rows, "w": weights.tolist()}, target="y", weight="w")
    half = weighed.take(weights > 0)
    assert QUICK.learn(weighed).shapes == QUICK.learn(half).shapes


def test_weights_that_are_no_counts_are_chances() -> None:
    rows = {**numbers(300), "w": np.random.default_rng(5).uniform(0.1, 2, 300).tolist()}
    model = QUICK.learn(cw.read_table(rows, target="y", weight="w"))
    assert sum(model["x"].rows) == pytest.approx(sum(rows["w"]))


def test_many_classes_have_a_curve_each_that_add_up_to_nothing() -> None:
    model = cw.GAM(bags=3, rounds=60).learn(load_shared("iris"))
    assert model.link == "softmax"
    for shape in model.shapes:
        np.testing.assert_allclose(np.sum(shape.points, axis=0), 0, atol=1e-9)
    table = load_shared("iris")
    assert np.mean(cw.predict(model, table) == np.array(table.schema.classes)[table.target]) > 0.93


def test_a_class_that_no_row_has_is_never_answered() -> None:
    schema = cw.Schema((cw.Numeric("x"),), cw.Nominal("y", ("a", "b", "never")))
    rows = [{"x": float(k), "y": "a" if k < 20 else "b"} for k in range(40)]
    model = QUICK.learn(cw.encode(rows, schema))
    assert cw.shares(model, [{"x": 3.0}])[0, 2] < 1e-9


def test_numbers_are_learned_in_their_own_units() -> None:
    x = np.linspace(0, 10, 400)
    table = cw.read_table({"x": x, "y": 1e6 * x**2}, target="y")
    model = cw.GAM(pairs=0).learn(table)
    assert np.abs(cw.predict(model, table) - 1e6 * x**2).max() < 0.1 * 1e8
    assert model.spread == "standard errors"


def test_huge_numbers_of_the_target_are_learned() -> None:
    rows = {"x": [1.0, 2, 3, 4] * 30, "y": [1e149, 2e149, -1e149, 0.0] * 30}
    table = cw.read_table(rows, target="y", kinds={"y": "numeric"})
    assert np.isfinite(cw.predict(cw.GAM(bags=2, rounds=50).learn(table), table)).all()


def test_one_bag_has_no_bands() -> None:
    model = cw.GAM(bags=1, rounds=10).learn(cw.read_table(numbers(200), target="y"))
    assert model.spread == ""
    assert model["x"].errors == ()


@pytest.mark.slow
def test_standard_errors_are_of_the_size_of_the_error() -> None:
    """Of ten samples of one wave the curves differ by about what each states."""
    models = [
        cw.GAM(pairs=0, bags=20).learn(cw.read_table(numbers(1000, seed), target="y")) for seed in range(10)
    ]
    at = np.linspace(-2.8, 2.8, 30)
    points, stated = [], []
    for model in models:
        shape = model["x"]
        cells = np.searchsorted(shape.cuts, at)
        points.append(np.array(shape.points[0])[cells])
        stated.append(np.array(shape.errors[0])[cells])
    ratio = float(np.mean(stated) / np.std(points, axis=0, ddof=1).mean())
    assert 0.6 < ratio < 1.7


def noise_beside_one_number(rows: int) -> Table:
    random = np.random.default_rng(0)
    codes = random.integers(0, 12, size=(rows, 30)).astype(np.int32)
    x = random.normal(size=rows)
    score = -3.2 + 1.2 * x + 0.2 * (codes[:, 0] - 5.5)
    y = (random.random(rows) < 1 / (1 + np.exp(-score))).astype(np.int32)
    values = tuple(f"v{v:02}" for v in range(12))
    attributes: list[Attribute] = [*(Nominal(f"c{i}", values) for i in range(30)), Numeric("x")]
    columns: dict[str, Column] = {**{f"c{i}": codes[:, i] for i in range(30)}, "x": x, "y": y}
    return Table(Schema(tuple(attributes), Nominal("y", ("neg", "pos"))), columns)


@pytest.mark.parametrize("learner", [GAM(pairs=0), GAM()])
def test_many_columns_of_noise_on_few_rows_do_not_keep_it_from_learning(learner: GAM) -> None:
    table = noise_beside_one_number(8600)
    train, test = table.take(np.arange(600)), table.take(np.arange(600, 8600))
    right = shares(learner.learn(train), test)[np.arange(len(test)), test.target]
    base = np.bincount(train.target) / len(train)
    assert -np.log(right).mean() < -np.log(base[test.target]).mean() - 0.02


def test_few_rows_get_few_pairs_and_noise_none() -> None:
    assert [GAM().most_pairs(rows) for rows in (20, 800, 10_000)] == [1, 4, 10]
    random = np.random.default_rng(3)
    x = random.normal(size=(3, 400))
    y = (random.random(400) < 0.5).astype(np.int32)
    table = Table(
        Schema(tuple(Numeric(f"x{i}") for i in range(3)), Nominal("y", ("no", "yes"))),
        {**{f"x{i}": x[i] for i in range(3)}, "y": y},
    )
    assert GAM().learn(table).pairs == ()


def test_an_l2_of_nothing_is_refused_with_what_is_allowed() -> None:
    with pytest.raises(SettingError, match="l2 must lie above 0 and at most 1e"):
        GAM(l2=0.0)


def test_many_rows_have_fewer_bags() -> None:
    assert [GAM().bags_of(rows) for rows in (100, 50_000, 100_000, 1_000_000)] == [14, 14, 7, 5]
    assert GAM(bags=20).bags_of(1_000_000) == 20


def test_a_model_without_curves_is_drawn_with_a_sentence() -> None:
    table = cw.read_table({"x": [1, 2, 3, 4] * 2, "y": list("abab") * 2}, target="y")
    model = GAM(min_leaf=100).learn(table)
    assert model.shapes == ()
    picture = cw.picture(model)
    assert "No column adds anything by itself: every row gets the same prediction." in picture.alt
    assert "No column adds anything by itself" in picture.svg


def hills(first: str = "down") -> Table:
    """y goes up and down with x, which a direction forbids; z has empty cells. Begins with a class."""
    cells = numbers(600)
    y = np.array(cells["y"])
    order = np.argsort(y != first, kind="stable")
    x, z = (np.asarray(cells[name])[order] for name in ("x", "z"))
    z[::7] = np.nan
    return cw.read_table({"x": x, "z": z, "y": y[order].tolist()}, target="y")


@pytest.mark.parametrize("first", ["down", "up"])
@pytest.mark.parametrize(
    ("how", "direction"), [("up:up", "rises"), ("down:up", "falls"), ("up:down", "falls")]
)
def test_a_direction_is_kept_while_learning_and_check_proves_it(
    tmp_path: Path, first: str, how: str, direction: str
) -> None:
    table = hills(first)
    free, limited = (replace(QUICK, monotone=each).learn(table) for each in (None, {"x": how}))
    asserted = tmp_path / "assertions.toml"
    asserted.write_text(f"[[monotone]]\ncolumn = 'x'\nshare = 'up'\ndirection = '{direction}'\n")
    (fails,), (holds,) = (cw.check(model, asserted).verdicts for model in (free, limited))
    assert (fails.holds, holds.holds, holds.exact) == (False, True, True)
    assert limited.origin.settings["monotone"] == {"x": how}
    assert not any("x" in pair.names for pair in limited.pairs)
    word = "rises" if how.startswith("down") else "falls"
    assert f"Learned so that the probability of {how.partition(':')[2]} never {word} as x rises." in str(
        limited
    )


def test_without_a_class_a_direction_is_about_the_positive_one_whichever_row_is_first() -> None:
    models = []
    for first in ("down", "up"):
        with pytest.warns(ClearwoodWarning, match="monotone names no class, so it is about"):
            models.append(replace(QUICK, monotone={"x": "up"}).learn(hills(first)))
    assert models[0].origin.settings["monotone"] == models[1].origin.settings["monotone"]


def test_a_limited_curve_learns_what_its_direction_allows() -> None:
    random = np.random.default_rng(7)
    x = random.uniform(0, 1, 2000)
    share = 0.1 + 0.8 * np.minimum(2 * x, 1) - 0.2 * (x > 0.8)
    table = cw.read_table(
        {"x": x, "y": np.where(random.random(2000) < share, "yes", "no").tolist()}, target="y"
    )
    model = cw.GAM(monotone={"x": "up:yes"}).learn(table)
    asked = [{"x": each} for each in np.linspace(0.005, 0.995, 100)]
    found = shares(model, asked)[:, table.schema.classes.index("yes")]
    assert (np.diff(found) >= 0).all()
    pooled = np.where(np.linspace(0, 1, 100) > 0.45, 0.83, 0.1 + 1.6 * np.linspace(0, 1, 100))
    assert np.abs(found - pooled).mean() < 0.06


def test_a_value_of_a_limited_column_that_no_row_has_does_not_turn_its_curve() -> None:
    z = np.repeat(np.array([0, 1, 3, 4], dtype=np.int32), 100)
    y = np.array([0.0, 1.0, 0.0, 3.0, 9.0])[z] + np.tile([-0.1, 0.1], 200)
    table = Table(Schema((Ordinal("z", tuple("abcde")),), Numeric("y")), {"z": z, "y": y})
    curve = cw.GAM(monotone={"z": "up"}).learn(table)["z"].points[0]
    assert (np.diff(curve[:5]) >= 0).all()
    assert curve[4] > curve[0]


@pytest.mark.parametrize(
    ("monotone", "sentence"),
    [
        ({"c0": "up:pos"}, "no order"),
        ({"x": "up:maybe"}, "No class 'maybe'"),
        ({"w": "up:pos"}, "No column 'w'"),
    ],
)
def test_a_direction_that_does_not_fit_the_table_is_refused(monotone: dict[str, str], sentence: str) -> None:
    with pytest.raises((LearningError, SettingError), match=sentence):
        GAM(monotone=monotone).learn(noise_beside_one_number(50))


def test_the_derivation_says_which_direction_was_asked_for() -> None:
    table = hills()
    decisions = [
        step.decision for step in cw.derive(replace(QUICK, monotone={"x": "down:up"}).learn(table), table)
    ]
    asked = "It was asked that the probability of up never rises as x rises."
    assert f"{asked} Leaves that would go the other way are pooled with their neighbours." in decisions[0]
    assert sum(asked in each for each in decisions[1:]) == 1


def test_many_values_take_few_rounds() -> None:
    random = np.random.default_rng(5)
    codes = random.integers(0, 10, size=(8000, 8)).astype(np.int32)
    score = random.normal(size=(8, 10))[np.arange(8), codes].sum(axis=1)
    y = (random.random(8000) < 1 / (1 + np.exp(-2 * score))).astype(np.int32)
    attributes = tuple(Nominal(f"c{i}", tuple("abcdefghij")) for i in range(8))
    columns: dict[str, Column] = {**{f"c{i}": codes[:, i] for i in range(8)}, "y": y}
    table = Table(Schema(attributes, Nominal("y", ("no", "yes"))), columns)
    (curve,) = GAM(pairs=0, bags=5).learn(table).curves
    assert len(curve.values) <= 130
    assert min(curve.values) < 0.2455


def test_copies_of_a_column_that_step_at_once_do_not_drive_it_apart() -> None:
    random = np.random.default_rng(3)
    x = random.normal(size=1500)
    y = np.where(random.random(1500) < 1 / (1 + np.exp(-2 * np.sin(2 * x) - x)), "a", "b").tolist()
    losses = []
    for copies in (1, 8):
        cells = {f"x{i}": x for i in range(copies)}
        model = GAM(pairs=0, bags=5).learn(cw.read_table({**cells, "y": y}, target="y"))
        losses.append(min(model.curves[0].values))
    assert losses[1] < losses[0] * 1.01
