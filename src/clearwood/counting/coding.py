"""A Coding: how a table's columns become whole numbers of 1, 2 or 4 bytes, the same for every learner."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Floats, Ints
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import MISSING, Column, Table

ALL_MIDPOINTS: Final = 0
MOST_IN_A_BYTE: Final = 254  # so many cuts make 255 bins, and missing is one code more

Code: TypeAlias = npt.NDArray[Any]  # [row] uint8, uint16 or uint32
# By column: codes, how many are known, the place of its kind in _KINDS, its ladder, and given cuts.
PackedColumns: TypeAlias = tuple[list[Code], list[int], list[int], list[Floats], list[Floats]]
_KINDS: Final = (Nominal, Ordinal, Numeric)


@dataclass(frozen=True, slots=True, eq=False)
class ColumnCoding:
    """How one column is coded.

    A number's code is how many cuts lie below it: x ≤ cuts[k] just where its code is at most k. On a ladder
    each distinct number has a code of its own, its rank. A nominal or ordinal value's code is its place in
    the schema. `known` is how many codes there are for what is known; it is itself the code of a missing
    cell, and of a value that the schema does not list.
    """

    attribute: Nominal | Ordinal | Numeric
    position: int  # in the schema
    known: int
    cuts: Floats  # of numbers, ascending; empty for values
    ladder: Floats  # [code] its number, ascending, where every number has a code of its own; else empty

    @property
    def numeric(self) -> bool:
        return isinstance(self.attribute, Numeric)

    @property
    def ordered(self) -> bool:
        """Are codes cut, as numbers and ordinal values are, or grouped?"""
        return not isinstance(self.attribute, Nominal)

    @property
    def steps(self) -> Floats:
        """[code] what stands for it where codes are compared: its number on the ladder, else the code."""
        return self.ladder if len(self.ladder) else np.arange(self.known, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Coding:
    """How columns are coded; made once from the training rows, and the same for whatever is coded later."""

    columns: tuple[ColumnCoding, ...]  # in schema order; text and ignored columns have no codes

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def positions(self) -> tuple[int, ...]:
        """[column] its place in the schema."""
        return tuple(each.position for each in self.columns)

    @property
    def known(self) -> tuple[int, ...]:
        """[column] how many codes there are for what is known."""
        return tuple(each.known for each in self.columns)


@dataclass(frozen=True, slots=True, eq=False)
class CodedColumns:
    """The columns of a table, coded."""

    coding: Coding
    columns: tuple[Code, ...]  # [column][row]
    rows: int

    def native(self) -> PackedColumns:
        """The columns as native learners take them."""
        columns, nothing = self.coding.columns, np.empty(0)
        return (
            list(self.columns),
            list(self.coding.known),
            [_KINDS.index(type(each.attribute)) for each in columns],
            [each.ladder for each in columns],
            [nothing if len(each.ladder) else each.cuts for each in columns],
        )

    def cells(self, column: int) -> Column:
        """[row] numbers, or steps between given cuts, NaN where missing; of values codes, or MISSING."""
        coding, codes = self.coding.columns[column], self.columns[column]
        if coding.numeric:
            return np.append(coding.steps, np.nan)[codes]
        return np.where(codes == coding.known, np.int32(MISSING), codes.astype(np.int32))


def coding_of(
    table: Table, bins: int | None = MOST_IN_A_BYTE, cuts: Mapping[str, Sequence[float]] | None = None
) -> Coding:
    """The coding of a table's columns: numbers by at most `bins` cuts, ALL_MIDPOINTS for every one; None for
    ladders, a code for each distinct number.

    Cuts lie midway between neighbouring numbers. Where there are more than `bins` of them, those are taken
    between which the rows weigh about the same: a number that outweighs its part has a bin of its own, and
    the others share what is left. Cuts that are given by column, or by the schema, are the only ones. Rows
    without weight are absent.

    >>> from clearwood.table.schema import Schema
    >>> x = np.array([1.0, 2.0, 2.0, np.nan, 8.0])
    >>> table = Table(Schema((Numeric("x"), Nominal("colour", ("red", "green")))),
    ...     {"x": x, "colour": np.array([0, 1, -1, -2, 1], dtype=np.int32)})
    >>> coding = coding_of(table)
    >>> coding.columns[0].cuts.tolist(), coding.known
    ([1.5, 5.0], (3, 2))
    >>> [column.tolist() for column in codes_of(table, coding).columns]
    [[0, 1, 1, 3, 2], [0, 1, 2, 2, 1]]
    >>> coding_of(table, None).columns[0].ladder.tolist()
    [1.0, 2.0, 8.0]
    """
    given: dict[str, Sequence[float]] = {
        each.name: each.cuts for each in table.schema.attributes if isinstance(each, Numeric)
    } | dict(cuts or {})
    free = [name for name, ends in given.items() if not ends and (cuts is None or name not in cuts)]
    numbers = [table.columns[name] for name in free]
    weights = None if table.weights is None else np.ascontiguousarray(table.weights, dtype=np.float64)
    if bins is None:
        found = _native.column_ladders(numbers, len(table), weights)
    else:
        found = _native.column_cuts(numbers, len(table), weights, bins)
    by_name = dict(zip(free, found, strict=True))
    nothing = np.empty(0)
    columns = []
    for position, attribute in enumerate(table.schema.attributes):
        if isinstance(attribute, Nominal | Ordinal):
            columns.append(ColumnCoding(attribute, position, len(attribute.values), nothing, nothing))
        elif isinstance(attribute, Numeric):
            name = attribute.name
            ends = by_name.get(name, np.asarray(given[name], dtype=np.float64))
            ladder = ends if bins is None and name in by_name else nothing
            ends = ends[:-1] if len(ladder) else ends
            columns.append(ColumnCoding(attribute, position, len(ends) + 1, ends, ladder))
    return Coding(tuple(columns))


def codes_of(table: Table, coding: Coding) -> CodedColumns:
    """A table's columns in a coding: that of this table, or of another with the same schema."""
    cells = [table.columns[each.attribute.name] for each in coding.columns]
    values = [0 if each.numeric else each.known for each in coding.columns]
    columns = _native.column_codes(cells, values, [each.cuts for each in coding.columns], len(table))
    return CodedColumns(coding, tuple(columns), len(table))


def on_ladders(table: Table) -> CodedColumns:
    """A table's columns with a code for each distinct number; where the schema gives cuts, for each step."""
    return codes_of(table, coding_of(table, None))


def interval_codes(column: Column, cuts: Sequence[float] | Floats, missing: int = MISSING) -> Ints:
    """[row] the interval of each number, low < x ≤ high: how many cuts lie below it; `missing` for none.

    >>> interval_codes(np.array([1.0, 2.5, 9.0, np.nan]), (2.5, 5.0)).tolist()
    [0, 0, 2, -1]
    """
    ends = np.asarray(cuts, dtype=np.float64)
    (codes,) = _native.column_codes([column], [0], [ends], len(column))
    return np.where(codes > len(ends), np.int32(missing), codes.astype(np.int32))


def numbers_of(attribute: Numeric, cells: Column) -> Floats:
    """[row] what a number is compared as: itself, or its step between the cuts that the schema gives.

    >>> numbers_of(Numeric("x", (2.5, 5.0)), np.array([1.0, 9.0, np.nan])).tolist()
    [0.0, 2.0, nan]
    """
    if not attribute.cuts:
        return cells.astype(np.float64, copy=False)
    steps = interval_codes(cells, attribute.cuts)
    return np.where(steps < 0, np.nan, steps.astype(np.float64))
