"""A profile of the training rows: what each column held, so that later rows can be compared with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class ValuesProfile:
    """A nominal or ordinal column: the weight of each value, in the schema's order, and of empty cells."""

    counts: tuple[float, ...]
    missing: float = 0.0


@dataclass(frozen=True, slots=True)
class NumbersProfile:
    """A numeric column: mean and standard deviation, and the numbers at equal steps from least to largest.

    `quantiles` has 21 of them, at 0, 5, … 100 %; it is empty where every cell was.
    """

    mean: float | None
    deviation: float | None
    quantiles: tuple[float, ...]
    known: float
    missing: float = 0.0


@dataclass(frozen=True, slots=True)
class TextProfile:
    """A column of texts: how many, and how many words one has on average."""

    known: float
    words: float
    missing: float = 0.0


ColumnProfile: TypeAlias = ValuesProfile | NumbersProfile | TextProfile


@dataclass(frozen=True, slots=True)
class Profile:
    """Each column of the training rows by its name, the target among them; their number and weight."""

    rows: int
    weight: float
    columns: Mapping[str, ColumnProfile] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", MappingProxyType(dict(self.columns)))

    def __reduce__(self) -> tuple[object, ...]:
        # A view cannot be pickled or copied: what it shows can.
        return Profile, (self.rows, self.weight, dict(self.columns))
