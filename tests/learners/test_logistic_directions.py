"""Logistic regression with directions: a weight of the wrong sign is held at 0, the others are the best."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.errors import ClearwoodWarning, LearningError, SettingError
from clearwood.learners.linear.logistic import Logistic
from clearwood.models.files import from_json, to_json
from clearwood.table.table import Table
from tests.learners.linear_tables import linear_table, noisy_table


def _weights(model: Any) -> dict[str, float]:
    return dict(zip(map(str, model.terms), model.weights[0], strict=True))


def _without(table: Table, *names: str) -> Table:
    columns = {name: column for name, column in table.columns.items() if name not in (*names, "y")}
    return linear_table(columns, table.target)


def test_a_weight_of_the_wrong_sign_is_held_at_0_and_listed() -> None:
    table = noisy_table()
    assert _weights(Logistic().learn(table))["x"] > 0
    held = Logistic(monotone={"x": "down:B", "z": "up:B"}).learn(table)
    assert [(each.what, each.because) for each in held.left_out] == [
        ("x", "its weight is held at 0, so that the probability of B never rises as x rises")
    ]
    assert "x: its weight is held at 0, so that" in str(held)
    assert "are those of the model without the weights held at 0." in str(held)
    assert _weights(held) == pytest.approx(_weights(Logistic().learn(_without(table, "x"))), rel=1e-6)
    assert from_json(to_json(held)) == held


def test_a_weight_of_the_right_sign_stays_as_it_is() -> None:
    table = noisy_table()
    limited = Logistic(monotone={"x": "up:B", "z": "down:A"}).learn(table)
    assert limited.left_out == ()
    assert _weights(limited) == _weights(Logistic().learn(table))


@pytest.mark.parametrize("against", ["A", "B"])
def test_a_direction_is_about_its_class_whichever_the_log_odds_are_of(against: str) -> None:
    limited = Logistic(monotone={"x": "up:A"}, against=against).learn(noisy_table())
    assert "x" not in _weights(limited)
    kept = Logistic(monotone={"x": "up:B"}, against=against).learn(noisy_table())
    assert "x" in _weights(kept)


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["up", "down"])
@pytest.mark.parametrize("column", ["x", "z", "noise"])
def test_check_proves_the_direction(direction: str, column: str) -> None:
    model = Logistic(monotone={column: f"{direction}:B"}).learn(noisy_table(100))
    asked = cw.MonotoneIn(column=column, share="B", direction="rises" if direction == "up" else "falls")
    (verdict,) = cw.check(model, asked, None).verdicts
    assert verdict.holds
    assert verdict.exact


def _tangled(seed: int) -> Table:
    """Six numbers that lean on each other, so that holding one turns the signs of others."""
    dice = np.random.default_rng(seed)
    numbers = dice.normal(size=(120, 6)) @ dice.normal(size=(6, 6))
    target = dice.random(120) < 1 / (1 + np.exp(-numbers @ dice.normal(size=6) / 4))
    return linear_table({f"x{i}": numbers[:, i] for i in range(6)}, target)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    ups=st.lists(st.booleans(), min_size=6, max_size=6),
    limited=st.integers(1, 6),
    penalty=st.sampled_from([None, "l2"]),
)
def test_no_other_choice_of_columns_has_the_signs_and_a_higher_likelihood(
    seed: int, ups: list[bool], limited: int, penalty: Any
) -> None:
    """The top within the limits is the top of some columns, the others being 0: all choices are tried."""
    table = _tangled(seed)
    names = [f"x{i}" for i in range(limited)]
    monotone = {name: "up:B" if up else "down:B" for name, up in zip(names, ups, strict=False)}

    def right(model: Any) -> bool:
        own = _weights(model)
        return all((own.get(name, 0.0) >= 0) == monotone[name].startswith("up") or own.get(name, 0.0) == 0
                   for name in names)  # fmt: skip

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = Logistic(monotone=monotone, penalty=penalty).learn(table)
        assert right(model)
        others = []
        for size in range(limited + 1):
            for held in itertools.combinations(names, size):
                if len(held) == 6:
                    continue
                other = Logistic(penalty=penalty).learn(_without(table, *held))
                if right(other):
                    others.append(_height(other))
    assert _height(model) >= max(others, default=-np.inf) - 1e-7


def _height(model: Any) -> float:
    return float(model.fit.iterations[-1])


def test_a_column_that_followed_from_a_held_one_takes_its_place() -> None:
    table = noisy_table()
    copy = {**{k: v for k, v in table.columns.items() if k != "y"}, "twice": 2 * table.columns["x"]}
    model = Logistic(monotone={"x": "down:B"}).learn(linear_table(copy, table.target))
    assert "x" not in _weights(model)
    assert _weights(model)["twice"] == pytest.approx(_weights(Logistic().learn(table))["x"] / 2, rel=1e-6)


def test_a_separation_into_the_wrong_side_is_held_at_0() -> None:
    dice = np.random.default_rng(1)
    x, z = dice.normal(size=80), dice.normal(size=80)
    table = linear_table({"x": x, "z": z}, x > 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # without x nothing separates the classes
        model = Logistic(monotone={"x": "down:B"}).learn(table)
    assert set(_weights(model)) == {"z"}


def test_a_guessed_class_is_named_and_does_not_depend_on_the_order_of_rows() -> None:
    table = noisy_table()
    with pytest.warns(ClearwoodWarning, match="monotone names no class, so it is about"):
        one = Logistic(monotone={"x": "up"}).learn(table)
    with pytest.warns(ClearwoodWarning, match="monotone names no class"):
        other = Logistic(monotone={"x": "up"}).learn(table.take(np.arange(len(table))[::-1]))
    assert _weights(one) == _weights(other)
    assert one.origin.settings["monotone"] == other.origin.settings["monotone"]


def test_what_has_no_direction_is_refused() -> None:
    with pytest.raises(LearningError, match="'c' is nominal, and here each of its values has a weight"):
        Logistic(monotone={"c": "up:B"}).learn(noisy_table())
    with pytest.raises(LearningError, match="a direction needs a number or two classes"):
        Logistic(monotone={"x": "up:B"}).learn(noisy_table(classes=3))
    with pytest.raises(SettingError, match="No column 'y0'"):
        Logistic(monotone={"y0": "up:B"}).learn(noisy_table())
    with pytest.raises(SettingError, match="must go up or down"):
        Logistic(monotone={"x": "left"})


@pytest.mark.slow
def test_the_estimator_takes_directions() -> None:
    dice = np.random.default_rng(2)
    numbers = dice.normal(size=(200, 2))
    labels = (numbers[:, 0] + dice.normal(size=200) > 0).astype(int)
    model = cw.LogisticClassifier(monotone={"x0": "down:1"}).fit(numbers, labels)
    assert model.coef_[0, 0] == 0
    assert model.coef_[0, 1] != 0
