"""Differences of two contenders by rows or by parts: means, shares, the corrected t-test, 5 × 2 folds."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats, Longs
from clearwood.errors import SettingError
from clearwood.measures.inference import f_sf, t_below, t_outside, t_quantile
from clearwood.records import dataclass, json_with
from clearwood.table.schema import effective_rows

CONFIDENCE: Final = 0.95
POWER: Final = 0.8  # of showing a difference that there is


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """The mean, its standard error, and the degrees of freedom that the error has (∞: a normal one).

    Differences that are all the same have no spread, and so no interval; if they are all 0, p is 1, and
    otherwise it is not known: as few of them as two may be the same by chance.

    >>> difference = MeanDifference(0.02, 0.01, 9)
    >>> [round(end, 4) for end in difference.interval], round(difference.p, 4)
    ([-0.0026, 0.0426], 0.0766)
    """

    mean: float
    standard_error: float
    df: float
    test: str = ""  # the name of the test, as sentences have it

    @property
    def statistic(self) -> float:
        """The mean in standard errors; 0 where both are 0, NaN where there is no spread, or none is known."""
        if self.standard_error > 0:
            return self.mean / self.standard_error
        return 0.0 if self.standard_error == self.mean == 0 else math.nan

    @property
    def p(self) -> float:
        """How often chance alone gives a mean so far from 0, on either side; NaN where that is not known."""
        return math.nan if math.isnan(self.statistic) else t_outside(self.statistic, _large(self.df))

    @property
    def interval(self) -> tuple[float, float]:
        """At 95 %."""
        return self.interval_at(CONFIDENCE)

    def interval_at(self, confidence: float) -> tuple[float, float]:
        """The differences that a test at this confidence would not refuse."""
        if not self.standard_error > 0:
            return math.nan, math.nan
        reach = t_quantile(0.5 + confidence / 2, _large(self.df)) * self.standard_error
        return self.mean - reach, self.mean + reach

    @property
    def detectable(self) -> float:
        """The true difference that would have been shown, at 5 %, four times in five."""
        if not self.standard_error > 0:
            return math.nan
        df = _large(self.df)
        return (t_quantile(0.5 + CONFIDENCE / 2, df) + t_quantile(POWER, df)) * self.standard_error

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        figures = json_with(self, "standard_error", "df", "interval", "statistic", "p", "detectable")
        return {"test": self.test, "difference": self.mean, **figures}


def _large(df: float) -> float:
    """So many degrees of freedom that t is as good as normal, where there is no end of them."""
    return min(df, 1e9)


def paired_mean(
    first: Floats, second: Floats, weights: Floats, *, counts: bool, units: Longs | None = None
) -> MeanDifference:
    """The mean of first − second over the rows, with the spread of these differences: Student's paired t.
    Weights are `counts` of equal rows, or of a sample, whose squares make the error. Rows of one number in
    `units` belong together: then it is over these groups.

    >>> import numpy as np
    >>> tested = paired_mean(np.array([1.0, 2, 4]), np.array([0.0, 2, 2]), np.ones(3), counts=True)
    >>> tested.mean, round(tested.standard_error, 4), tested.df
    (1.0, 0.5774, 2.0)
    """
    if units is not None:
        return paired_mean_of_groups(first, second, weights, units)
    total = float(weights.sum())
    if not total:
        return MeanDifference(math.nan, math.nan, 1, _NAME)
    apart = first - second
    mean = float((apart * weights).sum()) / total
    rows = total if counts else effective_rows(weights)
    if rows <= 1:
        return MeanDifference(mean, math.nan, 1, _NAME)
    squares = (apart - mean) ** 2
    if counts:
        variance = float((squares * weights).sum()) / total / (total - 1)
    else:
        variance = float((squares * weights**2).sum()) / total**2 * rows / (rows - 1)
    return MeanDifference(mean, math.sqrt(variance), rows - 1, _NAME)


def paired_mean_of_groups(first: Floats, second: Floats, weights: Floats, units: Longs) -> MeanDifference:
    """The mean of first − second over the rows, with the spread of the groups' sums: rows of one number in
    `units` belong together, and only groups vary by themselves (a ratio of sums, Cochran 1977).

    >>> rows = np.array([1.0, 1, 0, 0, 1, 1]), np.zeros(6), np.ones(6), np.array([0, 0, 1, 1, 2, 2])
    >>> tested = paired_mean_of_groups(*rows)
    >>> round(tested.mean, 4), round(tested.standard_error, 4), tested.df, tested.test
    (0.6667, 0.3333, 2, 'paired t-test over 3 groups')
    """
    numbers, group = np.unique(units, return_inverse=True)
    groups, total = len(numbers), float(weights.sum())
    name = f"{_NAME} over {groups} groups"
    if not total:
        return MeanDifference(math.nan, math.nan, 1, name)
    apart = first - second
    mean = float((apart * weights).sum()) / total
    if groups < 2:
        return MeanDifference(mean, math.nan, 1, name)
    sums = np.bincount(group.ravel(), (apart - mean) * weights)
    variance = float((sums**2).sum()) / total**2 * groups / (groups - 1)
    return MeanDifference(mean, math.sqrt(variance), groups - 1, name)


_NAME: Final = "paired t-test"


def tango_interval(
    only_first: float, only_second: float, rows: float, confidence: float = 0.95
) -> tuple[float, float]:
    """The interval of the difference (only_first − only_second) ÷ rows by Tango's score (1998), which at a
    difference of 0 is McNemar's chi-square; it also has a width where no row differs.

    Airway hyper-responsiveness before and after a transplant (Bentur et al. 2009; 21 patients):

    >>> [round(end, 3) for end in tango_interval(1, 7, 21)]
    [-0.517, -0.026]
    """
    if rows <= 0:
        return -1.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    middle = (only_first - only_second) / rows

    def end(sign: float) -> float:
        inside, outside = middle, sign
        for _ in range(80):
            between = (inside + outside) / 2
            if abs(_score(only_first, only_second, rows, between)) > z:
                outside = between
            else:
                inside = between
        return (inside + outside) / 2

    return end(-1.0), end(1.0)


def _score(first: float, second: float, rows: float, difference: float) -> float:
    """How many standard errors the rows are from this difference, the other share at its likeliest."""
    a = 2 * rows
    b = -first - second + (2 * rows - first + second) * difference
    c = -second * difference * (1 - difference)
    likeliest = (math.sqrt(max(b * b - 4 * a * c, 0.0)) - b) / (2 * a)
    variance = rows * (2 * likeliest + difference * (1 - difference))
    away = first - second - rows * difference
    if variance <= 0:
        return 0.0 if away == 0 else math.copysign(math.inf, away)
    return away / math.sqrt(variance)


def corrected_resampled_t(differences: npt.ArrayLike, test_to_train: float) -> MeanDifference:
    """The mean of the differences, one for each part, with the standard error √((1/J + test/train) · s²) and
    J − 1 degrees of freedom (Nadeau and Bengio 2003).

    `test_to_train` is the number of rows judged by over that learned from: 1 ÷ (k − 1) for k folds. The plain
    t-test takes it as 0, which promises too much: the parts' training rows overlap.

    >>> tested = corrected_resampled_t([0.02, 0.01, 0.03, 0.0, 0.04], 1 / 4)
    >>> round(tested.mean, 3), round(tested.standard_error, 5), round(tested.p, 4)
    (0.02, 0.01061, 0.1324)
    """
    values = np.asarray(differences, dtype=np.float64)
    parts = len(values)
    mean = float(values.mean()) if parts else math.nan
    if parts < 2:
        return MeanDifference(mean, math.nan, 1, _T_TEST)
    spread = float(values.var(ddof=1))
    # Equal differences that only rounding tells apart have no spread.
    spread = 0.0 if spread <= (1e-14 * float(np.abs(values).max())) ** 2 else spread
    return MeanDifference(mean, math.sqrt((1 / parts + test_to_train) * spread), parts - 1, _T_TEST)


_T_TEST: Final = "corrected resampled t-test"


@dataclass(frozen=True, slots=True)
class FiveByTwo:
    """Dietterich's t (5 degrees of freedom) and Alpaydın's F (10 and 5), with their p."""

    t: float
    t_p: float
    f: float
    f_p: float


def five_by_two(differences: npt.ArrayLike) -> FiveByTwo:
    """Differences [repeat, fold] of five repeats of two folds.

    t = d₁₁ ÷ √(Σ s² ÷ 5) depends on which difference comes first (Dietterich 1998); F = ΣΣ d² ÷ (2 Σ s²) does
    not, and finds more (Alpaydın 1999). s² is the variance of a repeat's two differences, with divisor 1.

    >>> tested = five_by_two([[0.02, 0.01], [0.03, 0.02], [0.01, 0.03], [0.02, 0.02], [0.04, 0.01]])
    >>> round(tested.t, 3), round(tested.t_p, 3), round(tested.f, 2), round(tested.f_p, 3)
    (1.633, 0.163, 3.53, 0.088)
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.shape != (5, 2):
        raise SettingError(f"Five times two folds have 5 × 2 differences, not {values.shape}.")
    variance = float(((values - values.mean(axis=1, keepdims=True)) ** 2).sum())
    squares = float((values**2).sum())
    if variance <= 1e-28 * squares or not variance:
        # Folds that agree to the last digit: no difference at all, or one without a spread to test it by.
        return FiveByTwo(*(math.nan,) * 4) if squares else FiveByTwo(0.0, 1.0, 0.0, 1.0)
    t = float(values[0, 0]) / math.sqrt(variance / 5)
    f = squares / (2 * variance)
    return FiveByTwo(t, t_outside(t, 5), f, float(f_sf(f, 10, 5)))


