"""What `show` does: a saved model as text."""

from __future__ import annotations

import json
from pathlib import Path

from clearwood.cli.drawing import model_text, rules_in
from clearwood.cli.output import print_json, print_line
from clearwood.cli.sources import load_model
from clearwood.draw.rules import draw_rules, printed_rules
from clearwood.errors import SettingError
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.files import to_json
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model, model_in_words
from clearwood.models.tree import Tree
from clearwood.predict.estimates import Per


def run(
    model: Path,
    schema: Path | None,
    *,
    depth: int | None,
    rules: bool,
    per: Per | None,
    positive: str | None,
    as_json: bool,
) -> None:
    """The model, or its rules, or both as JSON."""
    if depth is not None and (rules or as_json):
        raise SettingError("--depth is for the drawing of a tree: give it without --rules and --json.")
    loaded = load_model(model, schema)
    if depth is not None and not isinstance(loaded, Tree):
        raise SettingError(f"--depth is for trees, but {model} holds {model_in_words(loaded)}. Leave it out.")
    if per is not None and (as_json or not isinstance(loaded, LinearModel)):
        raise SettingError("--per is for the weights of a linear model as text. Leave it out.")
    if positive is not None and (as_json or not _has_log_odds(loaded)):
        raise SettingError(
            "--positive is for the weights or curves of a model of two classes as text. Leave it out."
        )
    if not as_json:
        print_line(
            printed_rules(rules_in(loaded))
            if rules
            else model_text(loaded, depth=depth, per=per or "unit", positive=positive)
        )
    elif rules:
        text = draw_rules(rules_in(loaded))
        print_json({"model": json.loads(to_json(loaded)), "rules": text.splitlines()})
    else:
        print_line(to_json(loaded).rstrip())


def _has_log_odds(model: Model) -> bool:
    return isinstance(model, LinearModel | AdditiveModel) and len(model.schema.classes) == 2
