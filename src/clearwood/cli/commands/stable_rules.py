"""`clearwood stable-rules`: the short rules that recur in many trees of an ensemble."""

from __future__ import annotations

from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.options import Data, ModelPath, Output
from clearwood.cli.source_options import Reading


def stable_rules(
    model: ModelPath,
    data: Data,
    *,
    depth: Annotated[int, option("--conditions", "N", "Most conditions of a rule.", min=1)] = 2,
    cuts: Annotated[
        int,
        option("--parts", "N", "Thresholds move to the quantiles that make so many parts.", min=2),
    ] = 10,
    least: Annotated[float, option("--least", "SHARE", "Least part of the trees that have a rule.")] = 0.05,
    most: Annotated[int, option("--most", "N", "Most rules that are listed.", min=1)] = 20,
    reading: Reading,
    output: Output,
) -> None:
    from clearwood.cli.running.stable_rules import run

    run(model, data, reading, output, depth=depth, cuts=cuts, least=least, most=most)
