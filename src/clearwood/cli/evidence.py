"""`clearwood evidence`: what each cell of one row says for the answer, as bars that add up to it."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.options import Json, Model


def evidence(
    model: Model,
    row: Annotated[
        list[str],
        typer.Option(
            metavar="COLUMN=VALUE,…",
            help="The row's cells; may be repeated. Columns that are not named are missing.",
            show_default=False,
        ),
    ],
    called: Annotated[
        str | None, typer.Option("--for", metavar="CLASS", help="Instead of the answer.")
    ] = None,
    against: Annotated[str | None, typer.Option(metavar="CLASS", help="Instead of the runner-up.")] = None,
    most: Annotated[int, typer.Option(metavar="N", min=1, help="So many bars; the rest in one.")] = 20,
    as_json: Json = False,
) -> None:
    """Show why a Bayes or a linear model answers as it does: log-odds, column by column."""
    from dataclasses import asdict

    from clearwood.cli.reading import load_model
    from clearwood.cli.rows import row_in
    from clearwood.cli.speaking import say, say_json
    from clearwood.draw.evidence import draw_evidence
    from clearwood.errors import SettingError
    from clearwood.explain.evidence import evidence as evidence_of
    from clearwood.models.bayes_tables import BayesTables
    from clearwood.models.linear_model import LinearModel

    loaded = load_model(model)
    if not isinstance(loaded, BayesTables | LinearModel):
        raise SettingError(
            f"{model} holds {loaded!r}: its answers are not sums of evidence. To see why it answers as it "
            "does: clearwood explain MODEL --row COLUMN=VALUE,…"
        )
    found = evidence_of(loaded, row_in(row, loaded))
    if as_json:
        bars = found.bars(called, against) if len(found.classes) > 1 else ()
        say_json(
            {
                "answer": found.answer,
                "shares": dict(zip(found.classes, found.shares, strict=True)),
                "bars": [asdict(bar) for bar in bars],
                "pieces": [
                    {**asdict(each), "logs": dict(zip(found.classes, each.logs, strict=True))}
                    for each in found.pieces
                ],
                "by_limit": found.by_limit,
            }
        )
        return
    say(draw_evidence(found, called, against, most=most))
