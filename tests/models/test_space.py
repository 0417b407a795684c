"""The space kernel's walk of each kind that walks, against every row of a small space."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from clearwood.formulas.conditions import holds
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.rules.rules_space import RulesSpace, outside
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.routing import route_at, ways
from clearwood.models.space.axes import Domains
from clearwood.models.space.input_space import InputSpace, input_space_of
from clearwood.models.space.search import Budget, find_outside
from clearwood.models.space.settling import Searched, settled_parts
from clearwood.models.space.space_of import space_of, thresholds_of
from clearwood.models.space.walk_of import walk_of
from clearwood.predicting import predict
from clearwood.predicting.row import row_predictor
from clearwood.table.raw import Row
from tests.checking.random_models import SCHEMA, random_model, random_rules, random_tree

Reached = dict[int, float]


def every_row(space: InputSpace) -> list[tuple[Row, Domains]]:
    """A row of every combination of groups, and the box of this combination alone."""
    groups = [[1 << group for group in range(axis.groups)] for axis in space.axes]
    return [(space.example(list(box)), list(box)) for box in product(*groups)]


def reached_by_routing(tree: Tree, row: Row, node: int = 0, part: float = 1.0) -> Reached:
    """The leaves that a row comes to, split by split, with its part in each."""
    if tree.nodes.is_leaf[node]:
        return {node: part}
    reached: Reached = {}
    for way in ways(route_at(tree, node), row):
        child = tree.nodes.children(node)[way.branch]
        reached |= reached_by_routing(tree, row, child, part * way.part)
    return reached


def walked_parts(tree: Tree, space: InputSpace) -> list[tuple[Domains, Reached]]:
    """Every part that the steps of a tree divide the space into, with the leaves that its rows come to."""
    steps, parts = space.steps(tree), []
    waiting = [(space.everywhere(), [(0, 1.0)], dict[int, float]())]
    while waiting:
        box, nodes, reached = waiting.pop()
        if not nodes:
            parts.append((box, reached))
            continue
        (node, part), *later = nodes
        if steps.is_leaf[node]:
            waiting.append((box, later, {**reached, node: part}))
            continue
        for smaller, on in steps.parts(node, box):
            waiting.append((smaller, [*((child, part * of) for child, of in on), *later], reached))
    return parts


def lies_in(row: Domains, box: Domains) -> bool:
    return all(own & groups for own, groups in zip(row, box, strict=True))


@pytest.mark.parametrize("seed", range(40))
def test_each_row_lies_in_one_part_of_a_tree_and_comes_to_the_leaves_that_routing_says(seed: int) -> None:
    tree = random_tree(np.random.default_rng(seed), numeric=seed % 5 == 0)
    space = input_space_of([tree])
    parts = walked_parts(tree, space)
    for row, own in every_row(space):
        held = [reached for box, reached in parts if lies_in(own, box)]
        assert held == [reached_by_routing(tree, row)]


@pytest.mark.parametrize("seed", range(40))
def test_each_row_lies_in_the_boxes_of_the_rules_that_it_satisfies(seed: int) -> None:
    rules = random_rules(np.random.default_rng(seed), numeric=seed % 5 == 0)
    space = input_space_of([rules])
    boxes, every = space.boxes(rules), every_row(space)
    for row, own in every:
        for rule, box in zip(rules, boxes, strict=True):
            satisfied = all(holds(each, row.get(each.name)) for each in rule.when)
            assert satisfied == (box is not None and lies_in(own, space.within(box)))
    possible = [box for box in boxes if box is not None]
    left = [own for _, own in every if not any(lies_in(own, space.within(box)) for box in possible)]
    part = find_outside(space.everywhere(), possible, Budget(100_000, 100_000))
    assert (part is None) == (not left)
    assert part is None or any(lies_in(own, part) for own in left)
    for sets in RulesSpace(rules).sets(space.asked.__getitem__, space.everywhere()):
        parts = list(outside(space.everywhere(), sets))
        for _, own in every:
            assert sum(lies_in(own, each) for each in parts) == (not lies_in(own, space.within(sets)))


@pytest.mark.parametrize("seed", range(40))
def test_each_row_lies_in_one_settled_part_of_either_kind_and_is_answered_as_its_example(seed: int) -> None:
    die = np.random.default_rng(seed)
    model = random_model(die, numeric=seed % 5 == 0)
    space, searched = input_space_of([model]), Searched(budget=20_000)
    walk = walk_of(model, space)
    parts = list(settled_parts((walk,), space.everywhere(), lambda _: False, searched, space.known()))
    assert searched.complete
    answers = predict(model, space.rows(parts)).tolist()
    predicted = row_predictor(model)
    for row, own in every_row(space):
        held = [answer for part, answer in zip(parts, answers, strict=True) if lies_in(own, part)]
        assert len(held) == 1
        expected = predicted({name: row.get(name) for name in SCHEMA.positions if name in row})
        assert held[0] == expected or held[0] != held[0] or abs(held[0] - expected) < 1e-9


@pytest.mark.parametrize("seed", range(40))
def test_answers_turn_at_no_other_number_than_a_limit(seed: int) -> None:
    model = random_model(np.random.default_rng(seed), numeric=seed % 5 == 0)
    assert isinstance(model, Tree | RuleList)
    limits, predicted = thresholds_of(model), row_predictor(model)
    assert set(limits) <= set(space_of(model).columns())
    for row, _ in every_row(input_space_of([model]))[::11]:
        for name in ("x", "y"):
            ends = [-100.0, *limits.get(name, ()), 100.0]
            for low, high in pairwise(ends):
                inside = [predicted({**row, name: number}) for number in (np.nextafter(low, high), high)]
                assert inside[0] == inside[1]
