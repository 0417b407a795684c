"""A Table: coded columns under a schema.

Nominal and ordinal columns hold `int32` codes, the position of each value in the schema, with
MISSING for an empty cell and UNSEEN for a value the schema doesn't list. Numeric columns hold
floats (32 or 64 bit, possibly a strided view of the caller's array), NaN for an empty cell. Text
columns hold an object array of `str` or `None`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.errors import SchemaError
from clearwood.table.schema import Schema

Column: TypeAlias = npt.NDArray[Any]  # [row] codes, floats or strings
Weights: TypeAlias = npt.NDArray[np.float64]  # [row]

MISSING: Final = -1
UNSEEN: Final = -2


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Coded columns by name, the target's among them, with row weights and what was guessed on the way."""

    schema: Schema
    columns: Mapping[str, Column]
    weights: Weights | None = None
    notes: tuple[str, ...] = ()
    rows: int | None = None  # how many, where every column is ignored and none can tell

    def __post_init__(self) -> None:
        lengths = {len(column) for column in self.columns.values()}
        if self.weights is not None:
            lengths.add(len(self.weights))
        if len(lengths) > 1:
            raise SchemaError(f"Columns differ in length: {sorted(lengths)} rows.")

    def __len__(self) -> int:
        first = next(iter(self.columns.values()), None)
        return self.rows or 0 if first is None else len(first)

    @property
    def target(self) -> Column:
        """The target's column; a sentence if the table has none."""
        if self.schema.target is None or self.schema.target.name not in self.columns:
            raise SchemaError("This table has no target. Name the column to predict: target='…'.")
        return self.columns[self.schema.target.name]

    def __str__(self) -> str:
        from clearwood.table.describe import describe

        return f"{len(self):,} rows\n{describe(self.schema, self)}"

    def take(self, rows: npt.NDArray[Any]) -> Table:
        """The table of these rows (positions, or a mask), in this order."""
        weights = None if self.weights is None else self.weights[rows]
        taken = {name: column[rows] for name, column in self.columns.items()}
        return replace(self, columns=taken, weights=weights, rows=len(np.arange(len(self))[rows]))
