"""Native CHAID gives the tree of the definition by counts, and its worked values, on any table."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.counting.ties import first_enough
from clearwood.errors import LearningError, SettingError
from clearwood.learners.discretising import bin_column, quantile_ends
from clearwood.learners.trees.chaid import CHAID
from clearwood.models.kinds.tree.tree import Split, Tree
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Table
from tests.definitions.trees import learn_by_counts
from tests.learners.random_tables import random_tables
from tests.same_nodes import same_nodes
from tests.shared_data import load_shared

many = settings(
    max_examples=int(os.environ.get("CLEARWOOD_EXAMPLES", "300")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


@st.composite
def learners(draw: st.DrawFn) -> CHAID:
    """CHAID with any settings, most of them loose enough for trees to grow on few rows."""
    merge = draw(st.sampled_from([0.05, 0.3, 0.7, 1.0]))
    exhaustive = draw(st.booleans())
    return CHAID(
        alpha_merge=merge,
        alpha_split=draw(st.sampled_from([0.05, 0.5, 1.0])),
        alpha_resplit=None if exhaustive else draw(st.sampled_from([None, 0.01, merge])),
        exhaustive=exhaustive,
        statistic=draw(st.sampled_from(["pearson", "likelihood_ratio"])),
        bonferroni=draw(st.booleans()),
        bins=draw(st.integers(2, 12)),
        max_depth=draw(st.sampled_from([None, 0, 1, 3])),
        min_rows=draw(st.sampled_from([0, 2, 10])),
        min_leaf=draw(st.sampled_from([0, 1, 2.5, 7])),
    )


@pytest.mark.slow
@many
@given(random_tables(("nominal",), max_values=30), learners())
def test_the_same_tree_for_a_nominal_target(table: Table, learner: CHAID) -> None:
    same_nodes(learner.learn(table).nodes, learn_by_counts(learner, table).nodes)


# The definition fits row effects to every pair of values: fewer of them, in tables of the same shapes.
@pytest.mark.slow
@many
@given(random_tables(("ordinal",), max_rows=50, max_values=8, max_columns=3), learners())
def test_the_same_tree_for_an_ordinal_target(table: Table, learner: CHAID) -> None:
    same_nodes(learner.learn(table).nodes, learn_by_counts(learner, table).nodes)


@pytest.mark.slow
@many
@given(random_tables(("numeric",), max_values=30), learners())
def test_the_same_tree_for_a_numeric_target(table: Table, learner: CHAID) -> None:
    same_nodes(learner.learn(table).nodes, learn_by_counts(learner, table).nodes)


@pytest.mark.slow
def test_the_same_tree_for_a_number_on_many_rows() -> None:
    """Nodes of fewer than 2^15 rows of a larger table grow in a pack of their own, its rows numbered anew."""
    random = np.random.default_rng(5)
    codes = random.integers(0, 5, (40_000, 3))
    numbers = (codes[:, 0] % 3) * 0.7 - (codes[:, 1] > 2) + random.normal(size=len(codes)) / 2
    names = ("a", "b", "c")
    columns = {name: codes[:, i].astype(np.int32) for i, name in enumerate(names)}
    schema = Schema(tuple(Nominal(name, tuple("vwxyz")) for name in names), Numeric("y"))
    table = Table(schema, {**columns, "y": numbers})
    same_nodes(CHAID().learn(table).nodes, learn_by_counts(CHAID(), table).nodes)


def quantile_edges(cells: Floats, weights: Floats, bins: int) -> Floats:
    """Plainly: the upper ends of all bins but the last, each the least value with k ÷ bins of the weight at
    or below it."""
    if not len(cells):
        return np.empty(0)
    values, step = np.unique(cells, return_inverse=True)
    reached = np.bincount(step, weights=weights, minlength=len(values)).cumsum()
    ends = [first_enough(reached, k * float(reached[-1]) / bins) for k in range(1, bins)]
    return values[sorted({end for end in ends if end < len(values) - 1})]


@many
@given(
    st.lists(
        st.sampled_from([-1.0, 0.0, 0.5, 2.0, 3.25, 8.0, 9.0]) | st.floats(-9, 9, width=32), max_size=60
    ),
    st.integers(2, 12),
    st.integers(0, 2**32 - 1),
    st.booleans(),
)
def test_the_same_bins_weighted_or_not(cells: list[float], bins: int, seed: int, weighted: bool) -> None:
    values = np.array(cells)
    weights = np.random.default_rng(seed).integers(1, 5, len(cells)) / 2 if weighted else np.ones(len(cells))
    expected = quantile_edges(values, weights, bins)
    np.testing.assert_array_equal(quantile_ends(values, weights if weighted else None, bins), expected)
    narrow = values.astype(np.float32)
    codes, ends = bin_column(Numeric("x"), narrow, weights if weighted else None, bins)
    np.testing.assert_array_equal(codes, np.searchsorted(ends, narrow.astype(np.float64)))


@pytest.mark.parametrize(("kind", "adjusted"), [(Nominal, 1.2308e-7), (Ordinal, 8.205e-8)])
def test_the_worked_example(kind: type[Nominal | Ordinal], adjusted: float) -> None:
    tree = CHAID().learn(_table(kind("x", ("1", "2", "3")), [(30, 30), (30, 30), (55, 5)]))
    assert isinstance(tree.root, Split)
    assert [str(branch.when) for branch in tree.root.branches] == ["x in {1, 2}", "x = 3"]
    assert tree.root.score["statistic"] == pytest.approx(30.1003, abs=1e-4)
    assert tree.root.score["p"] == pytest.approx(4.1026e-8, rel=1e-4)
    assert tree.root.score["adjusted_p"] == pytest.approx(adjusted, rel=1e-4)


def test_p_values_too_small_for_a_number_are_still_compared() -> None:
    """Both p are 0 as floats; that of three groups is nevertheless the smaller, by far."""
    counts = [(90000, 10000), (60000, 40000), (10000, 90000), (10001, 89999)]
    tree = CHAID(exhaustive=True).learn(_table(Nominal("x", tuple("abcd")), counts))
    assert isinstance(tree.root, Split)
    assert tree.root.score["p"] == 0
    assert [str(branch.when) for branch in tree.root.branches] == ["x = a", "x = b", "x in {c, d}"]


def test_a_value_without_rows_goes_to_the_nearest_or_the_largest_group() -> None:
    counts = [(60, 5), (0, 0), (0, 0), (0, 0), (5, 80)]
    ordered = CHAID().learn(_table(Ordinal("x", tuple("abcde")), counts))
    assert [str(b.when) for b in _branches(ordered)] == ["x in {a, b, c}", "x in {d, e}"]
    nominal = CHAID().learn(_table(Nominal("x", tuple("abcde")), counts))
    assert [str(b.when) for b in _branches(nominal)] == ["x = a", "x in {b, c, d, e}"]


def test_the_missing_float_to_the_group_they_resemble() -> None:
    table = _table(Ordinal("x", ("low", "high", "none")), [(90, 10), (10, 90), (70, 5)])
    columns = {
        **table.columns,
        "x": np.where(table.columns["x"] == 2, MISSING, table.columns["x"]).astype(np.int32),
    }
    schema = Schema((Ordinal("x", ("low", "high")),), table.schema.target)
    tree = CHAID().learn(Table(schema, columns))
    assert [str(b.when) for b in _branches(tree)] == ["x = low or missing", "x = high"]


def test_children_too_small_are_absorbed() -> None:
    table = _table(Nominal("x", ("a", "b", "c")), [(100, 5), (5, 100), (20, 0)])
    assert [str(b.when) for b in _branches(CHAID(alpha_merge=0.9).learn(table))] == ["x in {a, c}", "x = b"]
    assert CHAID(min_leaf=106).learn(table).size == 1


def test_a_thousand_values_merge_to_a_few_groups() -> None:
    random = np.random.default_rng(7)
    codes = random.integers(0, 1000, 60000).astype(np.int32)
    target = (random.random(60000) < np.where(codes % 3 == 0, 0.9, 0.1)).astype(np.int32)
    schema = Schema((Nominal("x", tuple(map(str, range(1000)))),), Nominal("y", ("no", "yes")))
    tree = CHAID(exhaustive=True, max_depth=1).learn(Table(schema, {"x": codes, "y": target}))
    groups = [b.when for b in _branches(tree)]
    sides = [{int(value) % 3 == 0 for value in getattr(group, "values", ())} for group in groups]
    assert all(len(side) == 1 for side in sides)


def test_too_many_values_are_named() -> None:
    rows = 12000
    schema = Schema((Nominal("id", tuple(map(str, range(rows)))),), Numeric("y"))
    table = Table(schema, {"id": np.arange(rows, dtype=np.int32), "y": np.arange(rows) % 7 / 2})
    with pytest.raises(LearningError, match=r"'id' has more than \d+ values"):
        CHAID().learn(table)


def test_a_resplit_of_an_exhaustive_merge_is_refused() -> None:
    with pytest.raises(SettingError, match="alpha_resplit"):
        CHAID(exhaustive=True, alpha_resplit=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("learner", [CHAID(), CHAID(exhaustive=True), CHAID(statistic="likelihood_ratio")])
def test_the_same_tree_on_a_real_table(learner: CHAID) -> None:
    table = load_shared("adult", "ordinal", train=True)
    same_nodes(learner.learn(table).nodes, learn_by_counts(learner, table).nodes)


def test_weights_act_as_repeated_rows() -> None:
    table, weights = _mixed(400), np.random.default_rng(4).integers(0, 4, 400)
    learner = CHAID(min_rows=10, min_leaf=5, alpha_split=0.3)
    weighted = learner.learn(Table(table.schema, table.columns, weights.astype(np.float64)))
    assert weighted.size > 5
    same_nodes(weighted.nodes, learner.learn(table.take(np.repeat(np.arange(400), weights))).nodes)


def test_the_same_tree_on_any_number_of_threads() -> None:
    table = _mixed(100_000)
    trees = []
    for threads in (1, 2, 5):
        _native.set_thread_count(threads)
        trees.append(CHAID(max_depth=None).learn(table).nodes)
    _native.set_thread_count(0)
    assert len(trees[0]) > 50
    assert trees[0] == trees[1] == trees[2]


def _mixed(rows: int) -> Table:
    """A numeric, a nominal and an ordinal column with gaps, and classes that lean on all three."""
    random = np.random.default_rng(rows)
    real = np.where(random.random(rows) < 0.1, np.nan, random.normal(size=rows).round(1))
    five, six = (random.integers(MISSING, top, rows).astype(np.int32) for top in (5, 6))
    target = (five + six + (real > 0) + random.integers(0, 3, rows) > 5).astype(np.int32)
    schema = Schema(
        (Numeric("real"), Nominal("five", tuple("vwxyz")), Ordinal("six", tuple("123456"))),
        Nominal("y", ("no", "yes")),
    )
    return Table(schema, {"real": real, "five": five, "six": six, "y": target})


def _table(attribute: Nominal | Ordinal, counts: list[tuple[int, int]]) -> Table:
    """[value] → rows of class no and of class yes."""
    codes = np.repeat(np.arange(len(counts)), [sum(each) for each in counts]).astype(np.int32)
    target = np.concatenate([np.repeat([0, 1], each) for each in counts]).astype(np.int32)
    return Table(Schema((attribute,), Nominal("y", ("no", "yes"))), {attribute.name: codes, "y": target})


def _branches(tree: Tree) -> Any:
    assert isinstance(tree.root, Split)
    return tree.root.branches


def test_priors_decide_the_answer_and_never_the_tests_either_way() -> None:
    table = _table(Nominal("x", ("1", "2", "3")), [(90, 10), (80, 20), (20, 80)])
    plain, weighed = CHAID(), CHAID(priors={"no": 0.9, "yes": 0.1})
    same_nodes(weighed.learn(table).nodes, plain.learn(table).nodes)
    same_nodes(learn_by_counts(weighed, table).nodes, weighed.learn(table).nodes)
