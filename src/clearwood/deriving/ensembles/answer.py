"""An ensemble's answer to a row: what each member says, what that comes to, and the class or number."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.deriving.decided import PREDICTING, answered_steps
from clearwood.deriving.deriving import row_words
from clearwood.deriving.ensembles.shared import added_up
from clearwood.deriving.linking import linked_share_figures, number_figures
from clearwood.explaining.one_row import row_for
from clearwood.formulas.conditions import written
from clearwood.formulas.expressions import Over, Sum, Symbol
from clearwood.models.kinds.ensemble.ensemble import Ensemble, score_name
from clearwood.predicting.batch import answers_by_member, numbers_of_ensemble, predict, shares_of_ensemble
from clearwood.predicting.columns import table_of_row
from clearwood.words.numbers import short
from clearwood.working.derivation import Answered, Derivation, Step
from clearwood.working.figures import GIVEN, Figure, Grid, GridCell, named, plain

_A_M: Final = Symbol("a", "m", "the weight of member m")
_P_M: Final = Symbol("p", "m", "the probability of the class, or the number, that member m predicts")

_MEAN: Final = Over("Σ", "m", _P_M) / Symbol("M", means="the number of members")
_WEIGHED: Final = Over("Σ", "m", _A_M * _P_M) / Over("Σ", "m", _A_M)


def derive_ensemble_answer(model: Ensemble, row: Mapping[str, Any]) -> Derivation:
    """How the members' answers to one row become one.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> row = {"Outlook": "Sunny", "Temperature": "Hot", "Humidity": "High", "Wind": "Weak"}
    >>> derive_ensemble_answer(cw.AdaBoost(trees=3).learn(table), row)[-1].decision
    'The prediction is No, with probability 0.599.'
    """
    row_for(model, row)  # refuses columns and cells that the model cannot have
    table = table_of_row(model, row)
    own = answers_by_member(model, table)[0]
    answer = predict(model, table)[0]
    given = row_words(row)
    title = f"{given}: what do the members predict?" if given else "What do the members predict?"
    if model.is_numeric:
        number = float(numbers_of_ensemble(model, table)[0])
        return Derivation(title, [_members_step(model, own), _number_step(model, own, number)])
    shares = shares_of_ensemble(model, table)[0].tolist()
    return Derivation(title, [_members_step(model, own), *_shares_steps(model, own, shares, str(answer))])


def _members_step(model: Ensemble, own: Floats) -> Step:
    """A line for each member: its class and weight, its shares or number, or its step."""
    classes, size = model.schema.classes, f"{model.size:,} member{'' if model.size == 1 else 's'}"
    heads: tuple[str, ...] = ("member",)
    lines: list[tuple[GridCell, ...]] = []
    weighed = bool(model.weights)
    if model.combined_by == "sum":
        assert model.trees is not None
        heads += ("adds to",) if len(model.base) > 1 else ()
        heads += ("step",)
        for score, base in enumerate(model.base):
            called = (score_name(model.schema, model.link, score),) if len(model.base) > 1 else ()
            lines.append(("base", *called, base, *((1.0,) if weighed else ())))
        decision = f"To the base, each of {size} adds a step."
    elif model.is_numeric:
        heads += ("predicted",)
        decision = f"{size[0].upper()}{size[1:]} predict a number each."
    elif model.combined_by == "votes":
        heads += ("predicted",)
        decision = f"Each of {size} votes for one class."
    else:
        heads += tuple(f"P({name})" for name in classes)
        decision = f"Each of {size} has a probability for each class."
    for place, said in enumerate(own.tolist()):
        line: tuple[GridCell, ...] = (place + 1,)
        if model.combined_by == "sum":
            assert model.trees is not None
            if len(model.base) > 1:
                line += (score_name(model.schema, model.link, int(model.trees.adds_to[place])),)
            line += (said[0],)
        elif model.is_numeric:
            line += (None if np.isnan(said[0]) else said[0],)
        elif model.combined_by == "votes":
            line += (classes[int(np.argmax(said))] if max(said) > 0 else None,)
        else:
            line += tuple(said) if max(said) > 0 else (None,) * len(said)
        lines.append((*line, model.weight(place)) if weighed else line)
    heads += ("weight",) if weighed else ()
    grid = Grid("What each member predicts", heads, lines, on_sheet=(GIVEN,) * len(heads))
    if any(line[1] is None for line in lines):
        decision += " Those without a prediction do not count."
    return Step(PREDICTING, "The members", (Figure("predictions", None, grids=(grid,)),), decision)


def _heard(model: Ensemble, own: Floats) -> tuple[Floats, Floats]:
    """The answers of members that have one, [member, ·], and what each of them weighs."""
    silent = np.isnan(own[:, 0]) if model.is_numeric else ~(own > 0).any(axis=1)
    weights = np.array(model.weights or [1.0] * model.size)
    return own[~silent], weights[~silent]


def _number_step(model: Ensemble, own: Floats, number: float) -> Step:
    outcome = Answered(number)
    if model.combined_by == "sum":
        figures = (*(scores := score_figures(model, own)), *number_figures(model, scores, number))
        return Step(PREDICTING, "The sum", figures, f"The prediction is {short(number)}.", outcome)
    answers, weights = _heard(model, own)
    if not len(answers):
        decision = "No member has a prediction, and so there is none."
        return Step(PREDICTING, "The mean", (), decision, Answered(None))
    figures = _mean_of("prediction", number, answers[:, 0], weights, weighed=bool(model.weights))
    return Step(PREDICTING, "The mean", figures, f"The prediction is {short(number)}.", outcome)


def _shares_steps(model: Ensemble, own: Floats, shares: list[float], answer: str) -> list[Step]:
    classes = model.schema.classes
    best = shares[classes.index(answer)] if answer in classes else 0.0
    decided = f"The prediction is {answer}, with probability {short(best)}."
    likeliest = f"{classes[int(np.argmax(shares))]} has the largest probability; the costs decide."
    answers, weights = _heard(model, own)
    figures: tuple[Figure, ...] = ()
    if model.combined_by == "sum":
        title, scores = "The sum, and the probabilities it gives", score_figures(model, own)
        figures = (*scores, *linked_share_figures(model, scores, shares))
    elif not len(answers):
        title, decided = "The members together", "No member has a prediction."
        likeliest = decided
    elif model.combined_by == "votes":
        title, figures = "The vote", _votes(model, answers, weights, shares)
    else:
        title = "The mean of the probabilities"
        for place, name in enumerate(classes):
            called, said = f"P({written(name)} | the row)", answers[:, place]
            figures += _mean_of(
                called, shares[place], said, weights, weighed=bool(model.weights), share_of=name
            )
    return answered_steps(model, title, figures, shares, answer, decided=decided, before_costs=likeliest)


def _mean_of(
    name: str, value: float, answers: Floats, weights: Floats, *, weighed: bool, share_of: str | None = None
) -> tuple[Figure, ...]:
    top, because = added_up((answers * weights).tolist())
    bottom, _ = added_up(weights.tolist()) if weighed else added_up([float(len(answers))])
    formula = _WEIGHED if weighed else _MEAN
    return (Figure(name, value, formula, top / bottom, because=because, share_of=share_of),)


def _votes(model: Ensemble, answers: Floats, weights: Floats, shares: list[float]) -> tuple[Figure, ...]:
    """The votes for each class, all of them, and each class's part."""
    votes = []
    for place, name in enumerate(model.schema.classes):
        own = weights[answers[:, place] > 0].tolist()
        put_in, because = added_up(own if model.weights else [float(len(own))])
        formula = Over("Σ", "m for c", _A_M)
        votes.append(Figure(f"votes for {written(name)}", sum(own), formula, put_in, because=because))
    whole, because = added_up(weights.tolist() if model.weights else [float(len(weights))])
    total = Figure("all votes", float(weights.sum()), Over("Σ", "m", _A_M), whole, because=because)
    part = Symbol("votes for c") / Symbol("all votes")
    parts = [
        Figure(f"P({written(of)} | the row)", share, part, named(own) / named(total), share_of=of)
        for of, share, own in zip(model.schema.classes, shares, votes, strict=True)
    ]
    return (*votes, total, *parts)


# From the steps of the trees to the scores that they add up to.


_SCORE = Symbol("F", "0", "the base, the score before the first tree") + Over(
    "Σ", "m", Symbol("f", "m", "the step of tree m")
)


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
