"""Each measure beside another way to the same number, on random counts with empty rows and branches."""

from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import optimize, stats

from clearwood.arrays import Floats
from clearwood.formulas.expressions import value_of
from clearwood.measures import IMPURITIES, TESTS
from clearwood.measures.contingency import degrees_of_freedom, expected, likelihood_ratio, odds_ratio, phi
from clearwood.measures.impurity import xlog2x
from clearwood.measures.inference import (
    ConfidenceTable,
    deviate,
    difference_interval,
    extra_errors,
    ratio_interval,
    reach_of,
    t_below,
    t_quantile,
    wilson,
)
from clearwood.measures.information import entropy, gain, gains, ratio
from clearwood.measures.scatter import absolute_error, f_test, row_effects, squared_error
from clearwood.measures.stability_index import stability_index

# Intervals


def _ends(count: float, total: float) -> tuple[float, float]:
    low, high = wilson(count, total)
    return float(low), float(high)


def _zou_and_donner(count: float, total: float, other: float, other_total: float) -> tuple[float, float]:
    """Where the interval of p − R q, by Wilson's of each, just reaches 0: the ends of the interval of R."""
    p, q = count / total, other / other_total
    (low, high), (other_low, other_high) = _ends(count, total), _ends(other, other_total)

    def lower(r: float) -> float:
        return p - r * q - math.hypot(p - low, r * (other_high - q))

    def upper(r: float) -> float:
        return p - r * q + math.hypot(high - p, r * (q - other_low))

    ends = [0.0 if each(0.0) <= 0 else optimize.brentq(each, 0.0, 1e9, xtol=1e-14) for each in (lower, upper)]
    return float(ends[0]), float(ends[1])


def test_where_all_or_none_are_counted_a_ratio_has_the_ends_at_which_the_difference_reaches_0() -> None:
    random = np.random.default_rng(1)
    some = 0
    for _ in range(400):
        total, other_total = (int(each) for each in random.integers(1, 60, 2))
        count = (0, total, int(random.integers(0, total + 1)))[random.integers(3)]
        other = (other_total, int(random.integers(1, other_total + 1)))[random.integers(2)]
        if 0 < count < total and other < other_total:
            continue
        actual = ratio_interval(count, total, other, other_total)
        assert actual is not None
        assert actual == pytest.approx(_zou_and_donner(count, total, other, other_total), rel=1e-8, abs=1e-12)
        some += count == total and other < other_total / 2
    assert some > 20


def test_all_of_twelve_against_five_of_thirty_are_shown_to_be_more() -> None:
    interval = ratio_interval(12, 12, 5, 30)
    assert interval is not None
    assert 2 < interval[0] < 6 < interval[1]


def test_none_against_some_has_a_ratio_from_0_on_without_a_sign() -> None:
    interval = ratio_interval(0, 30, 5, 30)
    assert interval is not None
    assert interval[0] == 0
    assert math.copysign(1, interval[0]) == 1
    assert interval[1] == pytest.approx(0.8219, abs=5e-5)


def test_without_any_of_the_others_there_is_no_ratio() -> None:
    assert ratio_interval(3, 10, 0, 10) is None
    assert ratio_interval(0, 10, 0, 10) is None


def test_the_ratio_of_proportions_between_0_and_1_is_katzs() -> None:
    low, high = ratio_interval(7, 20, 9, 15) or (0.0, 0.0)
    log, error = math.log(7 / 20 / (9 / 15)), math.sqrt(1 / 7 - 1 / 20 + 1 / 9 - 1 / 15)
    assert low == pytest.approx(math.exp(log - 1.959963985 * error))
    assert high == pytest.approx(math.exp(log + 1.959963985 * error))


