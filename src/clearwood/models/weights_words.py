"""Weights in words: what the weights were of the rows that a model was learned from."""

from __future__ import annotations

from typing import Final

from clearwood.models.origin import Origin
from clearwood.table.weights import WeightsAre

_WORDS: Final[dict[WeightsAre, str]] = {
    "counts": "weights that count equal rows",
    "sampling": "sampling weights",
    "importance": "importance weights",
}
_SCALES: Final[dict[WeightsAre, str]] = {
    "counts": "a row of weight w counts as w rows",
    "sampling": "they add up to Kish's effective number of rows, (Σw)² ÷ Σw²",
    "importance": "they add up to the number of rows",
}


def with_weights(origin: Origin) -> str:
    """What follows the number of rows, or a title; nothing where rows had no weights.

    >>> with_weights(Origin("C45", weights_are="sampling")), with_weights(Origin("C45"))
    (', with sampling weights', '')
    """
    return "" if origin.weights_are is None else f", with {_WORDS[origin.weights_are]}"


def weights_in_full(weights_are: WeightsAre) -> str:
    """The meaning with its scale.

    >>> weights_in_full("importance")
    'importance weights: they add up to the number of rows'
    """
    return f"{_WORDS[weights_are]}: {_SCALES[weights_are]}"
