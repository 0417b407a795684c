"""`clearwood import`: a model that another program made, as one of ours, and the proof that both answer
alike."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from clearwood.cli.options import Output, argument, flag, option, options, refuse_given
from clearwood.cli.output import answer, check_place, print_refusal, working
from clearwood.cli.process import DIFFERS, NOT_RUN
from clearwood.cli.sources import Reading, model_as_json, pairs, raw_in, save_model
from clearwood.errors import SettingError
from clearwood.importing import importable_files, programs_run

if TYPE_CHECKING:
    from clearwood.importing.proof import ImportProof
    from clearwood.models.model import Model


@options("Names where the file has none")
class Names:
    """What columns, classes and values are called, as it is typed."""

    columns: str | None = option("NAME,…", "The columns, in the order of the features.")
    classes: str | None = option("NAME,…", "The classes, in the order of their numbers.")
    target: str | None = option("COLUMN", "The column to predict.", short="-t")
    values: list[str] | None = option(
        "COLUMN=VALUE,…", "What the codes 0, 1, 2, … of a column are; may be repeated."
    )


@options("The proof")
class Proof:
    """How both models are compared, as it is typed."""

    prove: bool = flag(
        f"Run {programs_run()} on adversarial rows, and on ROWS; compare every prediction. Nothing is "
        "saved if one differs."
    )
    answers: str | None = option(
        "DATA",
        "The origin's predictions for ROWS, in their order, instead of running it.",
        name="--origin-answers",
    )


@options()
class ImportOptions:
    """What `clearwood import` takes."""

    file: Path = argument("FILE", f"{importable_files()}; never run as code.")
    rows: str | None = argument(
        "[ROWS]", "For the proof: rows of your own, any file that fit reads.", default=None
    )
    out: Path | None = option(
        "FILE", "Write the model here, as JSON, to be loaded again.", name="--output", short="-o"
    )
    names: Names
    proof: Proof
    reading: Reading
    output: Output


def run(asked: ImportOptions) -> None:
    """Import the model; where it does not answer as its origin does, nothing is saved."""
    from clearwood.cli.drawing import drawn_to_fit
    from clearwood.importing.import_model import import_model

    _check(asked)
    check_place(asked.out, asked.file, asked.rows, asked.proof.answers)
    typed = pairs("--values", asked.names.values, "COLUMN=VALUE,…")
    given: dict[str, Any] = {
        "columns": _listed(asked.names.columns),
        "classes": _listed(asked.names.classes),
        "target": asked.names.target,
        "values": {name: _listed(values) for name, values in typed.items()},
    }
    with working(f"Reading {asked.file}"):
        model = import_model(asked.file, **given)
    proven = None
    if asked.proof.prove or asked.proof.answers is not None:
        proven = _proof(asked, model, given)
        _check_proof(proven, asked.output)
    save_model(model, asked.out)
    title = [
        *([] if asked.output.quiet else drawn_to_fit(model)),
        *([] if proven is None else ["", str(proven)]),
    ]
    answer(
        asked.output,
        text=lambda: "\n".join(title).strip("\n"),
        data=lambda: {"model": model_as_json(model), "proof": None if proven is None else proven.to_json()},
        saved=asked.out,
    )


def _check(asked: ImportOptions) -> None:
    proof, rows = asked.proof, asked.rows
    if proof.prove and proof.answers is not None:
        raise SettingError("--prove runs the origin, --origin-answers are instead of that: give one of them.")
    if rows is None:
        if proof.answers is not None:
            raise SettingError(
                "--origin-answers are predictions for rows: name these after the model's file."
            )
        refuse_given("is for reading rows, and none are given. Leave it out, or name rows.", asked.reading)
    elif not proof.prove and proof.answers is None:
        raise SettingError(f"{rows} is read only to prove the import on its rows. Give also --prove.")


def _proof(asked: ImportOptions, model: Model, given: dict[str, Any]) -> ImportProof:
    from clearwood.importing.given_answers import compare_answers
    from clearwood.importing.proof import prove_import
    from clearwood.table import encode

    inputs = replace(model.schema, target=None, weight=None)
    table = None if asked.rows is None else encode(raw_in(asked.rows, asked.reading), inputs)
    with working("Comparing"):
        if asked.proof.answers is not None:
            proven = compare_answers(model, table, asked.proof.answers)
        else:
            proven = prove_import(model, asked.file, table, **given)
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
