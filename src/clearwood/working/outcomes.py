"""Outcomes: what a step of a derivation decided, as data from which the model can be put together again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from clearwood.models.conditions import Condition
from clearwood.models.rule_list import Rule
from clearwood.models.tree import Surrogate


@dataclass(frozen=True, slots=True)
class BecameSplit:
    """A node became a split: its branches in order, their shares, and the scores that decided.

    `counts` are the node's own; `surrogates` and `otherwise` say where a row goes that no branch takes.
    """

    branches: tuple[Condition, ...]
    shares: tuple[float, ...]
    scores: tuple[tuple[str, float], ...]
    counts: tuple[float, ...] = ()
    surrogates: tuple[Surrogate, ...] = ()
    otherwise: int | None = None


@dataclass(frozen=True, slots=True)
class Stopped:
    """A node stayed a leaf, with these counts."""

    counts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A split, a rule or a condition was looked at again, and stayed.

    `place` here and below is a split's number in the tree as it was before the pruning.
    """

    place: int | None = None


@dataclass(frozen=True, slots=True)
class BecameLeaf:
    """A split became a leaf."""

    place: int | None = None


@dataclass(frozen=True, slots=True)
class Raised:
    """A split gave way to its branch of this number, from 0."""

    branch: int
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """A rule was added at the end of the list."""

    rule: Rule


@dataclass(frozen=True, slots=True)
class Became:
    """A rule became another, or went (None)."""

    before: Rule
    after: Rule | None


@dataclass(frozen=True, slots=True)
class Ordered:
    """The rules were put in this order."""

    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Defaulted:
    """The default answer became this; None for no answer."""

    answer: str | float | None


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer was given: a class, a number, or nothing."""

    answer: str | float | None


Outcome: TypeAlias = (
    BecameSplit | Stopped | Kept | BecameLeaf | Raised | Taken | Became | Ordered | Defaulted | Answered
)
