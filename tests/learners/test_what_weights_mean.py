"""Every learner counts rows as their weights mean: equal rows, a sample's effective number, or importance."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clearwood as cw
from clearwood.catalogue import LEARNERS
from clearwood.errors import LearningError, ModelFileError, SettingError
from clearwood.models.files import from_json, to_json
from clearwood.predicting import shares
from clearwood.table.schema import Schema, effective_rows
from clearwood.table.table import Table
from tests import shared_data
from tests.judging import judged

_NAMES = sorted(LEARNERS)
_MEANINGS = ["sampling", "importance"]


def _learner(name: str, **more: Any) -> Any:
    entry = LEARNERS[name]
    return entry.load()(**entry.presets, **more)


def _drawn(rows: int = 160, seed: int = 5) -> Table:
    """Three nominal columns, and a class that leans on two of them."""
    dice = np.random.default_rng(seed)
    one, two, three = (dice.integers(0, 3, rows) for _ in range(3))
    chance = 0.15 + 0.3 * (one == 1) + 0.35 * (two == 2)
    cells = {
        "one": [f"a{each}" for each in one],
        "two": [f"b{each}" for each in two],
        "three": [f"c{each}" for each in three],
        "y": ["yes" if hit else "no" for hit in dice.random(rows) < chance],
    }
    return cw.read_table(cells, target="y")


def _weighed(table: Table, weights: Any, weights_are: Any) -> Table:
    return replace(table, weights=np.asarray(weights, dtype=np.float64), weights_are=weights_are)


def _learned(name: str, table: Table) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _learner(name).learn(table)


_LOPSIDED = np.random.default_rng(7).lognormal(3.0, 1.0, 160)


@pytest.mark.parametrize("name", _NAMES)
@pytest.mark.parametrize("weights_are", _MEANINGS)
def test_the_unit_of_the_weights_makes_no_other_model(name: str, weights_are: str) -> None:
    table = _drawn()
    one = _learned(name, _weighed(table, _LOPSIDED, weights_are))
    for unit in (1000.0, 2.0**-20):
        other = _learned(name, _weighed(table, unit * _LOPSIDED, weights_are))
        assert shares(other, table) == pytest.approx(shares(one, table), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", _NAMES)
@pytest.mark.parametrize("weights_are", _MEANINGS)
def test_equal_weights_are_no_weights(name: str, weights_are: str) -> None:
    table = _drawn()
    plain = _learned(name, table)
    equal = _learned(name, _weighed(table, np.full(len(table), 37.3), weights_are))
    assert np.array_equal(shares(equal, table), shares(plain, table))


@pytest.mark.parametrize(
    "name", [name for name in _NAMES if name != "ripper"]
)  # which halves rows, not weights
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_counts_are_repeated_rows(name: str, data: st.DataObject) -> None:
    table = _drawn(24, seed=data.draw(st.integers(0, 99)))
    times = np.array(data.draw(st.lists(st.integers(1, 4), min_size=24, max_size=24)))
    one = _learned(name, _weighed(table, times, "counts"))
    other = _learned(name, table.take(np.repeat(np.arange(24), times)))
    assert shares(one, table) == pytest.approx(shares(other, table), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", _NAMES)
@pytest.mark.parametrize("weights_are", ["counts", *_MEANINGS])
def test_a_model_says_what_the_weights_were(name: str, weights_are: str) -> None:
    table = _drawn()
    model = _learned(name, _weighed(table, _LOPSIDED, weights_are))
    assert model.origin.weights_are == weights_are
    assert _learned(name, table).origin.weights_are is None


@pytest.mark.parametrize("name", ["cart", "cn2", "bayes", "logistic"])
def test_a_model_file_keeps_what_the_weights_were(name: str) -> None:
    table = _drawn()
    model = _learned(name, _weighed(table, _LOPSIDED, "sampling"))
    assert from_json(to_json(model)).origin == model.origin
    text = to_json(model).replace('"weights_are": "sampling"', '"weights_are": "often"')
    with pytest.raises(ModelFileError, match=r"origin.weights_are.*Choices: counts, importance, sampling"):
        from_json(text)


def test_a_leaf_needs_rows_of_the_effective_number_not_of_the_weight() -> None:
    table = _drawn()
    weights = 1000 * _LOPSIDED
    least = effective_rows(weights) / 2 + 1  # no split leaves so much on both sides
    assert cw.CART(min_leaf=1).learn(_weighed(table, weights, "sampling")).leaves > 1
    assert cw.CART(min_leaf=least).learn(_weighed(table, weights, "sampling")).leaves == 1
    assert cw.CART(min_leaf=least).learn(_weighed(table, weights, "counts")).leaves > 1


def test_chance_is_judged_by_the_effective_number() -> None:
    dice = np.random.default_rng(11)
    cells = {"x": dice.choice(["a", "b", "c"], 90).tolist(), "y": dice.choice(["no", "yes"], 90).tolist()}
    table = cw.read_table(cells, target="y")
    weights = np.full(90, 5000.0) + dice.random(90)
    assert cw.CHAID(min_rows=2, min_leaf=1).learn(_weighed(table, weights, "counts")).leaves > 1
    for weights_are in _MEANINGS:
        assert cw.CHAID(min_rows=2, min_leaf=1).learn(_weighed(table, weights, weights_are)).leaves == 1


def test_a_fold_is_scaled_by_its_own_training_rows() -> None:
    table = _weighed(_drawn(), _LOPSIDED, "sampling")
    heaviest = int(np.argmax(_LOPSIDED))
    rest = np.delete(np.arange(160), heaviest)
    tree = cw.ID3().learn(table.take(rest))
    assert tree.weight(0) == pytest.approx(effective_rows(_LOPSIDED[rest]))


@pytest.mark.parametrize("weights_are", _MEANINGS)
def test_a_derivation_counts_the_rows_as_they_were_learned(weights_are: str) -> None:
    table = _weighed(_drawn(), _LOPSIDED, weights_are)
    for learner in (cw.ID3(), cw.C45(), cw.CART(), cw.Logistic(), cw.CN2(), cw.NaiveBayes()):
        derived = cw.derive(learner.learn(table), table)
        assert f", with {weights_are} weights" in derived.title
        assert len(list(derived)) > 0
        assert any(each.startswith(f"{weights_are} weights: they add up to") for each in derived.given)


def test_a_derivation_from_weights_of_another_meaning_is_refused() -> None:
    table = _weighed(_drawn(), _LOPSIDED, "sampling")
    tree = cw.ID3().learn(table)
    with pytest.raises(LearningError, match=r"Read the table with weights_are='sampling'\."):
        cw.derive(tree, replace(table, weights=_LOPSIDED, weights_are="counts"))


def test_what_is_shown_of_a_model_names_its_weights() -> None:
    table = _weighed(_drawn(), _LOPSIDED, "sampling")
    for learner in (cw.C45(), cw.Logistic(), cw.NaiveBayes()):
        assert "with sampling weights" in str(learner.learn(table))
    assert "with sampling weights" not in str(cw.C45().learn(_drawn()))


def test_rows_learned_later_must_have_weights_of_the_same_meaning() -> None:
    table = _drawn()
    seen, new = _weighed(table, _LOPSIDED, "sampling"), _weighed(table, _LOPSIDED, "counts")
    learner, rules = cw.ILA(), _learned("ila", seen)
    with pytest.raises(SettingError, match="weights of the rows seen are sampling, those of the new rows"):
        learner.learn_more(rules, seen, new)


@pytest.fixture(scope="module")
def adult() -> dict[str, Table]:
    path = shared_data.csv_path("adult")
    tables = {"none": cw.read_table(path, target="class", ignore="fnlwgt")}
    for weights_are in ("counts", "guess", "importance"):
        tables[weights_are] = cw.read_table(path, target="class", weight="fnlwgt", weights_are=weights_are)
    return tables


@pytest.fixture(scope="module")
def race(adult: dict[str, Table]) -> dict[str, Any]:
    """The odds ratio of race = Other in each."""
    actual = {}
    for name, table in adult.items():
        model = _learned("logistic", table)
        actual[name] = next(each for each in cw.estimates(model) if str(each.term) == "race = Other")
    return actual


def test_the_weights_of_adult_are_guessed_to_be_sampling_weights(adult: dict[str, Table]) -> None:
    table = adult["guess"]
    assert table.weights_are == "sampling"
    assert table.weights is not None
    assert table.weights.sum() == pytest.approx(37283.6, abs=0.1)
    assert any("48,842 rows count as 37,283.6" in note for note in table.notes)


@pytest.mark.slow
def test_sampling_weights_leave_an_estimate_its_width(race: dict[str, Any]) -> None:
    assert race["counts"].error < 0.001
    assert race["counts"].p < 1e-9
    assert race["guess"].weight == pytest.approx(race["counts"].weight, abs=1e-5)
    # The root of 48,842 ÷ 37,284 rows, and what the weights do to the shares.
    assert 1.0 < race["guess"].error / race["none"].error < 1.3
    assert race["importance"].error == pytest.approx(race["none"].error, rel=0.1)
    assert all(race[name].p > 0.01 for name in ("none", "guess", "importance"))


def test_sampling_weights_leave_an_accuracy_its_width(adult: dict[str, Table]) -> None:
    tree = cw.CART(max_depth=4).learn(adult["guess"])
    low, high = judged(tree, adult["guess"]).interval
    assert 0.003 < (high - low) / 2 < 0.005


def test_a_schema_keeps_what_the_weights_are(adult: dict[str, Table]) -> None:
    assert isinstance(adult["guess"].schema, Schema)
    assert cw.C45(min_rows=50).learn(adult["guess"]).schema.weights_are == "sampling"