# Bayes: how probable is it that one is better, that both are practically equal, that the other is better?


ROPE: Final = 0.01  # differences of a share that nobody minds


@dataclass(frozen=True, slots=True)
class Posterior:
    """The probabilities that the first is better, that the difference lies within ± `rope`, the region of
    practical equivalence, and that the second is better; they add up to 1."""

    first: float
    equivalent: float
    second: float
    rope: float
    name: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        better = {"first_better": self.first, "practically_equivalent": self.equivalent}
        return {"test": self.name, **better, "second_better": self.second, "rope": self.rope}


def bayesian_correlated_t(differences: npt.ArrayLike, test_to_train: float, rope: float = ROPE) -> Posterior:
    """Of one table: the mean difference is t-distributed about that of the parts, with the spread of the
    corrected resampled t-test: ρ = test ÷ (test + train) (Corani and Benavoli 2015; Benavoli et al. 2017).

    A difference above 0 is in favour of the first. NaN where there are fewer than two parts.

    >>> posterior = bayesian_correlated_t([0.02, 0.01, 0.03, 0.0, 0.04], 1 / 4)
    >>> round(posterior.first, 3), round(posterior.equivalent, 3), round(posterior.second, 3)
    (0.8, 0.176, 0.024)
    """
    mean = corrected_resampled_t(differences, test_to_train)
    name = "Bayesian correlated t-test"
    if math.isnan(mean.standard_error):
        return Posterior(math.nan, math.nan, math.nan, rope, name)
    if mean.standard_error == 0:
        first, second = float(mean.mean > rope), float(mean.mean < -rope)
        return Posterior(first, 1 - first - second, second, rope, name)
    second = t_below((-rope - mean.mean) / mean.standard_error, mean.df)
    first = t_below((mean.mean - rope) / mean.standard_error, mean.df)
    return Posterior(first, max(0.0, 1 - first - second), second, rope, name)
