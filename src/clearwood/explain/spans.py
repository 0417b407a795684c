"""Spans: between which numbers a column without thresholds lies, if a Bayes or a linear model knows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import assert_never

from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import bell_of
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
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model

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
