"""`clearwood calibration`: do the classes come as often as the model's shares say?"""

from __future__ import annotations

from typing import Literal

from clearwood.cli.evaluation_options import note_on_positive
from clearwood.cli.options import Data, ModelPath, Output, SchemaOfRules, option, options
from clearwood.cli.output import answer, note
from clearwood.cli.settings import literal_choice
from clearwood.cli.sources import Reading, load_model, raw_in
from clearwood.errors import SchemaError


@options()
class CalibrationOptions:
    """What `clearwood calibration` takes."""

    model: ModelPath
    data: Data
    reading: Reading
    bins: int = option("N", "Lines of the reliability table.", default=10)
    by: str = option(
        "WORD",
        "width: bins of equal width; rows: bins of about equal weight.",
        default="width",
        name="--equal",
    )
    positive: str | None = option("CLASS", "The class whose probabilities are shown (guessed of two).")
    schema: SchemaOfRules = None
    output: Output


def run(asked: CalibrationOptions) -> None:
    """Judge the shares by rows whose class is known."""
    from clearwood.cli.evaluation_rows import evaluation_rows_of
    from clearwood.scoring.calibration import calibration
    from clearwood.scoring.recalibration import recalibration

    loaded = load_model(asked.model, asked.schema)
    if loaded.is_numeric:
        raise SchemaError("This model predicts numbers, which have no probabilities to compare.")
    table, on_rows, met = evaluation_rows_of(raw_in(asked.data, asked.reading), loaded)
    notes = [
        *table.notes,
        *on_rows,
        *met.notes(),
        *note_on_positive(loaded, asked.positive, "Probabilities are"),
    ]
    note(notes, asked.output)
    way: Literal["width", "rows"] = literal_choice("way", asked.by, Literal["width", "rows"])
    judged = calibration(loaded, table, bins=asked.bins, by=way, positive=asked.positive)
    pair = None if loaded.decision.calibration is None else recalibration(loaded, table)
    answer(
        asked.output,
        text=lambda: str(judged) if pair is None else f"{judged}\n\n{pair}",
        data=lambda: judged.to_json() | ({} if pair is None else {"recalibration": pair.to_json()}),
        notes=notes,
    )
