"""`clearwood show`: a saved model as text, with its counts."""

from __future__ import annotations

import json
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
    """Print a saved model: a tree with its counts, shares and intervals, or rules."""
    from clearwood.cli.drawing import drawn, rules_in
    from clearwood.cli.reading import load_model
    from clearwood.cli.speaking import say, say_json
    from clearwood.draw.rules import draw_rules
    from clearwood.models.files import to_json

    loaded = load_model(model)
    if as_json:
        text = to_json(loaded).rstrip()
        if rules:
            say_json({"model": json.loads(text), "rules": draw_rules(rules_in(loaded)).splitlines()})
        else:
            say(text)
        return
    say(draw_rules(rules_in(loaded)) if rules else drawn(loaded, depth=depth))
