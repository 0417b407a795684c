"""ReliefF: what counts of one column cannot see, the textbook's algorithm, weights, missing cells, speed."""

from __future__ import annotations

import time

import numpy as np
import pytest

import clearwood as cw
from clearwood.arrays import Floats, Longs
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.shared_data import csv_path


def numeric_table(rows: int, seed: int, columns: int = 5, classes: int = 3) -> Table:
    random = np.random.default_rng(seed)
    target = random.integers(0, classes, rows).astype(np.int32)
    cells = {f"x{k}": random.normal(size=rows) + (target if k == 1 else 0) for k in range(columns)}
    names = tuple("abcdef"[:classes])
    return Table(Schema(tuple(map(Numeric, cells)), Nominal("y", names)), {**cells, "y": target})


def textbook(cells: Floats, classes: Longs, k: int) -> Floats:
    """ReliefF of Robnik-Šikonja and Kononenko (2003), figure 2, over all rows; numbers without ties."""
    apart = np.abs(cells[:, None, :] - cells[None, :, :]) / (cells.max(axis=0) - cells.min(axis=0))
    distance = apart.sum(axis=2)
    np.fill_diagonal(distance, np.inf)
    share = np.bincount(classes) / len(classes)
    score = np.zeros(cells.shape[1])
    for row in range(len(cells)):
        for other in range(len(share)):
            members = np.flatnonzero(classes == other)
            near = members[np.argsort(distance[row, members])][:k]
            mean = apart[row, near].mean(axis=0)
            own = classes[row]
            score += -mean if other == own else share[other] / (1 - share[own]) * mean
    return score / len(cells)


def test_on_numbers_the_scores_are_those_of_the_textbook() -> None:
    table = numeric_table(150, 0)
    cells = np.column_stack([table.columns[f"x{k}"] for k in range(5)])
    ranking = cw.rank_columns(table, "relieff", neighbours=7)
    expected = textbook(cells, table.target, 7)
    assert [ranking[f"x{k}"].score for k in range(5)] == pytest.approx(expected.tolist(), abs=1e-5)
    assert ranking.columns[0].name == "x1"


def test_it_sees_two_columns_that_tell_something_only_together() -> None:
    random = np.random.default_rng(1)
    cells = {name: random.integers(0, 2, 400).astype(np.int32) for name in "abcdef"}
    schema = Schema(tuple(Nominal(name, ("0", "1")) for name in cells), Nominal("y", ("no", "yes")))
    table = Table(schema, {**cells, "y": (cells["b"] ^ cells["e"]).astype(np.int32)})
    assert set(cw.rank_columns(table, "relieff", keep=2).kept) == {"b", "e"}
    assert cw.rank_columns(table, "gain")["b"].score < 0.02


def test_it_sees_what_numbers_depend_on() -> None:
    random = np.random.default_rng(2)
    cells = {name: random.normal(size=500) for name in "abcd"}
    target = cells["b"] * 3 + cells["d"] ** 2
    table = Table(Schema(tuple(map(Numeric, cells)), Numeric("y")), {**cells, "y": target})
    ranking = cw.rank_columns(table, "relieff")
    assert [each.name for each in ranking.columns[:2]] == ["b", "d"]


@pytest.mark.parametrize("numeric", [False, True])
def test_a_row_of_weight_three_counts_as_three_equal_rows(numeric: bool) -> None:
    table = numeric_table(60, 3)
    weights = np.random.default_rng(4).integers(1, 4, 60)
    schema = table.schema
    columns = dict(table.columns)
    if numeric:
        schema = Schema(schema.attributes, Numeric("y"))
        columns["y"] = columns["x0"] * 2 + columns["x3"]
    heavy = Table(schema, columns, weights.astype(np.float64))
    apart = Table(schema, columns).take(np.repeat(np.arange(60), weights))
    one, other = (cw.rank_columns(each, "relieff", neighbours=4) for each in (heavy, apart))
    assert [one[f"x{k}"].score for k in range(5)] == pytest.approx([other[f"x{k}"].score for k in range(5)])


def test_ordered_values_differ_by_their_distance() -> None:
    values = np.array([0, 0, 1, 1, 2, 2, 3, 3] * 5, dtype=np.int32)
    target = (values >= 2).astype(np.int32)
    levels = ("low", "medium", "high", "highest")
    scores = {}
    for kind in (Ordinal, Nominal):
        schema = Schema((kind("x", levels),), Nominal("y", ("no", "yes")))
        scores[kind] = cw.rank_columns(Table(schema, {"x": values, "y": target}), "relieff")["x"].score
    assert scores[Ordinal] != scores[Nominal]
    assert scores[Ordinal] > 0


def test_references_are_drawn_by_the_seed() -> None:
    table = numeric_table(300, 5)
    draw = [cw.rank_columns(table, "relieff", references=20, seed=seed)["x1"].score for seed in (0, 0, 1)]
    assert draw[0] == draw[1] != draw[2]


def test_huge_and_infinite_numbers_are_measured_by_the_finite_range() -> None:
    table = numeric_table(50, 6)
    cells = table.columns["x1"] * 1e300
    cells[0], cells[1] = np.inf, -np.inf
    wide = Table(table.schema, {**table.columns, "x1": cells})
    scores = [each.score for each in cw.rank_columns(wide, "relieff").columns]
    assert all(-1 <= score <= 1 for score in scores)


@pytest.mark.slow
def test_two_thousand_references_of_adult_take_less_than_two_seconds_of_all_cores_together() -> None:
    table = cw.read_table(csv_path("adult"), target="class", weights_are=None)
    start = time.process_time()
    ranking = cw.rank_columns(table, "relieff", references=2000)
    assert time.process_time() - start < 2
    assert ranking.columns[0].score > 0.1
