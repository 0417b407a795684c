"""`clearwood schema`: what each column was taken for, and how to change it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli.options import (
    Data,
    Dates,
    Decimal,
    Delimiter,
    Encoding,
    Header,
    Ignore,
    Json,
    Kinds,
    MaxBytes,
    Missing,
    Orders,
    Query,
    Quiet,
    SchemaFile,
    Target,
    Thousands,
    Weight,
    WeightsAre,
    columns_as,
    written_as,
)


def schema(
    data: Data,
    target: Target = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the schema here, to edit.")] = None,
    schema: SchemaFile = None,
    kind: Kinds = None,
    order: Orders = None,
    ignore: Ignore = None,
    weight: Weight = None,
    weights_are: WeightsAre = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    header: Header = None,
    missing: Missing = None,
    thousands: Thousands = None,
    dates: Dates = None,
    max_bytes: MaxBytes = None,
    query: Query = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say what each column is taken for, and how to change it."""
    from clearwood.cli.speaking import as_options, note, say, say_json
    from clearwood.cli.writing import check_place
    from clearwood.table import read_table
    from clearwood.table.describe import describe
    from clearwood.table.schema_file import save_schema, schema_to_json

    if save is not None:
        check_place(save, but_not=data)
    table = read_table(
        data,
        target=target,
        weight=weight,
        schema=schema,
        query=query,
        **columns_as(kind, order, ignore, weights_are),
        **written_as(delimiter, encoding, decimal, header, missing, thousands, dates, max_bytes),
    )
    if save is not None:
        save_schema(table.schema, save)
    if as_json:
        say_json({"rows": len(table), **schema_to_json(table.schema), "notes": as_options(table.notes)})
        return
    note(table.notes, quiet=quiet)
    say(f"{len(table):,} rows\n")
    say(describe(table.schema, table))
    if save is not None:
        say(f"\nSaved to {save}. Edit it and give it to fit: --schema {save}")
    elif not quiet:
        say(
            "\nTo change a column: --kind COLUMN=nominal|ordinal|numeric|text|ignored,"
            " --order COLUMN=LOW,…,HIGH, --ignore COLUMN;\n"
            "or --save schema.json, edit it, and give it to fit: --schema schema.json"
        )
