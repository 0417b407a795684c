"""Gaussian Bayes as weights: each weight from the two means and the variance that the classes share."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Final

from clearwood.catalogue import learner_of
from clearwood.derive.bayes.counted import prior_figure
from clearwood.formulas.expressions import (
    Expression,
    Log,
    Number,
    Over,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    ValueOf,
)
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Gaussian
from clearwood.models.lineage import AsWeights
from clearwood.models.linear_model import LinearModel, MissingTerm, NumberTerm
from clearwood.models.words import written
from clearwood.table.table import Table
from clearwood.working.derivation import Step
from clearwood.working.figures import Figure, Rows, less, named, plain

_MEAN_0: Final = Symbol("mean", "0", "the mean of the reference class")
_MEAN_C: Final = Symbol("mean", "c", "the mean of class c")
_N: Final = Symbol("n", means="the number of rows")

_CHAPTER: Final = "From Bayes to weights"
_TWO: Final = Number(2)
_INTERCEPT: Final = Sum(
    (
        Log(Quotient(Symbol("P(c)"), Symbol("P(0)")), "e"),
        Over(
            "Σ",
            "x",
            Quotient(
                less(Power(_MEAN_0, _TWO), Power(_MEAN_C, _TWO)),
                Product((_TWO, Symbol("variance"))),
            ),
        ),
    )
)


def from_bayes_steps(model: LinearModel, table: Table) -> list[Callable[[], Step]]:
    """Steps of a model that was made by `gaussian_bayes_as_logistic`; none of another."""
    if AsWeights() not in model.origin.after:
        return []
    bayes = learner_of(model.origin).learn(table)
    numbers = [each for each in model.terms if isinstance(each, NumberTerm)]
    makers: list[Callable[[], Step]] = [partial(_column_step, model, bayes, each) for each in numbers]
    return [*makers, partial(_intercept_step, model, bayes)]


def _column_step(model: LinearModel, bayes: BayesTables, term: NumberTerm) -> Step:
    means, variance = _shared(model, bayes, term.name)
    assert model.against is not None
    first = means[model.against]
    place = model.terms.index(term)
    figures = [*means.values(), variance]
    for c, contrast in enumerate(model.contrasts):
        figures.append(
            Figure(
                f"weight({term} | {written(contrast)})",
                model.weights[c][place],
                Quotient(less(_MEAN_C, _MEAN_0), Symbol("variance")),
                Quotient(less(_raw(means[contrast]), _raw(first)), _raw(variance)),
            )
        )
        if MissingTerm(term.name) in model.terms:
            figures.append(_gap(model, c, term, means, variance))
    return Step(
        _CHAPTER,
        f"The weight of {written(term.name)}",
        tuple(figures),
        f"Against {model.against}: written as P = 1 ÷ (1 + exp(w₀ + Σ w·x)), it has the other sign.",
    )


def _gap(model: LinearModel, c: int, term: NumberTerm, means: dict[str, Figure], variance: Figure) -> Figure:
    """An empty cell's weight takes back what the mean of the means would add."""
    assert model.against is not None
    contrast = model.contrasts[c]
    middle = Figure(
        f"mean of the means({written(term.name)})",
        float(model.fills[term.name]),
        put_in=Quotient(Sum(tuple(_raw(each) for each in means.values())), plain(len(means))),
    )
    weight = Quotient(less(_raw(means[contrast]), _raw(means[model.against])), _raw(variance))
    start = _start(means[contrast], means[model.against], variance)
    return Figure(
        f"weight({MissingTerm(term.name)} | {written(contrast)})",
        model.weights[c][model.terms.index(MissingTerm(term.name))],
        put_in=less(Number(0), Sum((start, Product((weight, _raw(middle)))))),
        because="An empty cell says nothing: this takes back what the mean of the means would add.",
        under=(middle,),
    )


def _intercept_step(model: LinearModel, bayes: BayesTables) -> Step:
    classes = bayes.schema.classes
    assert model.against is not None
    priors = {name: prior_figure(bayes, classes.index(name)) for name in (model.against, *model.contrasts)}
    numbers = [each for each in model.terms if isinstance(each, NumberTerm)]
    shared = {term.name: _shared(model, bayes, term.name) for term in numbers}
    under = tuple(dict.fromkeys(f for means, v in shared.values() for f in (*means.values(), v)))
    figures = []
    for contrast, intercept in zip(model.contrasts, model.intercepts, strict=True):
        ratio = Log(Quotient(named(priors[contrast]), named(priors[model.against])), "e")
        starts = [
            _start(means[contrast], means[model.against], variance) for means, variance in shared.values()
        ]
        figures.append(
            Figure(
                f"intercept | {written(contrast)}",
                intercept,
                _INTERCEPT,
                Sum((ratio, *starts)),
                under=under,
            )
        )
    decision = "It comes from the priors and the same means."
    return Step(_CHAPTER, "The intercept", (*priors.values(), *figures), decision)


def _start(mean: Figure, first: Figure, variance: Figure) -> Expression:
    top = less(Power(_raw(first), _TWO), Power(_raw(mean), _TWO))
    return Quotient(top, Product((_TWO, _raw(variance))))


def _shared(model: LinearModel, bayes: BayesTables, name: str) -> tuple[dict[str, Figure], Figure]:
    """The classes' means, and the variance about them of all their rows."""
    assert model.against is not None
    distribution = bayes[name]
    assert isinstance(distribution, Gaussian)
    means: dict[str, Figure] = {}
    about, weight = Fraction(0), Fraction(0)
    for contrast in (model.against, *model.contrasts):
        c = bayes.schema.classes.index(contrast)
        once, own = Fraction(distribution.sums[c]), Fraction(distribution.weights[c])
        about += Fraction(distribution.squares[c]) - once * once / own
        weight += own
        means[contrast] = Figure(
            f"mean({written(name)} | {written(contrast)})",
            float(once / own),
            Quotient(Symbol("Σx", means="the sum of the class's values"), _N),
            Quotient(plain(once), plain(own)),
        )
    squares = Figure(f"Σ (x − its mean)²({written(name)})", float(about))
    variance = Figure(
        f"variance({written(name)})",
        float(about / weight),
        Quotient(Symbol("Σ (x − its mean)²"), _N),
        Quotient(_raw(squares), plain(weight)),
        Rows(float(weight)),
        because="One for all classes: about each row's own mean.",
        under=(squares,),
    )
    return means, variance


def _raw(figure: Figure) -> ValueOf:
    assert isinstance(figure.value, float)
    return ValueOf(figure.name, figure.value)
