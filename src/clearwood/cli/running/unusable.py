"""What `predict` says of cells that the model could not use: in notes, in JSON, in a column, or refusing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from clearwood.errors import SchemaError
from clearwood.models.model import Model
from clearwood.predict.unusable import Unusable, rule_for_unusable
from clearwood.table.coding import as_strings
from clearwood.table.raw import Raw
from clearwood.words.numbers import many

_NAMED: Final = 3  # values or rows that a sentence lists


@dataclass(slots=True)
class UnusableCounts:
    """By column, over all blocks of rows: the cells with a new value, the empty ones, and the new values."""

    unseen: dict[str, int] = field(default_factory=dict)
    missing: dict[str, int] = field(default_factory=dict)
    values: dict[str, dict[str, None]] = field(default_factory=dict)  # in order of appearance

    def add(self, raw: Raw, cells: Sequence[Unusable]) -> None:
        for each in cells:
            name = each.name
            self.unseen[name] = self.unseen.get(name, 0) + int(each.unseen.sum())
            self.missing[name] = self.missing.get(name, 0) + int(each.missing.sum())
            known = self.values.setdefault(name, {})
            if each.unseen.any() and len(known) <= _NAMED:
                known |= dict.fromkeys(_values(raw, each))

    def notes(self, model: Model) -> list[str]:
        """A sentence for each column."""
        notes = []
        for name in self.unseen:
            parts = []
            if self.unseen[name]:
                values = list(self.values[name])
                more = ", …" if len(values) > _NAMED else ""
                listed = ", ".join(f"'{value}'" for value in values[:_NAMED])
                count = many(self.unseen[name], "cell", "cells")
                parts.append(f"{count} with an unseen value ({listed}{more})")
            if self.missing[name]:
                parts.append(many(self.missing[name], "empty cell", "empty cells"))
            notes.append(f"{name}: {' and '.join(parts)}; {rule_for_unusable(model, name)}.")
        return notes

    def to_json(self) -> dict[str, dict[str, int]]:
        """By column how many cells are new values, and how many are empty."""
        return {name: {"unseen": self.unseen[name], "missing": self.missing[name]} for name in self.unseen}


def flags(cells: Sequence[Unusable], rows: int) -> list[str]:
    """[row] the columns that the model could not use, each with the reason; nothing where it used all."""
    flags_by_row: list[list[str]] = [[] for _ in range(rows)]
    for each in cells:
        for row in np.flatnonzero(each.either).tolist():
            flags_by_row[row].append(f"{each.name} {'unseen' if each.unseen[row] else 'missing'}")
    return ["; ".join(row) for row in flags_by_row]


def refuse_unusable(raw: Raw, cells: Sequence[Unusable], before: int = 0) -> None:
    """Refuse rows with such cells, the first of them named; `before` rows came earlier."""
    if not cells:
        return
    rows = np.flatnonzero(np.any([each.either for each in cells], axis=0)).tolist()
    named = [_row(raw, cells, row, before) for row in rows[:_NAMED]]
    more = f" and {many(len(rows) - _NAMED, 'row', 'rows')} more" if len(rows) > _NAMED else ""
    raise SchemaError(
        f"{raw.where}: the model cannot use every cell: {'; '.join(named)}{more}. "
        "Correct the cells, or replace --strict by --flag-cells NAME, which marks such rows."
    )


def _row(raw: Raw, unusable: Sequence[Unusable], row: int, before: int) -> str:
    cells = [
        f"{each.name} is empty" if each.missing[row] else f"{each.name} = '{_value(raw, each.name, row)}'"
        for each in unusable
        if each.either[row]
    ]
    return f"row {before + row + 1:,} ({', '.join(cells)})"


def _values(raw: Raw, cells: Unusable) -> list[str]:
    """The values never met, in order of appearance, as they were written."""
    strings = as_strings(raw.columns[raw.names.index(cells.name)])
    codes = dict.fromkeys(strings.codes[cells.unseen].tolist())
    return [strings.values[code] for code in codes if code >= 0]


def _value(raw: Raw, name: str, row: int) -> str:
    strings = as_strings(raw.columns[raw.names.index(name)])
    return str(strings.values[int(strings.codes[row])])
