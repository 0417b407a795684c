"""An additive model's answer: the points of each cell, their sum, and the shares or the number it gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clearwood.deriving.decided import PREDICTING, answered_steps
from clearwood.deriving.deriving import row_words
from clearwood.deriving.linking import linked_share_figures, number_figures
from clearwood.explaining.one_row import row_for
from clearwood.formulas.conditions import written
from clearwood.formulas.expressions import Expression, Number, Over, Sum, Symbol
from clearwood.models.kinds.additive.additive_model import AdditiveModel, cell_in_words, curves_in
from clearwood.models.kinds.ensemble.ensemble import score_name
from clearwood.models.model import account_of
from clearwood.predicting.batch import predict
from clearwood.predicting.columns import table_of_row
from clearwood.predicting.of_additive import (
    additive_scores_of_one,
    contributions_of_one,
    shares_of_scores,
)
from clearwood.working.derivation import Answered, Derivation, Step
from clearwood.working.figures import Figure, Grid


def derive_additive_answer(model: AdditiveModel, row: Mapping[str, Any]) -> Derivation:
    """How the model answers one row: the points of its cells, their sum, and what the link makes of it.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6] * 5, "y": list("aababb") * 5}, target="y")
    >>> answer = derive_additive_answer(cw.GAM(bags=3).learn(table), {"x": 6})
    >>> answer[-1].decision.split(",")[0]
    'The prediction is b'
    """
    cells = row_for(model, row)
    answer = predict(model, table_of_row(model, row))[0]
    scores = _score_figures(model, cells)
    sums = Step(PREDICTING, "The sum of the points", scores, "The base, and the points of each term.")
    steps = [_points_step(model, cells), sums]
    if model.is_numeric:
        figures = () if model.link == "identity" else number_figures(model, scores, float(answer))
        decision = f"The prediction is {float(answer):.6g}."
        steps[-1] = Step(PREDICTING, sums.title, (*scores, *figures), decision, Answered(float(answer)))
        return Derivation(f"{row_words(row)}: which number?", steps)
    added = additive_scores_of_one(model, cells)
    shares = shares_of_scores(added, model.link, model.decision)[0].tolist()
    figures = linked_share_figures(model, scores, shares)
    steps += answered_steps(model, "From scores to probabilities", figures, shares, str(answer))
    return Derivation(f"{row_words(row)}: how likely is each class?", steps)


def _points_step(model: AdditiveModel, row: Mapping[str, Any]) -> Step:
    lines: list[tuple[str | float, ...]] = []
    account = account_of(model)
    for curve, term in zip(curves_in(model), account.places, strict=True):
        place = term.place(row)
        points = term.added[place, list(account.scored)].tolist()
        lines.append((term.name, cell_in_words(model, curve, place), *points))
    names = [score_name(model.schema, model.link, s) for s in range(len(model.base))]
    heads = ("points",) if len(names) == 1 else tuple(f"points for {name}" for name in names)
    grid = Grid("The cells of the row and their points", ("term", "cell", *heads), lines)
    decision = "Points are against the average row, at which each curve is 0."
    return Step(PREDICTING, "The points of each cell", (Figure("points", None, grids=(grid,)),), decision)


def _score_figures(model: AdditiveModel, row: Mapping[str, Any]) -> tuple[Figure, ...]:
    """The base and the points of each term, added up."""
    added = contributions_of_one(model, row)
    formula = Symbol("f", "0", "the base") + Over(
        "Σ", "i", Symbol("f", "i", "the points of term i at the row's cell")
    )
    figures = []
    for s, score in enumerate(additive_scores_of_one(model, row)[0].tolist()):
        parts: tuple[Expression, ...] = (Number(model.base[s]), *(Number(points[s]) for points in added))
        name = written(score_name(model.schema, model.link, s))
        figures.append(Figure(name, score, formula, Sum(parts)))
    return tuple(figures)
