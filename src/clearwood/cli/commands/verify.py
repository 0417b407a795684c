"""`clearwood verify`: does a certificate hold for this file and this model?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli.app import refuse_given
from clearwood.cli.options import ModelPath, Output, SchemaOfRules
from clearwood.cli.output import answer
from clearwood.cli.process import DIFFERS, NOT_RUN
from clearwood.cli.sources import Reading
from clearwood.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyOptions:
    """What `clearwood verify` takes."""

    certificate: Annotated[
        Path, typer.Argument(metavar="CERTIFICATE", help="What export --prove has written: the .json.")
    ]
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The exported file.")]
    model: ModelPath
    rows: Annotated[
        str | None, typer.Argument(metavar="[ROWS]", help="The rows that were given to the proof, if any.")
    ] = None
    reading: Reading
    schema: SchemaOfRules = None
    output: Output


def run(asked: VerifyOptions) -> None:
    """Verify; status 0 only where the file was run and every answer was the same."""
    from clearwood.cli.progress import working
    from clearwood.cli.sources import load_model, raw_in
    from clearwood.exporting.proof.verifying import verify

    if asked.rows is None:
        refuse_given("is for reading rows, and none are given. Leave it out, or name rows.", asked.reading)
    loaded = load_model(asked.model, asked.schema)
    given = None if asked.rows is None else raw_in(asked.rows, asked.reading)
    with working(f"Running {asked.file}"):
        proof = verify(asked.certificate, asked.file, loaded, given)
    answer(asked.output, text=lambda: str(proof), data=proof.certificate.to_json)
    if not proof.passed:
        raise typer.Exit(DIFFERS if proof.status == "failed" else NOT_RUN)
