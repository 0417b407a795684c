"""`clearwood effect`: how a saved model's answers go with one column, as figures or as a chart."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.options import Data, ModelPath, Output, SchemaOfRules
from clearwood.cli.source_options import Reading


def effect(
    model: ModelPath,
    data: Data,
    *,
    column: Annotated[str, option("--of", "COLUMN", "The column whose effect is asked.")],
    kind: Annotated[
        str,
        option(
            "--as",
            "NAME",
            "partial: the mean prediction at each value; local: what each step between neighbours adds.",
        ),
    ] = "partial",
    called: Annotated[
        str | None, option("--positive", "CLASS", "The effect on this class (guessed of two).")
    ] = None,
    points: Annotated[int, option("--points", "N", "Places along a numeric column.", min=2)] = 40,
    picture: Annotated[
        Path | None, option("--output -o", "FILE", "Draw a chart here: .svg, .png or .pdf.")
    ] = None,
    reading: Reading,
    schema: SchemaOfRules = None,
    output: Output,
) -> None:
    from clearwood.cli.running.effect import run

    run(
        model,
        data,
        reading,
        output,
        column=column,
        kind=kind,
        called=called,
        points=points,
        place=picture,
        schema=schema,
    )
