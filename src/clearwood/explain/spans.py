"""Spans: between which numbers a column lies, as far as a Bayes or a linear model knows."""

from __future__ import annotations

import math

from clearwood.models.distributions import Bag, Gaussian, Kernel
from clearwood.models.linear_model import LinearModel, Number
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.predict.bayes_terms import bell_of

_WIDTHS = 3.0  # standard deviations to each side of a mean


def spans_of(model: Model) -> dict[str, tuple[float, float]]:
    """By numeric column without thresholds: three standard deviations around every class's mean, from the
    first to the last point of a kernel, from 0 up for counts, anywhere for a weight. A number that never
    varied has no span: it says nothing.
    """
    if isinstance(model, Tree | RuleList):
        return {}
    if isinstance(model, LinearModel):
        return {term.name: (-math.inf, math.inf) for term in model.terms if isinstance(term, Number)}
    found: dict[str, tuple[float, float]] = {}
    for each in model.distributions:
        if isinstance(each, Gaussian):
            bells = bell_of(each)
            if bells is not None:
                means, variances = bells
                reach = _WIDTHS * variances**0.5
                found[each.name] = (float((means - reach).min()), float((means + reach).max()))
        elif isinstance(each, Kernel):
            points = [value for of_class in each.points for value, _ in of_class]
            if points and min(points) < max(points):
                found[each.name] = (min(points), max(points))
        elif isinstance(each, Bag) and each.event != "bernoulli":
            found |= dict.fromkeys(each.names, (0.0, math.inf))
    return found
