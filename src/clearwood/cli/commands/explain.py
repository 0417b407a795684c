"""`clearwood explain`: why a model answers as it does for one row, and what would have to change."""

from __future__ import annotations

from collections.abc import Collection

from clearwood.cli.options import (
    Json,
    ModelPath,
    Output,
    RelativeTo,
    RowOption,
    SchemaOfRules,
    flag,
    option,
    options,
    refuse_given,
)
from clearwood.cli.output import answer, note
from clearwood.cli.sources import Reading, coded_for, load_model, raw_in
from clearwood.errors import SettingError


@options("What may change")
class ChangeOptions:
    """What a change of the row may be, and what it is to reach."""

    to: str | None = option("CLASS", "The class to reach (by default any other).")
    fixed: list[str] | None = option("COLUMN,…", "Columns that must not change.")
    only_up: list[str] | None = option(
        "COLUMN,…", "Numeric or ordinal columns that may change to higher values only."
    )
    only_down: list[str] | None = option(
        "COLUMN,…", "Numeric or ordinal columns that may change to lower values only."
    )


@options()
class ExplainOptions:
    """What `clearwood explain` takes."""

    model: ModelPath
    change: ChangeOptions
    reading: Reading
    row: RowOption = None
    data: str | None = option(
        "DATA",
        "A table: --number takes its row from it, and changes of numbers are measured by the "
        "range of its columns.",
    )
    number: int | None = option("N", "The Nth row of --data.", short="-n", min=1)
    relative_to: RelativeTo = None
    schema: SchemaOfRules = None
    every: bool = flag("Every leaf, rule and cell that has a part in it, however many.", name="--all")
    as_json: Json = False


def run(asked: ExplainOptions) -> None:
    """The answer to one row, its reason, and the smallest change that gives another."""
    from clearwood.cli.rows import reference_in, row_at, row_given
    from clearwood.draw.explanation import draw_explanation
    from clearwood.explaining.why import explain
    from clearwood.models.space.space_of import columns_used

    if bool(asked.row) == (asked.number is not None):
        raise SettingError("Name one row: --row COLUMN=VALUE,… or --data FILE --number N.")
    if asked.data is None:
        refuse_given("is about --data, but none is given. Leave it out.", asked.reading)
        if asked.number is not None:
            raise SettingError("--number takes a row of a file: --data FILE.")
    loaded = load_model(asked.model, asked.schema)
    output = Output(as_json=asked.as_json)
    table, cells = None, row_given(asked.row, loaded)
    if asked.data is not None:
        raw = raw_in(asked.data, asked.reading)
        table = coded_for(loaded, raw, only=columns_used(loaded))
        note(table.notes, output)
        if asked.number is not None:
            cells = row_at(raw, loaded, asked.number)
    known = loaded.schema.positions
    explanation = explain(
        loaded,
        cells,
        to=asked.change.to,
        fixed=_names(asked.change.fixed, known),
        only_up=_names(asked.change.only_up, known),
        only_down=_names(asked.change.only_down, known),
        table=table,
        against=reference_in(asked.relative_to, loaded),
    )
    answer(
        output,
        text=lambda: draw_explanation(explanation, most=None if asked.every else 10, all_by="--all"),
        data=explanation.to_json,
        notes=... if table is None else table.notes,
    )


def _names(texts: list[str] | None, known: Collection[str]) -> list[str]:
    """Columns, with commas between; a name that holds one stands alone."""
    return [name.strip() for text in texts or () for name in ([text] if text in known else text.split(","))]
