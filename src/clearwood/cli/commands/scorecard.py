"""`clearwood scorecard`: a logistic model in whole points that a person can add up."""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.options import Json, ModelPath


def scorecard(
    model: ModelPath,
    points_per_doubling: Annotated[
        float, option("--points-per-doubling", "N", "Points that double the odds.")
    ] = 20,
    base: Annotated[float, option("--base", "N", "The sum at even odds.")] = 0,
    cuts: Annotated[
        list[str] | None,
        option("--cuts", "COLUMN=N,…", "Points for the intervals of a number instead of for each unit."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Turn the weights of a logistic model of two classes into a table of points."""
    from clearwood.cli.running.scorecard import run

    run(model, points_per_doubling, base, cuts, as_json=as_json)
