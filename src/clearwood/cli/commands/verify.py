"""`clearwood verify`: does a certificate hold for this file and this model?"""

from __future__ import annotations

from pathlib import Path

import typer

from clearwood.cli.options import ModelPath, Output, SchemaOfRules, argument, options, refuse_given
from clearwood.cli.output import answer, working
from clearwood.cli.process import DIFFERS, NOT_RUN
from clearwood.cli.sources import Reading, load_model, raw_in


@options()
class VerifyOptions:
    """What `clearwood verify` takes."""

    certificate: Path = argument("CERTIFICATE", "What export --prove has written: the .json.")
    file: Path = argument("FILE", "The exported file.")
    model: ModelPath
    rows: str | None = argument("[ROWS]", "The rows that were given to the proof, if any.", default=None)
    reading: Reading
    schema: SchemaOfRules = None
    output: Output


def run(asked: VerifyOptions) -> None:
    """Verify; status 0 only where the file was run and every answer was the same."""
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
