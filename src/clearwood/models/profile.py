"""A profile of the training rows: what each column held, so that later rows can be compared with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Final, TypeAlias

from clearwood.errors import SchemaError
from clearwood.records import dataclass
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema

QUANTILES: Final = 21  # at 0, 5, … 100 %


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
    """Each column of the training rows by its name, the target among them; their number and weight.

    `marks` are sixteen digits by column, from its cells and the answers beside them, whatever the order of
    rows: by them the rows are known again. A model saved before there were any has none. Where the rows were
    a part of a table, the others being held out, `whole_rows` and `whole_marks` are those of that table; 0
    and none where they were all of it, or nobody knows.
    """

    rows: int
    weight: float
    columns: Mapping[str, ColumnProfile] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    whole_rows: int = 0
    whole_marks: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", MappingProxyType(dict(self.columns)))
        object.__setattr__(self, "marks", MappingProxyType(dict(self.marks)))
        object.__setattr__(self, "whole_marks", MappingProxyType(dict(self.whole_marks)))

    def __reduce__(self) -> tuple[object, ...]:
        # A view cannot be pickled or copied: what it shows can.
        whole = (self.whole_rows, dict(self.whole_marks))
        return Profile, (self.rows, self.weight, dict(self.columns), dict(self.marks), *whole)


def check_profile(profile: Profile, schema: Schema) -> None:
    """Refuse a profile of columns that the schema has not, or of another kind."""
    known: dict[str, Attribute] = {each.name: each for each in schema.attributes}
    if schema.target is not None:
        known[schema.target.name] = schema.target
    for name, column in profile.columns.items():
        where = f"profile.columns.{name}"
        match known.get(name), column:
            case (Nominal(_, values) | Ordinal(_, values), ValuesProfile(counts)):
                if len(counts) != len(values):
                    raise SchemaError(f"{where}.counts must be {len(values)} numbers, not {len(counts)}.")
            case (Numeric(), NumbersProfile(_, _, quantiles)):
                if len(quantiles) not in (0, QUANTILES) or list(quantiles) != sorted(quantiles):
                    raise SchemaError(f"{where}.quantiles must be {QUANTILES} ascending numbers, or none.")
            case (Text(), TextProfile()):
                pass
            case (None, _):
                raise SchemaError(f"{where}: the schema has no such column.")
            case _:
                raise SchemaError(f"{where} is not a profile of this kind of column.")
