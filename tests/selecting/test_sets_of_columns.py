"""Selectors of sets: CFS, mRMR, L1, forward and backward, each beside a plain version of itself."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score, roc_auc_score

import clearwood as cw
from clearwood.arrays import Ints
from clearwood.errors import LearningError, SettingError
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.selecting import l1
from clearwood.selecting.selection import Selection, only_columns
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.folding import folds as fold_rows
from clearwood.table.schema import Schema
from clearwood.table.table import Column, Table
from tests.selecting.test_by_counts import nominal_table
from tests.trees import tennis_table
from tests.typed import sure


def bits(one: Ints, other: Ints) -> float:
    return float(mutual_info_score(one, other) / np.log(2))


def uncertainty(one: Ints, other: Ints) -> float:
    return 2 * bits(one, other) / (bits(one, one) + bits(other, other))


def with_twin(seed: int = 0) -> Table:
    """A strong column, its twin, a weaker one of its own, and noise."""
    random = np.random.default_rng(seed)
    target = random.integers(0, 2, 500).astype(np.int32)

    def flip(part: float) -> Ints:
        return np.where(random.random(500) < part, 1 - target, target).astype(np.int32)

    strong = flip(0.15)
    cells = {"strong": strong, "twin": strong.copy(), "weak": flip(0.3), "noise": flip(0.5)}
    schema = Schema(tuple(Nominal(name, ("0", "1")) for name in cells), Nominal("y", ("no", "yes")))
    return Table(schema, {**cells, "y": target})


def test_cfs_takes_outlook_and_humidity_as_weka_does() -> None:
    ranking = cw.rank_columns(tennis_table(), "cfs")
    assert set(ranking.kept) == {"Outlook", "Humidity"}
    assert ranking["Humidity"].score == pytest.approx(0.2469, abs=2e-3)


@pytest.mark.parametrize("seed", range(4))
def test_cfs_finds_the_set_of_the_largest_merit(seed: int) -> None:
    table = nominal_table(150, seed)
    names = [each.name for each in table.schema.inputs]

    def merit(members: tuple[str, ...]) -> float:
        with_target = sum(uncertainty(table.columns[name], table.target) for name in members)
        among = sum(
            uncertainty(table.columns[one], table.columns[other]) for one, other in combinations(members, 2)
        )
        return with_target / math.sqrt(len(members) + 2 * among)

    sets = [members for size in range(1, 5) for members in combinations(names, size)]
    ranking = cw.rank_columns(table, "cfs")
    assert merit(ranking.kept) == pytest.approx(max(map(merit, sets)))
    assert ranking[ranking.kept[-1]].score == pytest.approx(merit(ranking.kept))


@pytest.mark.parametrize("seed", range(3))
def test_mrmr_is_relevance_less_mean_redundancy_step_by_step(seed: int) -> None:
    table = nominal_table(200, seed)
    left = [each.name for each in table.schema.inputs]
    chosen: list[str] = []
    ranking = cw.rank_columns(table, "mrmr")
    for each in ranking.columns:
        values = {
            name: bits(table.columns[name], table.target)
            - (
                np.mean([bits(table.columns[name], table.columns[other]) for other in chosen])
                if chosen
                else 0
            )
            for name in left
        }
        assert each.name == max(left, key=lambda name: values[name])
        assert each.score == pytest.approx(values[each.name])
        chosen.append(each.name)
        left.remove(each.name)


def test_mrmr_puts_a_twin_behind_a_weaker_column_and_what_tells_nothing_last() -> None:
    ranking = cw.rank_columns(with_twin(), "mrmr")
    assert [each.name for each in ranking.columns][:2] == ["strong", "weak"]
    assert "twin" not in ranking.kept
    assert cw.rank_columns(with_twin(), "gain").kept[:2] == ("strong", "twin")


def test_the_number_kept_is_the_number_asked_for_by_every_selector_of_sets() -> None:
    for by in ("cfs", "mrmr", "l1"):
        assert len(cw.rank_columns(with_twin(), by, keep=3).kept) == 3


def test_l1_gives_the_strongest_column_its_weight_first_and_leaves_noise_out() -> None:
    random = np.random.default_rng(0)
    cells = {name: random.normal(size=600) for name in "abcdef"}
    odds = 3 * cells["c"] + cells["e"]
    target = (random.random(600) < 1 / (1 + np.exp(-odds))).astype(np.int32)
    schema = Schema(tuple(map(Numeric, cells)), Nominal("y", ("no", "yes")))
    ranking = cw.rank_columns(Table(schema, {**cells, "y": target}), "l1")
    assert ranking.kept == ("c", "e")
    assert ranking.columns[0].score > ranking.columns[1].score > 0


@pytest.mark.parametrize("classes", [2, 3])
def test_l1_tries_few_columns_and_finds_what_trying_all_of_them_would(
    classes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(classes)
    cells = {name: random.normal(size=200) for name in "abcdefgh"}
    cells["b"][::7] = np.nan
    lean = np.nan_to_num(cells["b"]) + cells["d"] + 0.5 * cells["g"] + random.normal(size=200)
    target = np.digitize(lean, [0.0, 1.0][: classes - 1]).astype(np.int32)
    values = Nominal("v", ("x", "y", "z"))
    columns: dict[str, Column] = {**cells, "v": random.integers(-1, 3, 200).astype(np.int32), "y": target}
    schema = Schema((*map(Numeric, cells), values), Nominal("y", ("p", "q", "r")[:classes]))
    table = Table(schema, columns)
    few = cw.rank_columns(table, "l1")

    def all_tried(rows: Table, names: list[str], strength: float, pulls: object, _: object) -> object:
        return l1._learned(only_columns(rows, names), strength), pulls

    monkeypatch.setattr(l1, "_next", all_tried)
    assert cw.rank_columns(table, "l1") == few
    assert {"b", "d", "g"} <= set(few.kept)


def test_l1_refuses_numbers_with_the_way_out() -> None:
    table = cw.read_table({"x": [1.5, 2.5, 3.5, 4.5], "y": [1.2, 2.2, 3.1, 4.7]}, target="y")
    with pytest.raises(LearningError, match="'l1' ranks columns by classes, and 'y' is a number"):
        cw.rank_columns(table, "l1")


def test_forward_begins_with_the_column_that_is_best_alone() -> None:
    table = with_twin()
    ranking = cw.rank_columns(table, "forward", learner=cw.CART())
    assert ranking.columns[0].name in ("strong", "twin")
    by_hand = cw.cross_validate(cw.CART(), only(table, ranking.columns[0].name), folds=5)
    assert ranking.columns[0].score == pytest.approx(sure(ClassEvaluation, by_hand.together).accuracy)
    assert "noise" not in ranking.kept


def only(table: Table, name: str) -> Table:
    kept = tuple(each for each in table.schema.attributes if each.name == name)
    columns = {name: table.columns[name], "y": table.columns["y"]}
    return Table(Schema(kept, table.schema.target), columns)


def test_backward_lets_go_of_the_twin_and_of_noise() -> None:
    ranking = cw.rank_columns(with_twin(), "backward", learner=cw.CART())
    assert len({"strong", "twin"} & set(ranking.kept)) == 1
    assert "noise" not in ranking.kept
    assert all(each.score > 0 for each in ranking.columns if each.kept)


def test_forward_and_backward_keep_as_many_as_asked_and_may_use_another_score() -> None:
    table = with_twin()
    for by in ("forward", "backward"):
        assert len(cw.rank_columns(table, by, keep=2, learner=cw.ID3(), folds=3).kept) == 2
    numbers = cw.read_table(
        {"a": [1.5, 2.5, 3.5, 4.5] * 10, "b": [7.5, 1.5] * 20, "y": [1.1, 2.2, 3.3, 4.4] * 10}, target="y"
    )
    ranking = cw.rank_columns(numbers, "forward", learner=cw.CART(), score="mae")
    assert ranking.kept == ("a",)
    with pytest.raises(SettingError, match="score of classes"):
        cw.rank_columns(numbers, "forward", learner=cw.CART(), score="accuracy")


def test_forward_needs_a_learner_and_others_take_none() -> None:
    with pytest.raises(SettingError, match="'forward' tries sets of columns with a learner"):
        Selection("forward")
    with pytest.raises(SettingError, match="'gain' tries no learner"):
        Selection("gain", learner=cw.CART())


def test_areas_of_sets_are_means_over_the_folds() -> None:
    random = np.random.default_rng(3)
    y = random.integers(0, 2, 90)
    table = cw.read_table(
        {"x": random.normal(size=90) + 0.5 * y, "y": np.where(y == 1, "b", "a")}, target="y"
    )
    learner = cw.CART(min_leaf=5)
    ranking = cw.rank_columns(table, "forward", learner=learner, score="auc", keep=1)
    areas = []
    for train, test in fold_rows(table, 5, 0):
        shares = cw.shares(learner.learn(table.take(train)), table.take(test))[:, 1]
        areas.append(roc_auc_score(table.target[test], shares))
    assert ranking["x"].score == pytest.approx(np.mean(areas))
