"""`clearwood draw`: a saved model as a picture, in the form that the file's name asks for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from clearwood.cli.declaring import option
from clearwood.cli.options import ModelPath, Output, RowOption, SchemaOfRules


def draw(
    model: ModelPath,
    *,
    picture: Annotated[
        Path,
        option(
            "--output -o",
            "FILE",
            ".svg, .png or .pdf; of a tree also .mmd (Mermaid) and .dot (Graphviz); .txt.",
            show_default=False,
        ),
    ],
    kind: Annotated[
        str | None,
        option(
            "--as",
            "NAME",
            "Of rules: table or icicle; of Bayes and curves: nomogram or evidence; of weights: evidence.",
        ),
    ] = None,
    row: RowOption = None,
    fold: Annotated[
        str | None,
        option(
            "--fold", "N", "Draw a tree down to depth N, or all of it; by default as much as a page holds."
        ),
    ] = None,
    direction: Annotated[
        str | None,
        option("--direction", "WAY", "Direction of a tree: down or right; by default chosen by its size."),
    ] = None,
    theme: Annotated[
        str | None, option("--theme", "NAME", "light or dark; by default that of the reader's screen.")
    ] = None,
    schema: SchemaOfRules = None,
    output: Output,
) -> None:
    from clearwood.cli.running.draw import run

    run(
        model,
        picture,
        output,
        kind=kind,
        row=row,
        fold=fold,
        direction=direction,
        theme=theme,
        schema=schema,
    )
