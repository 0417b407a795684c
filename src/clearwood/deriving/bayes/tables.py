"""Bayes tables without a row: each prior, and for each column the counts and what they become."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import add, mul, truediv
from typing import Final, assert_never

from clearwood.deriving.bayes.counted import counted_of, formula_of, priors_step, target_of, value_grid
from clearwood.deriving.bayes.densities import bell_figures, width_figure
from clearwood.deriving.bayes.factors import bag_grid, bagged_of
from clearwood.formulas.conditions import written
from clearwood.measures.bayes_rule import BayesRule
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import bell_of, widths_of
from clearwood.models.kinds.bayes.distributions import (
    Bag,
    Categorical,
    Cuts,
    Distribution,
    Gaussian,
    Kernel,
    Words,
)
from clearwood.working.derivation import Answered, Derivation, Step
from clearwood.working.figures import Figure, each_by, of_figures, plain

_CHAPTER: Final = "Counting"


def derive_bayes_tables(model: BayesTables) -> Derivation:
    """How each prior and each probability of the model came about.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("buys_computer"), target="buys_computer")
    >>> derivation = derive_bayes_tables(cw.NaiveBayes().learn(table))
    >>> [step.title for step in derivation][1]
    'How often does each value of age occur in each class?'
    >>> derivation.figure("P(income = high | yes)").exact
    Fraction(1, 4)
    """
    makers: list[Callable[[], Step]] = [partial(priors_step, model, _CHAPTER, in_a_grid=True)]
    makers += [partial(_column_step, model, each) for each in model.distributions]
    return Derivation(f"Naive Bayes for {target_of(model)}", each_by(makers))


def _column_step(model: BayesTables, distribution: Distribution) -> Step:
    classes, target = range(len(model.classes)), written(target_of(model))
    match distribution:
        case Categorical(name) | Cuts(name):
            counted = counted_of(model, distribution)
            called, because = written(name), _smoothed(counted.smoothing, len(counted.values))
            table = Figure(
                f"P({called} | {target})", None, formula_of(counted), because=because,
                grids=(value_grid(model, counted),),
            )  # fmt: skip
            title = f"How often does each value of {called} occur in each class?"
            return Step(_CHAPTER, title, (table,), "Each count becomes a probability.")
        case Gaussian(name):
            bells = bell_of(distribution)
            title = f"Where does {written(name)} lie in each class, and how widely?"
            if bells is None:
                return Step(_CHAPTER, title, (), "It never varied, and says nothing.")
            figures = [figure for c in classes for figure in bell_figures(model, distribution, bells, c)]
            return Step(_CHAPTER, title, tuple(figures), "Each class gets a normal distribution.")
        case Kernel(name):
            widths = widths_of(distribution)
            title = f"Where does {written(name)} lie in each class?"
            if widths is None:
                return Step(_CHAPTER, title, (), "It never varied, and says nothing.")
            wide = tuple(width_figure(model, distribution, widths, c) for c in classes)
            return Step(_CHAPTER, title, wide, "Each number met gets a Gaussian kernel of this bandwidth.")
        case Bag() | Words():
            bagged = bagged_of(distribution)
            things = "columns" if isinstance(distribution, Bag) else "words"
            table = Figure(f"P({bagged.title} | {target})", None, grids=(bag_grid(model, bagged),))
            title = f"How often does each of the {len(bagged.things):,} {things} occur in each class?"
            return Step(_CHAPTER, title, (table,), f"Each count becomes a probability ({bagged.event}).")
        case _:
            assert_never(distribution)


def _smoothed(smoothing: str | float, values: int) -> str:
    if smoothing == "laplace":
        return f"Laplace: each of the {values} values counts once more than it was met, m = {values}."
    if smoothing == 0:
        return "Without smoothing, m = 0: a zero stays a zero."
    return f"The m-estimate, with m = {smoothing:g}."


# Bayes' rule as a derivation: from how common it is, and how good the test, to P(yes | positive).


_CHAPTER_OF_RULE: Final = "Bayes' rule"


def derive_bayes_rule(rule: BayesRule) -> Derivation:
    """The calculator's steps as figures.

    >>> from clearwood.measures.bayes_rule import bayes_rule
    >>> round(derive_bayes_rule(bayes_rule(0.008, 0.98, 0.03)).figure("P(yes | positive)").value, 4)
    0.2085
    """
    known = {
        "P(yes)": rule.prior,
        "P(positive | yes)": rule.sensitivity,
        "P(positive | no)": rule.false_positive,
    }
    yes, sensitivity, false_alarm = (
        Figure(name, value, put_in=plain(value), because="It was given.") for name, value in known.items()
    )
    no = of_figures("P(no)", 1 - rule.prior, lambda p: 1 - p, yes)
    both = of_figures("P(yes and positive)", rule.yes_and_positive, mul, yes, sensitivity)
    neither = of_figures("P(no and positive)", rule.no_and_positive, mul, no, false_alarm)
    positive = of_figures("P(positive)", rule.positive, add, both, neither)
    posterior = of_figures("P(yes | positive)", rule.posterior, truediv, both, positive)
    steps = (
        Step(
            _CHAPTER_OF_RULE,
            "What is known",
            (yes, no, sensitivity, false_alarm),
            "The prior probability, and how often the test is positive in either case.",
        ),
        Step(
            _CHAPTER_OF_RULE,
            "Positive, rightly and wrongly",
            (both, neither),
            "Each prior times the probability of a positive test.",
        ),
        Step(
            _CHAPTER_OF_RULE,
            "The posterior: those who have it among all who test positive",
            (positive, posterior),
            f"The posterior probability, after a positive test, is {rule.posterior:.6g}.",
            Answered(rule.posterior),
        ),
    )
    return Derivation("How likely is it after a positive test?", steps)
