"""Boosting on awkward tables: a sentence, or behaviour that is defined."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ClearwoodWarning, LearningError, SettingError
from clearwood.learners.ensembles.boosting import Boosting
from clearwood.models.files import from_json, to_json
from clearwood.models.in_words import lineage_lines
from clearwood.predicting.batch import predict_codes, scores_of_ensemble
from clearwood.predicting.staged import staged, staged_scores
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.typed import mistyped

TWO = Nominal("y", ("no", "yes"))
random = np.random.default_rng(0)


def table(*attributes: Attribute, y: Any, target: Any = TWO, weights: Any = None, **columns: Any) -> Table:
    made = {name: np.asarray(column) for name, column in {**columns, "y": y}.items()}
    return Table(Schema(attributes, target), made, weights)


def classes(y: Any) -> Any:
    return np.array(y, dtype=np.int32)


def noisy(rows: int = 400) -> Table:
    x = random.normal(size=rows)
    z = random.integers(0, 8, rows).astype(np.int32)
    y = classes(x + (z % 3) + random.normal(size=rows) > 1)
    return table(Numeric("x"), Nominal("z", tuple("abcdefgh")), x=x, z=z, y=y)


def test_one_row_is_answered_by_the_base_alone() -> None:
    model = Boosting(trees=5).learn(table(Numeric("x"), x=[1.0], y=classes([1])))
    assert all(len(tree) == 1 for tree in model.trees or ())
    assert cw.predict(model, table(Numeric("x"), x=[3.0], y=classes([0]))).tolist() == ["yes"]


@pytest.mark.parametrize("names", [("only",), ("only", "never")])
def test_rows_of_one_class_are_all_of_that_class(names: tuple[str, ...]) -> None:
    rows = table(Numeric("x"), x=np.arange(9.0), y=np.zeros(9, dtype=np.int32), target=Nominal("y", names))
    assert set(cw.predict(Boosting(trees=3).learn(rows), rows).tolist()) == {"only"}


@pytest.mark.parametrize("cell", [np.nan, 7.0])
def test_columns_that_are_all_missing_or_constant_are_never_asked(cell: float) -> None:
    rows = table(Numeric("x"), x=np.full(40, cell), y=classes(np.arange(40) % 2))
    model = Boosting(trees=4, min_child=0).learn(rows)
    assert model.trees is not None
    assert (np.diff(model.trees.start) == 1).all()


def test_a_table_without_columns_gives_the_base() -> None:
    rows = Table(Schema((), TWO), {"y": classes([0, 1, 1, 1])})
    assert cw.shares(Boosting().learn(rows), rows)[0].tolist() == pytest.approx([0.25, 0.75])


def test_missing_cells_alone_can_tell_the_classes() -> None:
    x = np.where(np.arange(60) % 2, np.nan, 5.0)
    rows = table(Numeric("x"), x=x, y=classes(np.isnan(x)))
    model = Boosting(trees=10).learn(rows)
    assert np.array_equal(predict_codes(model, rows), rows.target)
    assert "missing" in str(model.members[0])


def test_ten_thousand_values_are_grouped() -> None:
    codes = random.integers(0, 10_000, 30_000).astype(np.int32)
    rows = table(Nominal("z", tuple(map(str, range(10_000)))), z=codes, y=classes(codes % 7 == 0))
    model = Boosting(trees=30, rate=0.5).learn(rows)
    assert (predict_codes(model, rows) == rows.target).mean() > 0.86


def test_rows_without_weight_are_absent() -> None:
    rows = noisy()
    weights = np.append(np.ones(300), np.zeros(100))
    some = Table(rows.schema, rows.columns, weights)
    here = rows.take(np.arange(300))
    assert Boosting(trees=5).learn(some).trees == Boosting(trees=5).learn(here).trees


def test_whole_weights_act_as_repeated_rows() -> None:
    rows, times = noisy(), random.integers(1, 4, 400)
    weighed = Boosting(trees=5).learn(Table(rows.schema, rows.columns, times.astype(np.float64)))
    repeated = Boosting(trees=5).learn(rows.take(np.repeat(np.arange(400), times)))
    assert np.allclose(weighed.trees.nodes.counts, repeated.trees.nodes.counts)  # type: ignore[union-attr]


def test_more_trees_than_rows_is_no_matter() -> None:
    rows = noisy(12)
    assert Boosting(trees=50, min_child=0).learn(rows).size == 50


def test_early_stopping_needs_rows_to_hold_out() -> None:
    with pytest.raises(LearningError, match="none held out") as raised:
        Boosting(early_stopping=0.1).learn(noisy(4))
    assert raised.value.advice[0].value is None


def test_early_stopping_keeps_the_rounds_of_the_least_held_out_loss() -> None:
    model = Boosting(early_stopping=0.3, trees=200, rate=0.3, patience=5).learn(noisy())
    training, held = model.curves
    assert held.on == "held-out rows"
    assert held.best == model.size == int(np.argmin(held.values)) + 1
    assert len(held.values) == len(training.values) == model.size + 5


LOSSES: list[dict[str, Any]] = [{}, {"loss": "absolute"}, {"loss": "quantile", "quantile": 0.8}]


@pytest.mark.parametrize("loss", LOSSES)
def test_a_monotone_column_never_falls(loss: dict[str, Any]) -> None:
    x = np.sort(random.normal(size=500))
    y = x + np.sin(4 * x) + 0.2 * random.normal(size=500)
    rows = table(Numeric("x"), x=x, y=y, target=Numeric("y"))
    assert (np.diff(cw.predict(Boosting(monotone={"x": "up"}, **loss).learn(rows), rows)) >= 0).all()
    assert (np.diff(cw.predict(Boosting(monotone={"x": "down"}, **loss).learn(rows), rows)) <= 0).all()


@pytest.mark.parametrize("loss", LOSSES)
def test_a_monotone_column_never_falls_whatever_the_other_columns_are(loss: dict[str, Any]) -> None:
    dice = np.random.default_rng(11)
    x, z = dice.normal(size=400), dice.normal(size=400)
    y = x * np.where(z > 0, 1, -0.3) + z + dice.standard_t(2, size=400)
    rows = table(Numeric("x"), Numeric("z"), x=x, z=z, y=y, target=Numeric("y"))
    model = Boosting(monotone={"x": "up"}, trees=40, **loss).learn(rows)
    places = np.linspace(-3, 3, 61)
    for other in np.linspace(-2, 2, 9):
        asked = [{"x": float(place), "z": float(other)} for place in places]
        assert (np.diff(np.asarray(cw.predict(model, asked), dtype=float)) >= 0).all()
    assert model.curves[0].values[-1] < model.curves[0].values[0]


def _of_two_classes(first: str) -> Table:
    """The same rows, in an order that begins with this class."""
    dice = np.random.default_rng(5)
    x = np.sort(dice.normal(size=300))
    bad = dice.random(300) < 1 / (1 + np.exp(-x - np.sin(3 * x)))
    names = np.where(bad, "bad", "good")
    order = np.argsort(names != first, kind="stable")
    return cw.read_table(
        {"x": x[order], "z": dice.normal(size=300)[order], "y": names[order].tolist()}, target="y"
    )


@pytest.mark.parametrize("first", ["bad", "good"])
@pytest.mark.parametrize(("how", "of"), [("up:bad", "bad"), ("down:good", "bad"), ("up:good", "good")])
def test_a_direction_is_that_of_the_class_it_names_whichever_row_comes_first(
    first: str, how: str, of: str
) -> None:
    rows = _of_two_classes(first)
    model = Boosting(monotone={"x": how}, trees=20).learn(rows)
    asked = [{"x": float(x), "z": 0.0} for x in np.linspace(-3, 3, 61)]
    shares = cw.shares(model, asked)[:, rows.schema.classes.index(of)]
    assert (np.diff(shares) >= 0).all()
    assert model.origin.settings["monotone"] == {"x": how}
    assert (shares[-1] > shares[0]) == (of == "bad")


@pytest.mark.parametrize("first", ["bad", "good"])
def test_without_a_class_it_is_the_positive_one_and_that_is_said(first: str) -> None:
    with pytest.warns(ClearwoodWarning, match="the probability of bad never falls as x rises"):
        model = Boosting(monotone={"x": "up"}, trees=2).learn(_of_two_classes(first))
    assert model.origin.settings["monotone"] == {"x": "up:bad"}


def test_a_sign_without_a_class_is_refused_with_the_way_out() -> None:
    with pytest.raises(SettingError, match=r"monotone=\{'x': 'down:CLASS'\}"):
        Boosting(monotone=mistyped({"x": -1}))
    with pytest.raises(SettingError, match="has no class 'bad'"):
        Boosting(monotone={"x": "up:bad"}).learn(
            table(Numeric("x"), x=np.arange(9.0), y=np.arange(9.0), target=Numeric("y"))
        )


def test_leaves_moved_to_keep_the_order_are_derived_with_the_reason() -> None:
    dice = np.random.default_rng(1)
    x = np.sort(dice.normal(size=60))
    rows = table(Numeric("x"), x=x, y=np.sin(3 * x) + dice.normal(size=60), target=Numeric("y"))
    model = Boosting(monotone={"x": "up"}, loss="absolute", trees=3, min_child=0).learn(rows)
    reasons = [figure.because for step in cw.derive(model, rows) for figure in step.figures]
    assert any("the order that is demanded of leaves moves it" in each for each in reasons)


def test_a_monotone_ordinal_column_never_falls() -> None:
    z = random.integers(0, 6, 300).astype(np.int32)
    rows = table(Ordinal("z", tuple("abcdef")), z=z, y=np.array([0, 4, 1, 5, 2, 9.0])[z], target=Numeric("y"))
    each = rows.take(np.array([int(np.argmax(z == code)) for code in range(6)]))
    assert (np.diff(cw.predict(Boosting(monotone={"z": "up"}).learn(rows), each)) >= 0).all()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"monotone": {"z": "up:a"}}, "no order"),
        ({"monotone": {"w": "up:a"}}, "No column 'w'"),
        ({"monotone": {"x": "up:c"}}, "No class 'c'"),
        ({"interactions": [["x", "w"]]}, "No column 'w'"),
        ({"loss": "squared"}, "logistic, softmax"),
        ({"loss": "softmax", "monotone": {"x": "up:yes"}}, "keeps no order"),
    ],
)
def test_what_does_not_fit_the_table_is_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises((LearningError, SettingError), match=sentence):
        Boosting(**settings).learn(noisy())


@pytest.mark.parametrize(
    "settings",
    [
        {"monotone": {"x": "rise"}},
        {"monotone": {"x": 1}},
        {"interactions": ["x"]},
        {"rate": 0},
        {"bins": 0},
        {"trees": 0},
    ],
)
def test_settings_are_checked_when_they_are_made(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingError):
        Boosting(**settings)


def test_counts_below_zero_are_refused_for_poisson() -> None:
    with pytest.raises(LearningError, match="below 0"):
        Boosting(loss="poisson").learn(table(Numeric("x"), x=[1.0, 2.0], y=[1.0, -1.0], target=Numeric("y")))


def test_columns_of_no_common_list_never_meet_on_a_path() -> None:
    x = random.normal(size=(3, 600))
    rows = table(
        *(Numeric(f"x{i}") for i in range(3)),
        **{f"x{i}": x[i] for i in range(3)},
        y=x[0] * x[1] * x[2],
        target=Numeric("y"),
    )
    model = Boosting(interactions=[["x0", "x1"], ["x1", "x2"]], trees=20).learn(rows)
    assert model.trees is not None
    for tree in model.trees:
        for node in np.flatnonzero(tree.is_leaf).tolist():
            path = set()
            while node:
                path.add(int(tree.attribute[node]))
                node = int(tree.parent[node])
            assert not {0, 2} <= path


def test_learning_more_is_learning_longer() -> None:
    rows = noisy()
    short = Boosting(trees=4, rows=0.8, columns=0.5)
    model = short.learn_more(short.learn(rows), rows)
    assert model.trees == Boosting(trees=8, rows=0.8, columns=0.5).learn(rows).trees
    assert len(model.curves[0].values) == 8


def test_rounds_are_added_only_where_they_lower_the_held_out_loss() -> None:
    rows = noisy(150)
    stopping = Boosting(trees=300, rate=0.3, early_stopping=0.3, patience=5)
    model = stopping.learn(rows)
    for more in (Boosting(trees=4, rate=0.3, early_stopping=0.3), stopping):
        longer = more.learn_more(model, rows)
        kept = model.curves[1].values[(model.curves[1].best or 0) - 1]
        assert longer.curves[1].values[(longer.curves[1].best or 0) - 1] <= kept
        assert longer.curves[1].best == longer.size
    assert longer.trees == model.trees
    assert lineage_lines(longer.origin.after) == [
        "After learning: no round added on the same rows: none lowered the held-out loss."
    ]
    assert from_json(to_json(longer)) == longer


def test_early_stopping_may_begin_with_the_rounds_added() -> None:
    rows = noisy()
    model = Boosting(trees=5, loss="softmax").learn(rows)
    more = Boosting(trees=5, loss="softmax", early_stopping=0.3).learn_more(model, rows)
    held = more.curves[1]
    assert held.on == "held-out rows"
    assert len(held.values) == 10
    assert held.best == more.size // 2


def test_rounds_added_are_told_from_rows_added() -> None:
    rows, others = noisy(), noisy()
    learner = Boosting(trees=3)
    more = learner.learn_more(learner.learn(rows), rows)
    assert lineage_lines(more.origin.after) == ["After learning: 3 rounds added on the same rows."]
    more = learner.learn_more(learner.learn(rows), others)
    assert lineage_lines(more.origin.after) == ["After learning: 3 rounds added on 400 other rows."]
    again = learner.learn_more(more, others)
    assert lineage_lines(again.origin.after)[0].endswith("; 3 rounds added on the same rows.")


def test_a_learning_that_min_child_ends_does_not_say_that_no_split_helps() -> None:
    rows = table(Numeric("x"), x=np.arange(6.0), y=classes([0, 0, 0, 1, 1, 1]))
    (line,) = lineage_lines(Boosting(trees=5, min_child=100).learn(rows).origin.after)
    assert line.endswith("no split that the settings allow (min_child and others) lowers the loss any more.")


@pytest.mark.parametrize(
    ("y", "part", "what"),
    [
        ([0, 1] * 5, 0.1, "none held out"),
        ([0, 1, 1, 1, 1, 1, 1, 1, 1, 1], 0.1, "holds out one row, too few"),
        ([0, *[1] * 19], 0.2, "holds out 4 rows, all of one class, too few"),
    ],
)
def test_rows_held_out_that_cannot_choose_the_rounds_are_refused(y: Any, part: float, what: str) -> None:
    rows = table(Numeric("x"), x=np.arange(float(len(y))), y=classes(y))
    with pytest.raises(LearningError, match=what):
        Boosting(early_stopping=part).learn(rows)


def test_answers_after_the_last_round_are_the_models() -> None:
    rows = noisy()
    model = Boosting(trees=6, loss="softmax").learn(rows)
    rounds = list(staged(model, rows))
    assert len(rounds) == 6
    assert np.allclose(rounds[-1], cw.shares(model, rows))
    *_, scores = staged_scores(model, rows)
    assert np.allclose(scores.T, scores_of_ensemble(model, rows))


def test_the_quantile_loss_leaves_that_part_below() -> None:
    x = random.random(2000)
    rows = table(Numeric("x"), x=x, y=random.normal(size=2000) * (1 + x), target=Numeric("y"))
    model = Boosting(loss="quantile", quantile=0.8, max_depth=2).learn(rows)
    assert (rows.target <= cw.predict(model, rows)).mean() == pytest.approx(0.8, abs=0.02)


def test_one_heavy_row_does_not_round_the_others_away() -> None:
    x = np.arange(200.0)
    y = np.where(x < 100, 0.0, 1.0)
    y[199] = 1e6
    rows = table(Numeric("x"), x=x, y=y, target=Numeric("y"))
    model = Boosting(trees=1, rate=1, l2=0).learn(rows)
    assert {0.0, 1.0} <= set(cw.predict(model, rows).round(3).tolist())
