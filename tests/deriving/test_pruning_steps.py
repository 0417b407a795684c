"""The steps of a pruning: replayed on the grown tree they give the model, and every number shows its work."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.deriving.pruning import placed_steps
from clearwood.deriving.trees.deriving import rounds_of
from clearwood.deriving.trees.growth import grown_again
from clearwood.deriving.trees.pessimistic_errors import Charge
from clearwood.errors import LearningError
from clearwood.formulas.expressions import value_of
from clearwood.learners.trees.growing_by_counts import grow_draft, task_of
from clearwood.learners.trees.pruning.pessimistic import KEPT, LEAF, judge_with_raising
from clearwood.models.decision import Decision
from clearwood.registry import Priors
from clearwood.table.table import Table
from clearwood.working.derivation import BecameLeaf, Derivation, Kept, Step
from tests.book_tables import book_table
from tests.definitions.error_pruning import prune_by_error
from tests.deriving.checking import check
from tests.deriving.replaying import lines_of, replayed
from tests.learners.random_tables import random_tables

C45S: tuple[dict[str, Any], ...] = (
    {},
    {"collapse": False, "confidence": 0.1},
    {"min_rows": 1, "confidence": 0.5},
    {"raise_subtrees": False, "confidence_table": "quinlan", "collapse": False},
    {"confidence_table": "quinlan", "collapse": False, "min_rows": 1},
    {"priors": "equal", "collapse": False},
    {"prune": False},
)


def pruning_steps(learner: Any, table: Table) -> list[Step]:
    """The steps of what a learner does to the tree it grew."""
    growth = grown_again(learner, table)
    rounds = rounds_of(growth, (), Decision(), table)
    return [each.make() for steps in placed_steps(growth.tree.size, rounds) for each in steps]


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(table=random_tables(("nominal",), max_values=12), which=st.sampled_from(C45S))
def test_c45s_pruning_replayed_on_the_grown_tree_gives_the_model(table: Table, which: dict[str, Any]) -> None:
    learner = cw.C45(**which)
    grown, model = learner.grow(table), learner.learn(table)
    steps = pruning_steps(learner, table)
    assert replayed(grown, table, steps) == lines_of(model)
    check(Derivation("Pruning", steps))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    table=random_tables(("nominal", "numeric"), max_values=12),
    alpha=st.sampled_from([0.0, 0.01, 0.05, 0.3, "cv", "1se"]),
)
def test_carts_pruning_replayed_on_the_grown_tree_gives_the_model(table: Table, alpha: Any) -> None:
    assume(len(table) >= 3 or not isinstance(alpha, str))
    learner = cw.CART(alpha=alpha, folds=3)
    grown, model = learner.grow(table), learner.learn(table)
    steps = pruning_steps(learner, table)
    assert replayed(grown, table, steps) == lines_of(model)
    check(Derivation("Pruning", steps))


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(table=random_tables(("nominal",), max_values=12), priors=st.sampled_from([None, "equal"]))
def test_costs_weigh_in_the_steps_as_in_the_tree(table: Table, priors: Priors) -> None:
    classes = table.schema.classes
    assume(len(classes) > 1)
    costs = {(classes[0], classes[1]): 3.0}
    for learner in (cw.C45(costs=costs, priors=priors, collapse=False), cw.CART(costs=costs, alpha=0.02)):
        grown, model = learner.grow(table), learner.learn(table)
        steps = pruning_steps(learner, table)
        assert replayed(grown, table, steps) == lines_of(model)
        check(Derivation("Pruning", steps))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(table=random_tables(("nominal",), max_values=12))
def test_the_estimates_are_those_of_the_definition(table: Table) -> None:
    learner = cw.C45(min_rows=1, collapse=False)
    task = task_of(learner, table)
    defined = prune_by_error(task, grow_draft(task, learner.split_chooser(task), None), confidence=0.25)
    judged = judge_with_raising(learner.grow(table), table, 0.25, "normal")
    became = ["leaf" if b == LEAF else "subtree" if b == KEPT else "branch" for b in judged.became.tolist()]
    pairs = zip(
        judged.as_leaf.tolist(), judged.subtree.tolist(), judged.as_branch.tolist(), became, strict=True
    )
    assert sorted((round(a, 6), round(b, 6), round(c, 6), d) for a, b, c, d in pairs) == sorted(
        (round(each.leaf, 6), round(each.subtree, 6), round(each.branch, 6), each.became) for each in defined
    )


@pytest.mark.parametrize(
    ("n", "e", "extra", "because"),
    [
        (6.0, 0.0, 1.238, "Here e = 0"),
        (16.0, 1.0, 1.476, "upper bound"),
        (16.0, 0.5, 1.402, "straight line"),
        (2.0, 1.5, 0.5, "nearly all"),
    ],
)
def test_extra_errors_are_charged_by_the_formula_that_fits(
    n: float, e: float, extra: float, because: str
) -> None:
    figure = Charge(0.25, "normal").extra_errors(n, e)
    assert isinstance(figure.value, float)
    assert round(figure.value, 3) == extra
    assert because in figure.because
    assert figure.put_in is not None
    assert value_of(figure.put_in) == pytest.approx(figure.value, abs=1e-12)


def test_a_split_that_stays_shows_the_numbers_that_kept_it() -> None:
    table = book_table("tennis", target="PlayTennis")
    learner = cw.C45(min_rows=1, collapse=False)
    sunny, _, top = pruning_steps(learner, table)
    assert sunny.title == "Prune the split on Humidity where Outlook = Sunny?"
    assert sunny.outcome == Kept(1)
    assert sunny.node == 1
    assert sunny.decision == "The split should err 2.11 times, a leaf 3.222: it stays."
    assert [(f.name, f.value) for f in top.figures if isinstance(f.value, bool)] == [
        ("leaf ≤ subtree + 0.1", False),
        ("leaf ≤ branch + 0.1", True),
        ("branch ≤ subtree + 0.1", False),
    ]


def test_the_price_of_a_leaf_shows_every_subtree_that_was_tried() -> None:
    table = book_table("tennis", target="PlayTennis")
    learner = cw.CART(alpha="1se", folds=5)
    model = learner.learn(table)
    first, *links = pruning_steps(learner, table)
    grid = first.figures[0].grids[0]
    assert grid.chosen is not None
    assert grid.rows[grid.chosen][1] == model.leaves
    assert grid.columns == ("from α", "leaves", "risk", "held-out error", "standard error")
    assert grid.figure_of is not None
    held_out = grid.figure_of(grid.chosen)
    assert held_out.value == grid.rows[grid.chosen][3]
    assert held_out.put_in is not None
    assert check(Derivation("", [first])) >= 2 * len(grid.rows)
    assert [step.figures[2].value for step in links] == pytest.approx([1 / 28, 1 / 28, 3 / 28])
    assert all(isinstance(step.outcome, BecameLeaf) for step in links)


def test_a_tree_of_other_rows_is_refused() -> None:
    table = book_table("tennis", target="PlayTennis")
    tree = cw.C45(min_rows=14).learn(table)
    with pytest.raises(LearningError, match="C45 makes another tree of this table"):
        cw.derive(replace(tree, origin=cw.C45(min_rows=1).learn(table).origin), table)


def test_a_learner_that_never_prunes_has_no_steps() -> None:
    table = book_table("tennis", target="PlayTennis")
    assert pruning_steps(cw.ID3(), table) == []
