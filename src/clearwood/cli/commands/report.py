"""`clearwood report`: the whole study of a table in one page that opens anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli.options import Chosen, Columns, Data, Judging, Output, Prune, Reading


def report(
    context: typer.Context,
    data: Data,
    *,
    columns: Columns,
    chosen: Chosen,
    judging: Judging,
    reading: Reading,
    page: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=".html, or .pdf by a browser on this machine.",
            show_default=False,
        ),
    ],
    prune: Prune = None,
    title: Annotated[
        str | None, typer.Option("--title", metavar="TEXT", help="The heading of the page.")
    ] = None,
    output: Output,
) -> None:
    """Write one page with data, model, rules, evidence, evaluation, a form that answers, and a model card.

    Without --test-part or --cross-validate a quarter of the rows is held out; below 100 rows, ten folds.
    """
    from clearwood.cli.running.report import run

    run(context, data, columns, reading, chosen, judging, output, page=page, prune=prune, title=title)
