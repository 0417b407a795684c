"""`clearwood report`: the whole study of a table in one page that opens anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli.decision_options import Decisions
from clearwood.cli.declaring import option
from clearwood.cli.fairness_options import Protecting
from clearwood.cli.judging_options import Judging
from clearwood.cli.learning_options import ModelOrLearner, Prune
from clearwood.cli.options import BalanceBy, Data, Output, Positive, Select
from clearwood.cli.panels import SECTIONS
from clearwood.cli.source_options import Source
from clearwood.study.behaviour import BEHAVIOURS


def report(
    context: typer.Context,
    data: Data,
    *,
    source: Source,
    chosen: ModelOrLearner,
    judging: Judging,
    decisions: Decisions,
    protecting: Protecting,
    page: Annotated[
        Path,
        option(
            "--output -o",
            "FILE",
            ".html, or .pdf by an installed browser.",
            show_default=False,
        ),
    ],
    balance: BalanceBy = None,
    positive: Positive = None,
    select: Select = None,
    prune: Prune = None,
    since: Annotated[
        Path | None,
        option("--since", "MODEL", "Also show where predictions changed since this older model.", SECTIONS),
    ] = None,
    also: Annotated[
        list[str] | None,
        option(
            "--also",
            "SECTION,…",
            f"Also show how the learner behaves, by learning many times: {', '.join(BEHAVIOURS)}.",
            SECTIONS,
        ),
    ] = None,
    title: Annotated[str | None, option("--title", "TEXT", "The title of the page.")] = None,
    output: Output,
) -> None:
    from clearwood.cli.running.report import run

    run(
        context,
        data,
        source,
        chosen,
        judging,
        output,
        decisions=decisions,
        protecting=protecting,
        page=page,
        select=select,
        balance=balance,
        positive=positive,
        prune=prune,
        since=since,
        also=also,
        title=title,
    )
