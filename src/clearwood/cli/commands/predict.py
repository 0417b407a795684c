"""`clearwood predict`: new rows with the answer beside them."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.declaring import option
from clearwood.cli.options import ModelPath, Output, SchemaOfRules
from clearwood.cli.source_options import Reading


def predict(
    model: ModelPath,
    new: Annotated[
        str, typer.Argument(metavar="NEW", help="The rows to predict: any file that fit reads, or -.")
    ],
    *,
    reading: Reading,
    file: Annotated[
        str, option("--output -o", "FILE", "Where to write the rows: .csv, .tsv, also .gz, or - for stdout.")
    ] = "-",
    shares: Annotated[bool, option("--shares", None, "Add the probability of each class.")] = False,
    intervals: Annotated[
        bool,
        option(
            "--intervals",
            None,
            "Add the 95 % interval of the predicted class's probability, or of the number.",
        ),
    ] = False,
    prevalence: Annotated[
        str | None,
        option(
            "--prevalence",
            "CLASS:SHARE,…",
            "Adjust to other class frequencies; classes that are not named share the rest.",
        ),
    ] = None,
    column: Annotated[
        str, option("--column", "NAME", "Name of the column with the predictions.")
    ] = "prediction",
    escape_formulas: Annotated[
        bool,
        option(
            "--escape-formulas",
            None,
            "Put ' before texts that a spreadsheet would run: those that begin with =, +, - or @.",
        ),
    ] = False,
    on_error: Annotated[
        str,
        option(
            "--on-error",
            "stop|skip|keep",
            "A cell that is no number where one belongs: stop, skip its row, or keep the row and take the "
            "cell as missing.",
        ),
    ] = "stop",
    strict: Annotated[
        bool,
        option(
            "--strict",
            None,
            "Refuse rows with cells that the model cannot use: missing, or with unseen values.",
        ),
    ] = False,
    flag_cells: Annotated[
        str | None,
        option(
            "--flag-cells",
            "NAME",
            "Add a column that names, row by row, the cells that the model cannot use.",
        ),
    ] = None,
    schema: SchemaOfRules = None,
    output: Output,
) -> None:
    from clearwood.cli.running.answering import Answering, way_on
    from clearwood.cli.running.predict import run

    more = (strict, flag_cells, way_on(on_error))
    run(
        model,
        new,
        file,
        reading,
        output,
        Answering(column, shares, intervals, prevalence, escape_formulas, *more),
        schema,
    )
