"""Rows that judge a saved model: coded as it codes them, what it met in them, and whether they made it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from clearwood.cli.answering import UnusableCounts, unusable_in
from clearwood.cli.sources import Reading, coded_for, raw_in
from clearwood.errors import SchemaError, no_such
from clearwood.models.columns_used import columns_used
from clearwood.models.model import Model
from clearwood.predicting.columns import column_for
from clearwood.predicting.unusable import unusable_cells
from clearwood.scoring.evaluation import foreign_rows
from clearwood.study.known_rows import notes_on_rows
from clearwood.study.profiling import Drifted, drift_since_training, drift_words
from clearwood.table.attributes import Nominal, Ordinal, natural_order
from clearwood.table.coding import as_strings
from clearwood.table.raw import Raw
from clearwood.table.table import UNSEEN, Table
from clearwood.words.numbers import many

_MOST: Final = 6  # columns of which a sentence is printed


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
        return [*self._classes(), *cells, *drift_words(self.drift)]

    def _classes(self) -> list[str]:
        target = self.model.schema.target
        if not self.foreign or not isinstance(target, Nominal | Ordinal):
            return []
        return [foreign_rows(target, sum(self.foreign.values()), natural_order(self.foreign))]

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
    return UnusualRows(model, counts, drift_since_training(model, table), _foreign(raw, model, table))


def _foreign(raw: Raw, model: Model, table: Table) -> dict[str, int]:
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


def evaluation_rows_in(data: str, model: Model, reading: Reading) -> tuple[Table, list[str], UnusualRows]:
    """The rows of a file that has the true answers, whether the model was learned from them, and what it
    meets in them."""
    return evaluation_rows_of(raw_in(data, reading), model)


def evaluation_rows_of(raw: Raw, model: Model) -> tuple[Table, list[str], UnusualRows]:
    """The same of rows that are read already."""
    target = model.schema.target
    assert target is not None
    if target.name not in raw.names:
        true = "numbers" if model.is_numeric else "classes"
        raise SchemaError(f"{raw.where} lacks the true {true}. {no_such('column', target.name, raw.names)}")
    table = coded_for(model, raw, only=columns_used(model))
    return table, _on_rows(model, raw), unusual_rows(raw, model, table)


def _on_rows(model: Model, raw: Raw) -> list[str]:
    if not {each.name for each in model.schema.attributes} <= set(raw.names):
        return []  # rows that lack a column are others
    return list(notes_on_rows(model, coded_for(model, raw)))