def test_other_confidences_have_other_deviates() -> None:
    z = float(stats.norm.ppf(0.95))
    assert reach_of(np.array([4.0]), np.array([16.0]), 0.9) == pytest.approx([z / 2])
    low, high = ratio_interval(7, 20, 9, 15, 0.9) or (0.0, 0.0)
    assert math.log(high / low) == pytest.approx(2 * z * math.sqrt(1 / 7 - 1 / 20 + 1 / 9 - 1 / 15))
    # Newcombe: from each proportion to the near end of one interval and the far end of the other.
    (least, most), (other_low, other_high) = (
        [float(end) for end in wilson(*each, 0.9)] for each in ((7, 20), (9, 15))
    )
    assert difference_interval(7, 20, 9, 15, 0.9) == pytest.approx(
        (
            -0.25 - math.hypot(0.35 - least, other_high - 0.6),
            -0.25 + math.hypot(most - 0.35, 0.6 - other_low),
        )
    )


def test_wilsons_interval_is_the_proportions_that_the_score_test_does_not_reject() -> None:
    random = np.random.default_rng(2)
    total = random.integers(1, 500, 300).astype(float)
    count = np.floor(random.random(300) * (total + 1))
    for confidence in (0.8, 0.95):
        z = stats.norm.ppf(0.5 + confidence / 2)
        for end in wilson(count, total, confidence):
            inside = (end > 0) & (end < 1)
            apart = np.abs(count / total - end)[inside]
            error = np.sqrt(end * (1 - end) / total)[inside]
            np.testing.assert_allclose(apart, z * error, rtol=1e-9)
    low, high = wilson([0, 7, 0], [7, 7, 0])
    assert low[0] == 0
    assert high[1] == 1
    assert (low[2], high[2]) == (0, 1)
    every = np.arange(1.0, 400)
    assert (wilson(0 * every, every)[0] == 0).all()
    assert (wilson(every, every)[1] == 1).all()
    assert low[1] == pytest.approx(1 - high[0])
    assert high[0] < 1


@pytest.mark.parametrize("df", [1, 2, 3.5, 9, 40, 1e4])
def test_students_distribution_is_scipys(df: float) -> None:
    for p in (1e-6, 0.025, 0.3, 0.5, 0.6, 0.975, 1 - 1e-6):
        t = float(stats.t.ppf(p, df))
        assert t_quantile(p, df) == pytest.approx(t, rel=1e-9, abs=1e-9)
        assert t_below(t, df) == pytest.approx(p, rel=1e-8)
    assert t_quantile(0.5, df) == 0
    assert t_below(0.0, df) == 0.5
    assert (t_below(math.inf, df), t_below(-math.inf, df)) == (1, 0)


# Scatter


def test_the_median_is_a_number_from_which_absolute_errors_are_least() -> None:
    random = np.random.default_rng(3)
    for _ in range(200):
        values = np.sort(random.integers(-20, 20, random.integers(1, 9)).astype(float))
        counts = random.integers(0, 4, len(values)).astype(float)
        median, error = absolute_error(values, counts)
        rows = np.repeat(values, counts.astype(int))
        if not len(rows):
            assert (float(median), float(error)) == (0, 0)
            continue
        assert float(median) == np.median(rows)
        assert float(error) == pytest.approx(np.abs(rows - np.median(rows)).sum())


def test_half_of_the_weight_is_half_within_rounding() -> None:
    values = np.array([1.0, 2.0, 5.0])
    tenths = np.array([0.1, 0.2, 0.3])  # 0.1 + 0.2 is a little more than half of the sum
    assert float(absolute_error(values, tenths)[0]) == 3.5
    assert float(absolute_error(values, tenths * 1e9)[0]) == 3.5
    assert float(absolute_error(values, np.array([0.1, 0.2, 0.301]))[0]) == 5


