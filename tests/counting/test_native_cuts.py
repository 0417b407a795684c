"""Cells counted by native code, laid out or sorted are the same, and those of counting row by row."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import clearwood as cw
from clearwood.counting import in_memory
from clearwood.counting.engine import Cells
from clearwood.counting.in_memory import InMemory, engine_in_memory, rows_here
from clearwood.counting.question import Question, Takes

HALF = Question(0, (Takes(-np.inf, 2.5), Takes(2.5, np.inf)), (), (0.375, 0.625))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weighted", [False, True])
def test_cells_are_the_same_however_they_are_counted(
    seed: int, weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = engine_in_memory(_table(seed, weighted))
    frontier = engine.divide(engine.root(), {0: HALF})
    assert len(rows_here(frontier).row) > 200  # rows without `few` are divided
    columns = range(len(engine.coding))
    counted = [*engine.values(frontier, columns), engine.totals(frontier)]
    monkeypatch.setattr(in_memory, "_MANY", 1)
    natively = [*engine.values(frontier, columns), engine.totals(frontier)]
    monkeypatch.setattr(in_memory, "_WIDE", 0)
    monkeypatch.setattr(in_memory, "_FEW_CELLS", 0)
    by_sorting = [*engine.values(frontier, columns), engine.totals(frontier)]
    for place, (one, two, three) in enumerate(zip(counted, natively, by_sorting, strict=True)):
        by_row = _row_by_row(engine, place)
        for each in (one, two, three):
            assert _as_counter(each) == by_row
            assert list(_as_counter(each)) == sorted(by_row)


def _row_by_row(engine: InMemory, column: int) -> Counter[tuple[int, int, int]]:
    here = rows_here(engine.divide(engine.root(), {0: HALF}))
    cells: Counter[tuple[int, int, int]] = Counter()
    for row, units, region in zip(here.row.tolist(), here.units.tolist(), here.region.tolist(), strict=True):
        code = int(engine.codes[column][row]) if column < len(engine.codes) else 0
        cells[region, code, int(engine.level[row])] += units
    return cells


def _as_counter(cells: Cells) -> Counter[tuple[int, int, int]]:
    places = zip(cells.region.tolist(), cells.code.tolist(), cells.level.tolist(), strict=True)
    return Counter(dict(zip(places, cells.units.tolist(), strict=True)))


def _table(seed: int, weighted: bool) -> cw.Table:
    chance = np.random.default_rng(seed)
    rows = 200
    few = chance.integers(0, 5, rows).astype(float)
    few[chance.random(rows) < 0.2] = np.nan
    columns = {
        "few": few,
        "many": chance.normal(size=rows),
        "one": np.ones(rows),
        "none": np.full(rows, np.nan),
        "some": np.array(["u", "v", "w", None], dtype=object)[chance.integers(0, 4, rows)],
        "two": np.array(["p", "q"])[chance.integers(0, 2, rows)],
    }
    target = np.array(["a", "b", "c"])[chance.integers(0, 3, rows)]
    numeric = dict.fromkeys(("few", "many", "one", "none"), "numeric")
    kinds = {**numeric, "some": "nominal", "two": "nominal"}
    table = cw.read_table({**columns, "y": target}, target="y", kinds=kinds)
    weights = chance.uniform(0.1, 3, rows) if weighted else None
    return cw.Table(table.schema, table.columns, weights)
