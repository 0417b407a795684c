"""The link, derived: from scores of a sum to shares or a number, as in `predicting/of_additive.py`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np

from clearwood.formulas.conditions import written
from clearwood.formulas.expressions import Exp, Expression, Number, Over, Sum, Symbol, value_of
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.predicting.of_additive import linked
from clearwood.working.figures import Figure, in_decimals, named, plain

_F: Final = Symbol("F", means="the score")
_F_C: Final = Symbol("F", "c", "the score of class c")

LinkedModel: TypeAlias = Ensemble | AdditiveModel
_LARGEST: Final = 500.0  # a score whose e^score a float holds with room to spare


def number_figures(model: LinkedModel, scores: tuple[Figure, ...], number: float) -> tuple[Figure, ...]:
    """What the link makes of a score where the target is a number."""
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
    shares = dict(zip(classes, zip(names, values, strict=True), strict=True))
    own: list[Expression] = [named(each) for each in scores]
    if model.link == "logistic" and abs(value_of(own[0])) < _LARGEST:
        signs: tuple[tuple[Expression, Expression], ...] = ((_F, own[0]), (-_F, -own[0]))
        return tuple(
            logistic_figure(called, share, *sign, name if last else None)
            for (name, (called, share)), sign in zip(shares.items(), signs, strict=True)
        )
    if model.link == "logistic":  # the first class has the score 0
        own = [Number(0), *own]
    by_class = dict(zip(classes, own, strict=True))
    high = max(map(value_of, own))
    return softmax_figures(by_class, shares, _F_C, _F_C, high, last=last)


# Shares of scores: of two classes by the logistic function, of more as each one's part of all e^score.


def logistic_figure(name: str, share: float, letter: Expression, score: Expression, of: str | None) -> Figure:
    """1 ÷ (1 + e^score)."""
    one = Number(1)
    return Figure(name, share, one / (one + Exp(letter)), one / (one + Exp(score)), share_of=of)


def softmax_figures(
    scores: Mapping[str, Expression],
    shares: Mapping[str, tuple[str, float]],
    letter: Symbol,
    of_class: Symbol,
    shift: float | None,
    factors: Mapping[str, float] = MappingProxyType({}),
    *,
    last: bool = True,
) -> tuple[Figure, ...]:
    """By class e^score, their sum, and the share of each, of which `shares` has the name and the value.

    `shift` is taken off every score first, so that a float can hold what e is raised to; `factors` are those
    that priors give the classes. A class without a score has no share.
    """
    why = [] if shift is None else ["The largest score is subtracted first; that changes no probability."]
    why += ["Times the factor that the priors give the class."] if factors else []
    because = " ".join(why)
    powers = {}
    for name, score in scores.items():
        power, factor = Exp(score if shift is None else score - Number(shift)), factors.get(name, 1.0)
        value = factor * math.exp(value_of(score) - (shift or 0.0))
        put_in = plain(factor) * power if factors else power
        powers[name] = Figure(f"exp(score) of {written(name)}", value, Exp(letter), put_in, because=because)
    every, added = Over("Σ", "c", Exp(of_class)), Sum(tuple(map(in_decimals, powers.values())))
    whole = Figure("Σ exp(score)", math.fsum(each.number for each in powers.values()), every, added)
    divided = (
        Figure(called, share, Exp(of_class) / every, in_decimals(powers[name]) / in_decimals(whole),
               share_of=name if last else None)
        if name in powers
        else unlearned_figure(called, share, name)
        for name, (called, share) in shares.items()
    )  # fmt: skip
    return (*powers.values(), whole, *divided)


def unlearned_figure(name: str, share: float, of: str) -> Figure:
    """The share of a class that was not learned from."""
    because = "No row of this class was learned from."
    return Figure(name, share, put_in=Number(0), because=because, share_of=of)
