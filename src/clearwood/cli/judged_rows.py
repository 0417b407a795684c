"""Rows that judge a saved model: coded as it codes them, and what must be known where they made it."""

from __future__ import annotations

from clearwood.cli.source_options import Reading
from clearwood.cli.sources import coded_for, raw_in
from clearwood.errors import SchemaError, no_such
from clearwood.models.model import Model
from clearwood.predict.columns import columns_used
from clearwood.study.scoring_rows import notes_on_rows
from clearwood.table.raw import Raw
from clearwood.table.table import Table


def judged_rows_in(data: str, model: Model, reading: Reading) -> tuple[Table, list[str]]:
    """The rows of a file that has the true answers, and whether the model was learned from them."""
    return judged_rows_of(raw_in(data, reading), model)


def judged_rows_of(raw: Raw, model: Model) -> tuple[Table, list[str]]:
    """The same of rows that are read already."""
    target = model.schema.target
    assert target is not None
    if target.name not in raw.names:
        true = "numbers" if model.is_numeric else "classes"
        raise SchemaError(f"{raw.where} lacks the true {true}. {no_such('column', target.name, raw.names)}")
    return coded_for(model, raw, only=columns_used(model)), _on_rows(model, raw)


def _on_rows(model: Model, raw: Raw) -> list[str]:
    if not {each.name for each in model.schema.attributes} <= set(raw.names):
        return []  # rows that lack a column are others
    return list(notes_on_rows(model, coded_for(model, raw)))
