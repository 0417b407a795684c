"""Class weights: every row stays, and counts more the rarer its class is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.balancing.balancer import Balancer
from clearwood.bounds import Checked, finite
from clearwood.errors import LearningError, SettingError, no_such
from clearwood.registry import checked
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table
from clearwood.table.weights import times_factors


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
