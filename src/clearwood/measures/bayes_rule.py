"""Bayes' rule: how likely is it, now that the test says so?"""

import math

from clearwood.errors import SettingError
from clearwood.records import dataclass


@dataclass(frozen=True, slots=True)
class BayesRule:
    """The calculation with its steps; `str` prints them.

    >>> print(bayes_rule(0.008, 0.98, 0.03))
    P(yes and positive) = P(yes) · P(positive | yes) = 0.008 · 0.98 = 0.00784
    P(no and positive) = P(no) · P(positive | no) = 0.992 · 0.03 = 0.02976
    P(positive) = 0.00784 + 0.02976 = 0.0376
    P(yes | positive) = 0.00784 / 0.0376 = 0.208511
    """

    prior: float
    sensitivity: float  # P(positive | yes)
    false_positive: float  # P(positive | no)
    yes_and_positive: float
    no_and_positive: float
    positive: float
    posterior: float  # P(yes | positive)

    def __str__(self) -> str:
        one, other, whole = (f"{x:.6g}" for x in (self.yes_and_positive, self.no_and_positive, self.positive))
        yes, no = f"{self.prior:.6g}", f"{1 - self.prior:.6g}"
        return "\n".join(
            (
                f"P(yes and positive) = P(yes) · P(positive | yes) = {yes} · {self.sensitivity:.6g} = {one}",
                f"P(no and positive) = P(no) · P(positive | no) = {no} · {self.false_positive:.6g} = {other}",
                f"P(positive) = {one} + {other} = {whole}",
                f"P(yes | positive) = {one} / {whole} = {self.posterior:.6g}",
            )
        )


def bayes_rule(prior: float, sensitivity: float, false_positive: float) -> BayesRule:
    """P(yes | positive) from the prevalence and the two rates of a test.

    At a prevalence of 0 or 1 no test changes anything. A test that is never positive has no answer, and is
    refused.

    >>> round(bayes_rule(prior=0.008, sensitivity=0.98, false_positive=0.03).posterior, 9)
    0.208510638
    """
    given = {"prior": prior, "sensitivity": sensitivity, "false_positive": false_positive}
    for name, value in given.items():
        number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if not number or not 0 <= value <= 1:
            raise SettingError(f"{name} must be a probability, from 0 to 1, not {value!r}.")
    yes, no = prior * sensitivity, (1 - prior) * false_positive
    if not yes + no > 0:
        raise SettingError(
            f"With prior {prior:g}, sensitivity {sensitivity:g} and false_positive {false_positive:g} "
            "the test is never positive, so there is nothing to conclude from a positive one."
        )
    return BayesRule(prior, sensitivity, false_positive, yes, no, yes + no, yes / (yes + no))
