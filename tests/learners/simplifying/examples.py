"""Trees and rows for the pruners' tests, and a literal way to send rows down: by objects, one at a time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from clearwood.formulas.conditions import holds
from clearwood.models.decision import Decision
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Leaf, Node, Split, Tree
from clearwood.predicting import count_through
from clearwood.table.table import Table
from tests.trees import tables, trees

Row = dict[str, str | float | None]
Rows = list[tuple[Row, float]]


@st.composite
def grown(draw: st.DrawFn, numeric: bool = False, rows: int = 60) -> tuple[Tree, Table]:
    """A random tree with the counts of a random table's rows."""
    tree = draw(trees(numeric=numeric))
    table = draw(tables(tree.schema, rows=rows))
    return recounted(tree, table), table


def recounted(tree: Tree, table: Table) -> Tree:
    """The tree with the counts it would have, had it been grown on this table."""
    counts = count_through(tree, table)
    if tree.is_numeric:
        weight, total, squares = counts.T
        mean = np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)
        counts = np.stack([weight, mean, np.maximum(squares - weight * mean**2, 0.0)], axis=1)
    return replace(tree, nodes=replace(tree.nodes, counts=counts))


def random_tree(seed: int, classes: int = 3, rows: int = 400, depth: int = 7) -> tuple[Tree, Table]:
    """A tree of random cuts on a noisy table with empty cells, its rows shared out where a cell is empty."""
    from clearwood.formulas.conditions import Above, AtMost
    from clearwood.models.kinds.tree.tree import Branch
    from clearwood.table.attributes import Nominal, Numeric
    from clearwood.table.schema import Schema

    rng = np.random.default_rng(seed)
    schema = Schema((Numeric("a"), Numeric("b"), Numeric("c")), Nominal("t", tuple("xyz"[:classes])))
    cells = {name: rng.integers(0, 12, rows).astype(np.float64) for name in "abc"}
    noise = rng.random(rows) < 0.3
    target = np.where(
        noise, rng.integers(0, classes, rows), (cells["a"] > 5) + (cells["b"] > 8) * (classes > 2)
    )
    if seed % 2:
        for column in cells.values():
            column[rng.random(rows) < 0.05] = np.nan
    table = Table(schema, {**cells, "t": target.astype(np.int32)})

    def grow(left: int) -> Node:
        if not left or rng.random() < 0.1:
            return Leaf((0.0,) * classes)
        name, limit = "abc"[rng.integers(3)], float(rng.integers(1, 11))
        share = limit / 12
        return Split(
            (0.0,) * classes,
            {},
            (
                Branch(AtMost(name, limit), share, grow(left - 1)),
                Branch(Above(name, limit), 1 - share, grow(left - 1)),
            ),
        )

    return recounted(tree_of(schema, grow(depth)), table), table


def target_of(tree: Tree) -> str:
    assert tree.schema.target is not None
    return tree.schema.target.name


def rows_of(table: Table) -> Rows:
    """A table as rows of plain values, None where a cell is empty, with their weights."""
    actual = []
    for i in range(len(table)):
        row: Row = {}
        for name, column in table.columns.items():
            attribute = table.schema[name]
            values = getattr(attribute, "values", None)
            if values is None:
                row[name] = None if np.isnan(column[i]) else float(column[i])
            else:
                row[name] = None if column[i] == -1 else "never met" if column[i] < 0 else values[column[i]]
        actual.append((row, 1.0 if table.weights is None else float(table.weights[i])))
    return actual


def parted(split: Split, rows: Rows) -> tuple[list[Rows], Rows]:
    """The rows each branch takes, and those that go down every branch."""
    taken: list[Rows] = [[] for _ in split.branches]
    rest: Rows = []
    for row, weight in rows:
        branch = branch_of(split, row)
        (rest if branch is None else taken[branch]).append((row, weight))
    return taken, rest


def branch_of(split: Split, row: Row) -> int | None:
    for number, branch in enumerate(split.branches):
        if holds(branch.when, row[branch.when.name]):
            return number
    for surrogate in split.surrogates:
        value = row[surrogate.when.name]
        if value is not None and holds(surrogate.when, value):
            return surrogate.then
        if value is not None and holds(surrogate.otherwise, value):
            return 1 - surrogate.then
    return split.otherwise


def called(counts: tuple[float, ...], decision: Decision) -> int:
    """The class of least expected cost."""
    factors = decision.factors or (1.0,) * len(counts)
    weighed = [c * f for c, f in zip(counts, factors, strict=True)]
    costs = decision.costs or tuple(
        tuple(float(i != j) for j in range(len(counts))) for i in range(len(counts))
    )
    expected = [sum(w * costs[i][j] for i, w in enumerate(weighed)) for j in range(len(counts))]
    return min(range(len(counts)), key=lambda j: (round(expected[j], 9), j))


def same_tree(actual: Node, expected: Node) -> bool:
    """Same questions, same counts but for rounding."""
    if not np.allclose(actual.counts, expected.counts, atol=1e-8):
        return False
    if isinstance(actual, Leaf) or isinstance(expected, Leaf):
        return isinstance(actual, Leaf) and isinstance(expected, Leaf)
    return (
        [b.when for b in actual.branches] == [b.when for b in expected.branches]
        and np.allclose([b.share for b in actual.branches], [b.share for b in expected.branches])
        and actual.surrogates == expected.surrogates
        and actual.otherwise == expected.otherwise
        and all(same_tree(f.then, w.then) for f, w in zip(actual.branches, expected.branches, strict=True))
    )
