"""Cuts and values counted by native code are those counted by the definition."""

from __future__ import annotations

import numpy as np
import pytest

import clearwood as cw
from clearwood.counting import cuts
from clearwood.counting import cuts as values
from clearwood.counting import task as tasks
from clearwood.counting.task import Region
from clearwood.learners.trees.growing_by_counts import task_of


@pytest.mark.parametrize("seed", range(5))
def test_native_counts_of_cuts_are_those_of_the_definition(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = np.random.default_rng(seed)
    rows = 200
    few = chance.integers(0, 5, rows).astype(float)
    few[chance.random(rows) < 0.2] = np.nan
    columns = {
        "few": few,
        "many": chance.normal(size=rows),
        "one": np.ones(rows),
        "none": np.full(rows, np.nan),
    }
    target = np.array(["a", "b", "c"])[chance.integers(0, 3, rows)]
    table = cw.read_table({**columns, "y": target}, target="y", kinds=dict.fromkeys(columns, "numeric"))
    task = task_of(cw.CART(), table)
    here = np.flatnonzero(chance.random(rows) < 0.7)
    region = Region(here, np.ones(len(here)))
    attributes = [each for each, ladder in enumerate(task.ladders) if ladder is not None]
    defined = cuts.count_cuts(task, attributes, region)
    monkeypatch.setattr(tasks, "_MANY", 1)
    counted = cuts.count_cuts(task, attributes, region)
    for one, other in zip(defined, counted, strict=True):
        for name in ("below", "above", "counts", "known", "missing"):
            assert np.array_equal(getattr(one, name), getattr(other, name)), name


@pytest.mark.parametrize("seed", range(5))
def test_native_counts_of_values_are_those_of_the_definition(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = np.random.default_rng(seed)
    rows = 200
    cells = np.array(["u", "v", "w", None], dtype=object)[chance.integers(0, 4, rows)]
    columns = {"some": cells, "two": np.array(["p", "q"])[chance.integers(0, 2, rows)]}
    target = np.array(["a", "b", "c"])[chance.integers(0, 3, rows)]
    table = cw.read_table({**columns, "y": target}, target="y", kinds=dict.fromkeys(columns, "nominal"))
    task = task_of(cw.CART(), table)
    here = np.flatnonzero(chance.random(rows) < 0.7)
    region = Region(here, np.ones(len(here)))
    defined = values.count_values(task, [0, 1], region)
    monkeypatch.setattr(tasks, "_MANY", 1)
    counted = values.count_values(task, [0, 1], region)
    for one, other in zip(defined, counted, strict=True):
        assert np.array_equal(one.counts, other.counts)
        assert np.array_equal(one.missing, other.missing)
    assert defined[0].missing.sum() > 0
