"""A lazy sequence: so many things, each made when it is looked at. A large tree has thousands of steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Generic, TypeVar, overload

Item = TypeVar("Item")


class Lazy(Sequence[Item], Generic[Item]):
    """So many, each made from its place; a part of them is as lazy.

    >>> squares = Lazy(1000, lambda place: place * place)
    >>> len(squares), squares[7], list(squares[-2:])
    (1000, 49, [996004, 998001])
    """

    def __init__(self, size: int, make: Callable[[int], Item]) -> None:
        self._places = range(size)
        self._make = make

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> Lazy[Item]: ...
    def __getitem__(self, place: int | slice) -> Item | Lazy[Item]:
        if isinstance(place, slice):
            part = self._places[place]
            return Lazy(len(part), lambda i: self._make(part[i]))
        return self._make(self._places[place])


def each_by(makers: Sequence[Callable[[], Item]]) -> Lazy[Item]:
    """What each of the makers makes, in their order.

    >>> made = each_by([lambda: "first", lambda: str(1 / 0)])
    >>> len(made), made[0]
    (2, 'first')
    """
    return Lazy(len(makers), lambda place: makers[place]())


def prepared(size: int, prepare: Callable[[], Callable[[int], Item]]) -> Lazy[Item]:
    """So many; what makes one from its place is itself made, once, when the first is looked at.

    >>> rows = prepared(1000, lambda: lambda place: (place, place * place))
    >>> rows[7], list(rows[-2:])
    ((7, 49), [(998, 996004), (999, 998001)])
    """
    once = cache(prepare)
    return Lazy(size, lambda place: once()(place))


def chained(*parts: Sequence[Item]) -> Lazy[Item]:
    """Several sequences, one after the other."""
    return each_by([partial(part.__getitem__, place) for part in parts for place in range(len(part))])
