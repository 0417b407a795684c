"""A mean of differences: its standard error, interval and p, and how large a one could have been shown."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from clearwood.measures.student import t_outside, t_quantile

CONFIDENCE: Final = 0.95
POWER: Final = 0.8  # of showing a difference that there is


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """The mean, its standard error, and the degrees of freedom that the error has (∞: a normal one).

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
        """The mean in standard errors; 0 where both are 0, NaN where the error is not known."""
        if self.standard_error > 0:
            return self.mean / self.standard_error
        if math.isnan(self.standard_error):
            return math.nan
        return math.copysign(math.inf, self.mean) if self.mean else 0.0

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
        if math.isnan(self.standard_error):
            return math.nan, math.nan
        reach = t_quantile(0.5 + confidence / 2, _large(self.df)) * self.standard_error
        return self.mean - reach, self.mean + reach

    @property
    def detectable(self) -> float:
        """The true difference that would have been shown, at 5 %, four times in five."""
        if math.isnan(self.standard_error):
            return math.nan
        df = _large(self.df)
        return (t_quantile(0.5 + CONFIDENCE / 2, df) + t_quantile(POWER, df)) * self.standard_error

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {
            "test": self.test,
            "difference": self.mean,
            "standard_error": self.standard_error,
            "df": None if math.isinf(self.df) else self.df,
            "interval": list(self.interval),
            "statistic": self.statistic,
            "p": self.p,
            "detectable": self.detectable,
        }


def _large(df: float) -> float:
    """So many degrees of freedom that t is as good as normal, where there is no end of them."""
    return min(df, 1e9)
