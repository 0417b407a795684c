"""The input space of a linear model: every number counts differently, and answers turn anywhere."""

from __future__ import annotations

import math
from collections.abc import Iterator

from clearwood.models.kinds.linear.linear_model import (
    LinearModel,
    MissingTerm,
    NumberTerm,
    averaged_columns,
    values_with_a_place,
)
from clearwood.records import dataclass
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.words.numbers import many


@dataclass(frozen=True, slots=True)
class LinearSpace:
    """A weight for each number."""

    model: LinearModel

    def limits(self) -> tuple[()]:
        return ()

    def spans(self) -> dict[str, tuple[float, float]]:
        numbers = (term.name for term in self.model.terms if isinstance(term, NumberTerm))
        return dict.fromkeys(numbers, (-math.inf, math.inf))

    def columns(self) -> tuple[str, ...]:
        return self.model.columns()

    def pairs(self) -> tuple[()]:
        return ()

    def asked(self, column: str) -> Iterator[str]:
        yield f"in {many(sum(term.name == column for term in self.model.terms), 'term')}"

    def takes_missing(self) -> set[str]:
        terms = (*self.model.terms, *self.model.dependent)
        return {term.name for term in terms if isinstance(term, MissingTerm)}

    def without_a_place(self, attribute: Nominal | Ordinal) -> list[bool]:
        with_a_place = frozenset(values_with_a_place(self.model, attribute))
        return [value not in with_a_place for value in attribute.values]

    def unusable(self, column: str) -> str:
        if column in averaged_columns(self.model):
            return "such a cell adds what its column adds on average over the training rows"
        fill = self.model.fills[column]
        return f"such a cell counts as {f'{fill:.6g}' if isinstance(fill, float | int) else fill}"

    def usual(self, column: str) -> float:
        return float(self.model.fills.get(column, 0.0))