def test_analysis_of_variance_is_scipys() -> None:
    random = np.random.default_rng(4)
    values = np.array([-3.0, -1, 0, 2, 7])
    tried = 0
    for _ in range(300):
        counts = random.integers(0, 4, (random.integers(2, 5), 5))
        counts[random.random(len(counts)) < 0.2] = 0
        groups = [np.repeat(values, each) for each in counts if each.sum()]
        verdict = f_test(values, counts)
        assert float(verdict.df) == max(len(groups) - 1, 0)
        together = np.concatenate([*groups, []])
        scattered = sum(((each - each.mean()) ** 2).sum() for each in groups)
        between = sum(len(each) * (each.mean() - together.mean()) ** 2 for each in groups)
        if len(groups) < 2 or len(together) == len(groups) or between < 1e-12:
            assert (float(verdict.statistic), float(verdict.p), float(verdict.log_p)) == (0, 1, 0)
        elif scattered < 1e-12:
            assert math.isinf(float(verdict.statistic))
            assert float(verdict.p) == 0
        else:
            theirs = stats.f_oneway(*groups)
            assert float(verdict.statistic) == pytest.approx(theirs.statistic)
            assert float(verdict.p) == pytest.approx(theirs.pvalue)
            assert float(verdict.log_p) == pytest.approx(math.log(theirs.pvalue), abs=1e-12)
            tried += 1
    assert tried > 150


def test_groups_without_scatter_are_certain_and_rounding_is_no_scatter() -> None:
    apart = f_test(np.array([1.0, 2]), np.array([[3, 0], [0, 2]]))
    assert math.isinf(float(apart.statistic))
    assert float(apart.p) == 0
    values = 1e9 + np.array([0.1, 0.2, 0.3])
    alike = f_test(values, np.array([[1, 1, 1], [2, 2, 2]]))
    assert (float(alike.statistic), float(alike.p)) == (0, 1)
    # A thousandth of 1e6 is scatter all the same.
    real = f_test(1e6 + np.array([0.0, 0.001, 0.002]), np.array([[3, 1, 0], [0, 1, 3]]))
    theirs = stats.f_oneway([0, 0, 0, 0.001], [0.001, 0.002, 0.002, 0.002])
    assert float(real.statistic) == pytest.approx(theirs.statistic, rel=1e-5)


def test_groups_of_one_row_each_have_no_scatter_to_test_by() -> None:
    alone = f_test(np.array([1.0, 2, 4]), np.eye(3))
    assert (float(alone.statistic), float(alone.df), float(alone.p), float(alone.log_p)) == (0, 2, 1, 0)
    same = f_test(np.array([3.0, 4]), np.array([[3, 0], [2, 0]]))
    assert (float(same.statistic), float(same.df), float(same.p), float(same.log_p)) == (0, 1, 1, 0)


def test_nothing_is_divided_by_what_is_not_there() -> None:
    values = np.array([1.0, 2, 4])
    with np.errstate(divide="raise", invalid="raise"):
        for counts in (np.eye(3), np.zeros((2, 3)), np.array([[1, 2, 3], [0, 0, 0]]), np.ones((1, 3))):
            assert float(f_test(values, counts).p) == 1
            assert float(row_effects(counts[:1]).p) == 1
            for test in (TESTS["chi_square"], TESTS["likelihood_ratio"]):
                assert float(test(counts[:1]).p) == 1
        assert squared_error(values, np.zeros(3))[0] == 0
        for name in ("entropy", "gini", "error"):
            assert float(IMPURITIES[name](np.zeros(3))) == 0
        assert float(phi(np.zeros((2, 2)))) == 0
        assert float(TESTS["yates"](np.zeros((2, 2))).statistic) == 0
        assert gains([np.zeros((2, 3))]).tolist() == [0]
        assert [float(end) for end in wilson(0, 0)] == [0, 1]


def test_squared_errors_are_those_of_the_rows() -> None:
    values, counts = np.array([1.0, 2, 6]), np.array([[1, 2, 3], [0, 0, 0], [4, 0, 0]])
    mean, error = squared_error(values, counts)
    rows = np.array([1.0, 2, 2, 6, 6, 6])
    np.testing.assert_allclose(mean, [rows.mean(), 0, 1])
    np.testing.assert_allclose(error, [((rows - rows.mean()) ** 2).sum(), 0, 0], atol=1e-12)


