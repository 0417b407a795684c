"""A walk: how far a model has come with a box of rows, and what it asks of them next."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from clearwood.audit.axes import Domains

Ask: TypeAlias = tuple[int, int]  # a column, and the groups of cells that satisfy a condition on it
WalkStep: TypeAlias = tuple[
    Hashable, Ask | None
]  # what is still to come, known by its identity, and its question


class Walk(Protocol):
    """One model on its way through a box of rows.

    `steps` are what the model may still do, each with the condition on which rows of the box differ, or None
    where they no longer do. Walks of equal `key` give every row of the box the same shares and answer.
    `answer` is a tuple with the one answer that all rows of the box get, where that is certain already, else
    None. `ends` are the least and the largest figure (the share of the class asked about, or the number) that
    they can get; None where that is not known.
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
    place, need not be decided to see that they answer alike.
    """
    if len(walks) == 2:
        one, other = walks[0].steps, walks[1].steps
        for place in range(max(len(one), len(other))):
            mine = one[place] if place < len(one) else None
            theirs = other[place] if place < len(other) else None
            if mine is not None and theirs is not None and mine == theirs:
                continue
            for step in (mine, theirs):
                if step is not None and step[1] is not None:
                    return step[1]
    return next((step[1] for walk in walks for step in walk.steps if step[1] is not None), None)
