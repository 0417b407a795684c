"""A selector as the list has it: its function, a line about it, and what its scores are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class ColumnScore:
    """A column's score, other figures about it by name, and whether a selector that chooses would keep it."""

    name: str
    score: float
    figures: Mapping[str, float] = field(default_factory=dict)
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class ColumnOrder:
    """The columns, the best first, and what there is to say about how they were ordered."""

    columns: tuple[ColumnScore, ...]
    notes: tuple[str, ...] = ()


OrderOf: TypeAlias = Callable[..., ColumnOrder]  # (rows, keep, **settings)


@dataclass(frozen=True, slots=True)
class Selector:
    """`order` takes rows with a known target, the number of columns to keep or None, and its settings.

    A selector that `chooses` says itself how many columns to keep where nobody does; of another's order,
    those above 0 are kept. `of_numbers`: may the target be a number? `needs_learner`: it tries a learner,
    which has to be given.
    """

    order: OrderOf
    about: str
    score: str
    chooses: bool = False
    of_numbers: bool = True
    needs_learner: bool = False


def best_first(columns: Sequence[ColumnScore]) -> tuple[ColumnScore, ...]:
    """By score; of equally good ones the first of the schema is the first here."""
    return tuple(sorted(columns, key=lambda each: -each.score))
