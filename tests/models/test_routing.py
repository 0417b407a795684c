"""The way down a split: a book's cases, and the same for one row, for many, and for objects and columns."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.arrays import Bools
from clearwood.formulas.conditions import Above, AtMost, Condition, Equals
from clearwood.models.kinds.tree.tree import Branch, Leaf, Node, Split, Surrogate, Tree
from clearwood.models.routing import Way, route_at, route_of, sent, ways
from clearwood.predicting.through import satisfying
from clearwood.table.table import Table
from tests.predicting.test_native_equals_the_definition import rows_of
from tests.trees import tables, trees

LEAF = Leaf((1.0, 1.0))
DRY, DAMP = Branch(AtMost("Humidity", 75.0), 0.25, LEAF), Branch(Above("Humidity", 75.0), 0.75, LEAF)
BY_WIND = Surrogate(Equals("Wind", "Strong"), 1, Equals("Wind", "Weak"), 0.8)


def split(*, surrogates: tuple[Surrogate, ...] = (), otherwise: int | None = None) -> Split:
    return Split((1.0, 1.0), {}, (DRY, DAMP), surrogates, otherwise)


@pytest.mark.parametrize(
    ("split", "row", "expected"),
    [
        (split(otherwise=1), {"Humidity": 75.0}, [Way(0, 1.0, "cell")]),
        (split(surrogates=(BY_WIND,)), {"Wind": "Strong"}, [Way(1, 1.0, "surrogate", 0)]),
        (split(surrogates=(BY_WIND,)), {"Wind": "Weak"}, [Way(0, 1.0, "surrogate", 0)]),
        (split(surrogates=(BY_WIND,)), {"Humidity": 80.0, "Wind": "Weak"}, [Way(1, 1.0, "cell")]),
        (split(surrogates=(BY_WIND,), otherwise=1), {"Wind": "a gale"}, [Way(1, 1.0, "otherwise")]),
        (split(), {"Humidity": None}, [Way(0, 0.25, "every branch"), Way(1, 0.75, "every branch")]),
    ],
)
def test_a_row_asks_branches_then_surrogates_then_goes_by_otherwise_or_shares(
    split: Split, row: dict[str, str | float | None], expected: list[Way]
) -> None:
    assert list(ways(route_of(split), row)) == expected


def test_a_branch_without_rows_gets_no_part_of_a_divided_row() -> None:
    empty = Branch(AtMost("Humidity", 75.0), 0.0, LEAF)
    full = Branch(Above("Humidity", 75.0), 1.0, LEAF)
    assert ways(route_of(Split((1.0, 1.0), {}, (empty, full))), {}) == (Way(1, 1.0, "every branch"),)


def test_the_route_of_a_split_is_worked_out_once_and_is_no_part_of_it() -> None:
    one, other = split(), split()
    assert route_of(one) is route_of(one)
    assert one == other
    assert repr(one) == repr(other)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(st.data())
def test_many_rows_go_as_each_goes_alone(data: st.DataObject) -> None:
    tree = data.draw(trees())
    table = data.draw(tables(tree.schema))
    rows = rows_of(table)
    for node, split in splits_of(tree):
        route = route_at(tree, node)
        assert route == route_of(split)
        gone = sent(route, taken_from(tree, table), len(table))
        for place, row in enumerate(rows):
            expected = ways(route, row)
            assert gone.ways(place) == expected
            parts = {way.branch: way.part for way in expected}
            for branch in range(len(split.branches)):
                assert gone.part(branch)[place] == parts.get(branch, 0.0)


def taken_from(tree: Tree, table: Table) -> Callable[[Condition], Bools]:
    return lambda condition: satisfying(tree.schema, table, condition)


def splits_of(tree: Tree) -> list[tuple[int, Split]]:
    """The splits by number and as objects."""
    actual: list[tuple[int, Split]] = []
    waiting: list[tuple[int, Node]] = [(0, tree.root)]
    while waiting:
        node, here = waiting.pop()
        if isinstance(here, Split):
            actual.append((node, here))
            children = tree.nodes.children(node)
            waiting += [(child, branch.then) for child, branch in zip(children, here.branches, strict=True)]
    return actual
