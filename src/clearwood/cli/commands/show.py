"""`clearwood show`: a saved model as text, with its counts."""

from __future__ import annotations

from typing import Annotated, Literal

from clearwood.cli.declaring import option
from clearwood.cli.options import Json, Model, Rules, SchemaOfRules


def show(
    model: Model,
    depth: Annotated[
        int | None, option("--depth", "N", "Only the first N questions of each way down.", min=0)
    ] = None,
    rules: Rules = False,
    per: Annotated[
        Literal["unit", "sd"] | None,
        option("--per", "UNIT", "A linear model's numbers per unit, or per sd: standard deviation."),
    ] = None,
    schema: SchemaOfRules = None,
    as_json: Json = False,
) -> None:
    """Print a saved model: a tree with its counts, shares and intervals, or rules."""
    from clearwood.cli.running.show import run

    run(model, schema, depth=depth, rules=rules, per=per, as_json=as_json)
