"""Steps on demand: a sequence of steps, each made when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import overload

from clearwood.working.derivation import Step


class OnDemand(Sequence[Step]):
    """A step for each of the makers, in their order.

    >>> steps = OnDemand([lambda: Step("growing", "first", (), "taken"), lambda: 1 / 0])
    >>> len(steps), steps[0].title
    (2, 'first')
    """

    def __init__(self, makers: Sequence[Callable[[], Step]]) -> None:
        self._makers = tuple(makers)

    def __len__(self) -> int:
        return len(self._makers)

    @overload
    def __getitem__(self, place: int) -> Step: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Step]: ...

    def __getitem__(self, place: int | slice) -> Step | Sequence[Step]:
        if isinstance(place, slice):
            return OnDemand(self._makers[place])
        return self._makers[place]()


def joined(*parts: Sequence[Step]) -> OnDemand:
    """The steps of several sequences, one after the other, still made when they are asked for."""
    return OnDemand([partial(part.__getitem__, place) for part in parts for place in range(len(part))])
