"""Made when looked at: the rows of grids and the figures under figures, of which a tree has thousands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeAlias, TypeVar, overload

from clearwood.working.figures import Cell

Row: TypeAlias = tuple[Cell, ...]
Made = TypeVar("Made")


class Lazily(Sequence[Made], Generic[Made]):
    """So many; what makes one from its number is itself made when the first is looked at.

    >>> rows = Lazily(1000, lambda: lambda i: (i, i * i))
    >>> len(rows), rows[7], rows[-2:]
    (1000, (7, 49), [(998, 996004), (999, 998001)])
    """

    def __init__(self, size: int, make: Callable[[], Callable[[int], Made]]) -> None:
        self._size = size
        self._make = make
        self._one: Callable[[int], Made] | None = None

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> Made: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Made]: ...
    def __getitem__(self, place: int | slice) -> Made | Sequence[Made]:
        if self._one is None:
            self._one = self._make()
        if isinstance(place, slice):
            return [self._one(i) for i in range(*place.indices(self._size))]
        return self._one(range(self._size)[place])
