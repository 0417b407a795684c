"""Trees with directions: as the column rises, the probability of the class, or the number, goes one way."""

from __future__ import annotations

import itertools
import os
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.errors import ClearwoodWarning, LearningError, SettingError
from clearwood.learners.trees.c45 import C45
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.pruning import PRUNERS
from clearwood.models.files import from_json, to_json
from clearwood.predicting import predict, shares
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from tests.learners.random_tables import random_tables
from tests.learners.test_native_equals_the_definition import LIMITED, LIMITED_NUMBERS, directions

many = settings(
    max_examples=int(os.environ.get("CLEARWOOD_EXAMPLES", "40")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def loans(rows: int = 300, missing: float = 0.1, numbers: bool = False) -> Table:
    """The risk of a loan goes up and down with its duration, so that a tree without limits does too."""
    dice = np.random.default_rng(3)
    duration, age = dice.integers(0, 40, rows).astype(float), dice.integers(0, 5, rows).astype(np.int32)
    purpose = dice.integers(0, 3, rows).astype(np.int32)
    risk = 0.35 + 0.3 * np.sin(duration / 4) + 0.15 * (purpose == 0) + 0.01 * duration - 0.06 * age
    duration[dice.random(rows) < missing] = np.nan
    age[dice.random(rows) < missing] = -1
    purpose[dice.random(rows) < missing] = -1
    cells: dict[str, Any] = {"duration": duration, "age": age, "purpose": purpose}
    attributes = (
        Numeric("duration"),
        Ordinal("age", ("a", "b", "c", "d", "e")),
        Nominal("purpose", ("car", "house", "school")),
    )
    if numbers:
        cells["loss"] = np.round(10 * risk + dice.normal(size=rows), 1)
        return Table(Schema(attributes, Numeric("loss")), cells)
    cells["loan"] = (dice.random(rows) < risk).astype(np.int32)
    return Table(Schema(attributes, Nominal("loan", ("good", "bad"))), cells)


def _holds(model: Any, column: str, how: str) -> bool:
    """Exactly, over all rows that could be, with empty cells of other columns."""
    word, _, of = how.partition(":")
    asked = cw.MonotoneIn(column=column, share=of, direction="rises" if word == "up" else "falls")
    (verdict,) = cw.check(model, asked, None).verdicts
    assert verdict.exact
    return bool(verdict.holds)


def _goes_one_way(model: Any, table: Table, column: str, how: str) -> bool:
    """The same by brute force: every row of the table with every value of the column."""
    word, _, of = how.partition(":")
    attribute = table.schema[column]
    values: Any = range(len(attribute.values)) if isinstance(attribute, Ordinal) else None
    if values is None:
        cells = table.columns[column]
        values = np.unique(cells[~np.isnan(cells)])
    before = None
    for value in values:
        moved = replace(
            table, columns={**table.columns, column: np.full_like(table.columns[column], value)}, checked=True
        )
        here = shares(model, moved)[:, table.schema.classes.index(of)] if of else predict(model, moved)
        here = np.asarray(here, float) * (1 if word == "up" else -1)
        if before is not None and (here < before - 1e-12).any():
            return False
        before = here
    return True


GROWN: dict[str, Any] = {
    "cart": CART(),
    "cart direction": CART(missing="direction"),
    "cart pruned": CART(alpha=0.004),
    "cart priors": CART(priors="equal", min_leaf=3),
    "cart costs": CART(costs={("bad", "good"): 2}, alpha=0.002),
    "cart error": CART(measure="error", max_depth=6),
    "c45": C45(ordinal="cut"),
    "c45 unpruned": C45(ordinal="cut", prune=False, collapse=False),
    "c45 groups": C45(ordinal="cut", prune=False, group_values=True),
    "c45 priors": C45(ordinal="cut", priors="equal", confidence=0.9),
}


@pytest.mark.parametrize("name", list(GROWN))
@pytest.mark.parametrize("monotone", [{"duration": "up:bad"}, {"duration": "down:good", "age": "down:bad"}])
def test_check_proves_the_directions_and_refutes_them_without(name: str, monotone: dict[str, str]) -> None:
    table, learner = loans(), GROWN[name]
    limited = replace(learner, monotone=monotone).learn(table)
    free = learner.learn(table)
    assert limited.size > 1
    assert all(_holds(limited, *each) for each in monotone.items())
    assert all(_goes_one_way(limited, table, *each) for each in monotone.items())
    assert not _holds(free, "duration", monotone["duration"])
    assert from_json(to_json(limited)) == limited


@pytest.mark.parametrize("missing", ["surrogates", "direction"])
def test_numbers_go_one_way_too(missing: Any) -> None:
    table = loans(numbers=True)
    limited = CART(missing=missing, monotone={"duration": "up", "age": "down"}).learn(table)
    assert limited.leaves > 5
    assert _holds(limited, "duration", "up")
    assert _holds(limited, "age", "down")
    assert not _holds(CART(missing=missing).learn(table), "duration", "up")


@pytest.mark.slow
@pytest.mark.parametrize("name", list(LIMITED))
@many
@given(table=random_tables(("nominal",), min_classes=2, max_classes=2, spare_class=False), data=st.data())
def test_any_tree_of_classes_goes_one_way(name: str, table: Table, data: st.DataObject) -> None:
    monotone = data.draw(directions(table, data.draw(st.sampled_from([":c0", ":c1"]))))
    tree = replace(LIMITED[name], monotone=monotone).learn(table)
    assert all(_goes_one_way(tree, table, *each) for each in monotone.items())


@pytest.mark.slow
@pytest.mark.parametrize("name", list(LIMITED_NUMBERS))
@many
@given(table=random_tables(("numeric",)), data=st.data())
def test_any_tree_of_numbers_goes_one_way(name: str, table: Table, data: st.DataObject) -> None:
    monotone = data.draw(directions(table, ""))
    tree = replace(LIMITED_NUMBERS[name], monotone=monotone).learn(table)
    assert all(_goes_one_way(tree, table, *each) for each in monotone.items())


@pytest.mark.slow
@pytest.mark.parametrize("pruner", list(PRUNERS))
@pytest.mark.parametrize("learner", ["cart", "c45 unpruned"])
def test_every_pruner_keeps_the_directions(pruner: str, learner: str) -> None:
    monotone = {"duration": "up:bad", "age": "down:bad"}
    table = loans()
    tree = replace(GROWN[learner], monotone=monotone).learn(table)
    others = loans(200, 0.2).take(np.arange(100, 200))
    entry = PRUNERS.find(pruner)
    how: dict[str, Any] = {"raise_subtrees": False} if pruner == "error-based" else {}
    how |= {"alpha": 0.01} if pruner == "cost-complexity" else {}
    pruned = entry(tree, table if entry.needs == "training" else others, **how).tree
    assert all(_holds(pruned, *each) for each in monotone.items())


def test_every_node_keeps_to_its_bounds_so_that_any_of_them_may_become_a_leaf() -> None:
    tree = CART(monotone={"duration": "up:bad"}).learn(loans())
    for depth in range(tree.depth):
        assert _holds(
            CART(monotone={"duration": "up:bad"}, max_depth=depth).learn(loans()), "duration", "up:bad"
        )


def test_a_column_with_a_direction_is_no_surrogate() -> None:
    dice = np.random.default_rng(1)
    base = dice.normal(size=200)
    noise = {"x": 0.01, "z": 0.3, "w": 0.3}
    cells: dict[str, Any] = {name: base + dice.normal(scale=off, size=200) for name, off in noise.items()}
    cells["x"][:40] = np.nan
    schema = Schema(tuple(map(Numeric, cells)), Nominal("y", ("no", "yes")))
    table = Table(schema, {**cells, "y": (base > 0).astype(np.int32)})
    learner = CART(max_depth=1)
    assert learner.learn(table).nodes.s_attribute.tolist() == [1, 2]
    assert replace(learner, monotone={"z": "up:yes"}).learn(table).nodes.s_attribute.tolist() == [2]


def test_no_subtree_is_raised_within_limits() -> None:
    learner = C45(ordinal="cut", monotone={"duration": "up:bad"})
    assert [each.settings.get("raise_subtrees") for each in learner.prunings()] == [None, False]
    tree = learner.learn(loans())
    with pytest.raises(SettingError, match=r"raised subtree.* raise_subtrees=False"):
        cw.prune_error_based(tree, loans())


def test_smoothed_probabilities_are_refused_within_limits() -> None:
    tree = CART(monotone={"duration": "up:bad"}).learn(loans())
    with pytest.raises(SettingError, match="Leave smoothing out"):
        shares(tree, loans(), smoothing="laplace")
    bagged = cw.Bagging(of=CART(monotone={"duration": "up:bad"}), trees=3).learn(loans())
    with pytest.raises(SettingError, match="Leave smoothing out"):
        shares(bagged, loans(), smoothing=2)


def test_what_cannot_be_kept_is_refused() -> None:
    with pytest.raises(LearningError, match=r"'age' is ordinal.* ordinal='cut'"):
        C45(monotone={"age": "up:bad"}).learn(loans())
    with pytest.raises(LearningError, match=r"median.* measure='squared'"):
        CART(measure="absolute", monotone={"duration": "up"}).learn(loans(numbers=True))
    with pytest.raises(LearningError, match="'purpose' have no order"):
        CART(monotone={"purpose": "up:bad"}).learn(loans())
    with pytest.raises(SettingError, match="No class 'worse'"):
        C45(monotone={"duration": "up:worse"}).learn(loans())
    three = cw.read_table({"x": [1.5, 2.5, 3.5], "y": list("abc")}, target="y")
    with pytest.raises(LearningError, match="two classes"):
        CART(monotone={"x": "up:a"}).learn(three)


@pytest.mark.parametrize("learner", [CART(alpha="cv"), C45()])
def test_without_a_class_it_is_the_guessed_one_and_once_for_all_folds(learner: Any) -> None:
    table = loans()
    with pytest.warns(ClearwoodWarning, match="monotone names no class, so it is about bad") as noted:
        tree = replace(learner, monotone={"duration": "up"}).learn(table)
    assert len(noted) == 1
    assert tree.origin.settings["monotone"] == {"duration": "up:bad"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert replace(learner, monotone={"duration": "up:bad"}).learn(table).nodes == tree.nodes


@pytest.mark.parametrize("learner", [CART(), C45(ordinal="cut")])
def test_the_order_of_rows_and_classes_has_no_part_in_it(learner: Any) -> None:
    table = loans(missing=0)
    learner = replace(learner, monotone={"duration": "up:bad", "age": "up:good"})
    tree = learner.learn(table)
    dice = np.random.default_rng(0)
    schema = replace(table.schema, target=Nominal("loan", ("bad", "good")))
    turned = Table(schema, {**table.columns, "loan": 1 - table.columns["loan"]})
    for other in (table.take(dice.permutation(len(table))), turned.take(dice.permutation(len(table)))):
        again = learner.learn(other)
        place = other.schema.classes.index("bad")
        assert np.allclose(shares(again, table)[:, place], shares(tree, table)[:, 1])


def test_a_tree_that_goes_one_way_anyway_stays_as_it_is() -> None:
    rows = [{"x": x, "y": "yes" if x > t else "no"} for x, t in itertools.product(range(10), range(10))]
    table = cw.read_table(rows, target="y", kinds={"x": "numeric"})
    assert CART(monotone={"x": "up:yes"}).learn(table).nodes == CART().learn(table).nodes
    assert C45(monotone={"x": "up:yes"}).learn(table).nodes == C45().learn(table).nodes
    assert CART(monotone={"x": "down:yes"}).learn(table).size == 1


def test_the_derivation_says_what_is_not_admitted_and_what_is_handed_down() -> None:
    table = loans(120)
    tree = CART(monotone={"duration": "up:bad", "age": "down:bad"}, max_depth=2).learn(table)
    root, low, *_ = cw.derive(tree, table)
    (middle,) = [each for each in root.figures if each.name == "Middle"]
    sides = {each.name: each.value for each in middle.under}
    assert sides == pytest.approx({"P(bad | duration ≤ 21)": 33 / 70, "P(bad | duration > 21)": 37 / 50})
    assert middle.value == pytest.approx((33 / 70 + 37 / 50) / 2)
    assert {each.name: each.value for each in low.figures}["Upper limit"] == middle.value
    barred = {each.name: each.because for each in low.figures}["Decrease(purpose)"]
    assert barred == (
        "Not admitted: whatever way it is parted, the probability of bad would not stay under 0.606 on "
        "every side."
    )
    cuts = next(each for each in low.figures if each.name == "Decrease(duration)").grids[-1]
    assert {row[-1] for row in cuts.rows} == {"", "against a limit"}


def test_the_derivation_of_c45_says_so_too() -> None:
    table = loans(120)
    tree = C45(monotone={"duration": "down:bad"}, prune=False, collapse=False).learn(table)
    first = next(iter(cw.derive(tree, table)))
    assert {each.name: each.because for each in first.figures}["Gain(duration)"] == (
        "Not admitted: whatever way it is parted, the probability of bad would not fall with duration."
    )


@pytest.mark.parametrize("ensemble", [cw.Bagging(trees=4), cw.AdaBoost(trees=4)])
def test_members_with_a_direction_give_an_ensemble_with_it(ensemble: Any) -> None:
    table = loans()
    of = CART(max_depth=4, monotone={"duration": "up"})
    with pytest.warns(ClearwoodWarning, match="so it is about bad") as noted:
        model = replace(ensemble, of=of).learn(table)
    assert len([each for each in noted if "monotone" in str(each.message)]) == 1
    assert _goes_one_way(model, table, "duration", "up:bad")
    assert not _goes_one_way(
        replace(ensemble, of=CART(max_depth=4)).learn(table), table, "duration", "up:bad"
    )


@pytest.mark.parametrize("seed", range(5))
def test_numbers_with_a_direction_in_every_column_are_scikit_learns(seed: int) -> None:
    """Its limits are ours but for columns without a direction: below these it moves leaves into bounds."""
    trees = pytest.importorskip("sklearn.tree")
    dice = np.random.default_rng(seed)
    inputs = dice.normal(size=(300, 3)).astype(np.float32).astype(float)
    numbers = inputs[:, 0] + np.sin(3 * inputs[:, 1]) + 0.5 * inputs[:, 2] ** 2 + dice.normal(size=300)
    names = ("x", "z", "w")
    cells = {name: inputs[:, place] for place, name in enumerate(names)}
    table = Table(Schema(tuple(map(Numeric, names)), Numeric("y")), {**cells, "y": numbers})
    ours = CART(min_leaf=10, monotone={"x": "up", "z": "down", "w": "up"}).learn(table)
    theirs = trees.DecisionTreeRegressor(min_samples_leaf=10, monotonic_cst=[1, -1, 1], random_state=0)
    assert np.allclose(predict(ours, table), theirs.fit(inputs, numbers).predict(inputs))
    assert ours.leaves == theirs.get_n_leaves()


def test_the_text_of_a_tree_says_which_directions_it_was_learned_within() -> None:
    text = str(CART(monotone={"duration": "up:bad", "age": "down:bad"}, max_depth=1).learn(loans()))
    assert (
        "Learned so that the probability of bad never falls as duration rises; the probability of bad never "
        "rises as age rises."
    ) in text
