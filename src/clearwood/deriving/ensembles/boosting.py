"""Gradient boosting: the score that is the same for all, then by round the slopes, leaves and new scores."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from clearwood.arrays import Ints, Longs
from clearwood.catalogue import learner_of
from clearwood.deriving.ensembles.boosting_leaves import Turn, base_step, step_figures
from clearwood.deriving.ensembles.shared import MOST_MEMBERS, and_more, check_alike, grid_of_rows, title_of
from clearwood.errors import ClearwoodWarning
from clearwood.formulas.conditions import written
from clearwood.formulas.expressions import Over, Symbol
from clearwood.learners.ensembles.boosting_task import (
    SCORE,
    BoostingTask,
    answers_of,
    in_units,
    losses_of,
    sampled,
    slopes,
)
from clearwood.models.kinds.ensemble.ensemble import Ensemble, score_name
from clearwood.models.kinds.tree.tree import Tree
from clearwood.predicting.batch import leaf_of, scores_of_ensemble
from clearwood.predicting.of_additive import linked
from clearwood.table.table import Table
from clearwood.words.numbers import short
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import ASKED, GIVEN, Figure, GridCell, Lazy, plain, prepared

_ROUNDS: Final = "Rounds"


def derive_boosting(model: Ensemble, table: Table) -> Derivation:
    """The base, the first rounds number by number, and the scores that all rounds come to.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> steps = derive_boosting(cw.Boosting(trees=2, min_child=0).learn(table), table)
    >>> round(steps.figure("base, log odds of Yes").value, 4)
    0.5878
    """
    learner = learner_of(model.origin)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)
        rows, task = learner.task(table)
    check_alike(model, model.base, task.base())
    steps = [base_step(model, task), *_rounds(model, rows, task)]
    return Derivation(title_of(model), [*steps, _sum_step(model, rows)])


def _rounds(model: Ensemble, rows: Table, task: BoostingTask) -> Iterator[Step]:
    every = model.size // task.scores
    shown = min(every, max(1, MOST_MEMBERS // task.scores))
    scores = np.repeat(np.array(model.base)[:, None], len(rows), axis=1)
    for number in range(1, shown + 1):
        answers, _ = answers_of(task, scores)
        sample = sampled(task, number - 1)
        seen = np.ones(len(rows), dtype=np.bool_)
        if sample is not None:
            seen = np.zeros(len(rows), dtype=np.bool_)
            seen[sample] = True
        steps = []
        for score in range(task.scores):
            tree = model.members[(number - 1) * task.scores + score]
            assert isinstance(tree, Tree)
            g, h = slopes(task, score, answers[score])
            units = in_units(task, g, h)
            leaves = leaf_of(tree, rows)
            turn = Turn(number, tree, units, leaves, seen, scores[score].copy(), answers[score])
            steps.append(_round_step(model, rows, task, turn, score))
            scores[score] += tree.nodes.counts[leaves, 1]
        after = losses_of(task, answers_of(task, scores)[1])
        loss = _loss_figure(task, number, after[0], after[1])
        more = and_more(number, every, "rounds") if number == shown else ""
        last = steps[-1]
        steps[-1] = replace(
            last,
            figures=(*last.figures, loss),
            decision=f"{last.decision} The {SCORE[task.loss]} is now {short(after[0] / after[1])}.{more}",
        )
        yield from steps


def _round_step(model: Ensemble, rows: Table, task: BoostingTask, turn: Turn, score: int) -> Step:
    title = f"Round {turn.number}"
    if task.scores > 1:
        title += f": {written(score_name(model.schema, model.link, score))}"
    leaves, most = step_figures(model, task, turn), np.unique(turn.leaves)
    figures = (_rows_figure(rows, task, turn, most), *leaves)
    size = f"{len(most):,} {'leaf' if len(most) == 1 else 'leaves'}"
    decision = f"Tree {turn.number} has {size}, and the scores of its rows move by their leaf's step."
    if task.scores > 1:
        decision = f"The tree has {size}, and the scores of its rows move by their leaf's step."
    if len(leaves) < len(most):
        decision += f" {len(most) - len(leaves):,} more leaves are computed in the same way."
    return Step(_ROUNDS, title, figures, decision)


def _rows_figure(rows: Table, task: BoostingTask, turn: Turn, leaves: Ints) -> Figure:
    steps = turn.tree.nodes.counts[:, 1]
    number_of = {int(leaf): place for place, leaf in enumerate(leaves.tolist(), 1)}
    g, h = turn.g, turn.h

    def cells(row: int) -> tuple[GridCell, ...]:
        leaf, before = int(turn.leaves[row]), float(turn.scores[row])
        answer = () if task.loss in _NUMBERS else (float(turn.answers[row]),)
        own = (float(g[row]), float(h[row])) if turn.seen[row] else (None, None)
        return (number_of[leaf], before, *answer, *own, float(steps[leaf]), before + float(steps[leaf]))

    answer = () if task.loss in _NUMBERS else ("p" if task.classes else "predicted",)
    heads = ("leaf", "score before", *answer, "g", "h", "step", "score after")
    on_sheet, title = (GIVEN, *(ASKED,) * (len(heads) - 1)), f"The rows in round {turn.number}"
    grid = grid_of_rows(title, rows, heads, Lazy(len(rows), cells), on_sheet, _as_given(rows))
    because = _SLOPES[task.loss].format(second="".join(rows.schema.classes[1:2])) if turn.number == 1 else ""
    if not turn.seen.all():
        because = f"{because} {int((~turn.seen).sum()):,} rows have no part in this round's tree.".strip()
    return Figure(f"rows in round {turn.number}", None, because=because, grids=(grid,), on_sheet="given")


def _as_given(rows: Table) -> Longs:
    """The rows, which are learned from in the order of their content, as the table lists them."""
    return np.arange(len(rows)) if rows.places is None else np.argsort(rows.places, kind="stable")


_NUMBERS: Final = ("squared", "absolute", "quantile")  # the score is the answer
_SLOPES: Final = {
    "logistic": "p is the probability of {second}. g is p − y, the residual with its sign turned, where y is "
    "1 for rows of {second} and 0 for others; h is p · (1 − p).",
    "softmax": "p is the probability of the class. g is p − y, the residual with its sign turned, where y is "
    "1 for its rows and 0 for others; h is 2 · p · (1 − p).",
    "squared": "g is the score less the value, the residual with its sign turned; h is 1.",
    "absolute": "g is the sign of score less value; h is 1.",
    "quantile": "g is 1 − quantile above the value, −quantile below it; h is 1.",
    "poisson": "g is the prediction minus the value; h is the prediction times exp(0.7), which keeps "
    "steps short.",
}


def _loss_figure(task: BoostingTask, number: int, total: float, weight: float) -> Figure:
    losses = Over("Σ", "i", Symbol("loss", "i", "the loss of row i, by its weight"))
    formula, put_in = losses / Symbol("n", means="the number of rows"), plain(total) / plain(weight)
    return Figure(f"{SCORE[task.loss]} after round {number}", total / weight, formula, put_in)


def _sum_step(model: Ensemble, rows: Table) -> Step:
    """The scores after all rounds, and what the link makes of them."""
    classes = model.schema.classes
    names = [score_name(model.schema, model.link, score) for score in range(len(model.base))]

    def prepare() -> Callable[[int], tuple[GridCell, ...]]:
        scores = scores_of_ensemble(model, rows)
        answers = linked(scores, model.link) if classes or model.link == "exp" else scores[:, :0]
        return lambda row: (*scores[row].tolist(), *answers[row].tolist())

    predicted = ("predicted",) if model.link == "exp" else ()
    heads = (*names, *(f"P({name})" for name in classes), *predicted)
    cells, on_sheet = prepared(len(rows), prepare), (ASKED,) * len(heads)
    grid = grid_of_rows("Base and all steps", rows, heads, cells, on_sheet, _as_given(rows))
    rounds = model.size // len(model.base)
    decision = f"The base and the steps of {rounds:,} round{'' if rounds == 1 else 's'} add up to the scores"
    link = {
        "logistic": f"; 1/(1 + exp(−score)) is the probability of {''.join(classes[1:2])}",
        "softmax": "; a probability is its class's part of all exp(score)",
        "exp": "; exp(score) is the prediction",
        "identity": ", which are the predictions",
    }[model.link]
    return Step("The sum", "All rounds", (Figure("scores", None, grids=(grid,)),), f"{decision}{link}.")
