"""Reading size counts what there is to read, alike for every kind of model."""

from __future__ import annotations

import warnings

import numpy as np

import clearwood as cw


def days() -> cw.Table:
    return cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")


def numbers() -> cw.Table:
    chance = np.random.default_rng(2)
    x = chance.normal(size=80)
    kind = chance.choice(["a", "b", "c"], size=80)
    y = np.where(x + (kind == "a") > 0, "yes", "no")
    return cw.read_table({"x": x, "kind": kind, "y": y}, target="y")


def test_a_leaf_counts_the_conditions_on_the_way_to_it() -> None:
    tree = cw.ID3().learn(days())
    depths = [0] * tree.size
    for node, parent in enumerate(tree.nodes.parent.tolist()):
        depths[node] = 0 if parent < 0 else depths[parent] + 1
    leaves = np.flatnonzero(tree.nodes.is_leaf)
    assert cw.reading_size(tree) == sum(depths[leaf] for leaf in leaves)
    assert cw.reading_size(cw.rules_of(tree)) == cw.reading_size(tree)


def test_a_single_leaf_has_nothing_to_read() -> None:
    assert cw.reading_size(cw.ID3(max_depth=0).learn(days())) == 0


def test_rules_count_conditions_and_weights_count_once_each() -> None:
    rules = cw.PRISM().learn(days())
    assert cw.reading_size(rules) == sum(len(rule.when) for rule in rules)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        linear = cw.Logistic().learn(numbers())
    assert cw.reading_size(linear) == len(linear.terms)


def test_bayes_tables_count_cells_and_a_bell_curve_two_numbers_for_each_class() -> None:
    assert cw.reading_size(cw.NaiveBayes().learn(days())) == 2 * (3 + 3 + 2 + 2)
    assert cw.reading_size(cw.NaiveBayes().learn(numbers())) == 2 * 2 + 2 * 3


def test_an_ensemble_is_the_sum_of_its_members() -> None:
    forest = cw.Forest(trees=4).learn(days())
    assert cw.reading_size(forest) == sum(map(cw.reading_size, forest.members))
    bagged = cw.Bagging(of=cw.NaiveBayes(), trees=3).learn(days())
    assert cw.reading_size(bagged) == sum(map(cw.reading_size, bagged.members))


def test_neighbouring_intervals_of_equal_points_are_one_step() -> None:
    model = cw.GAM(pairs=0, bags=2, rounds=30).learn(numbers())
    flat = cw.flatten(model, "x")
    flat = flat.model if hasattr(flat, "model") else flat
    steps = sum(a != b for a, b in zip(model["x"].points[0][:-3], model["x"].points[0][1:-2], strict=True))
    assert steps > 0
    assert cw.reading_size(model) - cw.reading_size(flat) == steps


def test_pairs_add_the_cells_of_their_tables() -> None:
    with_pairs = cw.GAM(pairs=1, bags=2, rounds=30).learn(numbers())
    assert len(with_pairs.pairs) == 1
    assert cw.reading_size(with_pairs) > cw.reading_size(cw.GAM(pairs=0, bags=2, rounds=30).learn(numbers()))
