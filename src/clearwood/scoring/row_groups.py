"""Rows by the values of a column, each group with a name: what scores are compared between."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, assert_never

import numpy as np

from clearwood.advice import Advice
from clearwood.arrays import Longs
from clearwood.errors import ColumnError, SchemaError, no_such
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.raw import Raw, RawNumbers, RawStrings
from clearwood.table.table import Table
from clearwood.words.numbers import number

_FEW: Final = 10  # different numbers that are groups by themselves
MISSING_GROUP: Final = "(missing)"


@dataclass(frozen=True, slots=True, eq=False)
class NamedGroups:
    """[row] the position of its group in `names`."""

    column: str
    names: tuple[str, ...]
    of: Longs

    def take(self, rows: Longs) -> NamedGroups:
        """Those of these rows."""
        return NamedGroups(self.column, self.names, self.of[rows])


def named_groups(table: Table, column: str) -> NamedGroups:
    """The rows by their values of a column; many different numbers are divided into quarters of the rows.
    Empty cells are a group of their own.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> groups = named_groups(days, "Wind")
    >>> groups.names, groups.of[:4].tolist()
    (('Strong', 'Weak'), [1, 0, 1, 1])
    """
    attribute = table.schema[column]
    if isinstance(attribute, Ignored) or column not in table.columns:
        raise SchemaError(
            f"Column '{column}' was left out when the table was read: no groups are known. Keep it: ",
            Advice("kinds", {column: "nominal"}),
            ".",
        )
    cells = table.columns[column]
    match attribute:
        case Nominal(_, values) | Ordinal(_, values):
            names, of = list(values), np.where(cells >= 0, cells, len(values)).astype(np.int64)
        case Numeric():
            names, of = _of_numbers(np.asarray(cells, dtype=np.float64))
        case Text():
            raise SchemaError(f"Column '{column}' is text, which has no groups. Name another.")
        case _:
            assert_never(attribute)
    return _occurring(column, [*names, MISSING_GROUP], of)


def groups_in_source(raw: Raw, column: str) -> NamedGroups:
    """The same of a source that is read but not yet coded: a column that a model ignores."""
    if column not in raw.names:
        raise ColumnError(no_such("column", column, raw.names))
    cells = raw.columns[raw.names.index(column)]
    match cells:
        case RawNumbers():
            names, of = _of_numbers(np.asarray(cells.values, dtype=np.float64))
        case RawStrings(codes, values):
            names, of = list(values), np.where(codes >= 0, codes, len(values)).astype(np.int64)
        case _:
            assert_never(cells)
    return _occurring(column, [*names, MISSING_GROUP], of)


def _of_numbers(cells: Any) -> tuple[list[str], Longs]:
    known = ~np.isnan(cells)
    values = np.unique(cells[known])
    if len(values) <= _FEW:
        of = np.where(known, np.searchsorted(values, cells), len(values))
        return [number(float(each)) for each in values], of.astype(np.int64)
    cuts = np.unique(np.quantile(cells[known], (0.25, 0.5, 0.75), method="inverted_cdf"))
    cuts = cuts[cuts < values[-1]]
    ends = [number(float(cut)) for cut in cuts]
    names = [f"≤ {ends[0]}", *(f"{a} to {b}" for a, b in pairwise(ends)), f"> {ends[-1]}"]
    of = np.where(known, np.searchsorted(cuts, cells, side="left"), len(names))
    return names, of.astype(np.int64)


def _occurring(column: str, names: list[str], of: Longs) -> NamedGroups:
    """Without the groups that no row is in."""
    met = np.bincount(of, minlength=len(names)) > 0
    place = np.cumsum(met) - 1
    return NamedGroups(column, tuple(n for n, there in zip(names, met, strict=True) if there), place[of])
