"""`clearwood evaluate`: everything about how good a saved model is, costs and cutoff included."""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.fairness_options import Favourable, names_in
from clearwood.cli.options import ABOUT_POSITIVE, Data, ModelPath, Output, SchemaOfRules
from clearwood.cli.panels import FAIRNESS, JUDGING
from clearwood.cli.source_options import Reading


def evaluate(
    model: ModelPath,
    data: Data,
    *,
    positive: Annotated[str | None, option("--positive", "CLASS", ABOUT_POSITIVE, JUDGING)] = None,
    costs: Annotated[
        str | None,
        option(
            "--costs",
            "TRUE/PREDICTED:COST,…",
            "What a prediction costs, such as bad/good:5; other mistakes cost 1; a cost below 0 is a profit.",
            JUDGING,
        ),
    ] = None,
    beta: Annotated[
        float, option("--beta", "NUMBER", "How much recall counts in F, beside precision.", JUDGING)
    ] = 1.0,
    by: Annotated[
        list[str] | None,
        option(
            "--by",
            "COLUMN,…",
            "Compare the predictions for the rows of each value, with intervals.",
            FAIRNESS,
        ),
    ] = None,
    favourable: Favourable = None,
    seed: Annotated[
        int, option("--seed", "N", "The seed of the resamples that intervals come from.", JUDGING)
    ] = 0,
    reading: Reading,
    schema: SchemaOfRules = None,
    output: Output,
) -> None:
    from clearwood.cli.running.evaluate import run

    run(
        model,
        data,
        reading,
        output,
        positive=positive,
        costs=costs,
        beta=beta,
        by=names_in(by),
        favourable=favourable,
        seed=seed,
        schema=schema,
    )
