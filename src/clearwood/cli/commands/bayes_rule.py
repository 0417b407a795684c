"""`clearwood bayes-rule`: how likely is it, now that the test says so? Step by step."""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.options import DetailOption, Json


def bayes_rule(
    prior: Annotated[float, option("--prior", "P", "How common it is: P(yes).", show_default=False)],
    sensitivity: Annotated[
        float,
        option("--sensitivity", "P", "How often the test finds it: P(positive | yes).", show_default=False),
    ],
    false_positive: Annotated[
        float | None, option("--false-positive", "P", "How often it is wrong on others: P(positive | no).")
    ] = None,
    specificity: Annotated[
        float | None,
        option("--specificity", "P", "Or its specificity: P(negative | no) = 1 − P(positive | no)."),
    ] = None,
    detail: DetailOption = None,
    as_json: Json = False,
) -> None:
    from clearwood.cli.running.bayes_rule import run

    run(prior, sensitivity, false_positive, specificity, detail=detail, as_json=as_json)
