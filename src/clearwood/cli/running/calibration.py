"""What `calibration` does: a model's shares beside what came true."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from clearwood.cli.learning import literal_choice
from clearwood.cli.options import Output, Reading
from clearwood.cli.output import answer, note
from clearwood.cli.sources import coded_for, load_model, raw_in
from clearwood.errors import SchemaError, no_such
from clearwood.learners.fingerprint import fingerprint
from clearwood.models.model import Model
from clearwood.predict.columns import columns_used
from clearwood.scoring.calibration import calibration
from clearwood.study.choosing import chosen_since
from clearwood.study.row_marks import has_seen
from clearwood.table.raw import Raw


def run(
    model: Path,
    data: str,
    reading: Reading,
    output: Output,
    *,
    bins: int,
    by: str,
    schema: Path | None,
) -> None:
    """Judge the shares by rows whose class is known."""
    loaded = load_model(model, schema)
    if loaded.is_numeric:
        raise SchemaError("This model predicts numbers, which have no shares to compare.")
    target = loaded.schema.target
    assert target is not None
    raw = raw_in(data, reading)
    if target.name not in raw.names:
        raise SchemaError(f"{raw.where} lacks the true classes. {no_such('column', target.name, raw.names)}")
    table = coded_for(loaded, raw, only=columns_used(loaded))
    notes = [*table.notes, *_on_rows(loaded, raw)]
    note(notes, output)
    judged = calibration(loaded, table, bins=bins, by=literal_choice("way", by, Literal["width", "rows"]))
    answer(output, text=lambda: str(judged), data=judged.to_json, notes=notes)


def _on_rows(model: Model, raw: Raw) -> list[str]:
    """What must be known where the rows made the model, or chose something of it."""
    if not {each.name for each in model.schema.attributes} <= set(raw.names):
        return []  # rows that lack a column are others
    coded = coded_for(model, raw)
    mark = fingerprint(coded)
    if mark == model.origin.fingerprint or has_seen(model, coded):
        return ["These are the rows that the model was learned from: on others its shares are less good."]
    if chose := chosen_since(model.origin, mark):
        return [f"These rows chose {' and '.join(chose)}: on others the model's shares are less good."]
    return []
