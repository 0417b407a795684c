"""What `explain` does: why a model answers one row as it does, and what would have to change."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from clearwood.cli.commands.explain import ChangeOptions
from clearwood.cli.grouped import refuse_given
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.rows import reference_in, row_at, row_given
from clearwood.cli.source_options import Reading
from clearwood.cli.sources import coded_for, load_model, raw_in
from clearwood.draw.explanation import draw_explanation
from clearwood.errors import SettingError
from clearwood.explain.why import explain
from clearwood.predict.columns import columns_used


def run(
    model: Path,
    change: ChangeOptions,
    reading: Reading,
    *,
    row: list[str] | None,
    data: str | None,
    number: int | None,
    relative_to: str | None,
    schema: Path | None,
    every: bool,
    as_json: bool,
) -> None:
    """The answer to one row, its reason, and the smallest change that gives another."""
    if bool(row) == (number is not None):
        raise SettingError("Name one row: --row COLUMN=VALUE,… or --data FILE --number N.")
    if data is None:
        refuse_given("is about --data, but none is given. Leave it out.", reading)
        if number is not None:
            raise SettingError("--number takes a row of a file: --data FILE.")
    loaded = load_model(model, schema)
    output = Output(as_json=as_json)
    table, cells = None, row_given(row, loaded)
    if data is not None:
        raw = raw_in(data, reading)
        table = coded_for(loaded, raw, only=columns_used(loaded))
        note(table.notes, output)
        if number is not None:
            cells = row_at(raw, loaded, number)
    known = loaded.schema.positions
    explanation = explain(
        loaded,
        cells,
        to=change.to,
        fixed=_names(change.fixed, known),
        only_up=_names(change.only_up, known),
        only_down=_names(change.only_down, known),
        table=table,
        against=reference_in(relative_to, loaded),
    )
    answer(
        output,
        text=lambda: draw_explanation(explanation, most=None if every else 10, all_by="--all"),
        data=explanation.to_json,
        notes=... if table is None else table.notes,
    )


def _names(texts: list[str] | None, known: Collection[str]) -> list[str]:
    """Columns, with commas between; a name that holds one stands alone."""
    return [name.strip() for text in texts or () for name in ([text] if text in known else text.split(","))]
