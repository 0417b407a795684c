"""What counting rests on, beside numbers worked out by hand or by the standard library."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

import clearwood as cw
from clearwood.counting.chance import (
    below_all,
    chance_key,
    draw,
    drawn_below,
    drawn_with_replacement,
    draws,
    parts,
    shuffled_places,
    units_drawn_with_replacement,
    weights_are_units,
)
from clearwood.counting.coding import codes_of, coding_of
from clearwood.counting.cuts import counts_of_values, everything_known, half_way, midpoint, two_sides
from clearwood.counting.engine import ends_of_shares, exponent_for, units_of_branch, whole_units
from clearwood.counting.in_memory import InMemory, rows_here
from clearwood.counting.question import Question, Takes, takes
from clearwood.counting.ties import better, enough, first_best, first_enough, own_exp, own_log, which_enough
from clearwood.learners.trees.cart import CART
from clearwood.learners.trees.counted import BySums, WeightByValue, offset_of, regions_at, with_columns
from clearwood.learners.trees.growing_by_counts import task_of
from clearwood.learners.trees.offers import limited_value
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import Table


def test_exp_is_that_of_the_library_but_for_the_last_digit() -> None:
    x = np.concatenate([np.linspace(-700, 700, 997), np.linspace(-2, 2, 401), [1e-300, -1e-17]])
    assert own_exp(x) == pytest.approx([math.exp(each) for each in x.tolist()], rel=5e-16)
    assert own_exp(np.array([-1e9, 1e9])).tolist() == own_exp(np.array([-700.0, 700.0])).tolist()


def test_log_is_that_of_the_library_but_for_the_last_digit() -> None:
    x = np.concatenate([np.linspace(1e-3, 30, 997), 10.0 ** np.arange(-300, 300, 7), [0.7071, 0.7072]])
    assert own_log(x) == pytest.approx([math.log(each) for each in x.tolist()], rel=5e-16, abs=1e-16)


def test_many_draws_are_those_that_are_made_one_by_one() -> None:
    assert [drawn_below(chance_key(7), k, 6) for k in range(5)] == [3, 2, 5, 0, 3]
    assert chance_key(2**64 - 1) == chance_key(-1)
    key, each = chance_key(5, 2), range(50)
    assert draws(key, 50).tolist() == [draw(key, k) for k in each]
    assert parts(key, 50).tolist() == [(draw(key, k) >> 11) / 2**53 for k in each]
    for limit in (1, 6, 1000, 2**32 - 1):
        assert below_all(key, 50, limit).tolist() == [draw(key, k) * limit >> 64 for k in each]
        assert [drawn_below(key, k, limit) for k in each] == below_all(key, 50, limit).tolist()


def test_a_shuffle_holds_every_place_once_and_each_order_comes_up() -> None:
    orders = [tuple(shuffled_places(chance_key(seed), 3).tolist()) for seed in range(600)]
    assert {tuple(sorted(each)) for each in orders} == {(0, 1, 2)}
    assert all(70 < orders.count(each) < 130 for each in set(orders))
    assert len(set(orders)) == 6


def test_rows_are_drawn_as_often_as_they_weigh() -> None:
    ends = np.cumsum([1.0, 0.0, 3.0])
    first, none, last = drawn_with_replacement(chance_key(1), 3, 4000, ends).tolist()
    assert (none, first + last) == (0, 4000)
    assert 900 < first < 1100
    units = np.sum([units_drawn_with_replacement(chance_key(seed), ends) for seed in range(1000)], axis=0)
    assert (int(units[1]), int(units.sum())) == (0, 4000)
    assert 900 < units[0] < 1100
    assert weights_are_units(np.array([1.0, 0.0, 3.0]))
    assert not weights_are_units(np.array([1.0, 0.5]))


def test_a_score_is_better_only_by_more_than_rounding_of_its_scale() -> None:
    assert not better(1e-10, 0.0, scale=1.0)
    assert better(1.1e-10, 0.0, scale=1.0)
    assert better(1.1e-12, 0.0, scale=1e-2)
    assert not better(1e-9, 0.0, scale=100.0)
    assert not better(0.0, 0.0, scale=0.0)


@pytest.mark.parametrize("count", [5, 30, 31, 200])
def test_the_first_of_the_best_is_found_among_few_and_many(count: int) -> None:
    scores = np.linspace(0, 1, count)
    scores[3] = 2.0
    scores[4] = 2.0 + 1e-13
    scores[0] = np.nan
    assert first_best(scores, 1.0) == first_best(scores.tolist(), 1.0) == 3
    assert first_best([math.nan] * count, 1.0) == -1


def test_a_weight_that_reaches_its_floor_but_for_rounding_is_enough() -> None:
    tenths = math.fsum([0.1] * 3) - 1e-12
    assert enough(tenths, 0.3)
    assert not enough(0.29, 0.3)
    assert which_enough(np.array([0.29, tenths, 0.31]), 0.3).tolist() == [False, True, True]
    assert first_enough(np.array([0.29, tenths, 0.31]), 0.3) == 1
    assert first_enough(np.array([0.1]), 0.3) == 1
    edge = 2.0 - 0.5
    assert enough(edge, 2.0, slack=0.5)
    assert which_enough(np.array([edge]), 2.0, slack=0.5).tolist() == [True]
    assert first_enough(np.array([1.0, edge]), 2.0, slack=0.5) == 1


def test_what_rounding_leaves_of_no_error_is_none_and_a_small_error_stays() -> None:
    sums = BySums(np.empty(0), 5.0)
    with np.errstate(all="raise"):
        mean, error = sums.centre_and_error(
            np.array([[4.0, 8.0, 16.0 + 1e-12], [2.0, 2.0, 2.0 + 1e-10], [0, 0, 0]])
        )
    assert mean.tolist() == [7.0, 6.0, 0.0]
    assert error[0] == error[2] == 0.0
    assert error[1] == pytest.approx(1e-10, rel=1e-4)


def test_numbers_far_from_zero_are_measured_from_near_their_mean() -> None:
    ones = np.ones(3)
    assert offset_of(np.array([9.0, 10.0, 11.0]), ones) == 10.0
    assert offset_of(np.array([7.0, 8.0, 9.0]), ones) == 0.0
    assert offset_of(np.array([9.0, 11.0]), np.ones(2)) == 0.0
    assert offset_of(np.array([-9.0, -10.0, -11.0]), ones) == -10.0
    assert offset_of(np.array([5.0, 5.0, 5.0]), ones) == 5.0
    assert offset_of(np.array([1.0, 100.0, 2.0]), np.array([1.0, 0.0, 1.0])) == 0.0
    assert offset_of(np.empty(0), np.empty(0)) == 0.0


def test_a_unit_is_the_finest_of_which_a_float_holds_all_and_no_weight_is_lost() -> None:
    assert exponent_for(np.array([1.0, 2.0])) == 50
    assert exponent_for(np.full(10, 0.1)) == 52
    assert whole_units(np.array([1.0, 0.0, 0.25, 1e-30]), 3).tolist() == [8, 0, 2, 1]
    real = np.random.default_rng(3).uniform(0.1, 3, 1000)
    units = whole_units(real, exponent_for(real))
    assert units.sum() < 2**53
    assert np.ldexp(units, -exponent_for(real)) == pytest.approx(real, rel=1e-11)
    assert exponent_for(real) == exponent_for(real[::-1])


def test_a_divided_row_is_divided_without_rest() -> None:
    units = np.arange(1, 2000) * 1_000_003
    for shares in ([0.2, 0.5, 0.3], [1 / 3, 0.0, 2 / 3], [0.1] * 10, [0.0, 1.0, 0.0]):
        ends = ends_of_shares(shares)
        parts = [units_of_branch(units, ends, branch) for branch in range(len(shares))]
        assert np.array_equal(np.sum(parts, axis=0), units)
        for share, part in zip(shares, parts, strict=True):
            assert np.abs(part - units * share).max() <= 1


@pytest.mark.parametrize(
    ("cuts", "values", "steps"), [((), [1.5, 3.0, 4.0], [1, 3, 0, 2]), ((2.0, 3.5), [0, 1, 2], [1, 3, 0, 2])]
)
def test_a_ladder_has_the_values_or_the_intervals_between_given_cuts(
    cuts: tuple[float, ...], values: list[float], steps: list[int]
) -> None:
    table = Table(Schema((Numeric("x", cuts),)), {"x": np.array([3.0, np.nan, 1.5, 4.0])})
    coding = coding_of(table, None)
    assert (coding.columns[0].steps.tolist(), codes_of(table, coding).columns[0].tolist()) == (values, steps)
    absent = coding_of(Table(table.schema, table.columns, np.array([1.0, 1, 0, 1])), None)
    assert absent.columns[0].steps.tolist() == (values if cuts else values[1:])


@pytest.mark.parametrize(
    ("target", "codes"),
    [
        (Numeric("y"), np.array([-3.0, np.nan, 0.0, 2.0])),
        (Nominal("y", ("a", "b")), np.array([1, -1, 0, 1], dtype=np.int32)),
    ],
)
def test_a_row_is_learned_from_if_its_target_is_known_however_small(
    target: Numeric | Nominal, codes: npt.NDArray[np.float64] | npt.NDArray[np.int32]
) -> None:
    columns = {
        "x": np.array([1.0, 2.0, 3.0, 4.0]),
        "colour": np.array([0, 0, 1, 2], dtype=np.int32),
        "y": codes,
    }
    inputs = (Numeric("x"), Nominal("colour", ("red", "blue", "green")))
    task = task_of(CART(), Table(Schema(inputs, target), columns, np.array([1.0, 1.0, 2.0, 0.0])))
    engine = task.engine
    assert isinstance(engine, InMemory)
    assert engine.weights.tolist() == [1.0, 0.0, 2.0, 0.0]
    assert rows_here(engine.root()).row.tolist() == [0, 2]
    assert task.total == 3.0
    assert engine.coding.columns[0].ladder.tolist() == [1.0, 3.0]
    (everything,) = with_columns(engine.root(), regions_at(task, engine.root()))
    assert counts_of_values(everything.columns[1]).present == [0, 1]
    if isinstance(target, Numeric):
        absolute = task_of(CART(measure="absolute"), Table(task.schema, columns, engine.weights))
        assert isinstance(absolute.numbers, WeightByValue)
        assert absolute.numbers.values.tolist() == [-3.0, 0.0]


def test_a_branch_takes_its_upper_end_and_not_its_lower_one() -> None:
    cells = np.array([1.0, 1.5, 2.0, 2.5, np.nan])
    number = Numeric("x")
    assert takes(number, Takes(1.0, 2.0), cells).tolist() == [False, True, True, False, False]
    assert takes(number, Takes(1.0, 2.0, or_missing=True), cells).tolist() == [False, True, True, False, True]
    assert takes(number, everything_known(number), cells).tolist() == [True] * 4 + [False]
    size, codes = Ordinal("size", ("s", "m", "l")), np.array([0, 2, -1, -2, 1], dtype=np.int32)
    assert takes(size, Takes(codes=(0, 2)), codes).tolist() == [True, True, False, False, False]
    assert takes(size, everything_known(size), codes).tolist() == [True, True, False, False, True]


@pytest.mark.parametrize(
    ("below", "above", "lower"),
    [(0.0, 1.0, (0,)), (0.0, 3.0, (0, 1)), (1.0, 3.0, (0, 1, 2)), (0.0, 2.0, (0, 1))],
)
def test_a_value_without_rows_goes_to_the_nearer_side_of_a_cut(
    below: float, above: float, lower: tuple[int, ...]
) -> None:
    size = Ordinal("size", ("s", "m", "l", "xl"))
    low, high = two_sides(size, below, above)
    assert (low.codes, low.codes + high.codes) == (lower, (0, 1, 2, 3))
    with_limit = two_sides(size, below, above, limit=2.0)
    assert [each.codes for each in with_limit] == [(0, 1, 2), (3,)]


def test_a_number_is_cut_midway_or_where_it_is_told_to_be() -> None:
    ends = [(each.low, each.high) for each in two_sides(Numeric("x"), 70.0, 85.0)]
    assert ends == [(-math.inf, 77.5), (77.5, math.inf)]
    ends = [(each.low, each.high) for each in two_sides(Numeric("x"), 70.0, 85.0, limit=71.0)]
    assert ends == [(-math.inf, 71.0), (71.0, math.inf)]
    ends = [(each.low, each.high) for each in two_sides(Numeric("x", (5.0, 8.0)), 1.0, 2.0)]
    assert ends == [(-math.inf, 8.0), (8.0, math.inf)]
    next_to_one = math.nextafter(1.0, 2.0)
    assert half_way(1.0, next_to_one) == midpoint(1.0, next_to_one) == 1.0
    assert midpoint(0.1, 0.2) == 0.15


@pytest.mark.parametrize("measure", ["squared", "absolute"])
def test_a_region_of_numbers_weighs_what_its_rows_do_and_lies_at_their_centre(measure: str) -> None:
    table = cw.read_table({"x": [1.0, 2.5, 3.0, 7.0], "y": [2.0, 4.0, 4.0, 11.0]}, target="y")
    learner = CART(monotone={"x": "up"}) if measure == "squared" else CART(measure=measure)
    task = task_of(learner, table)
    engine = task.engine
    low = Question(0, (Takes(-math.inf, 2.6), Takes(2.6, math.inf)), (), (0.5, 0.5), 0)
    (region, _) = regions_at(task, engine.divide(engine.root(), {0: low}))
    near, counts = region.task, region.counts
    assert near.whole(counts) == float(near.weight(counts)) == 2.0
    if measure == "squared":
        assert float(limited_value(near, counts)) == (2.0 + 4.0) / 2
