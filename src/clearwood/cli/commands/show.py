"""`clearwood show`: a saved model as text, with its counts."""

from __future__ import annotations

from typing import Annotated, Literal

from clearwood.cli.declaring import option
from clearwood.cli.options import Json, ModelPath, Rules, SchemaOfRules


def show(
    model: ModelPath,
    depth: Annotated[int | None, option("--depth", "N", "Show a tree down to depth N.", min=0)] = None,
    rules: Rules = False,
    per: Annotated[
        Literal["unit", "sd"] | None,
        option("--per", "UNIT", "A linear model's weights per unit, or per sd (standard deviation)."),
    ] = None,
    positive: Annotated[
        str | None,
        option("--positive", "CLASS", "Weights, or points of curves, for this one of two classes (guessed)."),
    ] = None,
    schema: SchemaOfRules = None,
    as_json: Json = False,
) -> None:
    from clearwood.cli.running.show import run

    run(model, schema, depth=depth, rules=rules, per=per, positive=positive, as_json=as_json)
