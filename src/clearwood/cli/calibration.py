"""`clearwood calibration`: do the classes come as often as the model's shares say?"""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.options import (
    Data,
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
    Quiet,
    Thousands,
    written_as,
)


def calibration(
    model: Model,
    data: Data,
    bins: Annotated[int, typer.Option(metavar="N", help="Lines of the reliability table.")] = 10,
    by: Annotated[
        str, typer.Option(metavar="WORD", help="width: bins of equal width; rows: of about equal weight.")
    ] = "width",
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
    """Judge a model's shares by rows whose class is known: log loss, Brier score, reliability table."""
    from clearwood.cli.progress import working
    from clearwood.cli.reading import coded_for, load_model
    from clearwood.cli.speaking import as_options, note, say, say_json
    from clearwood.errors import SchemaError, no_such
    from clearwood.predict.columns import names_asked
    from clearwood.scoring.calibration import calibration as calibration_of
    from clearwood.table.sources import read_raw

    loaded = load_model(model)
    if loaded.is_numeric:
        raise SchemaError("This model predicts a number, which has no shares to judge.")
    target = loaded.schema.target
    assert target is not None
    with working(f"Reading {data}"):
        raw = read_raw(
            data,
            query=query,
            **written_as(delimiter, encoding, decimal, header, missing, thousands, dates, max_bytes),
        )
        if target.name not in raw.names:
            raise SchemaError(
                f"{raw.where} lacks what came true. {no_such('column', target.name, raw.names)}"
            )
        table = coded_for(loaded, raw, only=names_asked(loaded))
    found = calibration_of(loaded, table, bins=bins, by=by)  # type: ignore[arg-type]
    if as_json:
        say_json({**found.to_json(), "notes": as_options(table.notes)})
        return
    note(table.notes, quiet=quiet)
    say(str(found))
