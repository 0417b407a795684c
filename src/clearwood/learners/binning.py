"""Quantile bins, fast: a numeric column as codes of a few ordered steps of about equal weight."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats
from clearwood.table.attributes import Numeric
from clearwood.table.raw import Codes
from clearwood.table.table import MISSING, Column, Weights


def bin_column(
    attribute: Numeric, column: Column, weights: Weights | None, bins: int
) -> tuple[Codes, Floats]:
    """Each row's bin, and the upper ends of all bins but the last; the schema's own cuts where it has any.

    Bin b takes ends[b − 1] < x ≤ ends[b].

    >>> codes, ends = bin_column(Numeric("x"), np.array([1.0, 9, np.nan, 4, 2]), None, 2)
    >>> codes.tolist(), ends.tolist()
    ([0, 1, -1, 1, 0], [2.0])
    """
    missing = np.isnan(column)
    some_missing = bool(missing.any())
    if attribute.cuts:
        ends = np.asarray(attribute.cuts, dtype=np.float64)
    elif some_missing:
        ends = quantile_ends(column[~missing], None if weights is None else weights[~missing], bins)
    else:
        ends = quantile_ends(column, weights, bins)
    codes = _codes(column, ends)
    if some_missing:
        codes[missing] = MISSING
    return codes, ends


def quantile_ends(values: Column, weights: Weights | None, bins: int) -> Floats:
    """The least values with 1, 2, … of `bins` parts of the weight at or below them; not the largest value.

    Equal values stay together, so there may be fewer bins than requested; a weight acts as repeated rows.

    >>> quantile_ends(np.array([1.0, 2, 3, 4, 5, 5, 5, 9]), None, 4).tolist()
    [2.0, 4.0, 5.0]
    """
    rows = len(values)
    if not rows:
        return np.empty(0)
    parts = np.arange(1, bins)
    if weights is None:
        # The k-th part is full at row ⌈k · rows ÷ bins⌉; the order within the parts is not needed.
        places = np.unique(-(-parts * rows // bins) - 1)
        ends = np.partition(values, places)[places]
    else:
        order = np.argsort(values, kind="stable")
        reached = np.cumsum(weights[order])
        weight_below = parts * (reached[-1] / bins)
        # Ten rows of weight 0.1 make one, whatever the rounding of their sum.
        places = np.searchsorted(reached, weight_below - 1e-10 * np.maximum(1.0, weight_below))
        ends = values[order[np.minimum(places, rows - 1)]]
    distinct: Floats = np.unique(ends.astype(np.float64))
    inner: Floats = distinct[distinct < values.max()]
    return inner


def _codes(column: Column, ends: Floats) -> Codes:
    """How many ends lie below each value; a comparison per end is faster than a search while they are few."""
    if len(ends) > 32:
        bins: npt.NDArray[Any] = np.searchsorted(ends, column)
        return bins.astype(np.int32)
    # A float32 column compares with float32 ends: they are values of its own, or fall between the same two.
    limits = _at_most(ends, column.dtype)
    steps = np.zeros(len(column), dtype=np.uint8)
    above = np.empty(len(column), dtype=np.bool_)
    for limit in limits:
        np.greater(column, limit, out=above)
        steps += above
    return steps.astype(np.int32)


def _at_most(ends: Floats, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """The largest numbers of this type that do not exceed the ends."""
    limits = ends.astype(dtype)
    return np.where(limits > ends, np.nextafter(limits, dtype.type(-np.inf)), limits)
