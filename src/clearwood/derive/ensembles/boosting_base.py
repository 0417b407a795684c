"""The base of boosting: the one score for all rows that has the least loss."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.derive.ensembles.shared import added_up
from clearwood.formulas.expressions import Expression, Log, Over, Quotient, Symbol
from clearwood.learners.ensembles.boosting_task import BoostingTask
from clearwood.models.ensemble import Ensemble, score_name
from clearwood.models.words import written
from clearwood.words.numbers import short
from clearwood.working.derivation import Step
from clearwood.working.figures import Figure, Rows, plain

_N: Final = Symbol("n", means="the number of rows")

_CHAPTER: Final = "The base"
_MEAN: Final = Quotient(Over("Σ", "i", Symbol("y", "i", "the value of row i")), _N)
_WEIGHED: Final = Quotient(
    Over("Σ", "i", Symbol("w·y", "i", "the weight times the value of row i")),
    Over("Σ", "i", Symbol("w", "i", "the weight of row i")),
)


def base_step(model: Ensemble, task: BoostingTask) -> Step:
    """F₀ by score: log odds, log shares, a mean or its logarithm, a median or quantile."""
    names = [f"base, {written(score_name(model.schema, model.link, k))}" for k in range(len(model.base))]
    figures = _classes(model, task, names) if task.classes else (_number(model, task, names[0]),)
    values = " and ".join(short(base) for base in model.base) if len(model.base) < 3 else "these scores"
    decision = f"Before the first tree, every row has {values}: no other constant has a smaller loss."
    if task.held is not None:
        held = int(task.held.sum())
        decision += f" {held:,} rows are held out: they say when to stop, and have no part in the sums."
    return Step(_CHAPTER, "The score of every row", figures, decision)


def _classes(model: Ensemble, task: BoostingTask, names: list[str]) -> tuple[Figure, ...]:
    here = task.learning
    weights = np.ones(int(here.sum())) if task.weights is None else task.weights[here]
    counts = np.bincount(task.target[here], weights, len(model.schema.classes)).tolist()
    total = sum(counts)
    rows, rare = Rows(total), "A class without rows has a probability of 10⁻⁹, whose logarithm is finite."
    if task.loss == "logistic":
        first, second = (Symbol(f"rows of {written(name)}") for name in model.schema.classes)
        formula: Expression = Log(Quotient(second, first), "e")
        put_in = Log(Quotient(plain(counts[1]), plain(counts[0])), "e") if min(counts) > 0 else None
        because = "" if put_in is not None else rare
        return (Figure(names[0], model.base[0], formula, put_in, rows, because=because),)
    formula = Log(Quotient(Symbol("n", "c", "the number of rows of class c"), _N), "e")
    return tuple(
        Figure(
            name,
            base,
            formula,
            Log(Quotient(plain(own), plain(total)), "e") if own > 0 else None,
            rows,
            because="" if own > 0 else rare,
        )
        for name, base, own in zip(names, model.base, counts, strict=True)
    )


def _number(model: Ensemble, task: BoostingTask, name: str) -> Figure:
    here, base = task.learning, model.base[0]
    target = task.target[here].astype(np.float64)
    rows = Rows(float(len(target)) if task.weights is None else float(task.weights[here].sum()))
    if task.loss in ("absolute", "quantile"):
        what = "The median" if task.part == 0.5 else f"The {task.part:g} quantile"
        return Figure(name, base, rows=rows, because=f"{what} of the values.")
    formula: Expression
    if task.weights is None:
        top, because = added_up(target.tolist())
        put_in: Expression = Quotient(top, plain(float(len(target))))
        formula = _MEAN
    else:
        top, because = added_up((task.weights[here] * target).tolist())
        put_in = Quotient(top, added_up(task.weights[here].tolist())[0])
        formula = _WEIGHED
    if task.loss == "poisson":
        if not target.any():
            return Figure(name, base, rows=rows, because="All values are 0; 10⁻⁹ has a logarithm.")
        formula, put_in = Log(formula, "e"), Log(put_in, "e")
    return Figure(name, base, formula, put_in, rows, because=because)
