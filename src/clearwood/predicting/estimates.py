"""What can be said of each weight: its odds ratio, the interval it lies in, and whether it may be zero."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal, TypeAlias

from clearwood.errors import SettingError
from clearwood.measures.inference import chi2_sf, normal_quantile
from clearwood.models.kinds.kind import NumbersProfile
from clearwood.models.kinds.linear.linear_model import LinearModel, NumberTerm, Term, WeightSign
from clearwood.models.model import check_kind
from clearwood.records import dataclass

Per: TypeAlias = Literal["unit", "sd"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """One weight in the user's units; `term` None is the intercept.

    `error`, `low`, `high`, `z` and `p` (Wald's) are None where the model has no standard error: under a
    penalty, beside too many others, or where classes are separated and the estimate is ±∞ (`infinite`) or
    no row that stays behind settles it (not `settled`).
    """

    contrast: str
    term: Term | None
    weight: float
    error: float | None = None
    low: float | None = None
    high: float | None = None
    z: float | None = None
    p: float | None = None
    infinite: WeightSign = 0
    settled: bool = True

    @property
    def odds_ratio(self) -> float:
        """The factor on the odds for one more of the term: exp(weight); ∞ or 0 where that has no end."""
        if self.infinite:
            return math.inf if self.infinite > 0 else 0.0
        return _exp(self.weight)

    @property
    def odds_interval(self) -> tuple[float, float] | None:
        """The interval of the odds ratio."""
        return None if self.low is None or self.high is None else (_exp(self.low), _exp(self.high))


def estimates(model: LinearModel, *, confidence: float = 0.95, per: Per = "unit") -> tuple[Estimate, ...]:
    """Every contrast's intercept and weights, in order, with Wald's interval and test.

    `per` "sd" gives a number's weight for one standard deviation of its column over the training rows, so
    that numbers in different units can be compared; the model must keep a profile of those rows.

    >>> from clearwood.learners.linear.logistic import Logistic
    >>> from clearwood.table import read_table
    >>> table = read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    >>> slope = estimates(Logistic().learn(table))[1]
    >>> [round(each, 4) for each in (slope.weight, slope.error, slope.odds_ratio, slope.p)]
    [1.214, 0.9126, 3.367, 0.1834]
    """
    check_kind("estimates", model, LinearModel)
    if per not in ("unit", "sd"):
        raise SettingError(f"per must be 'unit' or 'sd', not {per!r}.")
    if not 0 < confidence < 1:
        raise SettingError(f"confidence must lie between 0 and 1, not {confidence!r}.")
    reach = float(normal_quantile(0.5 + confidence / 2))
    errors = model.fit.errors if model.fit else ()
    separation = model.fit.separation if model.fit else None
    rows = []
    for c, contrast in enumerate(model.contrasts):
        weights = (model.intercepts[c], *model.weights[c])
        for j, (term, weight) in enumerate(zip((None, *model.terms), weights, strict=True)):
            infinite = separation.directions[c][j] if separation else 0
            error = errors[c][j] if errors else None
            if infinite or error is None:
                settled = not (separation and errors) or bool(infinite)
                rows.append(Estimate(contrast, term, weight, infinite=infinite, settled=settled))
                continue
            z = weight / error
            p = float(chi2_sf(z * z, 1))
            rows.append(
                Estimate(contrast, term, weight, error, weight - reach * error, weight + reach * error, z, p)
            )
    return tuple(rows) if per == "unit" else tuple(_per_deviation(model, each) for each in rows)


def deviation_of(model: LinearModel, name: str) -> float:
    """The standard deviation of a numeric column over the training rows, as the model's profile has it."""
    known = model.profile.columns.get(name) if model.profile else None
    if not isinstance(known, NumbersProfile) or known.deviation is None:
        raise SettingError(
            f"per='sd' needs the standard deviation of '{name}', but the model has no profile of its "
            "training rows. clearwood fit --save keeps one; in Python give it one with "
            "with_profile(model, table). Or show it per unit."
        )
    return known.deviation


def _per_deviation(model: LinearModel, each: Estimate) -> Estimate:
    """A number's weight for one standard deviation; the others as they are."""
    if not isinstance(each.term, NumberTerm):
        return each
    unit = deviation_of(model, each.term.name)
    error, low, high = (None if part is None else unit * part for part in (each.error, each.low, each.high))
    return replace(each, weight=unit * each.weight, error=error, low=low, high=high)


def model_likelihood_ratio(model: LinearModel) -> tuple[float, int, float] | None:
    """Statistic, degrees of freedom and p of the whole model against none of its terms; None if not fitted.

    Under a penalty, and under sampling weights, the statistic stands, but has no known distribution: p
    is NaN.
    """
    if model.fit is None:
        return None
    statistic = max(0.0, 2 * (model.fit.log_likelihood - model.fit.null_log_likelihood))
    df = len(model.terms) * len(model.contrasts)
    return statistic, df, math.nan if model.penalised or model.fit.robust else float(chi2_sf(statistic, df))


def _exp(x: float) -> float:
    return math.exp(x) if x < 709 else math.inf
