"""Rows that a saved model meets: the cells that it cannot use, and rows that evaluate it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from clearwood.arrays import Bools
from clearwood.cli.sources import coded_for
from clearwood.errors import SchemaError, no_such
from clearwood.models.model import Model
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.columns import column_for
from clearwood.predicting.unusable import Unusable, rule_for_unusable, unusable_cells
from clearwood.scoring.evaluation import foreign_rows
from clearwood.study.known_rows import notes_on_rows
from clearwood.study.profiling import Drifted, drift_since_training, drift_words
from clearwood.table.attributes import Nominal, Ordinal, natural_order
from clearwood.table.coding import as_strings
from clearwood.table.describe import excerpt
from clearwood.table.encoding import CellError
from clearwood.table.raw import Raw
from clearwood.table.table import UNSEEN, Table
from clearwood.words.numbers import many

_NAMED: Final = 3  # values or rows that a sentence lists
_MOST: Final = 6  # columns of which a sentence is printed


@dataclass(frozen=True, slots=True, eq=False)
class UnusableInBlock:
    """The cells of a block that the model could not use, in the rows that are kept.

    `wrong` has those that were taken as missing because they are no numbers, by column and row of the block.
    """

    raw: Raw
    cells: tuple[Unusable, ...]
    wrong: dict[str, dict[int, CellError]]
    before: int  # how many rows came earlier

    def flags(self) -> list[str]:
        """[row] the columns that the model could not use, each with the reason; nothing where it used all."""
        flags_by_row: list[list[str]] = [[] for _ in range(len(self.raw))]
        for each in self.cells:
            wrong = self.wrong.get(each.name, {})
            for row in np.flatnonzero(each.either).tolist():
                reason = "unseen" if each.unseen[row] else "not a number" if row in wrong else "missing"
                flags_by_row[row].append(f"{each.name} {reason}")
        return ["; ".join(row) for row in flags_by_row]

    def refuse(self) -> None:
        """Refuse rows with such cells, the first of them named."""
        if not self.cells:
            return
        rows = np.flatnonzero(np.any([each.either for each in self.cells], axis=0)).tolist()
        named = [self._row(row) for row in rows[:_NAMED]]
        more = f" and {many(len(rows) - _NAMED, 'row', 'rows')} more" if len(rows) > _NAMED else ""
        raise SchemaError(
            f"{self.raw.where}: the model cannot use every cell: {'; '.join(named)}{more}. "
            "Correct the cells, or replace --strict by --flag-cells NAME, which marks such rows."
        )

    def _row(self, row: int) -> str:
        cells = [self._cell(each, row) for each in self.cells if each.either[row]]
        return f"row {self.before + row + 1:,} ({', '.join(cells)})"

    def _cell(self, each: Unusable, row: int) -> str:
        wrong = self.wrong.get(each.name, {}).get(row)
        if wrong is not None:
            return f"{each.name} = '{excerpt(wrong.cell)}' {wrong.wrong}"
        if each.missing[row]:
            return f"{each.name} is empty"
        strings = as_strings(self.raw.columns[self.raw.names.index(each.name)])
        return f"{each.name} = '{strings.values[int(strings.codes[row])]}'"


def unusable_in(
    raw: Raw, cells: Sequence[Unusable], errors: Sequence[CellError], before: int, kept: Bools | None
) -> UnusableInBlock:
    """Those of the rows that are kept (None: all); `errors` are the cells that are no numbers."""
    wrong: dict[str, dict[int, CellError]] = {}
    for error in errors:
        wrong.setdefault(error.column, {})[error.row - before - 1] = error
    if kept is not None:
        cells = [Unusable(each.name, each.unseen & kept, each.missing & kept) for each in cells]
    return UnusableInBlock(raw, tuple(each for each in cells if each.either.any()), wrong, before)


@dataclass(slots=True)
class _UnusableOfColumn:
    """The cells with a new value, the empty ones, those that are no numbers and were taken as missing, and
    what is written in those that are not empty."""

    unseen: int = 0
    missing: int = 0
    wrong: int = 0
    values: list[str] = field(default_factory=list)  # the first few by their order
    wrong_values: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        parts = []
        if self.unseen:
            parts.append(f"{many(self.unseen, 'cell')} with an unseen value ({_listed(self.values)})")
        if self.wrong:
            count = many(self.wrong, "cell that is not a number", "cells that are not numbers")
            parts.append(f"{count} ({_listed(self.wrong_values)}), taken as missing,")
        if self.missing:
            parts.append(many(self.missing, "empty cell"))
        return " and ".join(parts).rstrip(",")


@dataclass(slots=True)
class UnusableCounts:
    """By column, over all blocks, the cells that the model could not use."""

    columns: dict[str, _UnusableOfColumn] = field(default_factory=dict)

    def add(self, block: UnusableInBlock) -> None:
        for each in block.cells:
            column = self.columns.setdefault(each.name, _UnusableOfColumn())
            wrong = [error for row, error in block.wrong.get(each.name, {}).items() if each.missing[row]]
            column.unseen += int(each.unseen.sum())
            column.missing += int(each.missing.sum()) - len(wrong)
            column.wrong += len(wrong)
            if each.unseen.any():
                strings = as_strings(block.raw.columns[block.raw.names.index(each.name)])
                codes = dict.fromkeys(strings.codes[each.unseen].tolist())
                met = [*column.values, *(strings.values[code] for code in codes if code >= 0)]
                # As many as a sentence lists and one more, by an order in which that of the rows has no part.
                column.values = list(natural_order(dict.fromkeys(met))[: _NAMED + 1])
            if len(column.wrong_values) <= _NAMED:
                met = [*column.wrong_values, *(excerpt(error.cell) for error in wrong)]
                column.wrong_values = list(dict.fromkeys(met))

    def notes(self, model: Model) -> list[str]:
        """A sentence for each column."""
        return [f"{name}: {each}; {rule_for_unusable(model, name)}." for name, each in self.columns.items()]

    def to_json(self) -> dict[str, dict[str, int]]:
        """By column how many cells are new values, how many are empty, and how many are no numbers."""
        return {
            name: {"unseen": each.unseen, "missing": each.missing, "not_numbers": each.wrong}
            for name, each in self.columns.items()
        }


def _listed(values: list[str]) -> str:
    return ", ".join(f"'{value}'" for value in values[:_NAMED]) + (", …" if len(values) > _NAMED else "")


@dataclass(frozen=True, slots=True, eq=False)
class UnusualRows:
    """What a model met in rows: cells that it could not use, and columns that have changed since training."""

    model: Model
    unusable: UnusableCounts
    drift: tuple[Drifted, ...]
    foreign: Mapping[str, int]  # rows by the class that they have and the model does not know

    def notes(self) -> list[str]:
        """A sentence on classes that it does not know, one for each column with such cells, and one on those
        that have changed."""
        cells = self.unusable.notes(self.model)
        left = len(cells) - _MOST
        if left > 0:
            more = f"{many(left, 'more column has', 'more columns have')} cells that the model cannot use."
            cells = [*cells[:_MOST], more]
        return [*note_on_classes(self.model, self.foreign), *cells, *drift_words(self.drift)]

    def to_json(self) -> dict[str, Any]:
        return {
            "unusable": self.unusable.to_json(),
            "drift": {each.name: each.to_json() for each in self.drift},
            "unknown_classes": dict(self.foreign),
        }


def unusual_rows(raw: Raw, model: Model, table: Table) -> UnusualRows:
    """What the model meets in these rows, which it has coded as this table."""
    counts = UnusableCounts()
    counts.add(unusable_in(raw, unusable_cells(model, table), (), 0, None))
    return UnusualRows(model, counts, drift_since_training(model, table), unknown_classes(raw, model, table))


def note_on_classes(model: Model, unknown: Mapping[str, int]) -> list[str]:
    """A sentence on the rows of classes that the model does not know, where there are some."""
    target = model.schema.target
    if not unknown or not isinstance(target, Nominal | Ordinal):
        return []
    return [foreign_rows(target, sum(unknown.values()), natural_order(unknown))]


def unknown_classes(raw: Raw, model: Model, table: Table) -> dict[str, int]:
    """The rows whose class the model does not know, by that class as it is written."""
    target = model.schema.target
    if not isinstance(target, Nominal | Ordinal) or not {target.name} <= {*raw.names} & {*table.columns}:
        return {}
    unseen = np.asarray(column_for(target, table)) == UNSEEN
    truth = as_strings(raw.columns[raw.names.index(target.name)])
    counts = np.bincount(truth.codes[unseen], minlength=len(truth.values)).tolist()
    met = dict(zip(truth.values, counts, strict=True))
    return {name: met[name] for name in natural_order(met) if met[name]}


def notes_of_models(met: Mapping[str, UnusualRows]) -> list[str]:
    """What each model met, by its name; what all of them met is said once."""
    by_model = {name: each.notes() for name, each in met.items()}
    common = set.intersection(*map(set, by_model.values())) if by_model else set()
    said = [each for notes in by_model.values() for each in notes if each in common]
    own = [f"{name}: {each}" for name, notes in by_model.items() for each in notes if each not in common]
    return [*dict.fromkeys(said), *own]


def evaluation_rows_of(raw: Raw, model: Model) -> tuple[Table, list[str], UnusualRows]:
    """The rows of a source that has the true answers, whether the model was learned from them, and what it
    meets in them."""
    target = model.schema.predicted
    if target.name not in raw.names:
        true = "numbers" if model.is_numeric else "classes"
        raise SchemaError(f"{raw.where} lacks the true {true}. {no_such('column', target.name, raw.names)}")
    table = coded_for(model, raw, only=columns_used(model))
    return table, _on_rows(model, raw), unusual_rows(raw, model, table)


def _on_rows(model: Model, raw: Raw) -> list[str]:
    if not {each.name for each in model.schema.attributes} <= set(raw.names):
        return []  # rows that lack a column are others
    return list(notes_on_rows(model, coded_for(model, raw)))
