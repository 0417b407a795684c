"""Thresholds: the numbers at which a model's answer can turn, column by column."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import assert_never

import numpy as np

from clearwood.models.conditions import bounds_of
from clearwood.models.kept import kept
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.distributions import (
    Bag,
    Categorical,
    Cuts,
    Distribution,
    Gaussian,
    Kernel,
    Words,
)
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel, NumberTerm
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.predict.bayes_terms import bell_of
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema


@kept
def thresholds_of(model: Model) -> Mapping[str, tuple[float, ...]]:
    """By numeric column, ascending; none where every number counts differently (bells, weights).

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> thresholds_of(cw.C45().learn(table))
    {'Humidity': (75.0,)}
    """
    numbers: dict[str, set[float]] = {}
    match model:
        case Tree():
            numbers = _limits(model.schema, model.nodes)
        case RuleList():
            for rule in model:
                for condition in rule.when:
                    numbers.setdefault(condition.name, set()).update(bounds_of(condition))
        case BayesTables():
            for each in model.distributions:
                numbers |= _steps(each)
        case LinearModel():
            pass
        case Ensemble():
            if model.trees is not None:
                numbers = _limits(model.schema, model.trees.nodes)
            for member in model.models:
                for name, limits in thresholds_of(member).items():
                    numbers.setdefault(name, set()).update(limits)
        case AdditiveModel():
            for shape in model.shapes:
                numbers.setdefault(shape.name, set()).update(shape.cuts)
            for pair in model.pairs:
                for name, cuts in zip(pair.names, pair.cuts, strict=True):
                    numbers.setdefault(name, set()).update(cuts)
        case _:
            assert_never(model)
    return {
        name: tuple(sorted(filter(math.isfinite, limits)))
        for name, limits in numbers.items()
        if isinstance(model.schema[name], Numeric)
    }


def _limits(schema: Schema, nodes: Nodes) -> dict[str, set[float]]:
    """By column the limits of all branches and surrogates."""
    columns = np.concatenate((nodes.attribute, nodes.attribute, nodes.s_attribute))
    limits = np.concatenate((nodes.low, nodes.high, nodes.s_limit))
    return {
        schema.attributes[place].name: set(limits[columns == place].tolist())
        for place in np.unique(columns).tolist()
        if place >= 0  # nothing leads into a root
    }


def _steps(distribution: Distribution) -> dict[str, set[float]]:
    """By column the numbers at which a distribution changes."""
    match distribution:
        case Cuts(name, cuts):
            return {name: set(cuts)}
        case Bag(names, "bernoulli"):
            return {name: {0.0} for name in names}
        case Bag() | Categorical() | Gaussian() | Kernel() | Words():
            return {}
        case _:
            assert_never(distribution)


# Spans: between which numbers a column lies, as far as a Bayes or a linear model knows.


_WIDTHS = 3.0  # standard deviations to each side of a mean


def spans_of(model: Model) -> dict[str, tuple[float, float]]:
    """By numeric column without thresholds: three standard deviations around every class's mean, from the
    first to the last point of a kernel, from 0 up for counts, anywhere for a weight. A number that never
    varied has no span: it has no influence.
    """
    match model:
        case Tree() | RuleList() | AdditiveModel():  # they turn at thresholds only
            return {}
        case LinearModel():
            return {term.name: (-math.inf, math.inf) for term in model.terms if isinstance(term, NumberTerm)}
        case BayesTables():
            return {name: span for each in model.distributions for name, span in _spans(each)}
        case Ensemble():
            if model.trees is not None:
                return {}
            spans: dict[str, tuple[float, float]] = {}
            for member in model.models:
                for name, (low, high) in spans_of(member).items():
                    before = spans.get(name, (low, high))
                    spans[name] = (min(low, before[0]), max(high, before[1]))
            return spans
        case _:
            assert_never(model)


def _spans(distribution: Distribution) -> Iterator[tuple[str, tuple[float, float]]]:
    match distribution:
        case Gaussian(name):
            bells = bell_of(distribution)
            if bells is not None:
                means, variances = bells
                reach = _WIDTHS * variances**0.5
                yield name, (float((means - reach).min()), float((means + reach).max()))
        case Kernel(name):
            points = [value for of_class in distribution.points for value, _ in of_class]
            if points and min(points) < max(points):
                yield name, (min(points), max(points))
        case Bag(names, "multinomial" | "complement"):
            yield from ((name, (0.0, math.inf)) for name in names)
        case Bag() | Categorical() | Cuts() | Words():
            pass
        case _:
            assert_never(distribution)
