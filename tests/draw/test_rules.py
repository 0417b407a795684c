"""A tree as rules: one line a leaf, each condition once."""

from __future__ import annotations

import pytest
from hypothesis import given

from clearwood.draw.rules import draw_rules
from clearwood.formulas.conditions import Above, AtMost, Equals, IsMissing, OneOf, holds, never_holds
from clearwood.learners.trees.c45 import C45
from clearwood.models.kinds.tree.tree import Tree, merged_conditions, path_to
from clearwood.table import read_table
from tests.book_tables import book_table
from tests.trees import trees


def test_the_books_tree_reads_as_five_rules() -> None:
    tree = C45().learn(book_table("tennis_numeric", target="Play"))
    assert draw_rules(tree).splitlines() == [
        "IF Outlook = Sunny AND Humidity ≤ 75 THEN Play = Play  (2 rows, 100 %)",
        "IF Outlook = Sunny AND Humidity > 75 THEN Play = Don't Play  (3 rows, 100 %)",
        "IF Outlook = Overcast THEN Play = Play  (4 rows, 100 %)",
        "IF Outlook = Rain AND Wind = Weak THEN Play = Play  (3 rows, 100 %)",
        "IF Outlook = Rain AND Wind = Strong THEN Play = Don't Play  (2 rows, 100 %)",
    ]


def test_a_tree_of_one_leaf_is_one_rule_without_conditions() -> None:
    table = read_table([{"a": 1.0, "y": "yes"}, {"a": 2.0, "y": "yes"}], target="y")
    assert draw_rules(C45().learn(table)) == "ALWAYS THEN y = yes  (2 rows, 100 %)"


def test_bounds_keep_the_tighter_and_sets_their_common_part() -> None:
    assert merged_conditions([AtMost("x", 5.0), AtMost("x", 3.0), Above("x", 1.0)]) == merged_conditions(
        [AtMost("x", 3.0), Above("x", 1.0)]
    )
    assert merged_conditions([OneOf("c", ("a", "b", "d")), OneOf("c", ("d", "a"))]) == (
        OneOf("c", ("a", "d")),
    )
    assert merged_conditions([OneOf("c", ("a", "b"), or_missing=True), IsMissing("c")]) == (IsMissing("c"),)


def test_conditions_that_exclude_each_other_stay_so_whatever_comes_then() -> None:
    (never,) = merged_conditions([AtMost("x", 3.0), IsMissing("x"), Above("x", 1.0)])
    assert never_holds(never)
    assert not holds(never, 2.0)
    assert not holds(never, None)


@pytest.mark.slow
@given(tree=trees())
def test_the_merged_way_takes_the_cells_that_every_step_takes(tree: Tree) -> None:
    for node in range(1, tree.size):
        steps, at = [], node
        while at > 0:
            steps.append(tree.condition(at))
            at = int(tree.nodes.parent[at])
        for condition in path_to(tree, node):
            own = [step for step in steps if step.name == condition.name]
            if isinstance(condition, Equals):
                assert all(holds(step, condition.value) for step in own)
            if isinstance(condition, AtMost):
                assert all(holds(step, condition.limit) for step in own if step.name == condition.name)
