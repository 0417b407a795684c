"""The native walk gives what one row at a time over the tree's objects gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood import _native
from clearwood.models.decision import ShareSmoothing
from clearwood.models.kinds.tree.tree import Tree
from clearwood.predicting import count_through, leaf_of, predict, predict_codes, shares
from clearwood.predicting.one import predict_one, reached, shares_of_one
from clearwood.predicting.row import row_predictor
from clearwood.table.attributes import Numeric
from clearwood.table.table import MISSING, Table
from tests.trees import tables, trees, values_of


def rows_of(table: Table) -> list[dict[str, str | float | None]]:
    """Each row as names and plain values; a value the schema doesn't list becomes one no branch names."""
    rows: list[dict[str, str | float | None]] = [{} for _ in range(len(table))]
    for attribute in table.schema.inputs:
        for row, cell in zip(rows, table.columns[attribute.name].tolist(), strict=True):
            if isinstance(attribute, Numeric):
                row[attribute.name] = cell
            elif cell >= 0:
                row[attribute.name] = values_of(attribute)[cell]
            else:
                row[attribute.name] = None if cell == MISSING else "never met"
    return rows


def node_at(tree: Tree, path: tuple[int, ...]) -> int:
    node = 0
    for branch in path:
        node = tree.nodes.children(node)[branch]
    return node


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.data())
def test_classes_shares_and_numbers_are_those_of_the_definition(data: st.DataObject) -> None:
    tree = data.draw(trees())
    table = data.draw(tables(tree.schema))
    rows = rows_of(table)
    assert predict(tree, table).tolist() == [predict_one(tree, row) for row in rows]
    if not tree.is_numeric:
        smoothings: tuple[ShareSmoothing, ...] = (None, "laplace", 0, 2.5)
        smoothing = data.draw(st.sampled_from(smoothings))
        expected = [list(shares_of_one(tree, row, smoothing).values()) for row in rows]
        np.testing.assert_allclose(shares(tree, table, smoothing=smoothing), expected, rtol=1e-14, atol=1e-15)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.data())
def test_leaves_and_counts_are_those_of_the_definition(data: st.DataObject) -> None:
    tree = data.draw(trees())
    table = data.draw(tables(tree.schema))
    ends = [reached(tree, row) for row in rows_of(table)]
    biggest = [node_at(tree, max(each, key=lambda r: r.weight).path) for each in ends]
    assert leaf_of(tree, table).tolist() == biggest

    expected = np.zeros((tree.size, 3 if tree.is_numeric else len(tree.schema.classes)))
    weights = np.ones(len(table)) if table.weights is None else table.weights
    for each, target, weight in zip(ends, table.target.tolist(), weights.tolist(), strict=True):
        if target != target or (not tree.is_numeric and target < 0):
            continue
        for end in each:
            for depth in range(len(end.path) + 1):
                at, w = node_at(tree, end.path[:depth]), end.weight * weight
                if tree.is_numeric:
                    expected[at] += (w, w * target, w * target * target)
                else:
                    expected[at, target] += w
    np.testing.assert_allclose(count_through(tree, table), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.data())
def test_one_row_is_answered_as_in_a_table(data: st.DataObject) -> None:
    tree = data.draw(trees())
    table = data.draw(tables(tree.schema, rows=10))
    answer = row_predictor(tree)
    rows = rows_of(table)
    assert [answer(row) for row in rows] == predict(tree, table).tolist()
    assert [answer(tuple(row.values())) for row in rows] == predict(tree, table).tolist()
    if not tree.is_numeric:
        np.testing.assert_allclose(
            [list(answer.shares(row).values()) for row in rows], shares(tree, table), rtol=1e-14, atol=1e-15
        )


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(st.data())
def test_layout_type_and_threads_change_nothing(data: st.DataObject) -> None:
    tree = data.draw(trees(numeric=False))
    table = data.draw(tables(tree.schema, rows=20_000))
    expected = predict_codes(tree, table)
    backwards = {name: np.ascontiguousarray(column[::-1])[::-1] for name, column in table.columns.items()}
    apart = {name: np.repeat(column, 3)[::3] for name, column in table.columns.items()}
    for columns in (backwards, apart):
        assert (predict_codes(tree, Table(table.schema, columns)) == expected).all()
    counts = count_through(tree, table)
    _native.set_thread_count(1)
    try:
        assert (predict_codes(tree, table) == expected).all()
        assert (count_through(tree, table) == counts).all()
    finally:
        _native.set_thread_count(0)


@pytest.mark.parametrize("code", [-3, -(2**31), 4, 2**31 - 1])
def test_a_code_outside_the_schema_is_treated_as_an_unknown_value(code: int) -> None:
    from tests.trees import tennis_table, tennis_tree

    tree, table = tennis_tree(), tennis_table()
    columns = {**table.columns, "Outlook": np.full(14, code, dtype=np.int32)}
    unknown = {**table.columns, "Outlook": np.full(14, -2, dtype=np.int32)}
    assert (
        shares(tree, Table(tree.schema, columns, checked=True)) == shares(tree, Table(tree.schema, unknown))
    ).all()
