"""Charts of rankings, of steady selections and of components: what they show, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.draw.charts.name_places import NamedPoint, named_points
from clearwood.errors import SettingError
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.trees import tennis_table


def wide(columns: int) -> Table:
    random = np.random.default_rng(0)
    cells = {f"x{k}": random.normal(size=60) for k in range(columns)}
    target = (cells["x1"] > 0).astype(np.int32)
    return Table(Schema(tuple(map(Numeric, cells)), Nominal("y", ("a", "b"))), {**cells, "y": target})


def test_of_many_columns_the_first_thirty_are_drawn_and_the_chart_says_so() -> None:
    ranking = cw.rank_columns(wide(50), "relieff", keep=3)
    chart = cw.charts.ranking(ranking)
    assert "the first 30 of 50" in chart.svg
    assert chart.spec is not None
    bars = chart.spec["data"]["values"]
    assert len(bars) == 30
    assert [each["kept"] for each in bars].count(True) == 3
    steady = cw.selection_stability(wide(50), cw.Selection("relieff", 3), cw.Folds(2))
    assert "the first 30 of 50 columns" in cw.charts.selection_stability(steady).svg


def test_a_ranking_whose_scores_are_all_nought_is_drawn() -> None:
    table = cw.read_table({"a": list("uv"), "b": list("uv"), "y": ["p", "p"]}, target="y")
    assert "0 of 2 columns kept" in cw.charts.ranking(cw.rank_columns(table, "gain")).svg


def test_the_circle_has_a_line_for_each_column_to_its_correlations() -> None:
    made = cw.pca(wide(4))
    chart = cw.charts.components(made, axes=(2, 1))
    assert chart.spec is not None
    points = chart.spec["layer"][3]["data"]["values"]
    assert {(round(each["x"], 6), round(each["y"], 6)) for each in points} == {
        (round(x, 6), round(y, 6)) for x, y in zip(made.correlations[1], made.correlations[0], strict=True)
    }


@pytest.mark.parametrize("axes", [(1, 1), (0, 1), (1, 9)])
def test_axes_that_there_are_none_of_are_refused(axes: tuple[int, int]) -> None:
    with pytest.raises(SettingError, match="axes must name two of the 4 components"):
        cw.charts.components(cw.pca(wide(4)), axes=axes)


def test_what_is_no_ranking_or_component_is_refused() -> None:
    draws: list[Any] = [
        cw.charts.ranking,
        cw.charts.selection_stability,
        cw.charts.components,
        cw.charts.explained,
    ]
    for draw in draws:
        with pytest.raises(SettingError, match="draws"):
            draw(tennis_table())


def test_names_cover_neither_each_other_nor_points() -> None:
    random = np.random.default_rng(0)
    points = [NamedPoint(f"name {k}", *random.uniform(50, 400, 2)) for k in range(30)]
    placed = named_points(points, 450, 450)
    boxes = []
    for point, name in zip(points, placed, strict=True):
        width = 6.0 * len(point.name)
        left = name.x - {"left": 0, "center": width / 2, "right": width}[name.align]
        boxes.append((left, name.y - 5, left + width, name.y + 5))
    for k, one in enumerate(boxes):
        for other in boxes[:k]:
            apart = one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]
            assert apart
