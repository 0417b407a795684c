"""`clearwood bayes-rule`: how likely is it, now that the test says so? Step by step."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.options import Detail, Json


def bayes_rule(
    prior: Annotated[
        float, typer.Option("--prior", metavar="P", help="How common it is: P(yes).", show_default=False)
    ],
    sensitivity: Annotated[
        float,
        typer.Option(
            "--sensitivity",
            metavar="P",
            help="How often the test finds it: P(positive | yes).",
            show_default=False,
        ),
    ],
    false_positive: Annotated[
        float | None,
        typer.Option("--false-positive", metavar="P", help="How often it errs on others: P(positive | no)."),
    ] = None,
    specificity: Annotated[
        float | None,
        typer.Option("--specificity", metavar="P", help="Or how often it clears them: 1 − P(positive | no)."),
    ] = None,
    detail: Detail = None,
    as_json: Json = False,
) -> None:
    """Work out P(yes | positive) by Bayes' rule, every step shown."""
    from clearwood.cli.running.bayes_rule import run

    run(prior, sensitivity, false_positive, specificity, detail=detail, as_json=as_json)
