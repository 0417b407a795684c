"""CHAID's derivation: the worked example, every way of merging, and the tree again from its own steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.models.kinds.tree.tree import Split
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from clearwood.words.numbers import short
from clearwood.working.derivation import BecameSplit, Derivation, Stopped
from clearwood.working.figures import Figure
from tests.deriving.checking import check
from tests.learners.random_tables import random_tables

WAYS: tuple[dict[str, Any], ...] = (
    {},
    {"exhaustive": True},
    {"alpha_resplit": 0.04, "alpha_merge": 0.3},
    {"statistic": "likelihood_ratio", "alpha_split": 0.5},
    {"bonferroni": False, "bins": 4, "alpha_split": 1.0},
)


def worked(kind: type[Nominal] | type[Ordinal]) -> Table:
    """Categories 1, 2, 3 with the classes (30, 30), (30, 30), (55, 5)."""
    counts = [(30, 30), (30, 30), (55, 5)]
    category = np.repeat([0, 1, 2], [sum(each) for each in counts]).astype(np.int32)
    target = np.concatenate([np.repeat([0, 1], each) for each in counts]).astype(np.int32)
    schema = Schema((kind("A", ("1", "2", "3")),), Nominal("y", ("no", "yes")))
    return Table(schema, {"A": category, "y": target})


def derived(table: Table, **settings: Any) -> Derivation:
    learner = cw.CHAID(**{"min_rows": 2, "min_leaf": 1, **settings})
    return cw.derive(learner.learn(table), table)


def value(figure: Figure) -> float:
    assert isinstance(figure.value, float)
    return figure.value


@pytest.mark.parametrize(("kind", "ways", "adjusted"), [(Nominal, 3, 1.2308e-7), (Ordinal, 2, 8.2052e-8)])
def test_the_worked_example(kind: Any, ways: int, adjusted: float) -> None:
    steps = derived(worked(kind))
    assert value(steps.figure("χ²(A)")) == pytest.approx(30.100, abs=5e-4)
    assert value(steps.figure("p(A)")) == pytest.approx(4.1026e-8, rel=1e-4)
    assert value(steps.figure("B(A)")) == ways
    assert value(steps.figure("adjusted p(A)")) == pytest.approx(adjusted, rel=1e-4)
    merging = steps.figure("adjusted p(A)").grids[1]
    assert merging.title == "Merging"
    assert merging.rows[0] == (1, "1 | 2 | 3", "1 with 2", 0.0, 1.0, "p > 0.05: joined")
    assert steps[0].decision == (
        f"A has the smallest adjusted p, {short(adjusted)}, at most 0.05: split on it, into 2 groups."
    )


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(table=random_tables(max_values=9, max_rows=50, max_columns=3), way=st.sampled_from(WAYS))
def test_every_number_shows_its_work_and_the_steps_give_the_tree(table: Table, way: dict[str, Any]) -> None:
    learner = cw.CHAID(**{"min_rows": 2, "min_leaf": 1, **way})
    tree = learner.learn(table)
    steps = cw.derive(tree, table)
    check(steps)
    waiting = [tree.root]
    for step in steps:
        node = waiting.pop()
        if isinstance(node, Split):
            assert isinstance(step.outcome, BecameSplit)
            assert step.outcome.branches == tuple(branch.when for branch in node.branches)
            assert dict(step.outcome.scores) == pytest.approx(node.score, rel=1e-9, nan_ok=True)
            waiting.extend(branch.then for branch in reversed(node.branches))
        else:
            assert isinstance(step.outcome, Stopped)
            assert step.outcome.counts == pytest.approx(node.counts)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(
    table=random_tables(max_values=9, max_rows=50, max_columns=3), floor=st.sampled_from([5.0, 10.0, 30.0])
)
def test_small_groups_are_absorbed_in_the_open(table: Table, floor: float) -> None:
    steps = derived(table, min_leaf=floor, alpha_split=1.0)
    check(steps)


def test_missing_cells_float_to_the_group_most_like_them() -> None:
    table = worked(Ordinal)
    cells = table.columns["A"].copy()
    cells[::7] = -1
    steps = derived(Table(table.schema, {**table.columns, "A": cells}))
    titles = [grid.title for grid in steps.figure("adjusted p(A)").grids]
    assert titles[2:4] == ["Which group is most like the missing cells?", "Missing cells together or apart"]
    factor = steps.figure("B(A)")
    assert "missing cells may join any group" in factor.because
    assert value(factor) in (5, 3)


def test_a_leaf_says_which_p_was_not_small_enough() -> None:
    steps = derived(worked(Nominal), alpha_split=1e-9)
    assert steps[0].decision == "A has the smallest adjusted p, 1.23×10⁻⁷, which is above 1e-09: a leaf."
    assert steps[0].outcome == Stopped((115.0, 65.0))


def test_exhaustive_chaid_marks_the_stage_it_kept_before_placing_missing_cells() -> None:
    table = cw.read_table(
        {"A": [*"1122334444", None, None], "y": list("aaabbbabbbbb")},
        target="y",
        schema=Schema((Ordinal("A", ("1", "2", "3", "4")),), Nominal("y", ("a", "b"))),
    )
    steps = derived(table, exhaustive=True, alpha_split=1.0)
    grids = {grid.title: grid for grid in steps.figure("adjusted p(A)").grids}
    stages, placed = grids["Stages"], grids["Missing cells together or apart"]
    assert stages.chosen is not None
    assert placed.rows[1][0] == f"{stages.rows[stages.chosen][0]} | missing"
