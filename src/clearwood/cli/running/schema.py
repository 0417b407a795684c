"""What `schema` does: say what each column was taken for, and how to change it."""

from __future__ import annotations

from pathlib import Path

from clearwood.cli.options import Output
from clearwood.cli.output import answer
from clearwood.cli.source_options import Source
from clearwood.cli.sources import table_in
from clearwood.cli.writing import check_place
from clearwood.table.describe import describe
from clearwood.table.schema_file import save_schema, schema_to_json
from clearwood.table.table import Table
from clearwood.words.numbers import many


def run(data: str, source: Source, output: Output, save: Path | None) -> None:
    """The columns of a table, shown and saved."""
    check_place(save, data)
    table = table_in(data, source, output)
    if save is not None:
        save_schema(table.schema, save)
    answer(
        output,
        text=lambda: _to_text(table, save, with_hints=not output.quiet),
        data=lambda: {
            "rows": len(table),
            **schema_to_json(table.schema),
            "saved": None if save is None else str(save),
        },
        notes=table.notes,
    )


def _to_text(table: Table, save: Path | None, *, with_hints: bool) -> str:
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
