"""ReliefF: native code and definition give the same scores, on any table and any number of threads."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.selecting.relieff import ReliefCells, relief_cells
from clearwood.table.table import Table
from tests.definitions.relieff import relieff_by_definition
from tests.learners.random_tables import random_tables


def natively(cells: ReliefCells, neighbours: float, threads: int = 0) -> Floats:
    return _native.relieff(
        list(cells.columns), list(cells.ordered), cells.unit, cells.target, cells.classes, cells.weights,
        cells.references, neighbours, threads,
    )  # fmt: skip


@settings(max_examples=60)
@given(random_tables(max_rows=25, max_values=12), st.integers(1, 30), st.integers(1, 4), st.integers(0, 3))
def test_native_scores_are_those_of_the_definition(
    table: Table, references: int, neighbours: int, seed: int
) -> None:
    if table.weights is not None:
        table = table.take(table.weights > 0)
    cells = relief_cells(table, table.schema.inputs, references, seed)
    expected = relieff_by_definition(cells, neighbours)
    np.testing.assert_allclose(natively(cells, neighbours), expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("target", ["nominal", "numeric"])
def test_scores_are_the_same_on_any_number_of_threads(target: str) -> None:
    random = np.random.default_rng(3)
    columns = tuple(random.integers(-1, 40, 5000).astype(np.int32) for _ in range(6))
    classes = 5 if target == "nominal" else 0
    goal = random.integers(0, classes or 60, 5000).astype(np.int32)
    weights = random.uniform(0.2, 3, 5000)
    cells = ReliefCells(columns, (True, False) * 3, 60, goal, classes, weights, 300)
    one, two, five = (natively(cells, 10, threads).tolist() for threads in (1, 2, 5))
    assert one == two == five
