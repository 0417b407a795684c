"""A Table: coded columns under a schema.

Nominal and ordinal columns hold `int32` codes, the position of each value in the schema, with
MISSING for an empty cell and UNSEEN for a value the schema doesn't list. Numeric columns hold
floats (32 or 64 bit, possibly a strided view of the caller's array), NaN for an empty cell. Text
columns hold an object array of `str` or `None`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, replace
from typing import Any, Final, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools
from clearwood.errors import Advice, SchemaError
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.raw import NumberCells
from clearwood.table.schema import Schema, WeightsAre, check_meaning, in_rows
from clearwood.table.schema import Weights as Weights
from clearwood.words.numbers import many

Column: TypeAlias = npt.NDArray[Any]  # [row] codes, floats or strings

MISSING: Final = -1
UNSEEN: Final = -2


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Encoded columns by name, including the target, with row weights and notes on what was guessed.

    A column that does not hold what the schema says is refused by name. `weights_are` says what the weights
    mean: what the schema says unless given, and counts where neither does. They are held on the scale of
    rows, of the rows that are here: sampling weights add up to Kish's effective number of them, importance
    weights to their number, so that whoever counts rows, in a fold or a leaf, needs no other rule.
    """

    schema: Schema
    columns: Mapping[str, Column]
    weights: Weights | None = None
    notes: tuple[str, ...] = ()
    rows: int | None = None  # how many, where every column is ignored and none can tell
    weights_are: WeightsAre | None = None  # None without weights

    places: npt.NDArray[np.int64] | None = None  # [row] in the table it was taken from, where it was
    together: npt.NDArray[np.int64] | None = None  # [row] its group: rows of one are never divided
    times: npt.NDArray[np.float64] | None = None  # [row] when it is from: later rows never teach earlier ones
    # [row] 64 bits of what is in it, once they were asked for (`table/folding.py`); rows taken keep theirs.
    keys: npt.NDArray[np.uint64] | None = field(default=None, init=False, repr=False)

    checked: InitVar[bool] = False  # True where the columns come from a table, and need no second look

    def __post_init__(self, checked: bool) -> None:
        if not checked:
            for attribute in (*self.schema.attributes, *([self.schema.target] if self.schema.target else [])):
                if attribute.name in self.columns:
                    _check(attribute, self.columns[attribute.name])
            if self.weights is not None:
                object.__setattr__(self, "weights", _as_weights(self.weights))
            lengths = {len(column) for column in self.columns.values()}
            if self.weights is not None:
                lengths.add(len(self.weights))
            if self.together is not None:
                lengths.add(len(self.together))
            if self.times is not None:
                lengths.add(len(self.times))
            if len(lengths) > 1:
                raise SchemaError(f"Columns differ in length: {sorted(lengths)} rows.")
        meaning = None
        if self.weights is not None:
            meaning = check_meaning(self.weights_are or self.schema.weights_are or "counts")
            object.__setattr__(self, "weights", in_rows(self.weights, meaning))
        object.__setattr__(self, "weights_are", meaning)

    def __len__(self) -> int:
        first = next(iter(self.columns.values()), None)
        return self.rows or 0 if first is None else len(first)

    @property
    def target(self) -> Column:
        """The target's column; a sentence if the table has none."""
        if self.schema.target is None or self.schema.target.name not in self.columns:
            raise SchemaError("This table has no target. Name the column to predict: ", Advice("target"), ".")
        return self.columns[self.schema.target.name]

    def __repr__(self) -> str:
        target = f", target '{self.schema.target.name}'" if self.schema.target else ""
        return f"<Table: {many(len(self), 'row')}, {many(len(self.schema.inputs), 'input')}{target}>"

    def __str__(self) -> str:
        from clearwood.table.describe import describe

        return f"{len(self):,} {'row' if len(self) == 1 else 'rows'}\n{describe(self.schema, self)}"

    def take(self, rows: npt.NDArray[Any]) -> Table:
        """The table of these rows (positions, or a mask), in this order."""
        weights = None if self.weights is None else self.weights[rows]
        places = (np.arange(len(self)) if self.places is None else self.places)[rows]
        together = None if self.together is None else self.together[rows]
        times = None if self.times is None else self.times[rows]
        taken = replace(
            self,
            columns={name: column[rows] for name, column in self.columns.items()},
            weights=weights,
            rows=len(places),
            places=places,
            together=together,
            times=times,
            checked=True,
        )
        if self.keys is not None:
            object.__setattr__(taken, "keys", self.keys[rows])
        return taken

    def row_number(self, row: int) -> int:
        """What a sentence calls this row: its number, from 1, in the table that was read.

        >>> from clearwood.table.attributes import Numeric
        >>> table = Table(Schema((Numeric("x"),)), {"x": np.array([1.0, 2.0, 3.0])})
        >>> table.take(np.array([2])).row_number(0)
        3
        """
        return int(row if self.places is None else self.places[row]) + 1


def as_counts(table: Table) -> Table:
    """The table with its weights as they stand, to be kept by every part that is taken of it.

    What is taken of sampling or importance weights is scaled by its own rows. Parts that are added up again,
    such as the rows held out by fold after fold, must stay on one scale.
    """
    return table if table.weights is None else replace(table, weights_are="counts", checked=True)


def empty_cells(column: Column) -> Bools:
    """[row] is there no cell, or one with a value that the schema does not list?"""
    if column.dtype == np.object_:
        return np.array([cell is None for cell in column], dtype=np.bool_)
    return column < 0 if column.dtype == np.int32 else np.isnan(column)


