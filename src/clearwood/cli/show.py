"""`clearwood show`: a saved tree as text, with counts, class shares and intervals."""

from __future__ import annotations

from typing import Annotated

import typer

from clearwood.cli.options import Json, Model, Rules


def show(
    model: Model,
    depth: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Only the first N questions of each way down.")
    ] = None,
    rules: Rules = False,
    as_json: Json = False,
) -> None:
    """Print a saved tree with its counts, shares and intervals, or as rules."""
    from clearwood.cli.drawing import drawn
    from clearwood.cli.speaking import say
    from clearwood.draw.rules import draw_rules
    from clearwood.models.files import load, to_json

    tree = load(model)
    if as_json:
        say(to_json(tree).rstrip())
        return
    say(draw_rules(tree) if rules else drawn(tree, depth=depth))
