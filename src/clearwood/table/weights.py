"""What row weights mean, and how many rows a table's weights therefore count as."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias, assert_never, get_args

import numpy as np
import numpy.typing as npt

from clearwood.advice import NamedOption
from clearwood.errors import SchemaError, no_such

Weights: TypeAlias = npt.NDArray[np.float64]  # [row]
WeightsAre: TypeAlias = Literal["counts", "sampling", "importance"]

MEANINGS: Final[tuple[WeightsAre, ...]] = get_args(WeightsAre)
_ROUNDING: Final = 1e-12  # weights scaled before are left as they are, to the last bit


def in_rows(weights: Weights, weights_are: WeightsAre) -> Weights:
    """The weights on the scale of rows: what `min_rows`, tests, intervals and pruning may take as counts.

    "counts": a weight w is w equal rows. "sampling": the weights add up to Kish's effective number of rows.
    "importance": they add up to the number of rows that have a weight. Weights that no learner takes
    (negative, not finite, all zero) are left for it to refuse.

    >>> in_rows(np.array([4.0, 2.0, 2.0]), "sampling").tolist(), 8**2 / 24
    ([1.3333333333333333, 0.6666666666666666, 0.6666666666666666], 2.6666666666666665)
    >>> in_rows(np.array([3.0, 1.0]), "importance").tolist()
    [1.5, 0.5]
    """
    if weights_are == "counts" or not len(weights):
        return weights
    heaviest = float(weights.max())
    if not (np.isfinite(weights).all() and heaviest > 0 and weights.min() >= 0):
        return weights
    relative = weights / heaviest  # whose squares neither overflow nor vanish
    total, squares = _sums(relative)
    match weights_are:
        case "sampling":
            of_heaviest = total / squares
        case "importance":
            of_heaviest = float(np.count_nonzero(weights)) / total
        case _:
            assert_never(weights_are)
    if abs(heaviest - of_heaviest) <= _ROUNDING * of_heaviest:
        return weights
    scaled: Weights = relative * of_heaviest
    return scaled


def effective_rows(weights: Weights) -> float:
    """Kish's effective number of rows, (Σw)² ÷ Σw²: so many rows of equal weight would tell as much.

    >>> effective_rows(np.array([7.0, 7.0, 7.0])), round(effective_rows(np.array([3.0, 1.0])), 6)
    (3.0, 1.6)
    """
    heaviest = float(weights.max(initial=0.0))
    if not heaviest:
        return 0.0
    total, squares = _sums(weights / heaviest)
    return total**2 / squares


def _sums(weights: Weights) -> tuple[float, float]:
    """Of weights and of their squares, to the last digit the same in any order of rows."""
    ascending = np.sort(weights)
    return float(ascending.sum()), float(np.square(ascending).sum())


def check_meaning(weights_are: Any) -> WeightsAre:
    """The meaning if it is one; a sentence with those there are otherwise."""
    for meaning in MEANINGS:
        if weights_are == meaning:
            return meaning
    unknown = no_such("meaning of weights", str(weights_are), MEANINGS, plural="meanings")
    raise SchemaError(NamedOption("weights_are"), f": {unknown}")


def times_factors(weights: Weights | None, factors: Weights) -> Weights:
    """Weights of rows times a factor for each, on the scale of the rows that these still tell of: by Kish,
    (Σwf)² ÷ Σwf². Otherwise a row of factor 5 would be taken for five that agree.

    >>> times_factors(None, np.array([2.0, 0.5, 0.5])).tolist()
    [1.3333333333333333, 0.3333333333333333, 0.3333333333333333]
    """
    together = factors if weights is None else weights * factors
    told: Weights = together * (together.sum() / (together * factors).sum())
    return told
