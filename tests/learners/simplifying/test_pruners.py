"""The pruners: what each must do by hand or by a literal program, and what all of them owe."""

from __future__ import annotations

import json
import math
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from scipy import stats

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.formulas.conditions import Above, AtMost, Equals, one_of
from clearwood.learners.trees.id3 import ID3
from clearwood.learners.trees.pruning import PRUNERS
from clearwood.learners.trees.pruning.chi_square import prune_chi_square, split_tests
from clearwood.learners.trees.pruning.description_length import log2_stirling, prune_description_length
from clearwood.learners.trees.pruning.pruner import PrunedTree
from clearwood.learners.trees.pruning.reduced_error import prune_reduced_error
from clearwood.learners.trees.pruning.siblings import prune_siblings
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Branch, Leaf, Node, Split, Tree
from clearwood.predicting import predict
from clearwood.registry import settings_of
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.learners.simplifying.examples import (
    Rows,
    called,
    grown,
    parted,
    random_tree,
    recounted,
    rows_of,
    same_tree,
    target_of,
)
from tests.trees import TENNIS, tennis_table, tennis_tree, trees


def pruned_by(name: str, tree: Tree, table: Table) -> PrunedTree:
    """A pruner called with the rows it needs and the settings it asks for."""
    settings = {"alpha": 0.01} if "alpha" in settings_of(PRUNERS[name].prune) else {}
    return PRUNERS[name](tree, table, **settings)


@pytest.mark.slow
@pytest.mark.parametrize("name", PRUNERS)
@given(example=grown())
def test_every_pruner_gives_a_smaller_tree_and_a_ledger_that_adds_up(
    name: str, example: tuple[Tree, Table]
) -> None:
    tree, table = example
    pruned = pruned_by(name, tree, table)
    assert pruned.ledger.pruner == name
    assert (pruned.ledger.size_before, pruned.ledger.size_after) == (tree.size, pruned.tree.size)
    assert (pruned.tree.size < tree.size) == bool(pruned.ledger.cuts)
    assert pruned.tree.nodes.counts[0] == pytest.approx(tree.nodes.counts[0])
    assert json.loads(json.dumps(pruned.ledger.to_json()))["size_after"] == pruned.tree.size
    assert len(str(pruned.ledger).splitlines()) == (len(pruned.ledger) + 2 if pruned.ledger.cuts else 1)
    assert pruned_by(name, tree, table) == pruned


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in PRUNERS if name != "error-based"])
@given(example=grown(numeric=True))
def test_every_pruner_but_one_takes_a_tree_of_numbers(name: str, example: tuple[Tree, Table]) -> None:
    tree, table = example
    assert pruned_by(name, tree, table).tree.size <= tree.size


