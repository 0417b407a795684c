"""Codes by search: the definition of cuts and codes, one number at a time."""

from __future__ import annotations

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.cuts import midpoint
from clearwood.table.table import Column, Weights


def cuts_by_definition(column: Column, weights: Weights | None, most: int) -> list[float]:
    """All midpoints where they are at most `most` or `most` is 0; else those that share the weight evenly.

    >>> cuts_by_definition(np.array([1.0, 2.0, 2.0, 8.0]), None, 0)
    [1.5, 5.0]
    >>> cuts_by_definition(np.array([1.0, 2.0, 3.0, 4.0]), None, 1)
    [2.5]
    """
    weight = np.ones(len(column)) if weights is None else weights
    here = ~np.isnan(column) & (weight > 0)
    values, place = np.unique(column[here].astype(np.float64), return_inverse=True)
    if most == 0 or len(values) <= most + 1:
        places = list(range(len(values) - 1))
    else:
        places = _even(np.bincount(place, weight[here], len(values)).astype(np.float64), most)
    return [midpoint(float(values[i]), float(values[i + 1])) for i in places]


def _even(weights: Floats, most: int) -> list[int]:
    heavy = weights.tolist()
    rest = 0.0
    for each in heavy:
        rest += each
    part, shared = rest / (most + 1), float(most + 1)
    alone = [each >= part for each in heavy]
    for each, is_alone in zip(heavy, alone, strict=True):
        if is_alone:
            rest -= each
            shared -= 1.0
    mean = rest / shared if shared > 0 else 0.0
    places, held = list[int](), 0.0
    for i in range(len(heavy) - 1):
        if len(places) == most:
            break
        held += heavy[i]
        if not alone[i]:
            rest -= heavy[i]
        if alone[i] or held >= mean or (alone[i + 1] and held >= 0.5 * mean):
            places.append(i)
            held = 0.0
            if not alone[i]:
                shared -= 1.0
                mean = rest / shared if shared > 0 else 0.0
    return places


def code_by_definition(cell: float, cuts: Floats, values: int) -> int:
    """How many cuts lie below a number, or a value's place; what is missing or not listed comes last."""
    if values:
        return int(cell) if 0 <= cell < values else values
    return len(cuts) + 1 if np.isnan(cell) else int((cuts < cell).sum())
