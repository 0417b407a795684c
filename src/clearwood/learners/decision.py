"""Priors and costs: from a learner's settings to the factors and the matrix that decide."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import SettingError, no_such
from clearwood.models.decision import Decision
from clearwood.registry import Costs, Priors
from clearwood.table.schema import Schema


def decision_of(schema: Schema, weights: Floats, priors: Priors, costs: Costs) -> Decision:
    """How counts become an answer, given the training weight of each class.

    A prior π asks for the factor π · N ÷ N_class on that class's counts.

    >>> from clearwood.table.attributes import Nominal
    >>> schema = Schema((), Nominal("Play", ("No", "Yes")))
    >>> decision_of(schema, np.array([5.0, 9.0]), "equal", {("Yes", "No"): 3}).costs
    ((0.0, 1.0), (3.0, 0.0))
    """
    if not schema.classes and (priors is not None or costs is not None):
        raise SettingError("Priors and costs are for classes; this target is a number.")
    factors = () if priors is None else tuple(_factors(schema, weights, priors).tolist())
    return Decision(factors, () if costs is None else _matrix(schema, costs))


def scoring_factors(decision: Decision, weights: Floats) -> Floats:
    """[class] → the factor on its counts while splits are scored: priors altered by costs, as CART has it.

    Class c counts in proportion to its prior times Σ_j cost(c, j); the whole keeps its weight.

    >>> scoring_factors(Decision((), ((0.0, 1.0), (3.0, 0.0))), np.array([5.0, 5.0])).tolist()
    [0.5, 1.5]
    """
    factors = np.asarray(decision.factors) if decision.factors else np.ones(len(weights))
    if decision.costs:
        dear = np.asarray(decision.costs).sum(axis=1)
        # With one class there is nothing to mistake it for.
        factors = factors * (dear if len(dear) > 1 else 1.0)
        factors = factors * float(weights.sum() / (factors * weights).sum())
    return factors


def _factors(schema: Schema, weights: Floats, priors: Mapping[str, float] | str) -> Floats:
    classes = schema.classes
    if isinstance(priors, str):
        given = np.ones(len(classes))
    else:
        for name in priors:
            if name not in classes:
                raise SettingError(no_such("class", name, classes, plural="classes"))
        absent = [name for name in classes if name not in priors]
        if absent:
            raise SettingError(f"priors lack the class '{absent[0]}'. Give every class a number.")
        given = np.array([float(priors[name]) for name in classes])
    # A class without rows has no counts to raise; its prior goes to the others.
    met = weights > 0
    share = np.where(met, given, 0.0)
    factors: Floats = np.where(met, share / share.sum() * weights.sum() / np.where(met, weights, 1.0), 1.0)
    return factors


def _matrix(schema: Schema, costs: Mapping[tuple[str, str], float]) -> tuple[tuple[float, ...], ...]:
    classes = schema.classes
    for pair in costs:
        for name in pair:
            if name not in classes:
                raise SettingError(no_such("class", name, classes, plural="classes"))
    matrix = tuple(
        tuple(float(costs.get((true, called), true != called)) for called in classes) for true in classes
    )
    for true, row in zip(classes, matrix, strict=True):
        if len(classes) > 1 and not sum(row) > 0:
            raise SettingError(f"Every mistake about '{true}' costs 0. Give one of them a cost above 0.")
    return matrix
