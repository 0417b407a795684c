"""A linear model's answer: the score of each class, weight times value, and the shares they give."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from clearwood.deriving.decided import PREDICTING, answered_steps
from clearwood.deriving.deriving import row_words
from clearwood.deriving.linear.weights import STOPPED
from clearwood.deriving.linking import logistic_figure, softmax_figures, unlearned_figure
from clearwood.explaining.evidence import Evidence, evidence
from clearwood.explaining.one_row import cell_text
from clearwood.explaining.reference import Reference
from clearwood.formulas.conditions import written
from clearwood.formulas.expressions import Expression, Number, Over, Sum, Symbol, ValueOf, value_of
from clearwood.models.kinds.linear.linear_model import (
    LinearModel,
    MissingTerm,
    NumberTerm,
    Term,
    averaged_columns,
)
from clearwood.predicting.batch import predict
from clearwood.predicting.columns import table_of_row
from clearwood.predicting.of_linear import scores_of_linear, values_at_places
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import GIVEN, Figure, Grid, in_decimals, plain

_SCORE_C: Final = Symbol("score", "c", "the score of class c")

_LARGEST: Final = 600.0  # a score whose power of e a float still holds


def derive_linear_answer(model: LinearModel, row: Mapping[str, Any], against: Reference = None) -> Derivation:
    """How the model answers for one row: what each cell is taken for, the scores, the shares.

    Its cells are compared `against` a reference, as in `evidence`.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    >>> answer = derive_linear_answer(cw.Logistic().learn(table), {"x": 4})
    >>> round(answer.figure("score of b").value, 4), round(answer.figure("P(b | the row)").value, 4)
    (0.607, 0.6473)
    """
    row_evidence = evidence(model, row, against=against)
    table = table_of_row(model, row)
    written_out = values_at_places(model, table)[0].tolist()[1:]
    values, stand_ins = written_out[: len(model.terms)], written_out[len(model.terms) :]
    averages = [name for name, used in zip(averaged_columns(model), stand_ins, strict=True) if used]
    scores = scores_of_linear(model, table)[0].tolist()
    answer = str(predict(model, table)[0])
    steps = [
        _values_step(model, row_evidence, values, averages),
        _scores_step(model, values, averages, scores),
        *(compared_steps(row_evidence) if row_evidence.compared else ()),
        *_shares_steps(model, row_evidence, scores, answer),
    ]
    return Derivation(f"{row_words(row)}: how likely is each class?", steps)


def _values_step(
    model: LinearModel, row_evidence: Evidence, values: list[float], averages: list[str]
) -> Step:
    terms = [str(term) for term in model.terms]
    grid = Grid("The row in numbers", ("term", "value"), list(zip(terms, values, strict=True)))
    filled = []
    for piece in row_evidence.pieces:
        if piece.name in averages:
            why = "missing" if piece.standing == "missing" else "unseen"
            filled.append(f"{written(piece.name)} is {why}, and adds what its column adds on average.")
            continue
        if piece.standing == "known":
            continue
        own = [each for each in model.terms if each.name == piece.name and isinstance(each, MissingTerm)]
        fill = model.fills[piece.name]
        stand_in = fill if isinstance(fill, str) else f"{fill:.6g}"
        taken = (
            "has a weight of its own" if own and piece.standing == "missing" else f"is taken for {stand_in}"
        )
        filled.append(f"{written(piece.name)} is {piece.standing}, and {taken}.")
    decision = " ".join(filled) or "A value of a nominal column is 1 where the row has it, else 0."
    return Step(PREDICTING, "What each cell is", (Figure("terms", None, grids=(grid,)),), decision)


def _scores_step(model: LinearModel, values: list[float], averages: list[str], scores: list[float]) -> Step:
    figures = []
    for c, (contrast, intercept, weights, score) in enumerate(
        zip(model.contrasts, model.intercepts, model.weights, scores, strict=True)
    ):
        parts: list[Expression] = [Number(intercept)]
        for term, weight, value in zip(model.terms, weights, values, strict=True):
            if value:
                parts.append(_weighed(term, weight, value))
        parts += [Number(model.averages[name][c]) for name in averages]
        formula = Symbol("w", "0", "the intercept") + Over(
            "Σ", "i", Symbol("w", "i", "the weight of term i") * Symbol("x", "i", "the value of term i")
        )
        figures.append(Figure(f"score of {written(contrast)}", score, formula, Sum(tuple(parts))))
    notes = "" if model.against is None else f" {model.against} has score 0: the others are against it."
    if model.fit is not None and model.fit.separation is not None:
        notes = f"{notes} {STOPPED}"
    return Step(
        PREDICTING, "The score of each class", tuple(figures), f"Terms that are 0 add nothing.{notes}"
    )


def _weighed(term: Term, weight: float, value: float) -> Expression:
    if value == 1 and not isinstance(term, NumberTerm):
        return Number(weight)
    return Number(weight) * plain(value)


def _shares_steps(model: LinearModel, row_evidence: Evidence, scores: list[float], answer: str) -> list[Step]:
    classes, factors = row_evidence.classes, model.decision.factors
    own: dict[str, Expression] = {
        name: ValueOf(f"score of {written(name)}", score)
        for name, score in zip(model.contrasts, scores, strict=True)
    }
    if model.against is not None:
        own[model.against] = Number(0)
    shares = {
        name: (f"P({written(name)} | the row)", share)
        for name, share in zip(classes, row_evidence.shares, strict=True)
    }
    if len(own) == 2 and model.against is not None and not factors and abs(scores[0]) < _LARGEST:
        score, letter = own[model.contrasts[0]], Symbol("score")
        signs: dict[str, tuple[Expression, Expression]] = {model.against: (letter, score)}
        signs[model.contrasts[0]] = (-letter, -score)
        figures = tuple(
            logistic_figure(called, share, *signs[name], name)
            if name in own
            else unlearned_figure(called, share, name)
            for name, (called, share) in shares.items()
        )
    else:
        by_class = {name: own[name] for name in classes if name in own}
        high = max(map(value_of, own.values()))
        # The largest is taken off first where a float could not hold what e is raised to.
        shift = high if high and max(map(abs, scores)) >= _LARGEST else None
        given = dict(zip(classes, factors, strict=True)) if factors else {}
        figures = softmax_figures(by_class, shares, Symbol("score"), _SCORE_C, shift, given)
    return answered_steps(model, "From scores to probabilities", figures, row_evidence.shares, answer)


# A row compared with a reference: from the reference's log odds, cell by cell, to the row's own.


def compared_steps(evidence: Evidence) -> list[Step]:
    """One step, the strongest cell first; none where a class without weights has no log odds."""
    ranked = sorted(range(len(evidence.classes)), key=lambda c: -evidence.shares[c])[:2]
    if len(ranked) < 2 or not all(math.isfinite(evidence.joint[c]) for c in ranked):
        return []
    yes, no = (evidence.classes[c] for c in ranked)
    begins, *bars = evidence.bars(yes, no)
    bars.sort(key=lambda bar: -abs(bar.log_odds))
    rows = [(bar.name, cell_text(bar.value), bar.log_odds) for bar in bars]
    grid = Grid("What each cell adds beyond it", ("column", "cell", "log odds"), rows)
    name, because = (
        f"log odds of {evidence.compared}",
        ("Its columns add what they add there; with the intercept that is where the sum begins."),
    )
    reference = Figure(name, begins.log_odds, because=because, on_sheet=GIVEN)
    formula = Symbol("reference") + Over("Σ", "column", Symbol("beyond"))
    put_in = Sum((in_decimals(reference), *(Number(bar.log_odds) for bar in bars)))
    value = math.fsum((begins.log_odds, *(bar.log_odds for bar in bars)))
    whole = Figure(f"log odds of {written(yes)} against {written(no)}", value, formula, put_in, grids=(grid,))
    strongest = f" {written(bars[0].name)} counts most, by {bars[0].log_odds:+.4g}." if bars else ""
    decision = f"Each cell is compared with {evidence.compared}.{strongest}"
    return [Step(PREDICTING, f"Compared with {evidence.compared}", (reference, whole), decision)]
