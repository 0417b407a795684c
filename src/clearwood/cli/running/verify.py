"""What `verify` does: the proof of a certificate made again."""

from __future__ import annotations

from pathlib import Path

import typer

from clearwood.cli.exit_codes import DIFFERS, NOT_RUN
from clearwood.cli.grouped import refuse_given
from clearwood.cli.options import Output
from clearwood.cli.output import answer
from clearwood.cli.progress import working
from clearwood.cli.source_options import Reading
from clearwood.cli.sources import load_model, raw_in
from clearwood.export.proof.verifying import verify


def run(
    certificate: Path,
    file: Path,
    model: Path,
    rows: str | None,
    reading: Reading,
    output: Output,
    schema: Path | None,
) -> None:
    """Verify; status 0 only where the file was run and every answer was the same."""
    if rows is None:
        refuse_given("is for reading rows, and none are given. Leave it out, or name rows.", reading)
    loaded = load_model(model, schema)
    given = None if rows is None else raw_in(rows, reading)
    with working(f"Running {file}"):
        proof = verify(certificate, file, loaded, given)
    answer(output, text=lambda: str(proof), data=proof.certificate.to_json)
    if not proof.passed:
        raise typer.Exit(DIFFERS if proof.status == "failed" else NOT_RUN)
