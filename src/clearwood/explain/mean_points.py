"""How much each term of an additive model moves the scores: its mean absolute points over the rows."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.models.additive_model import AdditiveModel, PairShape, Shape
from clearwood.predict.of_additive import curves_in, name_of, sides_of
from clearwood.words.numbers import brief

_ROUNDING: Final = 1e-9  # points below are what centring a table leaves of 0


def mean_points(term: Shape | PairShape, score: int | None = None) -> float:
    """The mean of |points| over the training rows and the scores, or in one score; over the cells where no
    rows are kept."""
    points = term.points if score is None else term.points[score : score + 1]
    sizes = np.abs(np.array(points)).mean(axis=0)
    weights = np.array(term.rows) if term.rows and any(term.rows) else np.ones(len(sizes))
    return float((sizes * weights).sum() / weights.sum())


def least_points(model: AdditiveModel) -> float:
    """The points below which they are 0 but for rounding; of a number by the size of what is added up."""
    if model.link != "identity":
        return _ROUNDING
    sizes = [np.abs(model.base).max(), *(np.abs(term.points).max() for term in curves_in(model))]
    return _ROUNDING * float(max(sizes))


def brief_points(model: AdditiveModel, points: float) -> str:
    """Points in few digits, and 0 where only rounding makes them another number."""
    return brief(points) if abs(points) >= least_points(model) else "0"


def terms_by_points(model: AdditiveModel) -> list[tuple[str, float]]:
    """The columns and pairs with their mean absolute points, the weightiest first."""
    named = [(name_of(term), mean_points(term)) for term in curves_in(model)]
    return sorted(named, key=lambda each: -each[1])


def columns_by_points(model: AdditiveModel) -> list[str]:
    """The columns, the weightiest first; a column that only pairs read counts with theirs."""
    weight = dict.fromkeys(model.columns, 0.0)
    for term in curves_in(model):
        for name, _ in sides_of(term):
            weight[name] = max(weight[name], mean_points(term))
    return sorted(weight, key=lambda name: -weight[name])
