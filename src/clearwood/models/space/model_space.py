"""What every kind of model answers about its input space."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from clearwood.table.attributes import Nominal, Ordinal

# A column, and bounds at which answers can turn: of low < x ≤ high either end.
ColumnLimits: TypeAlias = tuple[str, Iterable[float]]
# Two columns, and the cuts of both.
PairCuts: TypeAlias = tuple[tuple[str, str], tuple[Sequence[float], Sequence[float]]]


def all_with_a_place(attribute: Nominal | Ordinal) -> list[bool]:
    """Of a model that treats every value of the schema as met."""
    return [False] * len(attribute.values)


class ModelSpace(Protocol):
    """Where the answers of a model can turn."""

    def limits(self) -> Iterable[ColumnLimits]:
        """The bounds of conditions and surrogates, the cuts of curves and tables; a column may come several
        times, and need not be numeric. None where every number counts differently (bells, weights)."""
        ...

    def spans(self) -> Mapping[str, tuple[float, float]]:
        """By numeric column without limits: three standard deviations around every class's mean, from the
        first to the last point of a kernel, from 0 up for counts, anywhere for a weight. A number that never
        varied has no span: it has no influence."""
        ...

    def columns(self) -> Collection[str]:
        """The columns that rows must have to be predicted."""
        ...

    def pairs(self) -> Iterable[PairCuts]:
        """The columns that it has tables for, two by two."""
        ...

    def asked(self, column: str) -> Iterable[str]:
        """Where it asks about a column that it reads, for a sentence."""
        ...

    # Cells that it cannot use: empty, or with a value that was never met.

    def takes_missing(self) -> Collection[str]:
        """The columns whose empty cells the model says something of its own about."""
        ...

    def without_a_place(self, attribute: Nominal | Ordinal) -> list[bool]:
        """[code] Is it a value that the schema lists, but no training row had?"""
        ...

    def unusable(self, column: str) -> str:
        """How the model answers cells of a column that it cannot use, as the end of a sentence."""
        ...

    def usual(self, column: str) -> float | None:
        """The number that it takes an empty cell for; None where it takes it for nothing."""
        ...