def missing_cells(column: Column) -> Bools:
    """[row] is there no cell? One with a value that the schema does not list is there."""
    return column == MISSING if column.dtype == np.int32 else np.isnan(column)


def _check(attribute: Attribute, column: Column) -> None:
    """Refuse a column of the wrong type or shape, or with codes beyond the attribute's values."""
    match attribute:
        case Nominal(_, values) | Ordinal(_, values):
            _demand(attribute, column, (np.int32,), "int32 codes")
            if len(column) and not UNSEEN <= int(column.min()) <= int(column.max()) < len(values):
                row = int(np.argmax((column < UNSEEN) | (column >= len(values))))
                raise SchemaError(
                    f"Column '{attribute.name}', row {row + 1}: the code {column[row]} stands for none "
                    f"of its {len(values)} values. Codes count from 0; {MISSING} is missing, {UNSEEN} unseen."
                )
        case Numeric():
            _demand(attribute, column, (np.float32, np.float64), "float32 or float64 numbers")
        case Text():
            _demand(attribute, column, (np.object_,), "objects, each a str or None")
        case Ignored():
            pass
        case _:
            assert_never(attribute)


def _demand(attribute: Attribute, column: Column, kinds: tuple[type[Any], ...], expected: str) -> None:
    if not isinstance(column, np.ndarray) or column.ndim != 1 or column.dtype not in kinds:
        actual = type(column).__name__
        if isinstance(column, np.ndarray):
            actual = f"{column.dtype}" if column.ndim == 1 else f"an array of {column.ndim} dimensions"
        raise SchemaError(
            f"Column '{attribute.name}' is {attribute.kind} and must be an array of {expected}, "
            f"not {actual}. Convert it, or let read_table code it."
        )


def _as_weights(weights: npt.NDArray[Any]) -> Weights:
    numbers = np.asarray(weights)
    if numbers.ndim != 1 or numbers.dtype.kind not in "fiub":
        raise SchemaError(
            f"Weights must be one number per row, not {numbers.dtype} of {numbers.ndim} dimensions."
        )
    return numbers.astype(np.float64, copy=False)


# Sparse columns: only numbers other than 0 are kept, and a column is made dense when it is asked for.


class SparseColumns(Mapping[str, npt.NDArray[Any]]):
    """The columns of a scipy matrix (CSC, 64-bit floats), by name, and beside them some that are dense.

    Whoever asks for a column gets an array of its own, for as long as he holds it. The dense ones come first:
    how many rows there are is then soon seen.
    """

    def __init__(
        self, matrix: Any, names: Sequence[str], dense: Mapping[str, npt.NDArray[Any]] | None = None
    ) -> None:
        self.matrix = matrix
        self.dense = dict(dense or {})
        self._names = tuple(names)
        self._places = {name: place for place, name in enumerate(names)}

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        if name in self.dense:
            return self.dense[name]
        place = self._places[name]
        column = np.zeros(self.matrix.shape[0])
        stored = slice(self.matrix.indptr[place], self.matrix.indptr[place + 1])
        column[self.matrix.indices[stored]] = self.matrix.data[stored]
        return column

    def __contains__(self, name: object) -> bool:
        return name in self.dense or name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter((*self.dense, *self._names))

    def __len__(self) -> int:
        return len(self.dense) + len(self._names)

    def cells(self, names: Sequence[str]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], NumberCells]:
        """What is stored of these columns: of each cell the position of its column among them, its row, its
        number."""
        places = np.array([self._places[name] for name in names], dtype=np.int64)
        starts, ends = self.matrix.indptr[places], self.matrix.indptr[places + 1]
        held = [np.arange(start, end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        stored = np.concatenate(held) if held else np.zeros(0, np.int64)
        of = np.repeat(np.arange(len(places), dtype=np.int32), ends - starts)
        return of, self.matrix.indices[stored].astype(np.int64), self.matrix.data[stored]

    def of(self, names: Sequence[str]) -> Any:
        """The matrix of these columns."""
        places = [self._places[name] for name in names]
        return self.matrix if places == [*range(self.matrix.shape[1])] else self.matrix[:, places]

    def counts(self, names: Sequence[str]) -> Any:
        """A matrix of these columns with what is above 0 and nothing else, to be multiplied by −∞ too."""
        part = self.of(names).copy()
        part.data[~(part.data > 0)] = 0.0
        part.eliminate_zeros()
        return part

    @property
    def known(self) -> bool:
        """Is no cell empty?"""
        return not np.isnan(self.matrix.data).any()


# Columns set aside: still known to the schema, but no learner sees them.


def set_aside(table: Table, names: Collection[str], because: str) -> Table:
    """The table in which these columns are ignored, with the reason; the target cannot be.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> set_aside(days, ["Wind"], "it is protected").schema["Wind"]
    Ignored(name='Wind', because='it is protected')
    """
    schema = table.schema
    for name in names:
        if schema.target is not None and name == schema.target.name:
            raise SchemaError(f"'{name}' is what is predicted: it cannot be set aside. Name another column.")
        schema[name]  # a name that there is none of is refused
    gone = set(names)
    if not any(name in table.columns for name in gone):
        return table
    attributes = tuple(
        Ignored(each.name, because) if each.name in gone and not isinstance(each, Ignored) else each
        for each in schema.attributes
    )
    if isinstance(table.columns, SparseColumns):
        raise SchemaError("Columns of a sparse table cannot be set aside. Leave them out when it is made.")
    columns = {name: column for name, column in table.columns.items() if name not in gone}
    return replace(
        table, schema=replace(schema, attributes=attributes), columns=columns, rows=len(table), checked=True
    )
