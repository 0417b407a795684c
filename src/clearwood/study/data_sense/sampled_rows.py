"""Rows drawn by what they hold, not by where they stand: the same rows and folds in whatever order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from clearwood._native import object_codes, row_hashes
from clearwood.arrays import Longs
from clearwood.mixing import mixed_all
from clearwood.table.attributes import Text
from clearwood.table.table import Column, Table

FOLDS: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class SampledRows:
    """Positions of rows in an order of chance, and the fold of each: equal rows are in one fold, so that no
    row is predicted by its copy."""

    rows: Longs
    fold: Longs  # [row] from 0


def input_hashes(table: Table) -> npt.NDArray[np.uint64]:
    """[row] 64 bits of what the row holds in the columns to learn from."""
    return row_hashes([as_hashed(table.columns[name]) for name in _inputs(table)], len(table))


def sampled_rows(table: Table, hashes: npt.NDArray[np.uint64], most: int) -> SampledRows:
    """At most so many rows of the table, whose `input_hashes` are given."""
    texts = {each.name for each in table.schema.inputs if isinstance(each, Text)}
    if texts:  # the codes of texts follow from the order of rows
        names = [name for name in _inputs(table) if name not in texts]
        hashes = (
            row_hashes([as_hashed(table.columns[name]) for name in names], len(table)) if names else hashes
        )
    bits = mixed_all(hashes)
    rows = np.arange(len(bits)) if len(bits) <= most else np.argpartition(bits, most)[:most]
    rows = rows[np.argsort(bits[rows], kind="stable")].astype(np.int64)
    return SampledRows(rows, (hashes[rows] % np.uint64(FOLDS)).astype(np.int64))


def as_hashed(column: Column) -> Column:
    """A column as it is hashed; texts by their codes."""
    return object_codes(column)[0] if column.dtype == np.object_ else column


def _inputs(table: Table) -> list[str]:
    return [each.name for each in table.schema.inputs if each.name in table.columns]
