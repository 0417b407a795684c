"""`clearwood draw`: a saved model as a picture, in the form that the file's name asks for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clearwood.cli.options import Json, Model, Quiet


def draw(
    model: Model,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help=".svg, .png or .pdf; of a tree also .mmd (Mermaid) and .dot (Graphviz); .txt.",
            show_default=False,
        ),
    ],
    kind: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Rules: table or icicle; Bayes: nomogram or evidence; weights or evidence.",
        ),
    ] = None,
    row: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=VALUE,…",
            help="A case whose way is made plain; may be repeated. Columns that are not named are missing.",
        ),
    ] = None,
    fold: Annotated[
        str,
        typer.Option(metavar="N", help="A tree's first N questions; all; or auto, what a page holds."),
    ] = "auto",
    direction: Annotated[
        str, typer.Option(metavar="WAY", help="Where a tree grows: down, right, or auto by its size.")
    ] = "auto",
    theme: Annotated[
        str, typer.Option(metavar="NAME", help="light, dark, or auto as the reader's screen is.")
    ] = "auto",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw a saved model: SVG, PNG or PDF, without Graphviz."""
    from clearwood.cli.picturing import check_form, draw_to, fold_in
    from clearwood.cli.reading import load_model
    from clearwood.cli.rows import row_in
    from clearwood.cli.speaking import note, say_json
    from clearwood.cli.writing import check_place

    check_form(out)
    check_place(out, but_not=model)
    loaded = load_model(model)
    given = {
        "kind": kind,
        "row": row_in(row, loaded) if row else None,
        "direction": None if direction == "auto" else direction,
        "theme": None if theme == "auto" else theme,
    }
    wishes = {name: wish for name, wish in given.items() if wish is not None}
    said = draw_to(out, loaded, fold_in(fold), wishes)
    if as_json:
        say_json({"saved": str(out), "alt": said})
    else:
        note([f"Drawn to {out}: {said}" if said else f"Drawn to {out}."], quiet=quiet)
