"""`clearwood prune`: a saved tree made smaller, and the ledger of what was cut and why."""

from __future__ import annotations

from typing import Annotated

from clearwood.catalogue import PRUNERS
from clearwood.cli.declaring import option
from clearwood.cli.options import LEARNING, Data, Model, Output, Reading, Save, Settings


def prune(
    model: Model,
    data: Data,
    *,
    reading: Reading,
    method: Annotated[
        str,
        option(
            "--method",
            "NAME",
            f"One of: {', '.join(PRUNERS)}.",
            LEARNING,
            autocompletion=lambda: list(PRUNERS),
        ),
    ],
    settings: Settings = None,
    work: Annotated[bool, option("--work", None, "Show every split, kept or cut, with its numbers.")] = False,
    save: Save = None,
    output: Output,
) -> None:
    """Prune a saved tree: reduced-error by rows it has not seen, the others by those it learned from."""
    from clearwood.cli.running.prune import run

    run(model, data, reading, output, method=method, settings=settings, work=work, save=save)
