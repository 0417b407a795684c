"""How much each class weighs in a table, and the rows that count at all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import LearningError, SettingError
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table


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
