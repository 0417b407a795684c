"""Newton's steps: the log-likelihood by iteration, and the likelihood-ratio test of all terms."""

from __future__ import annotations

import math
from dataclasses import replace
from operator import sub
from typing import Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.catalogue import learner_of
from clearwood.formulas.expressions import Applied, Expression, Log, Number, Over, Sum, Symbol
from clearwood.learners.linear.terms import design_matrix
from clearwood.learners.training import usable_rows
from clearwood.models.kinds.linear.linear_model import Fit, LinearModel
from clearwood.predicting.estimates import model_likelihood_ratio
from clearwood.predicting.of_linear import scores_of_linear
from clearwood.table.table import Table
from clearwood.working.derivation import Step
from clearwood.working.figures import Figure, Grid, GridCell, Rows, named, of_figures, plain

_N_C: Final = Symbol("n", "c", "the number of rows of class c")

CHAPTER: Final = "Fitting"

_MOST_WRITTEN_OUT: Final = 20  # rows


def newton_step(model: LinearModel, fit: Fit) -> Step:
    """Log-likelihood by iteration."""
    log_likelihoods = fit.iterations
    rows: list[tuple[GridCell, ...]] = [
        (i + 1, log_likelihood, None if not i else log_likelihood - log_likelihoods[i - 1])
        for i, log_likelihood in enumerate(log_likelihoods)
    ]
    name = f"log-likelihood{' less the penalty' if model.penalised else ''}"
    grid = Grid("Newton's steps", ("iteration", name, "gained"), rows, len(rows) - 1 if rows else None)
    figure = Figure(
        f"{name}, by iteration", log_likelihoods[-1] if log_likelihoods else None, rows=Rows(fit.weight),
        because="Numbers are measured in standard deviations while climbing; "
        "weights are given in the units of their columns.",
        grids=(grid,), on_sheet="in key",  # nobody takes Newton's steps by hand
    )  # fmt: skip
    ended = "The next step would move no weight: the maximum is reached."
    if not fit.converged:
        ended = "The weights still moved when the iterations were used up."
    if fit.separation is not None:
        ended = " ".join(("The classes are separated, and there is no maximum.", *fit.separation.because))
    return Step(CHAPTER, "How the weights were found", (figure,), ended)


def deviance_step(model: LinearModel, fit: Fit, table: Table | None = None) -> Step:
    """The likelihood-ratio test of all terms against the intercept alone; with the table its rows counted."""
    full = Figure("log-likelihood", fit.log_likelihood, rows=Rows(fit.weight))
    null = _null(model, fit, table)
    deviance = of_figures("deviance", -2 * fit.log_likelihood, lambda log: -(2 * log), full)
    start = of_figures("deviance without terms", -2 * fit.null_log_likelihood, lambda log: -(2 * log), null)
    test = model_likelihood_ratio(model)
    assert test is not None
    statistic, df, p = test
    ratio = of_figures("likelihood ratio", statistic, sub, start, deviance)
    if not statistic > 0:
        ratio = replace(ratio, put_in=Number(0))
    figures = [full, null, deviance, start, ratio]
    cause = "Sampling weights leave" if fit.robust else "The penalty leaves"
    decision = f"{cause} this ratio without a known distribution."
    if not math.isnan(p):
        figures.append(tail_figure("p of the likelihood ratio", ratio, df, p))
        decision = (
            f"If all weights were 0, a ratio this large would occur with probability {p:.3g}."
            if df
            else "There is no term to test."
        )
    return Step(CHAPTER, "The model against the intercept alone", tuple(figures), decision)


def rows_step(model: LinearModel, table: Table) -> Step:
    """The log-likelihood as the sum over the rows of ln P(its class), each by its weight."""
    rows, weights = _rows(model, table)
    logs = _logs(model, rows)
    by_row = zip(rows.target.tolist(), weights.tolist(), logs.tolist(), strict=True)
    grid = Grid(
        "Row by row",
        ("row", "class", "weight", "P(class)", "ln P(class)"),
        [(i, model.schema.classes[c], w, math.exp(log), log) for i, (c, w, log) in enumerate(by_row, 1)],
        on_sheet=("given", "given", "given", "asked", "asked"),
    )
    log: Expression = Log(Symbol("P(its class)"), "e")
    put_in, because = _added_up(model, rows, weights, logs)
    figure = Figure(
        "log-likelihood of the rows",
        math.fsum((weights * logs).tolist()),
        Over("Σ", "row", log if rows.weights is None else Symbol("weight") * log),
        put_in,
        Rows(float(weights.sum())),
        because=because,
        grids=(grid,),
    )
    decision = "It is the logarithm of how likely the classes of all rows are under these weights."
    return Step(CHAPTER, "How likely the rows are", (figure,), decision)


def _null(model: LinearModel, fit: Fit, table: Table | None) -> Figure:
    """Without terms every row has the share of its class."""
    name, own = "log-likelihood without terms", Rows(fit.weight)
    if table is None:
        return Figure(name, fit.null_log_likelihood, rows=own)
    rows, weights = _rows(model, table)
    held = np.bincount(rows.target, weights, len(model.schema.classes))
    held = held[held > 0]
    total = float(held.sum())
    terms = Sum(tuple(plain(n) * Log(plain(n) / plain(total), "e") for n in held.tolist()))
    share = Log(_N_C / Symbol("n", means="the number of rows"), "e")
    formula, because = Over("Σ", "c", _N_C * share), "Every row has the probability of its class."
    return Figure(name, fit.null_log_likelihood, formula, terms, own, because=because)


def _rows(model: LinearModel, table: Table) -> tuple[Table, Floats]:
    """The rows that the weights were fitted to, and what each weighs."""
    learner = learner_of(model.origin)
    rows = design_matrix(usable_rows(learner, table), learner.missing, learner.reference).rows
    return rows, np.ones(len(rows)) if rows.weights is None else rows.weights


def _added_up(model: LinearModel, rows: Table, weights: Floats, logs: Floats) -> tuple[Expression, str]:
    """Row by row, or class by class where the rows are many."""
    if len(rows) <= _MOST_WRITTEN_OUT:
        own = [Log(Number(math.exp(log)), "e") for log in logs.tolist()]
        if rows.weights is None:
            return Sum(tuple(own)), ""
        weighed = zip(weights.tolist(), own, strict=True)
        return Sum(tuple(plain(weight) * log for weight, log in weighed)), ""
    by_class = np.bincount(rows.target, weights * logs, len(model.schema.classes)).tolist()
    return Sum(tuple(map(Number, by_class))), "What the rows of each class add up to, class by class."


def tail_figure(name: str, statistic: Figure, df: int, p: float) -> Figure:
    """The upper tail of the chi-square distribution."""
    put_in = Applied("χ² tail", (named(statistic), plain(df)), p)
    return Figure(name, p, put_in=put_in, because=f"{df} {'degree' if df == 1 else 'degrees'} of freedom.")


def _logs(model: LinearModel, rows: Table) -> Floats:
    """[row] ln P(its class), without the factors that priors put on answers."""
    scores = scores_of_linear(model, rows)
    if model.against is not None:
        scores = np.column_stack([scores, np.zeros(len(rows))])
    names = (*model.contrasts, *([] if model.against is None else [model.against]))
    place = np.array([names.index(name) if name in names else -1 for name in model.schema.classes])
    high = scores.max(axis=1)
    total = high + np.log(np.exp(scores - high[:, None]).sum(axis=1))
    logs: Floats = scores[np.arange(len(rows)), place[rows.target]] - total
    return logs
