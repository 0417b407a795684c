"""`clearwood export`: a saved model in another language or format, proven if asked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli.card_options import CardOptions
from clearwood.cli.declaring import option
from clearwood.cli.grouped import refuse_given
from clearwood.cli.options import ModelPath, Output, SchemaOfRules
from clearwood.cli.source_options import Reading
from clearwood.export import FORMATS

_LAID_OUT = ", ".join(FORMATS)


def export(
    model: ModelPath,
    rows: Annotated[
        str | None,
        typer.Argument(metavar="[ROWS]", help="With --prove: rows of your own, any file that fit reads."),
    ] = None,
    *,
    file: Annotated[
        Path | None,
        option("--output -o", "FILE", "Write it here; its ending says the format (stdout without it)."),
    ] = None,
    format: Annotated[
        str | None, option("--format -f", "NAME", f"The format, whatever the ending: {_LAID_OUT}.")
    ] = None,
    dialect: Annotated[
        str | None, option("--dialect", "NAME", "Of SQL: the database that it is for.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        option("--set -s", "NAME=VALUE", "An option of the format, may be repeated."),
    ] = None,
    prove: Annotated[
        bool,
        option(
            "--prove",
            None,
            "Run it in its target on adversarial rows, and on ROWS; compare every prediction. Exit status 1 "
            "if one differs, 3 if nothing here can run it.",
        ),
    ] = False,
    certificate: Annotated[
        Path | None,
        option(
            "--certificate",
            "FILE",
            "Where to write the proof, .json or .txt; by default beside the output.",
            show_default=False,
        ),
    ] = None,
    scorecard: Annotated[
        bool,
        option(
            "--scorecard", None, "Export the model's scorecard: whole points that add up to its probability."
        ),
    ] = False,
    points: CardOptions,
    reading: Reading,
    schema: SchemaOfRules = None,
    output: Output,
) -> None:
    from clearwood.cli.running.export import Exporting, run

    if not scorecard:
        refuse_given("is for a scorecard. Give also --scorecard, or leave it out.", points)
    wishes = Exporting(file, format, dialect, tuple(settings or ()), prove, certificate)
    run(model, rows, wishes, points if scorecard else None, reading, output, schema)
