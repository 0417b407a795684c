"""What `calibration` does: a model's shares beside what came true."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from clearwood.cli.judged_rows import judged_rows_in
from clearwood.cli.learning import literal_choice
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.positive import note_on_positive
from clearwood.cli.source_options import Reading
from clearwood.cli.sources import load_model
from clearwood.errors import SchemaError
from clearwood.scoring.calibration import calibration
from clearwood.scoring.recalibration import recalibration


def run(
    model: Path,
    data: str,
    reading: Reading,
    output: Output,
    *,
    bins: int,
    by: str,
    positive: str | None,
    schema: Path | None,
) -> None:
    """Judge the shares by rows whose class is known."""
    loaded = load_model(model, schema)
    if loaded.is_numeric:
        raise SchemaError("This model predicts numbers, which have no probabilities to compare.")
    table, on_rows, met = judged_rows_in(data, loaded, reading)
    notes = [*table.notes, *on_rows, *met.notes(), *note_on_positive(loaded, positive, "Probabilities are")]
    note(notes, output)
    way: Literal["width", "rows"] = literal_choice("way", by, Literal["width", "rows"])
    judged = calibration(loaded, table, bins=bins, by=way, positive=positive)
    pair = None if loaded.decision.calibration is None else recalibration(loaded, table)
    answer(
        output,
        text=lambda: str(judged) if pair is None else f"{judged}\n\n{pair}",
        data=lambda: judged.to_json() | ({} if pair is None else {"recalibration": pair.to_json()}),
        notes=notes,
    )
