"""How much of the training rows lies in a part of the space, by their profile, if columns are independent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import assert_never

import numpy as np

from clearwood.audit.axes import Axis, Domains
from clearwood.models.profile import NumbersProfile, Profile, TextProfile, ValuesProfile
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.schema import Schema


def part_of_training(axes: Sequence[Axis], part: Domains, profile: Profile, schema: Schema) -> float | None:
    """A part from 0 to 1; None where the profile lacks a column that the part restricts."""
    whole = 1.0
    for axis, groups in zip(axes, part, strict=True):
        if groups == axis.everything:
            continue
        cells = _cells(axis, profile, schema)
        if cells is None:
            return None
        inside = sum(each for each, group in zip(cells, axis.group_of, strict=True) if groups >> group & 1)
        whole *= min(1.0, inside)
    return whole


def _cells(axis: Axis, profile: Profile, schema: Schema) -> list[float] | None:
    """[cell] its part of the training rows."""
    column = profile.columns.get(axis.name)
    match column:
        case ValuesProfile(counts, missing):
            known = schema[axis.name]
            assert isinstance(known, Nominal | Ordinal)
            by_value = dict(zip(known.values, counts, strict=True))
            total = sum(counts) + missing
            parts = [by_value.get(str(value), 0.0) for value in axis.cells[: axis.known]]
            return [each / total for each in (*parts, 0.0, missing)] if total > 0 else None
        case NumbersProfile(_, _, quantiles, known_rows, missing):
            total = known_rows + missing
            if not total > 0:
                return None
            ends = [0.0, *(_below(quantiles, limit) for limit in axis.limits), 1.0]
            share = known_rows / total
            return [*((high - low) * share for low, high in pairwise(ends)), missing / total]
        case TextProfile() | None:
            return None
        case _:
            assert_never(column)


def _below(quantiles: tuple[float, ...], limit: float) -> float:
    """The part of the numbers that are at most `limit`."""
    if not quantiles or limit < quantiles[0]:
        return 0.0
    place = int(np.searchsorted(quantiles, limit, side="right")) - 1
    if place == len(quantiles) - 1:
        return 1.0
    low, high = quantiles[place], quantiles[place + 1]
    within = (limit - low) / (high - low) if math.isfinite(high - low) and high > low else 0.0
    return (place + within) / (len(quantiles) - 1)
