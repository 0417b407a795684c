"""An additive model's answer: the points of each cell, their sum, and the shares or the number it gives."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from clearwood.derive.costs import costs_step
from clearwood.derive.row_words import row_words
from clearwood.explain.one_row import row_for
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
    ValueOf,
)
from clearwood.models.additive_model import AdditiveModel, cells_of_shape
from clearwood.models.additive_words import cell_in_words
from clearwood.models.ensemble import score_name
from clearwood.models.words import written
from clearwood.predict.batch import predict
from clearwood.predict.columns import table_of_row
from clearwood.predict.of_additive import (
    additive_scores_of_one,
    cell_of,
    contributions_of_one,
    curves_in,
    name_of,
    shares_of_scores,
    sides_of,
)
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import Figure, Grid
from clearwood.working.outcomes import Answered
from clearwood.working.shorthand import plain

_CHAPTER: Final = "Answering"


def derive_additive_answer(model: AdditiveModel, row: Mapping[str, Any]) -> Derivation:
    """How the model answers one row: the points of its cells, their sum, and what the link makes of it.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6] * 5, "y": list("aababb") * 5}, target="y")
    >>> answer = derive_additive_answer(cw.GAM(bags=3).learn(table), {"x": 6})
    >>> answer[-1].decision.split(",")[0]
    'The answer is b'
    """
    cells = row_for(model, row)
    scores = additive_scores_of_one(model, cells)[0].tolist()
    answer = predict(model, table_of_row(model, row))[0]
    steps = [_points_step(model, cells), _scores_step(model, cells, scores)]
    if model.is_numeric:
        decision = f"The answer is {float(answer):.6g}."
        steps[-1] = Step(_CHAPTER, steps[-1].title, steps[-1].figures, decision, Answered(float(answer)))
        return Derivation(f"{row_words(row)}: which number?", steps)
    steps.append(_shares_step(model, scores, str(answer)))
    if model.decision.costs:
        shares = tuple(shares_of_scores(model, np.array([scores]))[0].tolist())
        steps.append(costs_step(model.schema.classes, shares, model.decision.costs, str(answer), _CHAPTER))
    return Derivation(f"{row_words(row)}: how likely is each class?", steps)


def _points_step(model: AdditiveModel, row: Mapping[str, Any]) -> Step:
    lines: list[tuple[str | float, ...]] = []
    for term, points in zip(curves_in(model), contributions_of_one(model, row), strict=True):
        place = 0
        for side in sides_of(term):
            place = place * cells_of_shape(model.schema, *side) + cell_of(model, side, row.get(side[0]))
        lines.append((name_of(term), cell_in_words(model, term, place), *points))
    names = [score_name(model.schema, model.link, s) for s in range(len(model.base))]
    heads = ("points",) if len(names) == 1 else tuple(f"points for {name}" for name in names)
    grid = Grid("The cells of the row and their points", ("term", "cell", *heads), lines)
    decision = "Points are against the average row, at which each curve is 0."
    return Step(_CHAPTER, "The points of each cell", (Figure("points", None, grids=(grid,)),), decision)


def _scores_step(model: AdditiveModel, row: Mapping[str, Any], scores: list[float]) -> Step:
    added = contributions_of_one(model, row)
    formula = Sum((Symbol("f", "0"), Over("Σ", "i", Symbol("f", "i"))))
    figures = []
    for s, score in enumerate(scores):
        parts: tuple[Expression, ...] = (Number(model.base[s]), *(Number(points[s]) for points in added))
        name = written(score_name(model.schema, model.link, s))
        figures.append(Figure(name, score, formula, Sum(parts)))
    return Step(_CHAPTER, "The sum of the points", tuple(figures), "The base, and the points of each term.")


def _shares_step(model: AdditiveModel, scores: list[float], answer: str) -> Step:
    shares = shares_of_scores(model, np.array([scores]))[0].tolist()
    classes, factors = model.schema.classes, model.decision.factors or (1.0,) * len(model.schema.classes)
    own = dict(zip(classes, (0.0, *scores) if model.link == "logistic" else scores, strict=True))
    high = max(own.values())
    figures: list[Figure] = []
    raised: list[ValueOf] = []
    for name, factor in zip(classes, factors, strict=True):
        put_in: Expression = Exp(Sum((Number(own[name]), Negative(Number(high)))))
        because = "The largest score is taken off first; that changes no share."
        if model.decision.factors:
            put_in = Product((plain(factor), put_in))
            because += " Times the factor that the priors give the class."
        power = factor * math.exp(own[name] - high)
        figure = f"e^score of {written(name)}"
        figures.append(Figure(figure, power, Exp(Symbol("score")), put_in, because=because))
        raised.append(ValueOf(figure, power))
    whole = Figure(
        "Σ e^score",
        math.fsum(each.value for each in raised),
        Over("Σ", "c", Exp(Symbol("score", "c"))),
        Sum(tuple(raised)),
    )
    formula = Quotient(Exp(Symbol("score", "c")), Over("Σ", "c", Exp(Symbol("score", "c"))))
    figures.append(whole)
    for name, share, power_of in zip(classes, shares, raised, strict=True):
        assert isinstance(whole.value, float)
        put = Quotient(power_of, ValueOf(whole.name, whole.value))
        figures.append(Figure(f"P({written(name)} | the row)", share, formula, put, share_of=name))
    decision = f"The answer is {answer}, with probability {shares[classes.index(answer)]:.4g}."
    outcome = None if model.decision.costs else Answered(answer)
    if outcome is None:
        decision = f"{classes[int(np.argmax(shares))]} is likeliest; the answer depends on the costs."
    return Step(_CHAPTER, "From scores to probabilities", tuple(figures), decision, outcome)