def big_tree(leaves: int, classes: int = 2) -> tuple[Tree, Table]:
    """A bushy tree of random cuts with so many leaves, over 200,000 rows."""
    rng = np.random.default_rng(0)
    nodes: list[tuple[int, int, float, float]] = []
    stack = [(-1, 0.0, 1.0, leaves)]
    while stack:
        above, low, high, left = stack.pop()
        here = len(nodes)
        nodes.append((above, here + 1, low, high))
        if left > 1:
            take = int(rng.integers(max(1, left // 3), max(2, 2 * left // 3)))
            middle = low + (high - low) * take / left
            stack += [(here, middle, high, left - take), (here, low, middle, take)]
    parent = np.array([n[0] for n in nodes], dtype=np.int32)
    end = np.arange(1, len(nodes) + 1, dtype=np.int32)
    for node in range(len(nodes) - 1, 0, -1):
        end[parent[node]] = max(end[parent[node]], end[node])
    count = len(nodes)
    none, no_codes, no_numbers = np.zeros(count + 1, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0)
    no_starts = np.zeros(0, dtype=np.int64)
    columns = Nodes(
        parent, end, np.zeros((count, classes)), np.zeros((count, 0)), np.full(count, 0.5),
        np.full(count, -1, dtype=np.int32), np.where(parent < 0, -1, 0).astype(np.int32),
        np.array([n[2] for n in nodes]), np.array([n[3] for n in nodes]), np.zeros(count, dtype=bool),
        none, no_codes, none, no_codes, no_numbers, no_codes, no_numbers,
        np.zeros(1, dtype=np.int64), no_starts, no_codes,
    )  # fmt: skip
    schema = Schema((Numeric("x"),), Nominal("t", tuple("ab"[:classes])))
    x = np.sort(rng.random(200_000)) * 0.999999 + 1e-9
    noisy = ((x * 50).astype(int) % 2) ^ (rng.random(len(x)) < 0.2)
    table = Table(schema, {"x": x, "t": noisy.astype(np.int32)})
    tree = Tree(schema, columns)
    return recounted(tree, table), table


@pytest.mark.slow
@pytest.mark.parametrize("name", PRUNERS)
def test_forty_thousand_leaves_take_no_time_that_grows_with_their_square(name: str) -> None:
    """Under a second on a quiet machine; the bound leaves room for a busy one, not for a square."""
    tree, table = big_tree(40_000)
    begin = time.perf_counter()
    pruned = pruned_by(name, tree, table)
    assert time.perf_counter() - begin < 20
    assert pruned.tree.leaves < tree.leaves == 40_000


@pytest.mark.slow
@given(grown())
def test_reduced_error_is_the_literal_one(example: tuple[Tree, Table]) -> None:
    tree, table = example
    name = target_of(tree)
    rows = [(row, w) for row, w in rows_of(table) if row[name] in tree.schema.classes]
    costs = tree.decision.costs

    def cost(node: Node, above: tuple[float, ...], rows: Rows) -> tuple[float, tuple[float, ...]]:
        counts = node.counts if sum(node.counts) > 0 else above
        code = called(counts, tree.decision)
        truth = [(tree.schema.classes.index(str(row[name])), w) for row, w in rows]
        return sum(w * (costs[t][code] if costs else float(t != code)) for t, w in truth), counts

    def prune(node: Node, above: tuple[float, ...], rows: Rows) -> tuple[Node, float]:
        as_leaf, counts = cost(node, above, rows)
        if isinstance(node, Leaf):
            return node, as_leaf
        taken, rest = parted(node, rows)
        below = [
            prune(b.then, counts, part + [(row, w * b.share) for row, w in rest])
            for b, part in zip(node.branches, taken, strict=True)
        ]
        total = sum(errors for _, errors in below)
        if as_leaf <= total + 1e-9:
            return Leaf(node.counts), as_leaf
        then = tuple(replace(b, then=t) for b, (t, _) in zip(node.branches, below, strict=True))
        return replace(node, branches=then), total

    expected, _ = prune(tree.root, tree.nodes.counts[0].tolist(), rows)
    assert same_tree(prune_reduced_error(tree, table).tree.root, expected)


def test_reduced_error_cuts_what_no_validation_day_speaks_for() -> None:
    """Without rainy days, the question about wind goes; the ledger says why."""
    table = tennis_table()
    dry = table.take(table.columns["Outlook"] != 2)
    pruned = prune_reduced_error(tennis_tree(), dry)
    assert [(cut.node, cut.condition) for cut in pruned.ledger] == [(5, "Outlook = Rainy")]
    assert pruned.ledger.cuts[0].because == "validation errors: 0 as a leaf, 0 as a split"
    assert pruned.tree.leaves == 4


def test_reduced_error_of_numbers_does_not_lose_digits_far_from_zero() -> None:
    schema = Schema((Numeric("x"),), Numeric("y"))
    far = 1e9
    root = Split(
        (4.0, far + 0.5, 1.0),
        {},
        (
            Branch(AtMost("x", 0.0), 0.5, Leaf((2.0, far, 0.0))),
            Branch(Above("x", 0.0), 0.5, Leaf((2.0, far + 1, 0.0))),
        ),
    )
    x = np.array([-1.0, -1.0, 1.0, 1.0])
    good = Table(schema, {"x": x, "y": far + np.array([0.0, 0.0, 1.0, 1.0])})
    bad = Table(schema, {"x": x, "y": far + np.array([1.0, 0.5, 0.5, 0.0])})
    assert prune_reduced_error(tree_of(schema, root), good).tree.leaves == 2
    cut = prune_reduced_error(tree_of(schema, root), bad).ledger.cuts[0]
    assert cut.before["errors"] == pytest.approx(2.5)
    assert cut.after["errors"] == pytest.approx(0.5)


@pytest.mark.slow
@given(trees())
def test_collapsing_siblings_changes_no_answer(tree: Tree) -> None:
    from hypothesis import assume

    pruned = prune_siblings(tree).tree
    assume(not tree.is_numeric)
    assume(sum(tree.root.counts) > 0)  # no rows at all, no answer to keep

    def alike(node: Node, above: tuple[float, ...]) -> int | None:
        """The one class all leaves below call, if there is one."""
        counts = node.counts if sum(node.counts) > 0 else above
        if isinstance(node, Leaf):
            return called(counts, tree.decision)
        answers = {alike(branch.then, counts) for branch in node.branches}
        return answers.pop() if len(answers) == 1 and called(counts, tree.decision) in answers else None

    assert (pruned.size == 1) == (alike(tree.root, tree.root.counts) is not None)
    assert prune_siblings(pruned).tree.nodes == pruned.nodes


@pytest.mark.slow
@given(grown())
def test_rows_that_reach_one_leaf_are_answered_as_before(example: tuple[Tree, Table]) -> None:
    tree, table = example
    somewhere = np.where(tree.nodes.is_leaf, -1, np.maximum(tree.nodes.otherwise, 0))
    tree = recounted(replace(tree, nodes=replace(tree.nodes, otherwise=somewhere)), table)
    assert (predict(prune_siblings(tree).tree, table) == predict(tree, table)).all()


def wind_and_coin() -> Tree:
    """Sunny days split by a coin: 3 against 2 and 2 against 2, which chance explains."""
    schema = Schema((*TENNIS.attributes, Nominal("Coin", ("heads", "tails"))), TENNIS.target)
    coin = Split(
        (5.0, 4.0),
        {},
        (
            Branch(Equals("Coin", "heads"), 5 / 9, Leaf((3.0, 2.0))),
            Branch(Equals("Coin", "tails"), 4 / 9, Leaf((2.0, 2.0))),
        ),
    )
    root = Split(
        (5.0, 14.0),
        {},
        (
            Branch(Equals("Wind", "Strong"), 9 / 19, coin),
            Branch(Equals("Wind", "Weak"), 10 / 19, Leaf((0.0, 10.0))),
        ),
    )
    return tree_of(schema, root)


def test_chance_fells_the_coin_but_not_the_wind() -> None:
    pruned = prune_chi_square(wind_and_coin())
    expected = stats.chi2_contingency([[3, 2], [2, 2]], correction=False)
    cut = pruned.ledger.cuts[0]
    assert (cut.node, cut.condition, len(pruned.ledger)) == (1, "Wind = Strong", 1)
    assert cut.before == {"χ²": pytest.approx(expected.statistic), "p": pytest.approx(expected.pvalue)}
    assert stats.chi2_contingency([[5, 4], [0, 10]], correction=False).pvalue < 0.05
    assert pruned.tree.leaves == 2


def test_numbers_are_tested_by_analysis_of_variance() -> None:
    low, high = [1.0, 2.0, 3.0], [2.0, 4.0, 6.0]
    schema = Schema((Numeric("x"),), Numeric("y"))

    def leaf(values: list[float]) -> Leaf:
        return Leaf((len(values), float(np.mean(values)), float(np.var(values) * len(values))))

    root = Split(
        leaf(low + high).counts,
        {},
        (Branch(AtMost("x", 0.0), 0.5, leaf(low)), Branch(Above("x", 0.0), 0.5, leaf(high))),
    )
    tree = tree_of(schema, root)
    expected = stats.f_oneway(low, high)
    cut = prune_chi_square(tree).ledger.cuts[0]
    assert cut.before == {"F": pytest.approx(expected.statistic), "p": pytest.approx(expected.pvalue)}
    assert prune_chi_square(tree, alpha=expected.pvalue + 0.01).tree.leaves == 2
    with pytest.raises(SettingError, match="holds medians"):
        prune_chi_square(replace(tree, answers="median"))


def test_two_groups_of_two_thousand_values_cost_a_bit_for_each_value_but_one() -> None:
    values = tuple(f"v{i}" for i in range(2000))
    schema = Schema((Nominal("x", values),), Nominal("t", ("a", "b")))
    for cut in (1000, 1):
        branches = (
            Branch(one_of("x", values[:cut]), 0.5, Leaf((9e3, 0.0))),
            Branch(one_of("x", values[cut:]), 0.5, Leaf((0.0, 9e3))),
        )
        began = time.perf_counter()
        bits = prune_description_length(tree_of(schema, Split((9e3, 9e3), {}, branches)))
        assert time.perf_counter() - began < 0.5
        assert bits.tree.leaves == 2
    ways = log2_stirling(2000, 2)
    assert ways == pytest.approx(1999)
    began = time.perf_counter()
    assert log2_stirling(2000, 1999) == pytest.approx(math.log2(math.comb(2000, 2)))
    assert log2_stirling(2000, 2000) == log2_stirling(1999, 2000) == 0
    assert log2_stirling(2000, 1000) > log2_stirling(2000, 1001) > 0
    assert time.perf_counter() - began < 2


@pytest.mark.parametrize("groups", range(1, 30))
def test_the_ways_to_part_thirty_values_are_those_of_whole_numbers(groups: int) -> None:
    row = [1] + [0] * groups  # S(0, ·)
    for _ in range(30):
        row = [0] + [g * row[g] + row[g - 1] for g in range(1, groups + 1)]
    assert log2_stirling(30, groups) == pytest.approx(math.log2(row[groups]))


def test_description_length_by_hand() -> None:
    """The tennis tree at Sunny: 3 and 2 days, parted for good by Humidity, one of 4 attributes."""
    one_leaf = 1 + 3 * math.log2(5 / 3) + 2 * math.log2(5 / 2) + 0.5 * math.log2(5 / 2) + math.log2(math.pi)
    split = 1 + math.log2(4) + 2 * (1 + math.log2(math.pi)) + 0.5 * math.log2(3 / 2)
    ledger = prune_description_length(tennis_tree()).ledger
    cut = next(cut for cut in ledger if cut.condition == "Outlook = Sunny")
    assert cut.after["bits"] == pytest.approx(one_leaf)
    assert cut.before["bits"] == pytest.approx(split)


def test_description_length_keeps_the_same_tree_once_there_are_days_enough() -> None:
    tree = tennis_tree()
    often = replace(tree, nodes=replace(tree.nodes, counts=tree.nodes.counts * 10))
    assert prune_description_length(often).tree.nodes == often.nodes


def test_the_ledger_is_a_table() -> None:
    assert str(prune_chi_square(wind_and_coin()).ledger) == (
        "chi-square: 1 cut, 5 nodes → 3\n"
        "node  under          becomes  χ²    p       because\n"
        "1     Wind = Strong  leaf     0.09  0.7642  χ² = 0.09, p = 0.7642 > 0.05: chance "
        "explains this split"
    )


def test_noise_is_pruned_and_signal_kept() -> None:
    for name in PRUNERS:
        if name in ("siblings", "reduced-error"):
            continue
        tree, table = random_tree(4)
        assert 1 < pruned_by(name, tree, table).tree.leaves < tree.leaves / 2, name


def test_reduced_error_refuses_the_rows_the_tree_was_learned_from() -> None:
    table = tennis_table()
    tree = ID3().learn(table)
    with pytest.raises(SettingError, match="rows it has not seen"):
        prune_reduced_error(tree, table)
    assert prune_reduced_error(tree, table.take(np.arange(13))).tree.leaves


def test_every_split_of_a_tree_of_numbers_is_tested_as_scipy_tests_its_rows() -> None:
    chance = np.random.default_rng(3)
    x = np.arange(60.0)
    y = np.where(x < 20, 1.0, 3.0) + np.where(x > 45, 1.5, 0.0) + chance.normal(size=60)
    table = cw.read_table({"x": x, "y": y}, target="y", kinds={"x": "numeric"})
    tree = cw.CART(max_depth=2, alpha=0.0, min_leaf=2).learn(table)
    statistic, p = split_tests(tree)
    leaf = cw.leaf_of(tree, table)
    splits = [node for node in range(len(tree.nodes)) if tree.nodes.children(node)]
    assert len(splits) == 3
    for node in splits:
        groups = [y[(leaf >= each) & (leaf < tree.nodes.end[each])] for each in tree.nodes.children(node)]
        expected = stats.f_oneway(*groups)
        assert (statistic[node], p[node]) == pytest.approx((expected.statistic, expected.pvalue))
