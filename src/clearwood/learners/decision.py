"""Priors and costs: from a learner's settings to the factors and the matrix that decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import SettingError, no_such
from clearwood.models.decision import Decision
from clearwood.registry import Costs, Priors, imported
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


# A learner as the list of its family has it: where it lives, a line about it, and what it makes.


# As model files name them.
ModelKind: TypeAlias = Literal["tree", "rules", "bayes", "linear", "ensemble", "additive"]


def chooses_nothing(_: Mapping[str, Any]) -> tuple[str, ...]:
    """All that the training rows make is the model itself."""
    return ()


@dataclass(frozen=True, slots=True)
class LearnerEntry:
    """`home` is "module:class", imported when needed, or the class; `presets` are what its name implies.

    `steps` ("module:name") works out a derivation's steps; without it a derivation refuses. `compared_by` are
    the figures of those steps by which attributes are compared, the one that decides last; `compare_trees`
    takes learners that have some, and by default those with a name to be `compared_as`. `from_tree`: rules
    that come of a tree instead of a search; `by_members`: many members, learned one after another, of which
    those so far can be kept (`clearwood.learners.progress`); `pure_rules`: each class is covered by rules
    without errors, whatever its rows weigh. `chooses` says what the training rows choose beside the model
    under these settings, as a score on them has to mention.
    """

    home: str | type[Any]
    about: str
    makes: ModelKind
    presets: Mapping[str, Any] = field(default_factory=dict)
    steps: str = ""
    compared_by: tuple[str, ...] = ()
    compared_as: str = ""
    from_tree: bool = False
    by_members: bool = False
    pure_rules: bool = False
    chooses: Callable[[Mapping[str, Any]], tuple[str, ...]] = chooses_nothing

    @property
    def name(self) -> str:
        """The class's name, by which a model's origin knows it."""
        return self.home.rpartition(":")[2] if isinstance(self.home, str) else self.home.__name__

    def load(self) -> Any:
        """The class, imported now."""
        return imported(self.home) if isinstance(self.home, str) else self.home

    def make(self, **settings: Any) -> Any:
        """The learner: the presets, and the settings given."""
        return self.load()(**{**self.presets, **settings})
