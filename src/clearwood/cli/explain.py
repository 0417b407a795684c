"""`clearwood explain`: why a model answers as it does for one row, and what would have to change."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

import typer

from clearwood.cli.options import (
    Dates,
    Decimal,
    Delimiter,
    Encoding,
    Header,
    Json,
    MaxBytes,
    Missing,
    Model,
    Query,
    Thousands,
    written_as,
)

_CHANGE = "What may change"


def explain(
    model: Model,
    row: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=VALUE,…",
            help="The row's cells; may be repeated. Columns that are not named are missing.",
            show_default=False,
        ),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            metavar="DATA",
            help="A file of rows: for --number; how far is far is then by its columns' ranges.",
        ),
    ] = None,
    number: Annotated[
        int | None, typer.Option("--number", "-n", metavar="N", min=1, help="The Nth row of --data.")
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(metavar="CLASS", help="The answer wanted (any other).", rich_help_panel=_CHANGE),
    ] = None,
    fixed: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN,…", help="Columns that stay as they are.", rich_help_panel=_CHANGE),
    ] = None,
    only_up: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN,…", help="Numbers or orders that only grow.", rich_help_panel=_CHANGE),
    ] = None,
    only_down: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN,…", help="Those that only shrink.", rich_help_panel=_CHANGE),
    ] = None,
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
) -> None:
    """Say why a model answers one row as it does, and the smallest change that gives another answer."""
    from clearwood.cli.reading import coded_for, load_model
    from clearwood.cli.rows import row_at, row_in
    from clearwood.cli.speaking import say, say_json
    from clearwood.errors import SettingError
    from clearwood.explain.why import explain as explained
    from clearwood.predict.columns import names_asked
    from clearwood.table.sources import read_raw

    if (row is None) == (number is None):
        raise SettingError("Name one row: --row COLUMN=VALUE,… or --data FILE --number N.")
    if number is not None and data is None:
        raise SettingError("--number takes a row of a file: --data FILE.")
    loaded = load_model(model)
    table, cells = None, row_in(row or (), loaded)
    if data is not None:
        raw = read_raw(
            data,
            query=query,
            **written_as(delimiter, encoding, decimal, header, missing, thousands, dates, max_bytes),
        )
        table = coded_for(loaded, raw, only=names_asked(loaded))
        if number is not None:
            cells = row_at(raw, loaded, number)
    found = explained(
        loaded,
        cells,
        to=to,
        fixed=_names(fixed, loaded.schema.positions),
        only_up=_names(only_up, loaded.schema.positions),
        only_down=_names(only_down, loaded.schema.positions),
        table=table,
    )
    if as_json:
        say_json(found.to_json())
    else:
        say(str(found))


def _names(texts: list[str] | None, known: Collection[str]) -> list[str]:
    """Columns, with commas between; a name that holds one stands alone."""
    return [name.strip() for text in texts or () for name in ([text] if text in known else text.split(","))]
