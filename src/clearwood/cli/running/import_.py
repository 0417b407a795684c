"""What `import` does: a model of another program read, compared with its origin, shown and saved."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

import typer

from clearwood.cli.commands.import_ import Names, Proof
from clearwood.cli.drawing import drawn_to_fit
from clearwood.cli.exit_codes import DIFFERS, NOT_RUN
from clearwood.cli.grouped import refuse_given
from clearwood.cli.options import Output
from clearwood.cli.output import answer, print_refusal
from clearwood.cli.progress import working
from clearwood.cli.source_options import Reading, pairs
from clearwood.cli.sources import raw_in
from clearwood.cli.writing import check_place
from clearwood.errors import SettingError
from clearwood.importing.given_answers import compare_answers
from clearwood.importing.import_model import import_model
from clearwood.importing.proof import ImportProof, prove_import
from clearwood.models.files import save, to_json
from clearwood.models.model import Model
from clearwood.table import encode


class _GivenNames(TypedDict):
    columns: list[str] | None
    classes: list[str] | None
    target: str | None
    values: dict[str, list[str]]


def run(
    file: Path,
    rows: str | None,
    names: Names,
    proof: Proof,
    reading: Reading,
    output: Output,
    *,
    out: Path | None,
) -> None:
    """Import the model; where it does not answer as its origin does, nothing is saved."""
    _check(rows, proof, reading)
    check_place(out, file, rows, proof.answers)
    given = _GivenNames(
        columns=_listed(names.columns),
        classes=_listed(names.classes),
        target=names.target,
        values=_values(names),
    )
    with working(f"Reading {file}"):
        model = import_model(file, **given)
    proven = None
    if proof.prove or proof.answers is not None:
        proven = _proof(model, file, rows, given, proof, reading)
        _check_proof(proven, output)
    if out is not None:
        save(model, out)
    title = [*([] if output.quiet else drawn_to_fit(model)), *([] if proven is None else ["", str(proven)])]
    answer(
        output,
        text=lambda: "\n".join(title).strip("\n"),
        data=lambda: {
            "model": json.loads(to_json(model)),
            "proof": None if proven is None else proven.to_json(),
        },
        saved=out,
    )


def _check(rows: str | None, proof: Proof, reading: Reading) -> None:
    if proof.prove and proof.answers is not None:
        raise SettingError("--prove runs the origin, --origin-answers are instead of that: give one of them.")
    if rows is None:
        if proof.answers is not None:
            raise SettingError(
                "--origin-answers are predictions for rows: name these after the model's file."
            )
        refuse_given("is for reading rows, and none are given. Leave it out, or name rows.", reading)
    elif not proof.prove and proof.answers is None:
        raise SettingError(f"{rows} is read only to prove the import on its rows. Give also --prove.")


def _proof(
    model: Model,
    file: Path,
    rows: str | None,
    given: _GivenNames,
    proof: Proof,
    reading: Reading,
) -> ImportProof:
    inputs = replace(model.schema, target=None, weight=None)
    table = None if rows is None else encode(raw_in(rows, reading), inputs)
    with working("Comparing"):
        if proof.answers is not None:
            proven = compare_answers(model, table, proof.answers)
        else:
            proven = prove_import(model, file, table, **given)
    return proven


def _check_proof(proven: ImportProof, output: Output) -> None:
    """Where the answers differ it ends with status 1, where nothing could be run with 3."""
    if proven.not_run:
        refusal = (
            f"The proof was not run: {proven.not_run}. Or give the origin's own predictions with "
            "--origin-answers, or leave out --prove."
        )
    elif not proven.holds:
        refusal = f"The imported model does not predict as its origin does.\n{proven}"
    else:
        return
    print_refusal(refusal, as_json=output.as_json)
    raise typer.Exit(NOT_RUN if proven.not_run else DIFFERS)


def _listed(names: str | None) -> list[str] | None:
    return None if names is None else [each.strip() for each in names.split(",")]


def _values(names: Names) -> dict[str, list[str]]:
    typed = pairs("--values", names.values, "COLUMN=VALUE,…")
    return {name: [each.strip() for each in values.split(",")] for name, values in typed.items()}
