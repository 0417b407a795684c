"""Forests: what is promised of them on ordinary and on odd tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood import _native
from clearwood.errors import LearningError, SettingError
from clearwood.learners.ensembles.forest import MEASURES_OF_CLASSES, MEASURES_OF_NUMBERS
from clearwood.learners.ensembles.forest_task import drawn_weights
from clearwood.measures import ERRORS, IMPURITIES
from clearwood.table.attributes import Attribute


def two_classes(rows: int = 400, seed: int = 0) -> cw.Table:
    random = np.random.default_rng(seed)
    x, z = random.normal(size=(2, rows))
    colour = random.integers(0, 3, rows).astype(np.int32)
    y = (x + 0.8 * (colour == 1) + 0.5 * random.normal(size=rows) > 0.3).astype(np.int32)
    schema = cw.Schema(
        (cw.Numeric("x"), cw.Numeric("z"), cw.Nominal("colour", ("red", "green", "blue"))),
        cw.Nominal("y", ("no", "yes")),
    )
    return cw.Table(schema, {"x": x, "z": z, "colour": colour, "y": y})


def numbers(rows: int = 300) -> cw.Table:
    random = np.random.default_rng(1)
    x, z = random.normal(size=(2, rows))
    schema = cw.Schema((cw.Numeric("x"), cw.Numeric("z")), cw.Numeric("y"))
    return cw.Table(schema, {"x": x, "z": z, "y": 3 * x + 0.1 * random.normal(size=rows)})


def only(attribute: Attribute, cells: Any, target: list[int]) -> cw.Table:
    schema = cw.Schema((attribute,), cw.Nominal("y", ("a", "b")))
    known = {} if cells is None else {attribute.name: np.asarray(cells)}
    return cw.Table(schema, {**known, "y": np.array(target, dtype=np.int32)})


def accuracy(forest: cw.Ensemble, table: cw.Table) -> float:
    assert table.schema.target is not None
    names = np.array(table.schema.classes)
    return float((cw.predict(forest, table) == names[table.target]).mean())


def test_the_same_forest_at_any_number_of_threads() -> None:
    table = two_classes(6000)
    try:
        _native.set_thread_count(1)
        alone = cw.Forest(trees=7).learn(table)
        _native.set_thread_count(3)
        together = cw.Forest(trees=7).learn(table)
    finally:
        _native.set_thread_count(0)
    assert alone == together


def test_another_seed_is_another_forest() -> None:
    table = two_classes()
    assert cw.Forest(trees=3, seed=1).learn(table).trees != cw.Forest(trees=3, seed=2).learn(table).trees


def test_out_of_bag_errors_are_those_of_trees_that_did_not_draw_the_row() -> None:
    table = two_classes()
    forest = cw.Forest(trees=15).learn(table)
    task = cw.Forest(trees=15).task(table, forest.decision)
    sums, errors = np.zeros((len(table), 2)), []
    for number, member in enumerate(forest.members):
        out = drawn_weights(task, number) == 0
        sums[out] += cw.shares(member, table)[out]
        known = sums.any(axis=1)
        errors.append(float((sums[known].argmax(axis=1) != table.target[known]).mean()))
    assert forest.out_of_bag is not None
    np.testing.assert_allclose(forest.out_of_bag.values, errors, rtol=1e-12)


def test_out_of_bag_errors_of_numbers_are_squared() -> None:
    table = numbers()
    forest = cw.Forest(trees=60).learn(table)
    assert forest.out_of_bag is not None
    assert forest.out_of_bag.score == "squared error"
    first, last = forest.out_of_bag.values[0], forest.out_of_bag.values[-1]
    assert last < first
    assert last < 0.3 * float(np.var(table.target))


def test_trees_of_all_rows_have_no_rows_out_of_bag() -> None:
    assert cw.Forest(trees=3, rows=1.0).learn(two_classes()).out_of_bag is None


def test_the_answer_is_the_mean_of_the_trees_or_their_votes() -> None:
    table = two_classes()
    forest = cw.Forest(trees=9, min_leaf=5).learn(table)
    by_hand = np.mean([cw.shares(member, table) for member in forest.members], axis=0)
    np.testing.assert_allclose(cw.shares(forest, table), by_hand)
    votes = cw.Forest(trees=9, min_leaf=5, combine="votes").learn(table)
    counted = np.mean([cw.shares(member, table).argmax(axis=1) for member in votes.members], axis=0)
    np.testing.assert_allclose(cw.shares(votes, table)[:, 1], counted)


def test_a_forest_is_loaded_as_it_was_saved(tmp_path: Any) -> None:
    forest = cw.Forest(trees=5).learn(two_classes())
    cw.save(forest, tmp_path / "forest.json")
    assert cw.load(tmp_path / "forest.json") == forest


def test_leaves_are_at_least_as_heavy_as_asked() -> None:
    forest = cw.Forest(trees=5, min_leaf=7, max_depth=4).learn(two_classes())
    assert forest.trees is not None
    leaves = forest.trees.nodes.is_leaf
    assert forest.trees.nodes.counts[leaves].sum(axis=1).min() >= 7
    assert all(member.depth <= 4 for member in forest.members if isinstance(member, cw.Tree))


def test_numbers_are_predicted_with_all_columns_and_leaves_of_one_row_unless_told() -> None:
    table = numbers()
    forest = cw.Forest(trees=5).learn(table)
    assert forest.trees == cw.Forest(trees=5, columns=len(table.schema.inputs), min_leaf=1).learn(table).trees
    fives = cw.Forest(trees=5, min_leaf=5).learn(table)
    assert fives.trees is not None
    assert fives.trees.nodes.counts[fives.trees.nodes.is_leaf, 0].min() >= 5


def test_a_curve_of_few_rows_is_followed_closely() -> None:
    random = np.random.default_rng(0)
    x = random.uniform(size=(4, 300))
    y = 10 * x[0] * x[1] + 5 * x[2]
    table = cw.read_table({**{f"x{i}": x[i] for i in range(4)}, "y": y}, target="y")
    train, test = table.take(np.arange(200)), table.take(np.arange(200, 300))
    error = np.square(cw.predict(cw.Forest().learn(train), test) - test.target).mean()
    coarse = np.square(cw.predict(cw.Forest(columns=1, min_leaf=5).learn(train), test) - test.target).mean()
    assert error < 0.6 * coarse


def test_columns_are_drawn_on_until_one_can_split() -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=50)
    cells = {f"c{i}": np.full(50, float(i)) for i in range(30)}
    schema = cw.Schema((*map(cw.Numeric, cells), cw.Numeric("x")), cw.Nominal("y", ("a", "b")))
    table = cw.Table(schema, {**cells, "x": x, "y": (x > 0).astype(np.int32)})
    forest = cw.Forest(trees=10, columns=1).learn(table)
    assert accuracy(forest, table) > 0.95


def test_priors_raise_the_share_of_a_rare_class() -> None:
    table = two_classes()
    plain = cw.Forest(trees=30, min_leaf=20).learn(table)
    raised = cw.Forest(trees=30, min_leaf=20, priors={"no": 0.1, "yes": 0.9}).learn(table)
    assert cw.shares(raised, table)[:, 1].mean() > 1.1 * cw.shares(plain, table)[:, 1].mean()


def test_costs_move_answers_and_the_out_of_bag_error_is_that_of_the_answers() -> None:
    table = two_classes()
    dear = cw.Forest(trees=30, costs={("yes", "no"): 10}).learn(table)
    plain = cw.Forest(trees=30).learn(table)
    assert (cw.predict(dear, table) == "yes").sum() >= (cw.predict(plain, table) == "yes").sum()
    assert dear.out_of_bag is not None
    assert plain.out_of_bag is not None
    assert dear.out_of_bag.values[-1] > plain.out_of_bag.values[-1]


@pytest.mark.parametrize("weights", [[2.0, 1.0, 3.0], [0.5, 0.25, 4.0]])
def test_rows_without_weight_are_as_good_as_absent(weights: list[float]) -> None:
    table = two_classes(60)
    given = np.resize(np.array([*weights, 0.0]), 60)
    heavy = cw.Table(table.schema, table.columns, given)
    assert cw.Forest(trees=4).learn(heavy).trees == cw.Forest(trees=4).learn(heavy.take(given > 0)).trees


def test_a_weight_of_two_counts_as_two_rows() -> None:
    table = two_classes(50)
    twice = cw.Table(table.schema, table.columns, np.full(50, 2.0))
    repeated = table.take(np.repeat(np.arange(50), 2))
    one, two = (cw.Forest(trees=4).learn(each).trees for each in (twice, repeated))
    assert one is not None
    assert two is not None
    np.testing.assert_array_equal(one.nodes.counts, two.nodes.counts)
    np.testing.assert_array_equal(one.nodes.high, two.nodes.high)


def test_the_order_of_rows_makes_no_difference() -> None:
    table = two_classes(200)
    mixed = table.take(np.random.default_rng(5).permutation(200))
    assert cw.Forest(trees=4).learn(mixed).trees == cw.Forest(trees=4).learn(table).trees


def test_one_row_makes_trees_of_one_leaf_and_no_curve() -> None:
    forest = cw.Forest(trees=3).learn(only(cw.Numeric("x"), [1.0], [0]))
    assert forest.trees is not None
    assert len(forest.trees.nodes) == 3
    assert forest.out_of_bag is None


def test_more_trees_than_rows_are_fine() -> None:
    assert cw.Forest(trees=40).learn(only(cw.Numeric("x"), [1.0, 2.0], [0, 1])).size == 40


@pytest.mark.parametrize(
    ("attribute", "cells"),
    [
        (cw.Numeric("x"), np.full(6, np.nan)),
        (cw.Numeric("x"), np.full(6, 3.0)),
        (cw.Nominal("x", ("u", "v")), np.full(6, -1, dtype=np.int32)),
        (cw.Ignored("x"), None),
    ],
    ids=["all missing", "constant", "no value known", "nothing to ask about"],
)
def test_a_column_that_tells_nothing_leaves_trees_of_one_leaf(attribute: Attribute, cells: Any) -> None:
    forest = cw.Forest(trees=3).learn(only(attribute, cells, [0, 1] * 3))
    assert forest.trees is not None
    assert forest.trees.nodes.is_leaf.all()


def test_ten_thousand_values_are_grouped() -> None:
    rows = 20_000
    codes = (np.arange(rows) // 2).astype(np.int32)
    values = cw.Nominal("x", tuple(f"v{i}" for i in range(10_000)))
    forest = cw.Forest(trees=2, max_depth=2).learn(only(values, codes, (codes % 2).tolist()))
    assert accuracy(forest, only(values, codes, (codes % 2).tolist())) > 0.7


def test_missing_cells_follow_the_branch_that_they_fit() -> None:
    random = np.random.default_rng(3)
    x = random.normal(size=300)
    y = (x > 0).astype(np.int32)
    x[random.random(300) < 0.3] = np.nan
    y[np.isnan(x)] = 1
    table = only(cw.Numeric("x"), x, y.tolist())
    assert accuracy(cw.Forest(trees=10).learn(table), table) == 1.0


def test_random_cuts_give_other_trees_that_answer_nearly_as_well() -> None:
    table, fresh = two_classes(2000), two_classes(2000, seed=9)
    best = accuracy(cw.Forest(trees=60).learn(table), fresh)
    drawn = accuracy(cw.Forest(trees=60, cuts="random", rows=1.0).learn(table), fresh)
    assert abs(best - drawn) < 0.04


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"columns": 9}, "the table has 3 that trees can ask about"),
        ({"measure": "squared"}, "does not fit a nominal target"),
    ],
)
def test_settings_that_do_not_fit_the_table_are_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(LearningError, match=sentence):
        cw.Forest(**settings).learn(two_classes())


def test_the_measures_of_a_forest_are_registered_ones() -> None:
    assert set(MEASURES_OF_CLASSES) <= set(IMPURITIES)
    assert set(MEASURES_OF_NUMBERS) <= set(ERRORS)


def test_votes_are_refused_for_numbers() -> None:
    with pytest.raises(LearningError, match="Votes are for classes"):
        cw.Forest(combine="votes").learn(numbers())


@pytest.mark.parametrize("settings", [{"trees": 0}, {"rows": 0}, {"rows": 1.5}, {"cuts": "worst"}])
def test_settings_out_of_bounds_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingError):
        cw.Forest(**settings)


@pytest.mark.parametrize("settings", [{}, {"combine": "votes"}, {"rows": 0.6}, {"priors": "equal"}])
def test_more_trees_make_the_forest_that_all_at_once_would_have_been(settings: dict[str, Any]) -> None:
    table = two_classes()
    few = cw.Forest(trees=6, **settings).learn(table)
    more = cw.Forest(trees=8, **settings).learn_more(few, table)
    assert more == cw.Forest(trees=14, **settings).learn(table)


def test_more_trees_of_numbers_too() -> None:
    table = numbers()
    more = cw.Forest(trees=5).learn_more(cw.Forest(trees=4).learn(table), table)
    assert more == cw.Forest(trees=9).learn(table)


def test_more_trees_need_the_same_rows_and_settings() -> None:
    table = two_classes()
    few = cw.Forest(trees=6).learn(table)
    for learner, rows, sentence in [
        (cw.Forest(trees=9), two_classes(seed=5), "grown from other rows"),
        (cw.Forest(trees=9, seed=1), table, "grown with seed = 0, not 1"),
    ]:
        with pytest.raises(LearningError, match=sentence):
            learner.learn_more(few, rows)
