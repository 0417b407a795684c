"""What `calibration` does: a model's shares beside what came true."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from clearwood.cli.learning import choice
from clearwood.cli.options import Output, Reading
from clearwood.cli.output import answer, note
from clearwood.cli.sources import coded_for, load_model, raw_in
from clearwood.errors import SchemaError, no_such
from clearwood.predict.columns import columns_used
from clearwood.scoring.calibration import calibration


def run(model: Path, data: str, reading: Reading, output: Output, *, bins: int, by: str) -> None:
    """Judge the shares by rows whose class is known."""
    loaded = load_model(model)
    if loaded.is_numeric:
        raise SchemaError("This model predicts numbers, which have no shares to compare.")
    target = loaded.schema.target
    assert target is not None
    raw = raw_in(data, reading)
    if target.name not in raw.names:
        raise SchemaError(f"{raw.where} lacks the true classes. {no_such('column', target.name, raw.names)}")
    table = coded_for(loaded, raw, only=columns_used(loaded))
    note(table.notes, output)
    judged = calibration(loaded, table, bins=bins, by=choice("way", by, Literal["width", "rows"]))
    answer(output, text=lambda: str(judged), data=judged.to_json, notes=table.notes)
