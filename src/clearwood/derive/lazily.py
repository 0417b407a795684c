"""Rows of a grid made when they are looked at, since a tree has thousands of grids, and a column of cuts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, overload

from clearwood.derive.figures import Cell

Row: TypeAlias = tuple[Cell, ...]


class Lazily(Sequence[Row]):
    """So many rows; what makes one from its number is itself made when the first is looked at.

    >>> rows = Lazily(1000, lambda: lambda i: (i, i * i))
    >>> len(rows), rows[7], rows[-2:]
    (1000, (7, 49), [(998, 996004), (999, 998001)])
    """

    def __init__(self, size: int, make: Callable[[], Callable[[int], Row]]) -> None:
        self._size = size
        self._make = make
        self._row: Callable[[int], Row] | None = None

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        if self._row is None:
            self._row = self._make()
        if isinstance(place, slice):
            return [self._row(i) for i in range(*place.indices(self._size))]
        return self._row(range(self._size)[place])
