"""A walk: how far a model has come with a box of rows, and what it asks of them next."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

from clearwood.audit.axes import Domains

_LATER: Final = 0.8  # what a step counts, beside the one before it

Ask: TypeAlias = tuple[int, int]  # a column, and the groups of cells that satisfy a condition on it
WalkStep: TypeAlias = tuple[Hashable, tuple[Ask, ...]]  # by its identity what may come; its questions


class Walk(Protocol):
    """One model on its way through a box of rows.

    `steps` are what the model may still do, in its order, each with the conditions on which rows of the box
    differ, none where they no longer do. Walks of equal `key` give every row of the box the same shares and
    answer. `answer` is a tuple with the one answer that all rows of the box get, where that is certain
    already, else None. `ends` are the least and the largest figure (the share of the class asked about, or
    the number) that they can get; None where that is not known.
    """

    @property
    def steps(self) -> tuple[WalkStep, ...]: ...
    @property
    def key(self) -> Hashable: ...
    @property
    def answer(self) -> tuple[object] | None: ...
    @property
    def ends(self) -> tuple[float, float] | None: ...

    def within(self, box: Domains) -> Walk:
        """The same walk with a smaller box, as far as it now goes without asking."""
        ...


@dataclass(slots=True)
class Identities:
    """A number for whatever is the same: subtrees, leaves and rules of several models share them."""

    numbers: dict[Hashable, int] = field(default_factory=dict)

    def of(self, thing: Hashable) -> int:
        return self.numbers.setdefault(thing, len(self.numbers))


def ask_of(walks: tuple[Walk, ...]) -> Ask | None:
    """The condition to divide a box by: of two walks, one by which they differ; None where all is settled.

    Two models share most of what they ask where one was made from the other. What both ask, at the same
    place, need not be decided to see that they answer alike. Of the others that one is taken which most
    steps ask: a short step counts more than a long one, since it is nearer to its end, and an early one more
    than those that may never be taken.
    """
    if len(walks) == 2:
        one, other = walks[0].steps, walks[1].steps
        unlike = [(place, step) for place, step in enumerate(one) if other[place : place + 1] != (step,)]
        unlike += [(place, step) for place, step in enumerate(other) if one[place : place + 1] != (step,)]
        asked = _most_asked(unlike)
        if asked is not None:
            return asked
    return _most_asked([placed for walk in walks for placed in enumerate(walk.steps)])


def _most_asked(steps: Iterable[tuple[int, WalkStep]]) -> Ask | None:
    weights: dict[Ask, float] = {}
    for place, (_, asks) in steps:
        weight = 0.5 ** len(asks) * _LATER**place
        for ask in asks:
            weights[ask] = weights.get(ask, 0.0) + weight
    return max(weights, key=weights.__getitem__) if weights else None