def _by_poisson(counts: Floats) -> float:
    """The row-effects model as a log-linear one: a number for each row and class, and a tilt for each row."""
    rows, classes = counts.shape
    row, place = (each.ravel() for each in np.indices(counts.shape))
    independent = np.column_stack(
        [row == each for each in range(rows)] + [place == each for each in range(1, classes)]
    )
    tilts = np.column_stack([place * (row == each) for each in range(1, rows)])
    deviances = [
        sm.GLM(counts.ravel(), each.astype(float), family=sm.families.Poisson()).fit(tol=1e-13).deviance
        for each in (independent, np.column_stack([independent, tilts]))
    ]
    return float(deviances[0] - deviances[1])


def test_the_row_effects_model_is_the_log_linear_one() -> None:
    random = np.random.default_rng(5)
    tables = [
        random.integers(1, 30, (rows, classes)) for rows in (2, 3, 5) for classes in (3, 4, 6) for _ in "ab"
    ]
    for table in tables:
        verdict, theirs = row_effects(table), _by_poisson(table.astype(float))
        assert float(verdict.statistic) == pytest.approx(theirs, rel=1e-8)
        assert float(verdict.df) == len(table) - 1
        assert float(verdict.p) == pytest.approx(float(stats.chi2.sf(theirs, len(table) - 1)), rel=1e-7)
        # In any unit of rows and in any order, and what is empty says nothing.
        assert float(row_effects(table * 1000).statistic) == pytest.approx(1000 * theirs, rel=1e-7)
        assert float(row_effects(table[::-1, ::-1]).statistic) == pytest.approx(theirs, rel=1e-8)
        wider = np.zeros((len(table) + 1, table.shape[1]), dtype=int)
        wider[:-1] = table
        assert float(row_effects(wider).statistic) == pytest.approx(theirs, rel=1e-8)
        assert float(row_effects(wider).df) == len(table) - 1


def test_of_two_classes_the_row_effects_model_is_the_likelihood_ratio() -> None:
    table = np.array([[8, 5], [3, 6], [1, 4]])
    assert float(row_effects(table).statistic) == pytest.approx(float(likelihood_ratio(table).statistic))


def test_a_class_between_that_nobody_has_keeps_its_place() -> None:
    table = np.array([[8, 0, 5, 2], [3, 0, 6, 9], [1, 0, 1, 4]])
    filled = table.astype(float)
    filled[:, 1] = 1e-9
    assert float(row_effects(table).statistic) == pytest.approx(
        float(row_effects(filled).statistic), rel=1e-5
    )
    assert float(row_effects(table).statistic) != pytest.approx(
        float(row_effects(table[:, [0, 2, 3]]).statistic), rel=1e-5
    )


@pytest.mark.parametrize(
    "table", [[[5, 3, 1]], [[5, 3, 1], [0, 0, 0]], [[5], [3]], [[5, 0], [3, 0]], [[0, 0], [0, 0]]]
)
def test_one_row_or_one_class_has_no_effect_to_test(table: list[list[int]]) -> None:
    verdict = row_effects(np.array(table))
    assert (float(verdict.statistic), float(verdict.df), float(verdict.p)) == (0, 0, 1)


def test_rows_of_the_same_shares_have_a_statistic_of_0_whatever_rounding_says() -> None:
    random = np.random.default_rng(11)
    for _ in range(40):
        table = np.outer(random.integers(1, 40, 4), random.integers(1, 40, 3))
        assert float(row_effects(table).statistic) == 0
    # Of a million rows a difference of two is little, and is there all the same.
    near = np.array([[100_000, 100_000, 100_000], [100_000, 100_000, 100_100]])
    assert float(row_effects(near).statistic) == pytest.approx(_by_poisson(near.astype(float)), rel=1e-3)


