"""`clearwood show`: a saved model as text, with its counts."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.options import Json, Model, Rules


def show(
    model: Model,
    depth: Annotated[
        int | None,
        typer.Option("--depth", metavar="N", min=0, help="Only the first N questions of each way down."),
    ] = None,
    rules: Rules = False,
    as_json: Json = False,
) -> None:
    """Print a saved model: a tree with its counts, shares and intervals, or rules."""
    from clearwood.cli.running.show import run

    run(model, depth=depth, rules=rules, as_json=as_json)
