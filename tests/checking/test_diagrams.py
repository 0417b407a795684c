"""Diagrams of overlapping rules: what they say of every cell there could be is what the predictor gives."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

import clearwood as cw
from clearwood.checking.assertions import exact_proofs as monotone_exact
from clearwood.checking.assertions import exact_proofs as proofs
from clearwood.checking.assertions import region
from clearwood.checking.diagrams.diagram import (
    AskingOrder,
    DiagramNodes,
    DiagramTooLargeError,
    odd_groups,
    way_to_end,
)
from clearwood.checking.diagrams.of_rules import FirstMatch, VotesForTheMost, nodes_for, rule_diagram
from clearwood.checking.diagrams.product import DiagramProduct, count_boxes, product_of, widened_at
from clearwood.checking.diagrams.rule_sets import OpenRules
from clearwood.checking.difference import exact
from clearwood.checking.difference.by_rows import differ
from clearwood.formulas.conditions import Above, AtMost, Condition
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.rules.rule_reading import parse_rules
from clearwood.models.space.input_space import InputSpace, input_space_of
from clearwood.models.space.settling import Searched
from clearwood.predicting import predict, shares
from clearwood.predicting.in_space import groups_of_rows, rows_inside
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from tests.checking.random_models import random_rules
from tests.checking.test_proofs import every_row, is_monotone
from tests.shared_data import load_shared


def end_at(nodes: DiagramNodes, root: int, groups: list[int]) -> int:
    """Where a row comes to that has these groups."""
    while nodes.nodes[root][0] < nodes.order.depth:
        level, children = nodes.nodes[root]
        own = nodes.order.groups[level].index(groups[nodes.order.columns[level]])
        root = cast("tuple[int, ...]", children)[own]
    return root


@pytest.mark.parametrize("seed", range(80))
def test_the_end_of_every_row_is_its_answer_and_its_share(seed: int) -> None:
    die = np.random.default_rng(seed)
    rules = random_rules(die, most=16, numeric=seed % 8 == 0)
    space, table = input_space_of([rules]), every_row(rules)
    lying = groups_of_rows(space.axes, table).tolist()
    nodes = nodes_for([rules], space, space.everywhere())
    root = rule_diagram(rules, space, nodes, 10_000)
    for groups, answer in zip(lying, predict(rules, table).tolist(), strict=True):
        value = nodes.value(end_at(nodes, root, groups))
        assert value == answer or (value is None and answer != answer)
    if not rules.is_numeric:
        root = rule_diagram(rules, space, nodes, 10_000, about=1)
        given = [nodes.value(end_at(nodes, root, groups)) for groups in lying]
        assert np.array(given, dtype=float) == pytest.approx(shares(rules, table)[:, 1], abs=1e-12)


def product_for(seed: int) -> tuple[RuleList, RuleList, InputSpace, DiagramProduct]:
    die = np.random.default_rng(seed)
    old, new = random_rules(die, most=14), random_rules(die, most=14)
    space = input_space_of([old, new])
    nodes = nodes_for([old, new], space, space.everywhere())
    roots = [rule_diagram(each, space, nodes, 10_000) for each in (old, new)]
    odd = odd_groups(space, nodes.order)
    return old, new, space, product_of(nodes, roots[0], roots[1], odd, 1_000_000)


@pytest.mark.parametrize("seed", range(40))
def test_two_lists_come_to_different_ends_exactly_where_the_predictors_differ(seed: int) -> None:
    old, new, space, product = product_for(seed)
    table = every_row(old)
    lying, before, after = groups_of_rows(space.axes, table), predict(old, table), predict(new, table)
    ends = [product.end_of([1 << group for group in row]) for row in lying.tolist()]
    assert [end is not None for end in ends] == differ(before, after).tolist()
    for end, *answers in zip(ends, before, after, strict=True):
        assert end is None or product.values(end) == tuple(answers)
    assert set(product.ends.tolist()) == {end for end in ends if end is not None}
    known = np.array([[space.known()[c] >> g & 1 for c, g in enumerate(row)] for row in lying.tolist()])
    usual = (1 - known.reshape(len(lying), -1)).sum(axis=1)
    everywhere = space.everywhere()
    for end in product.ends.tolist():
        own = np.array([each == end for each in ends])
        way = product.way_to(end, everywhere)
        wide = widened_at(product, way, end, everywhere)
        for box in (way, wide):
            inside = rows_inside(lying, box)
            assert inside.any()
            assert own[inside].all()
        assert usual[rows_inside(lying, way)].min() == usual[own].min()
        for column, groups in enumerate(wide):  # it is as wide as it can be
            for group in range(space.axes[column].groups):
                if not groups >> group & 1:
                    wider = [*wide[:column], 1 << group, *wide[column + 1 :]]
                    assert not own[rows_inside(lying, wider)].all()


@pytest.mark.parametrize("seed", range(0, 60, 6))
def test_boxes_are_counted_as_they_can_be_listed(seed: int) -> None:
    *_, product = product_for(seed)

    def listed(level: int, pair: int) -> int:
        if level == product.nodes.order.depth:
            return 1
        own = product.levels[level]
        below = np.unique(own.then[np.searchsorted(own.pairs, pair)])
        below = below[below >= 0]
        return sum(map(listed, product.levels_of(below).tolist(), below.tolist()))

    firsts = [(level, int(own.pairs[0])) for level, own in enumerate(product.levels) if len(own.pairs)]
    assert count_boxes(product) == (listed(*firsts[0]) if firsts else 0)


def test_more_boxes_than_a_number_can_count_are_as_many_as_it_can() -> None:
    nodes = DiagramNodes(AskingOrder(tuple(range(350)), (tuple(range(8)),) * 350))
    sums, other = [nodes.end(rest) for rest in range(8)], nodes.end("other")
    for level in reversed(range(350)):  # the sum of all groups, without its eights: 8³⁴⁹ ways to each
        sums = [nodes.node(level, tuple(sums[place:] + sums[:place])) for place in range(8)]
    odd = [np.zeros(8, dtype=np.int64)] * 350
    assert count_boxes(product_of(nodes, sums[0], other, odd, 100_000)) == 2**53


@pytest.mark.parametrize("seed", range(30))
def test_proofs_by_diagrams_agree_with_trying_every_row(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # A search that looks at no box leaves everything to the diagrams.
    for module in (region, monotone_exact):
        monkeypatch.setattr(module, "Searched", lambda _: Searched(0))
    rules = random_rules(np.random.default_rng(seed), most=12)
    table = every_row(rules)
    inside = (table.columns["x"] <= 2) & (table.columns["colour"] == 0)
    answers, share = predict(rules, table)[inside], shares(rules, table)[inside, 1]
    when = "x ≤ 2 AND colour = red"
    never, most = cw.check(
        rules,
        [cw.RegionGets(when=when, never="b"), cw.RegionGets(when=when, share="b", at_most=0.5)],
    ).verdicts
    assert never.holds == ("b" not in answers)
    assert most.holds == bool((share <= 0.5 + 1e-12).all())
    for verdict in (never, most):
        assert verdict.exact
        assert "by decision diagrams" in verdict.how or "over 1 part" in verdict.how
        if not verdict.holds:
            row = {"x": None, "y": None, "colour": None, "size": None, **verdict.rows[0].row}
            predictor = cw.row_predictor(rules)
            assert predictor(row) == "b" if verdict is never else predictor.shares(row)["b"] > 0.5
    for column in ("x", "size"):
        (verdict,) = cw.check(rules, cw.MonotoneIn(column=column, share="b")).verdicts
        assert verdict.exact
        assert verdict.holds == is_monotone(rules, column, True)
        if not verdict.holds:
            low, high = ({**dict.fromkeys(table.columns), **each.row} for each in verdict.rows)
            assert {name for name in low if low[name] != high[name]} == {column}


def many_rules(rules: int, columns: int, *, vote: bool, seed: int) -> RuleList:
    """Short rules that overlap in every way."""
    names = [f"x{place}" for place in range(columns)]
    schema = Schema(tuple(Numeric(name) for name in names), Nominal("t", ("a", "b")))
    die = np.random.default_rng(seed)
    text = []
    for _ in range(rules):
        asked = die.choice(columns, 2, replace=False)
        when = " AND ".join(f"x{i} {die.choice(['>', '≤'])} {die.integers(3)}" for i in asked)
        text.append(f"IF {when} THEN {die.choice(['a', 'b'])}")
    made = parse_rules("\n".join([*text, "OTHERWISE a"]), schema)
    return RuleList(made.schema, made.rules, made.otherwise, "vote" if vote else "first")


@pytest.mark.parametrize("vote", [False, True])
def test_lists_that_overlap_too_much_for_the_search_are_compared_exactly(
    vote: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = (many_rules(20, 8, vote=vote, seed=seed) for seed in (1, 2))
    rows = {f"x{i}": np.random.default_rng(i).integers(-1, 5, 300) for i in range(8)}
    difference = cw.diff(old, new, rows, most=8, budget=1_500)
    assert difference.exact
    assert not difference.left_open
    assert "by decision diagrams" in difference.reached
    assert difference.regions_in_all > len(difference.regions) == 8
    assert all(each.rows for each in difference.regions)
    assert str(difference).endswith("The regions listed are examples: predictions may change in others, too.")
    none_listed = cw.diff(old, new, most=0, budget=1_500)
    assert not none_listed.regions
    assert not none_listed.same_answers
    for each in difference.regions:
        got = [cw.row_predictor(model)(dict(each.example)) for model in (old, new)]
        assert got == [each.before, each.after]
    monkeypatch.setattr(exact, "diagram_difference", lambda *_, **__: None)
    assert cw.diff(old, new, rows, most=8, budget=1_500).left_open


def test_regions_beyond_a_million_are_not_counted_out() -> None:
    difference = cw.diff(*(many_rules(30, 14, vote=False, seed=seed) for seed in (1, 2)), budget=4_000)
    assert difference.regions_in_all > 1_000_000
    assert "Predictions change in more than a million regions." in str(difference)
    assert repr(difference).endswith("more than a million regions>")
    assert " more." not in str(difference)


@pytest.mark.parametrize("vote", [False, True])
def test_rules_that_are_cut_in_two_have_the_same_diagram(vote: bool) -> None:
    old = many_rules(20, 7, vote=vote, seed=3)
    halves: tuple[Condition, ...] = AtMost("x6", 1.0), Above("x6", 1.0, True)
    cut = [
        replace(rule, when=(*rule.when, half))
        for rule in old
        for half in (halves if all(each.name != "x6" for each in rule.when) else ())
    ]
    whole = [rule for rule in old if any(each.name == "x6" for each in rule.when)]
    old = replace(old, rules=(*whole, *(each for each in old if each not in whole)))
    new = replace(old, rules=(*whole, *cut))
    space = input_space_of([old, new])
    nodes = nodes_for([old, new], space, space.everywhere())
    one, other = (rule_diagram(each, space, nodes, 10_000) for each in (old, new))
    assert one == other
    product = product_of(nodes, one, other, odd_groups(space, nodes.order), 100)
    assert count_boxes(product) == len(product.ends) == 0


@pytest.mark.long
@pytest.mark.parametrize("table", ["vote", "breast_w", "breast_cancer", "glass", "titanic"])
def test_voting_rules_of_two_halves_of_a_table_are_compared_exactly(table: str) -> None:
    whole = load_shared(table)
    order = np.random.default_rng(0).permutation(len(whole))
    halves = [whole.take(np.sort(order[start::2])) for start in (0, 1)]
    old, new = (cw.CN2(rules="unordered").learn(half) for half in halves)
    difference = cw.diff(old, new, whole)
    assert not difference.left_open
    assert "by decision diagrams" in difference.reached
    space = input_space_of([old, new])
    nodes = nodes_for([old, new], space, space.everywhere())
    roots = [rule_diagram(each, space, nodes, 100_000) for each in (old, new)]
    product = product_of(nodes, roots[0], roots[1], odd_groups(space, nodes.order), 10**7)
    die = np.random.default_rng(1)
    parts = [[1 << int(die.integers(axis.groups)) for axis in space.axes] for _ in range(2_000)]
    rows = space.rows(parts)
    for part, *answers in zip(parts, predict(old, rows), predict(new, rows), strict=True):
        end = product.end_of(part)
        assert (tuple(answers) if end is None else product.values(end)) == tuple(answers)
        assert (end is None) == (answers[0] == answers[1])


def test_diagrams_that_grow_too_large_are_given_up_and_the_search_says_what_is_open() -> None:
    old, new = (many_rules(40, 12, vote=True, seed=seed) for seed in (1, 2))
    space = input_space_of([old])
    nodes = nodes_for([old], space, space.everywhere())
    with pytest.raises(DiagramTooLargeError):
        rule_diagram(old, space, nodes, 100)
    difference = cw.diff(old, new, budget=50)
    assert difference.left_open
    assert "Exact" not in difference.reached
    verdict = cw.check(old, cw.RegionGets(share="a", at_least=0.0001), budget=5).verdicts[0]
    assert not verdict.exact


@pytest.mark.parametrize("vote", [False, True])
def test_long_lists_are_given_up_by_the_rules_looked_at_and_not_by_states_alone(
    vote: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = many_rules(300, 12, vote=vote, seed=1)
    space = input_space_of([rules])
    kind, looked = (VotesForTheMost if vote else FirstMatch), 0
    after = kind.after

    def counted(self: Any, level: int, open_rules: int, come: Hashable) -> OpenRules:
        nonlocal looked
        looked += open_rules.bit_count()
        return after(self, level, open_rules, come)

    monkeypatch.setattr(kind, "after", counted)
    with pytest.raises(DiagramTooLargeError):
        rule_diagram(rules, space, nodes_for([rules], space, space.everywhere()), 500)
    assert looked < 27_000


def test_all_cells_of_a_column_that_rises_share_the_steps_of_one_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "\n".join(f"IF x > {each} AND y ≤ {each} THEN b" for each in range(6))
    schema = Schema((Numeric("x"), Numeric("y")), Nominal("t", ("a", "b")))
    rules = parse_rules(text + "\nOTHERWISE a", schema)
    space = input_space_of([rules])
    cells = [(cell, cell + 1) for cell in range(6)]
    steps = []

    def recorded(*given: Any) -> DiagramProduct:
        steps.append((product := product_of(*given)).steps)
        return product

    monkeypatch.setattr(proofs, "product_of", recorded)
    monkeypatch.setattr(proofs, "STATES_PER_BOX", 1_000)

    def proof(allowed: int) -> object:
        monkeypatch.setattr(proofs, "PAIRS_PER_BOX", allowed)
        return proofs.monotone_proof(rules, space, space.everywhere(), 0, 1, cells, 1)

    assert proof(1_000) is not None
    together = sum(steps)
    assert max(steps) < together - 1
    assert proof(together) is not None
    assert proof(together - 1) is None


def test_a_way_to_an_end_has_known_cells_where_it_can() -> None:
    schema = Schema((Numeric("x"), Numeric("y")), Nominal("t", ("a", "b")))
    rules = parse_rules("IF (x > 1 or missing) AND y ≤ 3 THEN b\nOTHERWISE a", schema)
    space = input_space_of([rules])
    nodes = nodes_for([rules], space, space.everywhere())
    root = rule_diagram(rules, space, nodes, 100)
    odd = odd_groups(space, nodes.order)
    for end in nodes.ends():
        row = space.example(way_to_end(nodes, root, end, odd, space.everywhere()))
        assert None not in row.values()
        assert cw.row_predictor(rules)(row) == nodes.value(end)
    assert proofs.region_proof(rules, space, space.everywhere(), None, lambda _: True, 99) is not None
