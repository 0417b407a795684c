"""Data sense: what a careful reader notices in a table before anything is learned from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, Literal, TypeAlias

import numpy as np

from clearwood.advice import Advice, Sentence
from clearwood.records import dataclass, json_of
from clearwood.table.attributes import Attribute, Numeric
from clearwood.table.table import Column, Table

FindingKind: TypeAlias = Literal[
    "leak",
    "identifier",
    "contradictions",
    "duplicates",
    "sentinel",
    "spelling",
    "copy",
    "constant",
    "drift",
]


@dataclass(frozen=True, slots=True)
class Finding:
    """What stands out, in which columns; `severe` is what may make every score too good, or none good.

    `harm`, from 0, orders findings by what they may do to a model. `sentence` may carry advice, as a note
    does.
    """

    kind: FindingKind
    columns: tuple[str, ...]
    sentence: str
    severe: bool = False
    numbers: Mapping[str, float] = field(default_factory=dict)
    harm: float = 0.0

    def __str__(self) -> str:
        return self.sentence

    def to_json(self) -> dict[str, Any]:
        return json_of(self, "sentence")


def leave_out(why: str, name: str, after: str = ".") -> Sentence:
    """What stands out in a column, and the advice to leave it out."""
    return Sentence(why, Advice("ignore", [name]), after)


def given_inputs(table: Table) -> Iterator[tuple[Attribute, Column]]:
    """The columns to learn from that the table has."""
    for attribute in table.schema.inputs:
        if attribute.name in table.columns:
            yield attribute, table.columns[attribute.name]


def filled_cells(attribute: Attribute, cells: Column) -> Column:
    """Those of numbers and values that are not empty."""
    return cells[~np.isnan(cells)] if isinstance(attribute, Numeric) else cells[cells >= 0]
