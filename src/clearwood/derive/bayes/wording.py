"""Wording: how the probabilities of a Bayes model are called, and the rows they rest on."""

from __future__ import annotations

from clearwood.models.bayes_tables import BayesTables
from clearwood.models.conditions import Equals
from clearwood.models.distributions import Exact
from clearwood.models.words import written
from clearwood.working.figures import Rows


def target_of(model: BayesTables) -> str:
    """The name of what the model predicts."""
    assert model.schema.target is not None
    return model.schema.target.name


def chance_name(of: object, model: BayesTables, c: int) -> str:
    """P(age = old | yes)"""
    return f"P({of} | {written(model.schema.classes[c])})"


def prior_name(model: BayesTables, c: int) -> str:
    """P(yes)"""
    return f"P({written(model.schema.classes[c])})"


def rows_of(model: BayesTables, c: int, weight: Exact, name: str) -> Rows:
    """The rows of a class in which a column is known."""
    when = (Equals(target_of(model), model.schema.classes[c]),)
    known = "" if weight == model.classes[c] else f"{written(name)} known"
    return Rows(float(weight), when, known)
