"""Bayes' rule as a derivation: from how common it is, and how good the test, to P(yes | positive)."""

from __future__ import annotations

from typing import Final

from clearwood.formulas.expressions import Number, Product, Quotient, Sum, Symbol
from clearwood.measures.bayes_rule import BayesRule
from clearwood.working.derivation import Answered, Derivation, Step
from clearwood.working.figures import Figure, less, named, plain

_CHAPTER: Final = "Bayes' rule"


def derive_bayes_rule(rule: BayesRule) -> Derivation:
    """The calculator's steps as figures.

    >>> from clearwood.measures.bayes_rule import bayes_rule
    >>> round(derive_bayes_rule(bayes_rule(0.008, 0.98, 0.03)).figure("P(yes | positive)").value, 4)
    0.2085
    """
    yes = Figure("P(yes)", rule.prior, put_in=plain(rule.prior), because="It was given.")
    no = Figure("P(no)", 1 - rule.prior, less(Number(1), Symbol("P(yes)")), less(Number(1), named(yes)))
    sensitivity = Figure(
        "P(positive | yes)", rule.sensitivity, put_in=plain(rule.sensitivity), because="It was given."
    )
    false_alarm = Figure(
        "P(positive | no)", rule.false_positive, put_in=plain(rule.false_positive), because="It was given."
    )
    both = Figure(
        "P(yes and positive)",
        rule.yes_and_positive,
        Product((Symbol("P(yes)"), Symbol("P(positive | yes)"))),
        Product((named(yes), named(sensitivity))),
    )
    neither = Figure(
        "P(no and positive)",
        rule.no_and_positive,
        Product((Symbol("P(no)"), Symbol("P(positive | no)"))),
        Product((named(no), named(false_alarm))),
    )
    positive = Figure(
        "P(positive)",
        rule.positive,
        Sum((Symbol("P(yes and positive)"), Symbol("P(no and positive)"))),
        Sum((named(both), named(neither))),
    )
    posterior = Figure(
        "P(yes | positive)",
        rule.posterior,
        Quotient(Symbol("P(yes and positive)"), Symbol("P(positive)")),
        Quotient(named(both), named(positive)),
    )
    steps = (
        Step(
            _CHAPTER,
            "What is known",
            (yes, no, sensitivity, false_alarm),
            "The prior probability, and how often the test is positive in either case.",
        ),
        Step(
            _CHAPTER,
            "Positive, rightly and wrongly",
            (both, neither),
            "Each prior times the probability of a positive test.",
        ),
        Step(
            _CHAPTER,
            "The posterior: those who have it among all who test positive",
            (positive, posterior),
            f"The posterior probability, after a positive test, is {rule.posterior:.6g}.",
            Answered(rule.posterior),
        ),
    )
    return Derivation("How likely is it after a positive test?", steps)
