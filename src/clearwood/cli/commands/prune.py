"""`clearwood prune`: a saved tree made smaller, and the ledger of what was cut and why."""

from __future__ import annotations

from typing import Annotated

from clearwood.catalogue import PRUNERS
from clearwood.cli.declaring import option
from clearwood.cli.options import Data, ModelPath, Output, Save
from clearwood.cli.panels import PRUNING
from clearwood.cli.source_options import Reading


def prune(
    model: ModelPath,
    data: Data,
    *,
    reading: Reading,
    method: Annotated[
        str,
        option(
            "--method",
            "NAME",
            f"One of: {', '.join(PRUNERS)}.",
            PRUNING,
            autocompletion=lambda: list(PRUNERS),
        ),
    ],
    settings: Annotated[
        list[str] | None,
        option(
            "--set -s",
            "NAME=VALUE",
            "A setting of the pruner, may be repeated; clearwood learners lists them.",
            PRUNING,
        ),
    ] = None,
    work: Annotated[bool, option("--work", None, "Show every split, kept or cut, with its numbers.")] = False,
    save: Save = None,
    output: Output,
) -> None:
    from clearwood.cli.running.prune import run

    run(model, data, reading, output, method=method, settings=settings, work=work, save=save)
