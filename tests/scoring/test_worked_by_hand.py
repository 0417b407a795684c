"""Small steps of scores, differences and resamples beside what one works out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from clearwood.measures.inference import difference_interval
from clearwood.scoring.by_group import NamedGroups, by_group_text, rates_by_group
from clearwood.scoring.differences.paired import (
    five_by_two,
    paired_mean,
    paired_mean_of_groups,
    tango_interval,
)
from clearwood.scoring.evaluation import ForeignClassesError
from clearwood.scoring.predictions import ClassPredictions, divided_or_nan, weights_of_rows
from clearwood.scoring.resampling import bca
from clearwood.scoring.share_scores import lift_table
from clearwood.table.attributes import Nominal


def _given(truth: Any, shares: Any, classes: tuple[str, ...] = ("bad", "good")) -> ClassPredictions:
    rows = len(truth)
    return ClassPredictions(
        classes=classes,
        truth=np.asarray(truth),
        answers=np.argmax(shares, axis=1),
        shares=np.asarray(shares, dtype=float),
        weights=np.ones(rows),
        places=np.arange(rows),
        part=np.zeros(rows, dtype=np.int64),
    )


def test_counts_are_so_many_equal_rows() -> None:
    random = np.random.default_rng(1)
    first, second, counts = random.normal(size=9), random.normal(size=9), random.integers(0, 4, 9)
    apart = np.repeat(first - second, counts)
    tested = paired_mean(first, second, counts.astype(float), counts=True)
    assert tested.mean == pytest.approx(apart.mean())
    assert tested.standard_error == pytest.approx(stats.sem(apart))
    assert tested.df == len(apart) - 1


def test_weights_of_a_sample_are_as_many_rows_as_they_are_worth() -> None:
    random = np.random.default_rng(2)
    first, second, weights = random.normal(size=9), random.normal(size=9), random.uniform(0.1, 3, 9)
    apart = first - second
    mean = np.average(apart, weights=weights)
    rows = weights.sum() ** 2 / (weights**2).sum()
    variance = (weights**2 * (apart - mean) ** 2).sum() / weights.sum() ** 2 * rows / (rows - 1)
    tested = paired_mean(first, second, weights, counts=False)
    assert (tested.mean, tested.standard_error, tested.df) == pytest.approx(
        (mean, math.sqrt(variance), rows - 1)
    )
    # The unit of the weights changes nothing.
    assert paired_mean(first, second, weights * 7, counts=False).standard_error == pytest.approx(
        tested.standard_error
    )


@pytest.mark.parametrize("counts", [True, False])
def test_one_row_has_no_spread_and_none_has_no_mean(counts: bool) -> None:
    one = paired_mean(np.array([2.0]), np.array([1.5]), np.ones(1), counts=counts)
    assert one.mean == 0.5
    assert math.isnan(one.standard_error)
    none = paired_mean(np.ones(2), np.ones(2), np.zeros(2), counts=counts)
    assert math.isnan(none.mean)
    assert math.isnan(none.standard_error)


def test_groups_of_rows_vary_by_their_sums() -> None:
    random = np.random.default_rng(3)
    first, second, weights = random.normal(size=8), random.normal(size=8), random.uniform(0.5, 2, 8)
    units = np.array([5, 5, 7, 7, 7, 9, 9, 2])
    tested = paired_mean_of_groups(first, second, weights, units)
    apart = first - second
    mean = (apart * weights).sum() / weights.sum()
    sums = [((apart - mean) * weights)[units == each].sum() for each in (2, 5, 7, 9)]
    error = math.sqrt(sum(each**2 for each in sums) / weights.sum() ** 2 * 4 / 3)
    assert (tested.mean, tested.standard_error, tested.df) == pytest.approx((mean, error, 3))
    alone = paired_mean_of_groups(first, second, weights, np.zeros(8, dtype=np.int64))
    assert alone.mean == pytest.approx(mean)
    assert math.isnan(alone.standard_error)
    assert math.isnan(paired_mean_of_groups(first, second, np.zeros(8), units).mean)


def test_the_difference_of_no_rows_may_be_anything_and_turns_its_sign_with_its_sides() -> None:
    assert tango_interval(0, 0, 0) == (-1, 1)
    for b, c, n in [(1, 7, 21), (0, 0, 30), (12, 3, 40), (0, 9, 9)]:
        low, high = tango_interval(b, c, n)
        assert low <= (b - c) / n <= high
        other = tango_interval(c, b, n)
        assert other == pytest.approx((-high, -low), abs=1e-9)
    assert tango_interval(0, 0, 30)[1] == pytest.approx(1.959964**2 / (30 + 1.959964**2), abs=1e-6)


def test_folds_that_agree_to_the_last_digit_have_no_spread_to_test_by() -> None:
    assert five_by_two(np.zeros((5, 2))).t_p == 1
    same = five_by_two(np.full((5, 2), 0.1) + np.array([[0, 1e-17]]))
    assert math.isnan(same.t)
    assert math.isnan(same.f_p)
    spread = five_by_two(np.full((5, 2), 0.1) + np.array([[0, 1e-6]]))
    assert spread.t == pytest.approx(0.1 / math.sqrt(5 * 5e-13 / 5), rel=1e-6)


def test_weights_of_rows_are_taken_in_any_order() -> None:
    weights = np.arange(12.0).reshape(3, 4)
    for rows in ([0, 1, 2, 3], [3, 2, 1, 0], [0, 2, 1, 3], [1, 2, 3, 0], [3, 0, 1, 2], [2], [], [0, 0, 1, 3]):
        taken = weights_of_rows(weights, np.array(rows, dtype=np.int64))
        assert taken.tolist() == [[row[at] for at in rows] for row in weights.tolist()]


def test_parts_of_nothing_are_not_known() -> None:
    parts = divided_or_nan(np.array([1.0, 0, 3]), np.array([2.0, 0, 0]))
    assert parts[0] == 0.5
    assert np.isnan(parts[1:]).all()
    assert divided_or_nan(np.array([1.0]), np.array([0.0]), 0.25).tolist() == [0.25]


def test_bca_is_efrons_formula() -> None:
    random = np.random.default_rng(4)
    drawn, left = random.gamma(2, 1, 4000), random.gamma(2, 1, 50)
    times = random.integers(1, 4, 50).astype(float)
    value = 2.2
    bias = stats.norm.ppf((drawn < value).mean())
    parts = np.repeat(left, times.astype(int))
    apart = parts.mean() - parts
    change = (apart**3).sum() / (6 * (apart**2).sum() ** 1.5)
    assert abs(change) > 0.01
    levels = []
    for level in (0.05, 0.95):
        z = bias + stats.norm.ppf(level)
        levels.append(stats.norm.cdf(bias + z / (1 - change * z)))
    assert bca(value, drawn, left, times, 0.9) == pytest.approx(tuple(np.quantile(drawn, levels)))
    # Cases that have no score are left out, and without any the bias alone corrects.
    some = np.append(left, np.nan), np.append(times, 5.0)
    assert bca(value, drawn, *some, 0.9) == bca(value, drawn, left, times, 0.9)
    plain = [stats.norm.cdf(2 * bias + stats.norm.ppf(level)) for level in (0.05, 0.95)]
    nothing = np.full(3, np.nan)
    assert bca(value, drawn, nothing, None, 0.9) == pytest.approx(tuple(np.quantile(drawn, plain)))
    assert bca(value, np.full(100, 2.2), left, times) is None
    assert bca(math.nan, drawn, left, times) is None


def test_the_rows_taken_first_are_those_of_the_largest_probabilities() -> None:
    # Twenty rows, two of each probability: every decile is one of them, and has its rows of the class.
    shares = np.repeat(np.arange(10, 0, -1) / 11, 2)
    truth = np.array([0, 0, 0, 1, 0, 1, 0, 0] + [1] * 12)
    given = _given(truth, np.column_stack([shares, 1 - shares]))
    table = lift_table(given, "bad")
    assert table is not None
    hits = [2, 3, 4, 6, 6, 6, 6, 6, 6, 6]
    assert [each.hits for each in table.steps] == pytest.approx(hits)
    assert [each.rows for each in table.steps] == pytest.approx(range(2, 21, 2))
    assert [each.gained for each in table.steps] == pytest.approx([each / 6 for each in hits])
    assert [each.lift for each in table.steps] == pytest.approx(
        [each / 6 / (0.1 * at) for at, each in enumerate(hits, 1)]
    )
    of_good = lift_table(given, "good")
    assert of_good is not None
    assert [each.hits for each in of_good.steps][:3] == pytest.approx([2, 4, 6])
    assert "A decile may end" not in str(table)
    assert lift_table(_given(np.zeros(20, dtype=int), given.shares), "bad") is None


def test_several_gaps_hold_together_and_say_what_is_beyond_chance() -> None:
    random = np.random.default_rng(5)
    truth = random.integers(0, 2, 600)
    group = np.repeat([0, 1, 2], 200)
    called = np.where(random.random(600) < np.array([0.9, 0.85, 0.2])[group], 0, 1)
    shares = np.column_stack([called == 0, called == 1]).astype(float)
    table = rates_by_group(_given(truth, shares), NamedGroups("g", ("a", "b", "c"), group), "bad")
    text = by_group_text(table)
    of_c = [
        line
        for line in text.splitlines()
        if line.split()[-4:] == ["demographic", "parity,", "beyond", "chance"]
    ]
    assert len(of_c) == 1
    assert " c " in of_c[0]
    assert "Four-fifths rule: predicted bad, relative to a" in text
    # Two gaps of a rate hold together at 95 %: each at 97.5 %.
    rate = {each.group: each.rates["selected"] for each in table.groups}
    for gap in table.gaps["selected"]:
        own, base = rate[gap.group], rate[table.reference]
        assert gap.interval == pytest.approx(
            difference_interval(own.count, own.total, base.count, base.total, 0.975)
        )
        assert gap.gap == pytest.approx(own.value - base.value)


def test_foreign_classes_are_matched_by_spelling_else_both_ways_are_given() -> None:
    target = Nominal("class", ("bad", "good"))
    spelt = str(ForeignClassesError.of(target, ["Bad", "GOOD "]))
    assert "If Bad is bad and GOOD  is good" in spelt
    assert "; if" not in spelt
    both = str(ForeignClassesError.of(target, ["0", "1"]))
    assert "If 0 is bad and 1 is good" in both
    assert "; if 0 is good and 1 is bad" in both
    three = str(ForeignClassesError.of(Nominal("class", ("a", "b", "c")), ["1", "2", "3"]))
    assert "If 1 is a, 2 is b and 3 is c" in three
    assert "; if" not in three
    assert "Say which is which" in str(ForeignClassesError.of(target, ["1", "2", "3"]))
