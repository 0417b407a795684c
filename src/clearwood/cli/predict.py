"""`clearwood predict`: new rows with the answer beside them."""

from __future__ import annotations

from pathlib import Path
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
    Quiet,
    Thousands,
    written_as,
)


def predict(
    model: Model,
    new: Annotated[
        str, typer.Argument(metavar="NEW", help="The rows to predict: any file that fit reads, or -.")
    ],
    out: Annotated[
        str,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Where the rows go: .csv, .tsv, also .gz, or - for stdout."
        ),
    ] = "-",
    shares: Annotated[bool, typer.Option("--shares", help="Add the share of each class.")] = False,
    intervals: Annotated[
        bool,
        typer.Option("--intervals", help="Add the 95 % interval of the answer's share, or of the number."),
    ] = False,
    prevalence: Annotated[
        str | None,
        typer.Option(
            metavar="CLASS:SHARE,…",
            help="Answer for where the classes are so common; those not named share the rest.",
        ),
    ] = None,
    column: Annotated[
        str, typer.Option(metavar="NAME", help="What to call the answer's column.")
    ] = "prediction",
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
    """Predict new rows: their own columns, then the answer; never over the input."""
    from clearwood.cli.answering import answers_of, write_rows
    from clearwood.cli.prevalence import where_common
    from clearwood.cli.progress import working
    from clearwood.cli.reading import coded_for, load_model
    from clearwood.cli.scores import evaluation_to_json, phrase
    from clearwood.cli.speaking import as_options, note, say_json
    from clearwood.cli.writing import check_dress, check_place
    from clearwood.predict.columns import names_asked
    from clearwood.scoring.evaluation import evaluate
    from clearwood.table.sources import read_raw

    place = None if out == "-" else Path(out)
    if place is not None:
        check_place(place, but_not=new)
        check_place(place, but_not=model)
        check_dress(place)
    loaded = load_model(model)
    if prevalence is not None:
        loaded = where_common(loaded, prevalence)
    with working(f"Reading {new}"):
        raw = read_raw(
            new,
            query=query,
            **written_as(delimiter, encoding, decimal, header, missing, thousands, dates, max_bytes),
        )
        table = coded_for(loaded, raw, only=names_asked(loaded))
    answers = answers_of(loaded, table, column, shares=shares, intervals=intervals)
    target = loaded.schema.target
    judged = evaluate(loaded, table) if target and target.name in table.columns else None
    if place is not None or not as_json:
        write_rows(raw, answers, place)
    notes = list(table.notes)
    if judged is not None and judged.weight:
        notes.append(f"{phrase(judged, weighted=table.weights is not None)}.")
    if as_json:
        say_json(
            {
                "rows": len(table),
                "classes": loaded.schema.classes,
                "answers": None if place is not None else answers,
                "scores": None if judged is None else evaluation_to_json(judged),
                "saved": None if place is None else out,
                "notes": as_options(table.notes),
            }
        )
        return
    if place is not None:
        notes.append(f"{len(table):,} rows written to {out}.")
    note(notes, quiet=quiet)
