"""What the steps decided, done again in order, gives the very tree; and each number is what it shows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.formulas.expressions import value_of
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.id3 import ID3
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Node, Split, Tree
from clearwood.table.table import Table
from clearwood.working.derivation import BecameSplit, Step, Stopped
from clearwood.working.figures import Figure
from tests.deriving.replaying import lines_of, replayed
from tests.learners.random_tables import random_tables
from tests.learners.test_native_equals_the_definition import directions
from tests.same_nodes import same_nodes

CLASSES: dict[str, ID3 | C45 | CART] = {
    "id3": ID3(),
    "id3 gini": ID3(measure="gini", min_leaf=2, min_gain=0.01, priors="equal"),
    "id3 error": ID3(measure="error", max_depth=3, min_rows=4),
    "c45": C45(),
    "c45 unpruned": C45(prune=False, collapse=False, min_rows=1),
    "c45 cut": C45(ordinal="cut", threshold="midpoint", min_gap=0, priors="equal"),
    "c45 groups": C45(group_values=True, raise_subtrees=False),
    "cart": CART(),
    "cart entropy": CART(measure="entropy", min_leaf=2, min_decrease=0.01),
    "cart rare": CART(min_value=3),
    "cart error": CART(measure="error", max_depth=4, priors="equal"),
    "cart direction": CART(missing="direction", alpha=0.02),
}
NUMBERS: dict[str, CART] = {
    "cart": CART(),
    "cart absolute": CART(measure="absolute", max_depth=4),
    "cart direction": CART(missing="direction", min_leaf=2, alpha=0.1),
}
LIMITED: dict[str, C45 | CART] = {
    "c45": C45(ordinal="cut", min_rows=1),
    "cart": CART(),
    "cart direction": CART(missing="direction", priors="equal", alpha=0.02),
}
PRUNING: dict[str, C45 | CART] = {
    "c45 raising": C45(min_rows=1, confidence=0.1),
    "c45 without collapse": C45(min_rows=1, collapse=False),
    "cart α": CART(alpha=0.02),
    "cart cross-validated": CART(alpha="cv", folds=3),
}
few = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.slow
@pytest.mark.parametrize("name", list(CLASSES))
@few
@given(table=random_tables(("nominal", "ordinal"), max_rows=60, max_values=60))
def test_the_steps_of_a_tree_of_classes_give_the_tree(name: str, table: Table) -> None:
    check(CLASSES[name], table)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(NUMBERS))
@few
@given(table=random_tables(("numeric",), max_rows=60, max_values=60))
def test_the_steps_of_a_tree_of_numbers_give_the_tree(name: str, table: Table) -> None:
    check(NUMBERS[name], table)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(LIMITED))
@few
@given(
    table=random_tables(
        ("nominal",), max_rows=60, min_classes=2, max_classes=2, spare_class=False, max_values=60
    ),
    data=st.data(),
)
def test_the_steps_of_a_tree_within_limits_give_the_tree(
    name: str, table: Table, data: st.DataObject
) -> None:
    of = data.draw(st.sampled_from([":c0", ":c1"]))
    check(replace(LIMITED[name], monotone=data.draw(directions(table, of))), table)


@pytest.mark.slow
@few
@given(table=random_tables(("numeric",), max_rows=60, max_values=60), data=st.data())
def test_the_steps_of_a_tree_of_numbers_within_limits_give_the_tree(
    table: Table, data: st.DataObject
) -> None:
    check(CART(monotone=data.draw(directions(table, ""))), table)


def check(learner: ID3 | C45 | CART, table: Table) -> None:
    tree = learner.learn(table)
    steps = [step for step in cw.derive(tree, table) if step.chapter == "Growing"]
    for step in steps:
        for figure in shown(step):
            assert figure.name
            if figure.put_in is not None and figure.value is not None:
                assert not isinstance(figure.value, str)
                assert value_of(figure.put_in) == pytest.approx(float(figure.value), rel=1e-9, abs=1e-9), (
                    figure
                )
    grown = learner.grow(table)
    same_nodes(rebuilt(steps, grown).nodes, grown.nodes, rtol=1e-9)
    ended = {step.node: step for step in steps if step.node is not None}
    assert sorted(ended) == list(range(len(tree.nodes)))
    for node, step in ended.items():
        if isinstance(step.outcome, BecameSplit) and not math.isnan(tree.nodes.scores[node, 0]):
            assert [score for _, score in step.outcome.scores] == pytest.approx(
                tree.nodes.scores[node].tolist(), rel=1e-9, abs=1e-12
            )


def shown(step: Step) -> Iterator[Figure]:
    """The figures of a step, and those that the rows of its grids stand for."""
    for figure in step.walk():
        yield figure
        for grid in figure.grids:
            assert len(list(grid.rows)) == len(grid.rows)
            assert all(len(row) == len(grid.columns) for row in grid.rows)
            if grid.figure_of is not None and len(grid.rows):
                yield from grid.figure_of(len(grid.rows) // 2).walk()


def rebuilt(steps: list[Step], like: Tree) -> Tree:
    """The tree that the outcomes say, in preorder."""
    waiting: list[Node] = []
    for step in reversed(steps):
        match step.outcome:
            case Stopped(counts):
                waiting.append(Leaf(counts))
            case BecameSplit(branches, shares, scores, counts, surrogates, otherwise):
                below = [waiting.pop() for _ in branches]
                parts = zip(branches, shares, below, strict=True)
                waiting.append(
                    Split(counts, dict(scores), tuple(Branch(*each) for each in parts), surrogates, otherwise)
                )
            case _:
                raise AssertionError(step.outcome)
    (root,) = waiting
    return replace(like, nodes=tree_of(like.schema, root, score_names=like.score_names).nodes)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["c45 raising", "c45 without collapse", "cart α", "cart cross-validated"])
@few
@given(table=random_tables(("nominal",), max_rows=60, max_values=20))
def test_growing_and_pruning_done_again_from_the_root_give_the_model(name: str, table: Table) -> None:
    learner = PRUNING[name]
    assume(len(table) >= 3)
    model = learner.learn(table)
    steps = list(cw.derive(model, table))
    growing = [step for step in steps if step.chapter == "Growing"]
    grown = rebuilt(growing, model)
    assert replayed(grown, table, steps[len(growing) :]) == lines_of(model)
