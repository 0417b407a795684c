"""Constraints on a change: which cells of a row may change, and which way."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.errors import ColumnError, SettingError, no_such
from clearwood.table.attributes import Numeric, Ordinal, kind_of
from clearwood.table.schema import Schema
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class Constraints:
    """What may change: `fixed` columns never, `only_up` and `only_down` one way; `ranges` bound numbers."""

    fixed: frozenset[str] = frozenset()
    only_up: frozenset[str] = frozenset()
    only_down: frozenset[str] = frozenset()
    ranges: Mapping[str, tuple[float, float]] | None = None

    def leaves_free(self, name: str) -> bool:
        """May a number go anywhere?"""
        return name not in self.only_up and name not in self.only_down and name not in (self.ranges or {})

    def allows(self, name: str, before: float, after: float) -> bool:
        """May the number, or the place in an order, go from the one to the other?"""
        low, high = (self.ranges or {}).get(name, (-math.inf, math.inf))
        return (
            not (name in self.only_up and after < before)
            and not (name in self.only_down and after > before)
            and (low <= after <= high)
        )


def constraints_of(
    schema: Schema,
    fixed: Iterable[str],
    only_up: Iterable[str],
    only_down: Iterable[str],
    table: Table | None,
) -> Constraints:
    """The constraints, with every column checked."""
    still, up, down = (_names(schema, each) for each in (fixed, only_up, only_down))
    for name in sorted(up | down):
        if not isinstance(schema[name], Numeric | Ordinal):
            raise SettingError(
                f"Column '{name}' is {kind_of(schema[name])}: it has no up or down. Fix it, or leave it free."
            )
        if name in up and name in down:
            raise SettingError(f"Column '{name}' may go only up and only down. If it must stay, fix it.")
    return Constraints(still, up, down, None if table is None else _ranges(schema, table))


def _names(schema: Schema, given: Iterable[str]) -> frozenset[str]:
    if isinstance(given, str):
        raise SettingError(f"Give columns as a list: ['{given}'], not '{given}'.")
    names = frozenset(given)
    for name in sorted(names, key=str):
        if name not in schema.positions:
            raise ColumnError(no_such("column", str(name), schema.positions))
    return names


def _ranges(schema: Schema, table: Table) -> dict[str, tuple[float, float]]:
    """From the least to the greatest number of each column that the table has."""
    ranges: dict[str, tuple[float, float]] = {}
    for attribute in schema.inputs:
        column: Any = table.columns.get(attribute.name)
        if isinstance(attribute, Numeric) and column is not None and column.dtype.kind == "f":
            known = column[~np.isnan(column)]
            if known.size:
                ranges[attribute.name] = (float(known.min()), float(known.max()))
    return ranges
