"""Sparse columns: only numbers other than 0 are kept, and a column is made dense when it is asked for."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood.errors import SchemaError
from clearwood.table.attributes import Ignored
from clearwood.table.raw import NumberCells
from clearwood.table.table import Table


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
        table,
        schema=replace(schema, attributes=attributes),
        columns=columns,
        rows=len(table),
        checked=True,
    )
