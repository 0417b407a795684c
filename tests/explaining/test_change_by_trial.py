"""The smallest change in a forest is that of all cells and pairs tried one by one; it ends in time."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.explaining.moves import moves_of
from clearwood.explaining.one_row import constraints_of
from clearwood.explaining.smallest_change import smallest_change
from clearwood.models.model import Model
from clearwood.models.space.space_of import thresholds_of
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from tests.rule_lists import rows_of

LEARNERS: tuple[Any, ...] = (
    cw.Forest(trees=6),
    cw.Bagging(of=cw.C45(), trees=4),
    cw.Boosting(trees=4, max_depth=3),
    cw.AdaBoost(trees=4),
)


def _table(seed: int, classes: int) -> cw.Table:
    rng = np.random.default_rng(seed)
    rows = 60
    x, y = rng.normal(size=rows).round(1), rng.normal(size=rows).round(1)
    kind, size = rng.integers(0, 3, rows), rng.integers(0, 4, rows)
    target = ((x * y > 0).astype(int) + (kind == 1) * (size > 1)) % classes
    x[rng.random(rows) < 0.1] = np.nan
    kind[rng.random(rows) < 0.1] = -1
    attributes = (
        Numeric("x"),
        Numeric("y"),
        Nominal("kind", tuple("abc")),
        Ordinal("size", ("S", "M", "L", "XL")),
    )
    columns: dict[str, Any] = {"x": x, "y": y, "kind": kind, "size": size, "t": target}
    coded = {name: each if name in "xy" else each.astype(np.int32) for name, each in columns.items()}
    return cw.Table(Schema(attributes, Nominal("t", tuple("pqr"[:classes]))), coded)


def _row(table: cw.Table, place: int) -> dict[str, Any]:
    cells = rows_of(table.take(np.array([place])))[0]
    return {name: None if cell != cell else cell for name, cell in cells.items()}


def _every_pair(model: Model, row: dict[str, Any], targets: set[str]) -> tuple[int, float] | None:
    """How many cells, and their cost: every cell alone, then every two, each predicted for itself."""
    thresholds, constraints = thresholds_of(model), constraints_of(model.schema, (), (), (), None)
    moves = [
        moves_of(each, row[each.name], thresholds.get(each.name, ()), constraints)
        for each in model.schema.inputs
    ]
    for cells in (1, 2):
        ways: list[tuple[float, dict[str, Any]]] = []
        for chosen in combinations([line.some() for line in moves], cells):
            changes = [(each,) for each in chosen[0]]
            if cells == 2:
                changes = [(a, b) for a in chosen[0] for b in chosen[1]]  # type: ignore[misc]
            ways += [(sum(e.cost for e in way), {e.name: e.after for e in way}) for way in changes]
        answers = cw.predict(model, [{**row, **cell} for _, cell in ways]).tolist()
        costs = [cost for (cost, _), answer in zip(ways, answers, strict=True) if answer in targets]
        if costs:
            return cells, min(costs)
    return None


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: type(each).__name__)
@settings(max_examples=12)
@given(data=st.data())
def test_numbers_that_stand_for_others_lose_no_smaller_change(learner: Any, data: st.DataObject) -> None:
    table = _table(data.draw(st.integers(0, 999)), data.draw(st.sampled_from((2, 3))))
    model = learner.learn(table)
    row = _row(table, data.draw(st.integers(0, len(table) - 1)))
    if data.draw(st.booleans()):
        row["kind"] = data.draw(st.sampled_from((None, "never met")))
    to = data.draw(st.none() | st.sampled_from(model.schema.classes))
    change = smallest_change(model, row, to=to)
    if to == change.answer:
        return
    targets = {to} if to is not None else set(model.schema.classes) - {str(change.answer)}
    expected = _every_pair(model, row, targets)
    if expected is None:
        assert not change.proven
        assert len(change.cells) != 1
    else:
        assert change.proven
        assert len(change.cells) == expected[0]
        assert change.distance == pytest.approx(expected[1])


@pytest.mark.parametrize(
    "learner",
    [cw.Forest(trees=3), cw.C45(), cw.RIPPER(), cw.CN2(rules="unordered"), cw.NaiveBayes(), cw.Logistic()],
    ids=lambda each: type(each).__name__,
)
def test_a_search_whose_time_is_over_says_so_and_still_has_the_answer(learner: Any) -> None:
    table = _table(0, 2)
    model = learner.learn(table)
    row = _row(table, 0)
    change = smallest_change(model, row, seconds=0)
    assert change.answer == cw.predict(model, [row]).tolist()[0]
    assert (change.stopped, change.proven, change.instead) == (True, False, None)
    assert change.because == (
        "Not searched to the end: the time was over before a change to another class was met."
    )
    whole = smallest_change(model, row, seconds=60)
    assert whole == smallest_change(model, row)
    assert not whole.stopped


def test_a_time_below_nothing_is_refused() -> None:
    with pytest.raises(SettingError, match="0 or more, not -1"):
        smallest_change(cw.C45().learn(_table(0, 2)), {}, seconds=-1)
