"""`clearwood verify`: does a certificate hold for this file and this model?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli.options import ModelPath, Output, SchemaOfRules
from clearwood.cli.source_options import Reading


def verify(
    certificate: Annotated[
        Path, typer.Argument(metavar="CERTIFICATE", help="What export --prove has written: the .json.")
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The exported file.")],
    model: ModelPath,
    rows: Annotated[
        str | None, typer.Argument(metavar="[ROWS]", help="The rows that were given to the proof, if any.")
    ] = None,
    *,
    reading: Reading,
    schema: SchemaOfRules = None,
    output: Output,
) -> None:
    from clearwood.cli.running.verify import run

    run(certificate, file, model, rows, reading, output, schema)
