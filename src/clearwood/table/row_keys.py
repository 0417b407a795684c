"""Keys of rows: 64 bits of what is in a row, so that chance falls on rows by their content.

A table whose rows come in another order, or whose classes or values are listed in another, gives the same
keys: the same folds, the same bags, the same models. Only inputs, target and weight count, for rows that are
alike in these teach and judge alike.
"""

from collections.abc import Sequence
from typing import assert_never
from zlib import adler32, crc32

import numpy as np
import numpy.typing as npt

from clearwood._native import row_hashes
from clearwood.arrays import Floats, Ints, Longs
from clearwood.mixing import GOLDEN, mixed_all
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.sparse_columns import SparseColumns
from clearwood.table.table import Column, Table


def rows_by_content(table: Table) -> Longs:
    """The positions of the rows in an order that only their cells decide; copies stand side by side.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> turned = days.take(np.arange(14)[::-1])
    >>> (rows_by_content(days) == 13 - rows_by_content(turned)).all()
    np.True_
    """
    return _in_order(_keys(table), table)


def in_order_of_content(table: Table) -> Table:
    """The table with its rows in that order, for a learner whose sums or draws follow the order of rows."""
    return table.take(rows_by_content(table))


def order_of_sums(table: Table) -> Table:
    """The table in that order where weights or the target's numbers have parts, or squares too large for
    exact sums, whose last digit then depends on the order; otherwise itself."""
    places = places_of_sums(table)
    return table if places is None else table.take(places)


def places_of_sums(table: Table) -> Longs | None:
    """The positions of the rows as `order_of_sums` has them; None where they stay in their own order."""
    weights, target = table.weights, table.schema.target
    numbers = table.target if isinstance(target, Numeric) else None
    exact = _whole(weights) and (numbers is None or (_whole(numbers) and _summed_exactly(numbers, weights)))
    return None if exact else rows_by_content(table)


def _whole(numbers: Column | None) -> bool:
    return numbers is None or bool((numbers == np.floor(numbers)).all())


def _summed_exactly(numbers: Column, weights: Floats | None) -> bool:
    """Is the sum of the squares of whole numbers one that doubles hold, however it is added up?"""
    squares = np.square(numbers, dtype=np.float64)
    return bool((squares.sum() if weights is None else (squares * weights).sum()) < 2.0**53)


def shuffled_rows(table: Table, seed: int) -> Longs:
    """The positions of the rows in an order that the seed and their cells decide, on every machine; copies of
    one row are dealt out as any other rows are.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> shuffled_rows(days, 1).tolist() != shuffled_rows(days, 2).tolist()
    True
    """
    keys = _keys(table)
    order = _in_order(keys, table)
    keys = keys[order]
    places = np.arange(len(order), dtype=np.uint64)
    begins = np.concatenate([np.ones(min(len(keys), 1), dtype=np.bool_), keys[1:] != keys[:-1]])
    copy = places - np.maximum.accumulate(np.where(begins, places, np.uint64(0)))
    with np.errstate(over="ignore"):
        bits = mixed_all(keys + np.uint64(seed % 2**64) * np.uint64(0xD1342543DE82EF95))
        bits = mixed_all(bits + copy * np.uint64(GOLDEN))
    return order[np.argsort(bits, kind="stable")]


def places_by_name(names: Sequence[str]) -> Ints:
    """[name] its place when they are put in order: what tells classes apart however they are declared.

    >>> places_by_name(("yes", "maybe", "no")).tolist()
    [2, 0, 1]
    """
    places = np.empty(len(names), dtype=np.int32)
    places[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names), dtype=np.int32)
    return places


def classes_by_name(table: Table) -> Ints:
    """[row] the place of its class in the order of names; −1 without one."""
    places = places_by_name(table.schema.classes)
    return np.where(table.target >= 0, places[table.target], -1) if len(places) else table.target


def _in_order(keys: npt.NDArray[np.uint64], table: Table) -> Longs:
    return np.argsort(keys, kind="stable") if table.weights is None else np.lexsort((table.weights, keys))


def _keys(table: Table) -> npt.NDArray[np.uint64]:
    target = table.schema.target
    attributes = [*table.schema.inputs, *([] if target is None else [target])]
    sparse = table.columns if isinstance(table.columns, SparseColumns) else None
    dense = [each for each in attributes if each.name in (table.columns if sparse is None else sparse.dense)]
    keys = row_hashes([_told_apart(each, table.columns[each.name]) for each in dense], len(table))
    if sparse is not None:
        with np.errstate(over="ignore"):
            keys = mixed_all(keys + sparse_keys(sparse, len(table)))
    return keys


def sparse_keys(columns: SparseColumns, rows: int) -> npt.NDArray[np.uint64]:
    """[row] 64 bits of what is stored of it in the sparse columns."""
    keys = np.zeros(rows, dtype=np.uint64)
    of, row, numbers = columns.cells([name for name in columns if name not in columns.dense])
    with np.errstate(over="ignore"):
        places = (of.astype(np.uint64) + np.uint64(1)) * np.uint64(GOLDEN)
        cells = np.where(np.isnan(numbers), np.nan, numbers + 0.0).view(np.uint64)
        np.add.at(keys, row, mixed_all(mixed_all(cells) + places))
    return keys


def texts_as_numbers(texts: Column) -> Column:
    """[row] a number that is equal for equal texts, and for hardly any others."""
    return np.array([_of_text(text) for text in texts.tolist()], dtype=np.float64)


def _told_apart(attribute: Attribute, column: Column) -> Column:
    """The cells as numbers that depend on what they say: values by their names, texts by their characters."""
    match attribute:
        case Nominal(_, values) | Ordinal(_, values):
            # The last two are found by the codes −2 and −1.
            names = np.array([*map(_of_text, values), 1.0, 2.0])
            return names[column]
        case Text():
            return texts_as_numbers(column)
        case Numeric() | Ignored():
            return column
        case _:
            assert_never(attribute)


def _of_text(text: str | None) -> float:
    if text is None:
        return 2.0
    encoded = text.encode("utf-8", "surrogatepass")
    return float(crc32(encoded)) + 2.0**32 * (adler32(encoded) % 2**20)
