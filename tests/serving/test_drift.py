"""Drift: the rows asked about are compared with the profile of the training rows, column by column."""

from __future__ import annotations

import numpy as np
import pytest

import clearwood as cw
from clearwood.measures.stability_index import stability_index
from clearwood.serving.row_reading import RowReader
from clearwood.serving.served import WINDOW, Drift, ServedModel, served
from clearwood.study.profiling import with_profile
from clearwood.table.table import Table
from tests.typed import values_of


def table_of(seed: int, shift: float = 0.0, rows: int = 2000) -> Table:
    """Two columns of which the answer depends; the number is shifted."""
    chance = np.random.default_rng(seed)
    x = chance.normal(shift, 1.0, rows)
    k = chance.choice(list("abc"), rows, p=[0.5, 0.3, 0.2])
    y = np.where((x > 0) ^ (k == "a"), "yes", "no")
    return cw.read_table({"x": x, "k": k, "y": y}, target="y")


def model_of(table: Table) -> ServedModel:
    return served(with_profile(cw.C45().learn(table), table), "m")


def ask(model: ServedModel, table: Table) -> None:
    model.answers(cw.encode(_frame(table), cw.Schema(model.model.schema.attributes)), {})


def _frame(table: Table) -> dict[str, list[object]]:
    k = table.schema["k"]
    assert isinstance(k, cw.Nominal)
    return {
        "x": table.columns["x"].tolist(),
        "k": [k.values[code] for code in table.columns["k"].tolist()],
    }


def test_rows_like_those_of_training_do_not_drift() -> None:
    model = model_of(table_of(1))
    ask(model, table_of(2))
    drifted = {each.name: each for each in model.drift.inputs()}
    assert set(drifted) == {"x", "k"}
    for each in drifted.values():
        assert each.index < 0.02
        assert each.by_chance > 0.001
        assert each.rows == 2000
    answers = model.drift.answers()
    assert answers is not None
    assert answers.index < 0.02


def test_a_column_that_is_shifted_drifts_alone() -> None:
    model = model_of(table_of(1))
    ask(model, table_of(2, shift=1.0))
    drifted = {each.name: each for each in model.drift.inputs()}
    assert drifted["x"].index > 0.5
    assert drifted["x"].by_chance < 1e-6
    assert drifted["k"].index < 0.02


def test_the_index_is_that_of_the_counts() -> None:
    table = table_of(1)
    model = model_of(table)
    for k, many in (("a", 6), ("c", 2), ("never met", 1), (None, 1)):
        for _ in range(many):
            model.answer({"x": 0.5, "k": k})
    before = [*np.bincount(table.columns["k"], minlength=3), 0, 0]
    names = values_of(table.schema["k"])
    after = [dict(zip("ac", (6, 2), strict=True)).get(name, 0) for name in names] + [1, 1]
    (drifted,) = [each for each in model.drift.inputs() if each.name == "k"]
    assert drifted.index == pytest.approx(stability_index(before, after))
    counted = {each.name: (each.unseen, each.missing) for each in model.drift.columns}
    assert counted["k"] == (1, 1)


def test_rows_one_by_one_and_together_count_alike() -> None:
    table, later = table_of(1), table_of(3, shift=0.4, rows=300)
    together, one_by_one = model_of(table), model_of(table)
    ask(together, later)
    frame = _frame(later)
    for x, k in zip(frame["x"], frame["k"], strict=True):
        one_by_one.answer({"x": x, "k": k})
    assert one_by_one.drift.inputs() == together.drift.inputs()
    first, second = one_by_one.drift.answers(), together.drift.answers()
    assert first is not None
    assert second is not None
    assert first.index == pytest.approx(second.index)


def test_an_old_change_is_forgotten() -> None:
    model = model_of(table_of(1))
    ask(model, table_of(2, shift=3.0, rows=WINDOW))
    assert {each.name: each for each in model.drift.inputs()}["x"].index > 1
    for seed in (4, 5):
        ask(model, table_of(seed, rows=WINDOW))
    drifted = {each.name: each for each in model.drift.inputs()}
    assert drifted["x"].index < 0.02
    assert drifted["x"].rows <= 2 * WINDOW


def test_answers_that_move_to_a_class_drift() -> None:
    model = model_of(table_of(1))
    for _ in range(200):
        model.answer({"x": 3.0, "k": "b"})
    answers = model.drift.answers()
    assert answers is not None
    assert answers.index > 1
    assert answers.by_chance < 1e-6


def test_numbers_drift_by_their_mean() -> None:
    x = np.arange(200.0)
    table = cw.read_table({"x": x, "y": x * 2}, target="y", kinds={"x": "numeric", "y": "numeric"})
    model = served(with_profile(cw.CART().learn(table), table), "m")
    assert model.drift.shift() is None
    assert model.drift.answers() is None
    for cell in (150.0, 190.0):
        model.answer({"x": cell})
    assert model.drift.shift() == pytest.approx((340 - 199) / np.std(2 * x), rel=0.05)


def test_without_a_profile_nothing_is_claimed() -> None:
    model = cw.C45().learn(table_of(1))
    drift = Drift(model, RowReader(model))
    drift.add_row([0, 0], [0.5, 0.5])
    assert drift.inputs() == []
    assert drift.answers() is None


def test_a_column_with_few_numbers_has_few_parts() -> None:
    table = cw.read_table(
        {"x": [0.0] * 60 + [1.0] * 40, "y": ["a"] * 55 + ["b"] * 45}, target="y", kinds={"x": "numeric"}
    )
    model = served(with_profile(cw.C45().learn(table), table), "m")
    for cell in [0.0] * 6 + [1.0] * 4:
        model.answer({"x": cell})
    (x,) = model.drift.inputs()
    assert x.index == pytest.approx(0.0, abs=0.02)
