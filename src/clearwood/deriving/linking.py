"""The link, derived: from scores of a sum to shares or a number, as in `predicting/of_additive.py`."""

from __future__ import annotations

import math
from typing import Final, TypeAlias

import numpy as np

from clearwood.formulas.expressions import Exp, Expression, Number, Over, Sum, Symbol
from clearwood.formulas.spelling import written
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.predicting.of_additive import linked
from clearwood.working.figures import Figure, named, plain

_F: Final = Symbol("F", means="the score")
_F_C: Final = Symbol("F", "c", "the score of class c")

LinkedModel: TypeAlias = Ensemble | AdditiveModel
_LARGEST: Final = 500.0  # a score whose e^score a float holds with room to spare


def number_figures(model: LinkedModel, scores: tuple[Figure, ...], number: float) -> tuple[Figure, ...]:
    """What the link makes of a score where the target is a number."""
    assert model.schema.target is not None
    own = named(scores[0])
    if model.link == "exp":
        return (Figure("prediction", number, Exp(_F), Exp(own)),)
    return (Figure("prediction", number, _F, own, because="The score is the prediction."),)


def linked_share_figures(
    model: LinkedModel, scores: tuple[Figure, ...], shares: list[float]
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
        plain(factor) * named(each) for factor, each in zip(model.decision.factors, raw, strict=True)
    )
    own = Symbol("factor", "c", "the factor by which the priors weight class c") * Symbol(
        "p", "c", "the probability of class c by the link"
    )
    formula = own / Over("Σ", "c", own)
    return (
        *linked_figures,
        *(
            Figure(
                name,
                share,
                formula,
                part / Sum(weighed),
                because="The factor is what the priors give the class.",
                share_of=of,
            )
            for name, share, part, of in zip(names, shares, weighed, model.schema.classes, strict=True)
        ),
    )


def _by_link(
    model: LinkedModel, scores: tuple[Figure, ...], names: list[str], values: list[float], *, last: bool
) -> tuple[Figure, ...]:
    classes = model.schema.classes
    share_of = [name if last else None for name in classes]
    own: list[Expression] = [named(each) for each in scores]
    numbers = [float(named(each).value) for each in scores]
    if model.link == "logistic" and abs(numbers[0]) < _LARGEST:
        one = Number(1)
        symbols: tuple[Expression, ...] = (_F, -_F)
        exponents: tuple[Expression, ...] = (own[0], -own[0])
        return tuple(
            Figure(
                names[place],
                values[place],
                one / (one + Exp(symbols[place])),
                one / (one + Exp(exponents[place])),
                share_of=share_of[place],
            )
            for place in (0, 1)
        )
    if model.link == "logistic":  # the first class has the score 0
        own, numbers = [Number(0), *own], [0.0, *numbers]
    high = max(numbers)
    powers = tuple(
        Figure(
            f"exp(score) of {written(name)}",
            math.exp(number - high),
            Exp(_F_C),
            Exp(score - Number(high)),
            because="The largest score is subtracted first; that changes no probability.",
        )
        for name, score, number in zip(classes, own, numbers, strict=True)
    )
    whole = Figure(
        "Σ exp(score)",
        math.fsum(float(named(each).value) for each in powers),
        Over("Σ", "c", Exp(_F_C)),
        Sum(tuple(named(each) for each in powers)),
    )
    formula = Exp(_F_C) / Over("Σ", "c", Exp(_F_C))
    shares = (
        Figure(name, value, formula, named(power) / named(whole), share_of=of)
        for name, value, power, of in zip(names, values, powers, share_of, strict=True)
    )
    return (*powers, whole, *shares)
