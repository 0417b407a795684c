"""What `import` does: a model of another program read, compared with its origin, shown and saved."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from clearwood.cli.commands.import_ import Names, Proof
from clearwood.cli.drawing import drawn_to_fit
from clearwood.cli.grouped import refuse_given
from clearwood.cli.options import Output
from clearwood.cli.output import answer
from clearwood.cli.progress import working
from clearwood.cli.source_options import Reading, pairs
from clearwood.cli.sources import raw_in
from clearwood.cli.writing import check_place
from clearwood.errors import ModelFileError, SettingError
from clearwood.importing.given_answers import compare_answers
from clearwood.importing.import_model import import_model
from clearwood.importing.proof import ImportProof, prove_import
from clearwood.models.files import save, to_json
from clearwood.models.model import Model
from clearwood.table import encode


def run(
    file: Path, names: Names, proof: Proof, reading: Reading, output: Output, *, out: Path | None
) -> None:
    """Import the model; where it does not answer as its origin does, nothing is saved."""
    if proof.prove is None:
        refuse_given("is about the rows of --prove; give it with --prove.", reading)
        if proof.answers is not None:
            raise SettingError("--origin-answers are compared with the rows of --prove: give both.")
    check_place(out, file, proof.prove, proof.answers)
    columns, values = _listed(names.columns), _values(names)
    with working(f"Reading {file}"):
        model = import_model(
            file, columns=columns, classes=_listed(names.classes), target=names.target, values=values
        )
    proven = None if proof.prove is None else _proof(model, file, columns, values, proof, reading)
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


def _proof(
    model: Model,
    file: Path,
    columns: list[str] | None,
    values: dict[str, list[str]],
    proof: Proof,
    reading: Reading,
) -> ImportProof:
    assert proof.prove is not None
    rows = encode(raw_in(proof.prove, reading), replace(model.schema, target=None, weight=None))
    with working("Comparing"):
        if proof.answers is not None:
            proven = compare_answers(model, rows, proof.answers)
        else:
            proven = prove_import(model, file, rows, columns=columns, values=values)
    if proven.not_run:
        raise SettingError(
            f"The proof was not run: {proven.not_run}. Install it, give the origin's own answers with "
            "--origin-answers, or leave out --prove."
        )
    if not proven.holds:
        raise ModelFileError(f"The imported model does not answer as its origin does.\n{proven}")
    return proven


def _listed(names: str | None) -> list[str] | None:
    return None if names is None else [each.strip() for each in names.split(",")]


def _values(names: Names) -> dict[str, list[str]]:
    typed = pairs("--values", names.values, "COLUMN=VALUE,…")
    return {name: [each.strip() for each in values.split(",")] for name, values in typed.items()}
