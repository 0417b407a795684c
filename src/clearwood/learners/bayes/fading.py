"""Fading: every weight of a Bayes model becomes less, so that newer rows count more."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import (
    Bag,
    Categorical,
    Cuts,
    Distribution,
    ExactRow,
    Gaussian,
    Kernel,
    Words,
)
from clearwood.models.exact import faded


def faded_model(model: BayesTables, decay: float) -> BayesTables:
    """The model with every weight × decay: what is left of it when newer rows are to count more."""
    if decay == 1:
        return model
    return replace(
        model,
        classes=_faded(model.classes, decay),
        distributions=tuple(_faded_one(each, decay) for each in model.distributions),
    )


def _faded_one(distribution: Distribution, decay: float) -> Distribution:
    match distribution:
        case Categorical(_, counts) | Cuts(_, _, counts):
            return replace(distribution, counts=tuple(_faded(row, decay) for row in counts))
        case Gaussian(_, weights, sums, squares):
            # Rounded to this side, no variance can fall below 0.
            return replace(
                distribution,
                weights=_faded(weights, decay, up=True),
                sums=_faded(sums, decay),
                squares=_faded(squares, decay, up=True),
            )
        case Kernel(_, points):
            kept = tuple(tuple((value, faded(weight, decay)) for value, weight in each) for each in points)
            return replace(distribution, points=kept)
        case Bag(_, _, counts, known):
            return replace(
                distribution,
                counts=tuple(_faded(row, decay) for row in counts),
                known=tuple(_faded(row, decay) for row in known),
            )
        case Words(_, _, _, counts, documents, of_class):
            return replace(
                distribution,
                counts=tuple(_faded(row, decay) for row in counts),
                documents=tuple(_faded(row, decay) for row in documents),
                known=_faded(of_class, decay),
            )
        case _:
            assert_never(distribution)


def _faded(row: ExactRow, decay: float, *, up: bool = False) -> ExactRow:
    return tuple(faded(each, decay, up=up) for each in row)
