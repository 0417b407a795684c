"""Sampling: rows of common classes left out, or rows of rare classes taken several times, by chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final, TypeAlias

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.bounds import Checked, Within, finite
from clearwood.counting.chance import below_all, chance_key
from clearwood.errors import LearningError, SettingError, no_such
from clearwood.records import dataclass
from clearwood.registry import checked
from clearwood.table.attributes import Numeric
from clearwood.table.folding import places_by_name, rows_by_content, shuffled_rows
from clearwood.table.schema import times_factors
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class Balancer:
    """`balance` takes rows that all have a class and a weight, a seed, and its own settings by name.

    `draws`: does the seed matter?
    """

    balance: Callable[..., Table]
    about: str
    draws: bool = False


Ratio: TypeAlias = Annotated[
    float,
    Within(0, 1, including_high=True),
    "How much a rarer class weighs at least beside a commoner one, afterwards; 1: all weigh alike.",
]
_PURPOSE: Final = 0x6F766572  # so that these draws are no learner's


@checked
def sample_less(table: Table, seed: int = 0, *, ratio: Ratio = 1.0) -> Table:
    """Of each class so many rows at random that the rarest weighs `ratio` times as much, or more."""
    totals = class_totals(table)
    most = totals[totals > 0].min() / ratio
    kept = np.ones(len(table), dtype=np.bool_)
    every = shuffled_rows(table, seed)
    for code in np.flatnonzero(totals > most).tolist():
        order = every[table.target[every] == code]
        kept[order[_nearest(_weights(table, order), float(most)) :]] = False
    return table.take(np.flatnonzero(kept))


@checked
def sample_more(table: Table, seed: int = 0, *, ratio: Ratio = 1.0) -> Table:
    """Every row, and rows of each class again, drawn with replacement, until it weighs `ratio` times as much
    as the commonest, or more; a row drawn again has its weight again."""
    totals = class_totals(table)
    least = totals.max() * ratio
    rows = [np.arange(len(table))]
    order, places = rows_by_content(table), places_by_name(table.schema.classes)
    for code in np.flatnonzero((totals > 0) & (totals < least)).tolist():
        own, key = order[table.target[order] == code], chance_key(seed, _PURPOSE, int(places[code]))
        rows.append(own[_drawn(table, own, float(least - totals[code]), key)])
    return table.take(np.concatenate(rows))


def _drawn(table: Table, own: Longs, needed: float, key: int) -> Longs:
    """Places among a class's rows, drawn until their weight is as near to what is needed as can be."""
    weights = _weights(table, own)
    count = int(np.ceil(needed / weights.mean())) + 1
    while True:
        places = below_all(key, count, len(own))
        if weights[places].sum() >= needed:
            return places[: _nearest(weights[places], needed)]
        count *= 2


def _weights(table: Table, rows: Longs) -> Floats:
    return np.ones(len(rows)) if table.weights is None else table.weights[rows]


def _nearest(weights: Floats, total: float) -> int:
    """How many of the first weights add up to what is nearest to the total; at least one.

    >>> _nearest(np.array([1.0, 1.0, 1.0, 1.0]), 2.4), _nearest(np.array([5.0, 1.0]), 1.0)
    (2, 1)
    """
    return int(np.argmin(np.abs(np.cumsum(weights) - total))) + 1


UNDER: Final = Balancer(sample_less, "Rows of common classes are left out, by chance.", draws=True)
OVER: Final = Balancer(sample_more, "Rows of rare classes are taken again, by chance.", draws=True)


# Class weights: every row stays, and counts more the rarer its class is.


def equal_factors(totals: Floats) -> Floats:
    """[class] n ÷ (K · n_c), under which the K classes weigh alike and all rows together as before.

    >>> equal_factors(np.array([3.0, 1.0])).round(3).tolist()
    [0.667, 2.0]
    """
    met = totals > 0
    return np.where(met, totals.sum() / (met.sum() * np.where(met, totals, 1.0)), 1.0)


def _by_class(name: str, value: Any) -> Any:
    if value is None:
        return None
    form = f"{name} must be None or a number above 0 by class, as in {{'bad': 5}}"
    if not isinstance(value, Mapping) or not value or not all(isinstance(each, str) for each in value):
        raise SettingError(f"{form}, not {value!r}.")
    plain = {each: finite(f"{name}[{each!r}]", weight, "a number") for each, weight in value.items()}
    for each, weight in plain.items():
        if not weight > 0:
            raise SettingError(f"{form}; '{each}' has {weight!r}.")
    return plain


@checked
def weigh_by_class(
    table: Table,
    _seed: int = 0,
    *,
    by_class: Annotated[
        Mapping[str, float] | None,
        Checked(_by_class),
        "What a row of each class counts, CLASS:WEIGHT (others 1); none: the classes weigh alike.",
    ] = None,
) -> Table:
    """Each row's weight times that of its class, n ÷ (K · n_c) unless given, on the scale of Kish's effective
    number of rows: two rare rows that weigh much are still two rows to a pruner or a test."""
    classes = table.schema.classes
    if by_class is None:
        factors = equal_factors(class_totals(table))
    else:
        for name in by_class:
            if name not in classes:
                raise SettingError(f"by_class: {no_such('class', name, classes, plural='classes')}")
        factors = np.array([by_class.get(name, 1.0) for name in classes])
    weights = times_factors(table.weights, factors[table.target])
    # They are on the scale of rows already, and another meaning would scale them again.
    return replace(table, weights=weights, weights_are="counts", checked=True)


BALANCER: Final = Balancer(weigh_by_class, "Rows of a rare class weigh more; every row stays.")


# How much each class weighs in a table, and the rows that count at all.


def class_totals(table: Table) -> Floats:
    """[class] the weight of its rows."""
    return np.bincount(table.target, table.weights, len(table.schema.classes)).astype(np.float64)


def rows_with_class(table: Table) -> Table:
    """The rows with a class and a weight; a sentence where the target is a number, or nothing is left."""
    target = table.schema.target
    if isinstance(target, Numeric):
        raise SettingError(f"Classes are balanced, and '{target.name}' is a number. Leave balancing out.")
    known = table.target >= 0
    if table.weights is not None:
        known &= table.weights > 0
    if not known.any():
        raise LearningError("No row has both a weight and a class: there is nothing to balance.")
    return table if known.all() else table.take(known)


def as_parts(totals: Sequence[float] | Floats) -> tuple[float, ...]:
    """Totals as parts of their sum.

    >>> as_parts([1.0, 3.0])
    (0.25, 0.75)
    """
    whole = np.asarray(totals, dtype=np.float64)
    return tuple((whole / whole.sum()).tolist())
