"""From steps to scores, and by the link from scores to shares or a number."""

from __future__ import annotations

import math

import numpy as np

from clearwood.arrays import Floats
from clearwood.derive.ensembles.shared import added_up
from clearwood.formulas.expressions import (
    Exp,
    Expression,
    Negative,
    Number,
    Over,
    Product,
    Quotient,
    Sum,
    Symbol,
)
from clearwood.models.ensemble import Ensemble, score_name
from clearwood.models.words import written
from clearwood.predict.of_ensemble import linked
from clearwood.working.figures import Figure
from clearwood.working.shorthand import less, named, plain

_SCORE = Sum((Symbol("F", "0"), Over("Σ", "m", Symbol("f", "m"))))


def score_figures(model: Ensemble, own: Floats) -> tuple[Figure, ...]:
    """By score its base and the steps of the trees that add to it; `own` [member, 1] are the steps."""
    assert model.trees is not None
    weights = np.array(model.weights or [1.0] * model.size)
    figures = []
    for score, base in enumerate(model.base):
        mine = model.trees.adds_to == score
        steps = (own[:, 0] * weights)[mine].tolist()
        put_in, because = added_up(steps)
        terms = put_in.terms if isinstance(put_in, Sum) else (put_in,)
        name = written(score_name(model.schema, model.link, score))
        if model.link == "identity":
            name = f"score, {name}"
        value = math.fsum([base, *steps])
        figures.append(Figure(name, value, _SCORE, Sum((plain(base), *terms)), because=because))
    return tuple(figures)


def number_figures(model: Ensemble, scores: tuple[Figure, ...], number: float) -> tuple[Figure, ...]:
    """What the link makes of a score where the target is a number."""
    assert model.schema.target is not None
    own = named(scores[0])
    if model.link == "exp":
        return (Figure("answer", number, Exp(Symbol("F")), Exp(own)),)
    return (Figure("answer", number, Symbol("F"), own, because="The score is the answer."),)


def linked_share_figures(
    model: Ensemble, scores: tuple[Figure, ...], shares: list[float]
) -> tuple[Figure, ...]:
    """The classes' shares by the link, and by the factors of priors where there are some."""
    names = [f"P({written(name)} | the row)" for name in model.schema.classes]
    values = linked(np.array([[float(named(each).value) for each in scores]]), model.link)[0].tolist()
    if not model.decision.factors:
        return _by_link(model, scores, names, values, last=True)
    before = [f"{name} before priors" for name in names]
    linked_figures = _by_link(model, scores, before, values, last=False)
    raw = [each for name in before for each in linked_figures if each.name == name]
    weighed: tuple[Expression, ...] = tuple(
        Product((plain(factor), named(each)))
        for factor, each in zip(model.decision.factors, raw, strict=True)
    )
    own = Product((Symbol("factor", "c"), Symbol("p", "c")))
    formula = Quotient(own, Over("Σ", "c", own))
    return (
        *linked_figures,
        *(
            Figure(
                name,
                share,
                formula,
                Quotient(part, Sum(weighed)),
                because="The factor is what the priors give the class.",
                share_of=of,
            )
            for name, share, part, of in zip(names, shares, weighed, model.schema.classes, strict=True)
        ),
    )


def _by_link(
    model: Ensemble, scores: tuple[Figure, ...], names: list[str], values: list[float], *, last: bool
) -> tuple[Figure, ...]:
    classes = model.schema.classes
    share_of = [name if last else None for name in classes]
    if model.link == "logistic":
        score = named(scores[0])
        formula = Quotient(Number(1), Sum((Number(1), Exp(Negative(Symbol("F"))))))
        second = Figure(
            names[1],
            values[1],
            formula,
            Quotient(Number(1), Sum((Number(1), Exp(Negative(score))))),
            share_of=share_of[1],
        )
        first = Figure(
            names[0],
            values[0],
            Quotient(Number(1), Sum((Number(1), Exp(Symbol("F"))))),
            Quotient(Number(1), Sum((Number(1), Exp(score)))),
            share_of=share_of[0],
        )
        return first, second
    high = max(float(named(each).value) for each in scores)
    powers = tuple(
        Figure(
            f"e^score of {written(name)}",
            math.exp(float(named(each).value) - high),
            Exp(Symbol("F", "c")),
            Exp(less(named(each), Number(high))),
            because="The largest score is taken off first; that changes no share.",
        )
        for name, each in zip(classes, scores, strict=True)
    )
    whole = Figure(
        "Σ e^score",
        math.fsum(float(named(each).value) for each in powers),
        Over("Σ", "c", Exp(Symbol("F", "c"))),
        Sum(tuple(named(each) for each in powers)),
    )
    formula = Quotient(Exp(Symbol("F", "c")), Over("Σ", "c", Exp(Symbol("F", "c"))))
    shares = (
        Figure(name, value, formula, Quotient(named(power), named(whole)), share_of=of)
        for name, value, power, of in zip(names, values, powers, share_of, strict=True)
    )
    return (*powers, whole, *shares)
