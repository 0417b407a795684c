"""`clearwood report`: the whole study of a table in one page that opens anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli.declaring import option
from clearwood.cli.options import Data, Judging, ModelOrLearner, Output, Prune, Source


def report(
    context: typer.Context,
    data: Data,
    *,
    source: Source,
    chosen: ModelOrLearner,
    judging: Judging,
    page: Annotated[
        Path,
        option(
            "--output -o",
            "FILE",
            ".html, or .pdf by an installed browser.",
            show_default=False,
        ),
    ],
    prune: Prune = None,
    title: Annotated[str | None, option("--title", "TEXT", "The title of the page.")] = None,
    output: Output,
) -> None:
    """Write one page with data, model, rules, evidence, evaluation, a form that answers, and a model card.

    By default a quarter of the rows is held out to judge it; below 100 rows, ten folds judge.
    """
    from clearwood.cli.running.report import run

    run(context, data, source, chosen, judging, output, page=page, prune=prune, title=title)
