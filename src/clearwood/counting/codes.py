"""Codes: columns as whole numbers of 1, 2 or 4 bytes, a value's place or a number's rank among cuts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Table

ALL_MIDPOINTS: Final = 0
MOST_IN_A_BYTE: Final = 254  # so many cuts make 255 bins, and missing is one code more

Code: TypeAlias = npt.NDArray[Any]  # [row] uint8, uint16 or uint32


@dataclass(frozen=True, slots=True, eq=False)
class Coding:
    """How columns are coded; made once from the training rows, and the same for whatever is coded later.

    A number's code is how many cuts lie below it: x ≤ cuts[k] just where its code is at most k. A nominal or
    ordinal value's code is its place in the schema. `known[c]` is how many codes column c has for what is
    known; it is itself the code of a missing cell, and of a value that the schema does not list.
    """

    positions: tuple[int, ...]  # [column] its place in the schema; text and ignored columns have no codes
    cuts: tuple[Floats, ...]  # [column] ascending; empty for values
    known: tuple[int, ...]  # [column]
    numeric: tuple[bool, ...]  # [column]
    ordered: tuple[bool, ...]  # [column] numbers and ordinal values, which are cut; others are grouped

    def __len__(self) -> int:
        return len(self.positions)


@dataclass(frozen=True, slots=True, eq=False)
class CodedColumns:
    """The columns of a table, coded."""

    coding: Coding
    columns: tuple[Code, ...]  # [column][row]
    rows: int


def coding_of(table: Table, cuts: int = MOST_IN_A_BYTE) -> Coding:
    """The coding of a table's columns, with at most so many cuts for numbers; ALL_MIDPOINTS for every one.

    Cuts lie midway between neighbouring numbers. Where there are more than `cuts` of them, those are taken
    between which the rows weigh about the same: a number that outweighs its part has a bin of its own, and
    the others share what is left. Cuts that the schema gives are the only ones.

    >>> from clearwood.table.schema import Schema
    >>> x = np.array([1.0, 2.0, 2.0, np.nan, 8.0])
    >>> table = Table(Schema((Numeric("x"), Nominal("colour", ("red", "green")))),
    ...     {"x": x, "colour": np.array([0, 1, -1, -2, 1], dtype=np.int32)})
    >>> coding = coding_of(table)
    >>> coding.cuts[0].tolist(), coding.known
    ([1.5, 5.0], (3, 2))
    >>> [column.tolist() for column in codes_of(table, coding).columns]
    [[0, 1, 1, 3, 2], [0, 1, 2, 2, 1]]
    """
    inputs = _coded(table)
    free = [name for _, name, values, given in inputs if not values and not given]
    made = _native.column_cuts([table.columns[name] for name in free], len(table), _weights(table), cuts)
    by_name = dict(zip(free, made, strict=True))
    nothing = np.empty(0)
    found = [
        nothing if values else by_name.get(name, np.asarray(given, dtype=np.float64))
        for _, name, values, given in inputs
    ]
    return Coding(
        positions=tuple(position for position, *_ in inputs),
        cuts=tuple(found),
        known=tuple(
            values or len(column) + 1 for (_, _, values, _), column in zip(inputs, found, strict=True)
        ),
        numeric=tuple(not values for _, _, values, _ in inputs),
        ordered=tuple(not isinstance(table.schema.attributes[position], Nominal) for position, *_ in inputs),
    )


def codes_of(table: Table, coding: Coding) -> CodedColumns:
    """A table's columns in a coding: that of this table, or of another with the same schema."""
    attributes = [table.schema.attributes[position] for position in coding.positions]
    values = [
        known if isinstance(each, Nominal | Ordinal) else 0
        for each, known in zip(attributes, coding.known, strict=True)
    ]
    cells = [table.columns[each.name] for each in attributes]
    columns = _native.column_codes(cells, values, list(coding.cuts), len(table))
    return CodedColumns(coding, tuple(columns), len(table))


def _coded(table: Table) -> Sequence[tuple[int, str, int, tuple[float, ...]]]:
    """(position, name, number of values, given cuts) of each column that has codes."""
    coded = list[tuple[int, str, int, tuple[float, ...]]]()
    for position, attribute in enumerate(table.schema.attributes):
        match attribute:
            case Numeric(name, cuts):
                coded.append((position, name, 0, tuple(cuts)))
            case Nominal(name, values) | Ordinal(name, values):
                if values:  # a column without a single value has nothing to be asked about
                    coded.append((position, name, len(values), ()))
            case Text() | Ignored():
                continue
            case _:
                assert_never(attribute)
    return coded


def _weights(table: Table) -> Floats | None:
    return None if table.weights is None else np.ascontiguousarray(table.weights, dtype=np.float64)
