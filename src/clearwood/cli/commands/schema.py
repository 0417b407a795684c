"""`clearwood schema`: what each column was taken for, and how to change it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clearwood.cli.options import Data, Output, option, options
from clearwood.cli.output import answer, check_place
from clearwood.cli.sources import TableOptions, table_in
from clearwood.words.numbers import many

if TYPE_CHECKING:
    from clearwood.table.table import Table


@options()
class SchemaOptions:
    """What `clearwood schema` takes."""

    data: Data
    source: TableOptions
    save: Path | None = option("FILE", "Write the schema here, to be edited and given to fit.")
    output: Output


def run(asked: SchemaOptions) -> None:
    """The columns of a table, shown and saved."""
    from clearwood.table.schema_file import save_schema, schema_to_json

    check_place(asked.save, asked.data)
    table = table_in(asked.data, asked.source, asked.output)
    if asked.save is not None:
        save_schema(table.schema, asked.save)
    answer(
        asked.output,
        text=lambda: _to_text(table, asked.save, with_hints=not asked.output.quiet),
        data=lambda: {
            "rows": len(table),
            **schema_to_json(table.schema),
            "saved": None if asked.save is None else str(asked.save),
        },
        notes=table.notes,
    )


def _to_text(table: Table, save: Path | None, *, with_hints: bool) -> str:
    from clearwood.table.describe import describe

    parts = [many(len(table), "row"), describe(table.schema, table)]
    if save is not None:
        parts.append(f"Saved to {save}. Edit it and give it to fit: --schema {save}")
    elif with_hints:
        parts.append(
            "To change a column: --kind COLUMN=nominal|ordinal|numeric|text|ignored,"
            " --order COLUMN=LOW,…,HIGH, --ignore COLUMN;\n"
            "or --save schema.json, edit it, and give it to fit: --schema schema.json"
        )
    return "\n\n".join(parts)
