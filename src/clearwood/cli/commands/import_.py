"""`clearwood import`: a model that another program made, as one of ours, and the proof that both answer
alike."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from clearwood.cli.declaring import option
from clearwood.cli.options import Output
from clearwood.cli.source_options import Reading
from clearwood.importing.import_model import importable_files, programs_run

_NAMES: Final = "Names where the file has none"
_PROOF: Final = "The proof"


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What columns, classes and values are called, as it is typed."""

    columns: Annotated[
        str | None, option("--columns", "NAME,…", "The columns, in the order of the features.", _NAMES)
    ] = None
    classes: Annotated[
        str | None, option("--classes", "NAME,…", "The classes, in the order of their numbers.", _NAMES)
    ] = None
    target: Annotated[str | None, option("--target -t", "COLUMN", "The column to predict.", _NAMES)] = None
    values: Annotated[
        list[str] | None,
        option(
            "--values",
            "COLUMN=VALUE,…",
            "What the codes 0, 1, 2, … of a column are; may be repeated.",
            _NAMES,
        ),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """How both models are compared, as it is typed."""

    prove: Annotated[
        bool,
        option(
            "--prove",
            None,
            f"Run {programs_run()} on adversarial rows, and on ROWS; compare every prediction. Nothing is "
            "saved if one differs.",
            _PROOF,
        ),
    ] = False
    answers: Annotated[
        str | None,
        option(
            "--origin-answers",
            "DATA",
            "The origin's predictions for ROWS, in their order, instead of running it.",
            _PROOF,
        ),
    ] = None


def import_(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help=f"{importable_files()}; never run as code."),
    ],
    rows: Annotated[
        str | None,
        typer.Argument(metavar="[ROWS]", help="For the proof: rows of your own, any file that fit reads."),
    ] = None,
    *,
    out: Annotated[
        Path | None, option("--output -o", "FILE", "Write the model here, as JSON, to be loaded again.")
    ] = None,
    names: Names,
    proof: Proof,
    reading: Reading,
    output: Output,
) -> None:
    from clearwood.cli.running.import_ import run

    run(file, rows, names, proof, reading, output, out=out)