def test_rows_of_the_same_classes_have_a_statistic_of_0_and_rows_apart_one_without_end_of_the_curve() -> None:
    alike = row_effects(np.array([[10, 20, 30], [20, 40, 60], [1, 2, 3]]))
    assert (float(alike.statistic), float(alike.df)) == (0, 2)
    apart = row_effects(np.array([[40, 0, 0], [0, 0, 60]]))
    log_likelihood = 40 * math.log(0.4) + 60 * math.log(0.6)
    assert float(apart.statistic) == pytest.approx(-2 * log_likelihood, rel=1e-9)


# Tables


def test_rows_and_columns_without_rows_are_not_counted() -> None:
    random = np.random.default_rng(6)
    for _ in range(200):
        table = random.integers(0, 4, random.integers(1, 5, 2))
        filled = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        rows, columns = filled.shape
        df = max(rows - 1, 0) * max(columns - 1, 0)
        assert float(degrees_of_freedom(table)) == df
        for name in ("chi_square", "likelihood_ratio"):
            verdict = TESTS[name](table)
            assert float(verdict.df) == df
            if not df:
                assert float(verdict.statistic) == pytest.approx(0, abs=1e-12)
                assert float(verdict.p) == 1
                continue
            theirs = stats.chi2_contingency(
                filled, correction=False, lambda_="pearson" if name == "chi_square" else 0
            )
            assert float(verdict.statistic) == pytest.approx(theirs.statistic, abs=1e-12)
            assert float(verdict.p) == pytest.approx(theirs.pvalue)
    assert expected(np.zeros((2, 3))).tolist() == [[0, 0, 0], [0, 0, 0]]


def test_a_likelihood_ratio_of_independence_is_0_and_a_small_one_stays() -> None:
    for table in ([[1, 3, 5], [3, 9, 15]], [[7, 11], [70, 110]]):
        assert float(likelihood_ratio(np.array(table) * 12345).statistic) == 0
    near = np.array([[1_000_000, 1_000_000], [1_000_000, 1_000_100]])
    theirs = stats.chi2_contingency(near, correction=False, lambda_="log-likelihood").statistic
    assert float(likelihood_ratio(near).statistic) == pytest.approx(theirs, rel=1e-4) != 0


def test_phi_is_the_correlation_and_0_where_a_margin_is_empty() -> None:
    random = np.random.default_rng(7)
    for table in random.integers(0, 4, (200, 2, 2)):
        first = np.repeat([0, 0, 1, 1], table.ravel())
        second = np.repeat([0, 1, 0, 1], table.ravel())
        constant = len(set(first.tolist())) < 2 or len(set(second.tolist())) < 2
        other = 0.0 if constant else float(np.corrcoef(first, second)[0, 1])
        assert float(phi(table)) == pytest.approx(other, abs=1e-12)
    assert math.isnan(float(odds_ratio(np.zeros((2, 2)))))
    assert math.isinf(float(odds_ratio(np.array([[1, 0], [0, 1]]))))


# Impurities, and what a split gains


@pytest.mark.parametrize("name", ["entropy", "gini", "error"])
def test_what_is_put_in_is_the_measure(name: str) -> None:
    measure = IMPURITIES[name]
    assert measure.formula is not None
    random = np.random.default_rng(8)
    for counts in [*random.integers(0, 5, (100, 3)).astype(float), np.zeros(3), np.array([0.5, 0.0, 1.25])]:
        value = float(measure(counts))
        weights = counts.tolist()
        assert value_of(measure.formula.put_in(weights, value)) == pytest.approx(value, abs=1e-12)
        if measure.formula.exact is not None:
            exact = measure.formula.exact(tuple(weights))
            if all(map(float.is_integer, weights)):
                assert exact is not None
                assert float(exact) == pytest.approx(value, abs=1e-15)
            else:
                assert exact is None


def test_the_impurities_are_their_definitions() -> None:
    random = np.random.default_rng(9)
    for counts in random.integers(0, 6, (100, 4)):
        share = counts / counts.sum() if counts.sum() else np.zeros(4)
        by_hand = {
            "entropy": -sum(p * math.log2(p) for p in share if p > 0),
            "gini": 1 - float((share**2).sum()) if counts.sum() else 0,
            "error": 1 - float(share.max()) if counts.sum() else 0,
        }
        for name, value in by_hand.items():
            assert float(IMPURITIES[name](counts)) == pytest.approx(value, abs=1e-12), name


