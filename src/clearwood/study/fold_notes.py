"""Notes of folds: a warning from learning on a part of the rows is passed on with the fold that gave it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from clearwood.advice import Sentence
from clearwood.errors import ClearwoodError, ClearwoodWarning
from clearwood.learners.kept_warnings import give_again, kept_warnings

_MOST_NAMED: Final = 5  # folds; of more, their number is enough


@dataclass(slots=True)
class FoldNotes:
    """Warnings by their text, with the folds (or what the `noun` says), counted from 1, that gave them."""

    folds: dict[Sentence, list[int]] = field(default_factory=dict)
    noun: str = "fold"

    @contextmanager
    def of(self, fold: int) -> Iterator[None]:
        """Keep the warnings while the block learns from this fold; a refusal names the fold."""
        with kept_warnings() as caught:
            try:
                yield
            except ClearwoodError as error:
                raise type(error)(f"In {self.noun} {fold}: ", error.sentence, place=error.place) from error
        self.add(fold, caught)

    def add(self, fold: int, caught: Sequence[warnings.WarningMessage]) -> None:
        """Ours are kept, others passed on."""
        for each in caught:
            if not isinstance(each.message, ClearwoodWarning):
                give_again([each])
                continue
            given = self.folds.setdefault(each.message.sentence, [])
            if fold not in given:
                given.append(fold)

    def warn(self, count: int) -> None:
        """Pass them on, equal ones once."""
        for sentence in sentences_of(self.folds, count, self.noun):
            warnings.warn(sentence, ClearwoodWarning, stacklevel=3)


def sentences_of(folds: Mapping[Any, Sequence[int]], count: int, noun: str = "fold") -> list[Sentence]:
    """Each note, with its advice, after the folds, out of `count`, that gave it.

    >>> sentences_of({"No row is 'good'.": [3], "Too few rows.": [1, 4]}, 10)
    ["In fold 3 of 10: No row is 'good'.", 'In 2 of 10 folds (1, 4): Too few rows.']
    """
    return [Sentence(f"{_where(given, count, noun)}: ", text) for text, given in folds.items()]


def _where(given: Sequence[int], count: int, noun: str) -> str:
    if len(given) == count:
        return f"In each of the {count} {noun}s" if count > 1 else f"In the one {noun}"
    if len(given) == 1:
        return f"In {noun} {given[0]} of {count}"
    named = f" ({', '.join(map(str, given))})" if len(given) <= _MOST_NAMED else ""
    return f"In {len(given)} of {count} {noun}s{named}"
