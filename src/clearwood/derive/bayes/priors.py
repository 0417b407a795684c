"""Priors: how likely each class is before anything is known of the row."""

from __future__ import annotations

import math

from clearwood.derive.bayes.wording import prior_name, target_of
from clearwood.formulas.expressions import Number, Quotient, Symbol
from clearwood.models.bayes_tables import BayesTables
from clearwood.predict.bayes_terms import log_priors
from clearwood.working.derivation import Step
from clearwood.working.figures import Figure, Grid, Rows, plain


def prior_figure(model: BayesTables, c: int) -> Figure:
    """P(c): the class's share of the rows, the same for every class, or given."""
    name, value = prior_name(model, c), math.exp(log_priors(model)[c])
    match model.priors:
        case "equal":
            return Figure(
                name,
                value,
                Quotient(Number(1), Symbol("classes")),
                Quotient(Number(1), Number(len(model.classes))),
                because="The classes are taken to be equally likely.",
            )
        case "estimated":
            rows = sum(model.classes)
            return Figure(
                name,
                value,
                Quotient(
                    Symbol("n", "c", "the number of rows of class c"),
                    Symbol("n", means="the number of all rows"),
                ),
                Quotient(plain(model.classes[c]), plain(rows)),
                Rows(float(rows)),
            )
        case given:
            return Figure(name, value, put_in=Number(given[c]), because="It was given.")


def priors_step(model: BayesTables, chapter: str, *, in_a_grid: bool) -> Step:
    """The priors of all classes, one by one or in a grid."""
    shares = [math.exp(log) for log in log_priors(model).tolist()]
    likeliest = max(range(len(shares)), key=shares.__getitem__)
    grid = Grid(
        f"Rows by {target_of(model)}",
        (target_of(model), "rows", "prior"),
        [
            (name, float(weight), share)
            for name, weight, share in zip(model.schema.classes, model.classes, shares, strict=True)
        ],
        figure_of=lambda c: prior_figure(model, c),
    )
    return Step(
        chapter,
        f"How common is each class of {target_of(model)}?",
        (Figure(f"P({target_of(model)})", None, grids=(grid,)),)
        if in_a_grid
        else tuple(prior_figure(model, c) for c in range(len(shares))),
        f"{model.schema.classes[likeliest]} has the highest prior probability."
        if len({*shares}) > 1
        else "All classes have the same prior probability.",
    )