def test_gains_are_the_gain_of_each_table() -> None:
    random = np.random.default_rng(10)
    for impurity in (entropy, IMPURITIES["gini"].of):
        tables = [random.integers(0, 5, (random.integers(1, 5), 3)) for _ in range(50)]
        tables += [np.zeros((2, 3), dtype=int), np.array([[1, 2, 3], [0, 0, 0]])]
        np.testing.assert_allclose(
            gains(tables, impurity), [float(gain(table, impurity)) for table in tables], atol=1e-12
        )
    assert gains([]).tolist() == []
    assert gains([np.empty((0, 2))] * 2).tolist() == [0, 0]


def test_no_split_information_gives_a_ratio_of_0() -> None:
    gained = ratio(np.array([0.3, 0.3, 0.0]), np.array([0.0, 1.5, 2.0]))
    assert gained.tolist() == pytest.approx([0, 0.2, 0])


def test_products_with_logarithms_keep_their_places_however_they_lie_in_memory() -> None:
    x = np.arange(6.0).reshape(2, 3)
    by_hand = [[each * math.log2(each) if each else 0 for each in row] for row in x.tolist()]
    for laid in (x, np.asfortranarray(x), x.T.copy().T, np.stack([x, x])[:, :, ::-1][..., ::-1]):
        np.testing.assert_allclose(xlog2x(laid), np.broadcast_to(by_hand, laid.shape), atol=1e-12)


# C4.5's errors, and the stability index


@pytest.mark.parametrize("table", ["normal", "quinlan"])
def test_the_bound_on_errors_is_the_rate_that_the_confidence_leaves(table: ConfidenceTable) -> None:
    for n in (1.0, 2, 6, 14.5, 100):
        assert extra_errors(n, 0, 0.25, table) == pytest.approx(n * (1 - 0.25 ** (1 / n)))
        for e in (1.0, 2, 3.5, 13):
            if e + 0.5 >= n:
                continue
            z = deviate(0.25, table)
            bound = (extra_errors(n, e, 0.25, table) + e) / n
            assert bound - (e + 0.5) / n == pytest.approx(z * math.sqrt(bound * (1 - bound) / n))


def test_where_nearly_all_are_errors_little_is_added() -> None:
    assert extra_errors(5, 5) == 0
    assert extra_errors(5, 4.75) == 0.25
    assert extra_errors(5, 4.5) == 0.5
    assert extra_errors(5, 4.75, table="quinlan") == pytest.approx(0.67 * 0.25)
    assert extra_errors(5, 4.5, table="quinlan") == pytest.approx(0.67 * 0.5)
    assert extra_errors(0, 0) == 0
    assert extra_errors(-1e-12, 0) == 0
    assert extra_errors(5, 0.5) == pytest.approx((extra_errors(5, 0) + extra_errors(5, 1)) / 2)


def test_quinlans_deviates_are_read_off_straight_lines() -> None:
    points = {0.001: 3.09, 0.005: 2.58, 0.01: 2.33, 0.05: 1.65, 0.1: 1.28, 0.2: 0.84, 0.4: 0.25, 1.0: 0.0}
    for confidence, z in points.items():
        assert deviate(confidence, "quinlan") == pytest.approx(z)
    for confidence in np.linspace(0.001, 1, 50):
        other = float(np.interp(confidence, list(points), list(points.values())))
        assert deviate(float(confidence), "quinlan") == pytest.approx(other)
        assert deviate(float(confidence), "normal") == pytest.approx(
            float(stats.norm.isf(confidence)), abs=1e-9
        )


def test_a_column_without_rows_has_a_stability_index() -> None:
    assert stability_index([0, 0], [0, 0]) == 0
    assert 0 < stability_index([0, 0], [5, 5]) < math.inf
