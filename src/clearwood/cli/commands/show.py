"""`clearwood show`: a saved model as text, with its counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from clearwood.cli.options import Json, ModelPath, Rules, SchemaOfRules, option, options
from clearwood.cli.output import print_json, print_line
from clearwood.cli.sources import load_model, model_as_json
from clearwood.errors import SettingError

if TYPE_CHECKING:
    from clearwood.models.model import Model


@options()
class ShowOptions:
    """What `clearwood show` takes."""

    model: ModelPath
    depth: int | None = option("N", "Show a tree down to depth N.", min=0)
    rules: Rules = False
    per: Literal["unit", "sd"] | None = option(
        "UNIT", "A linear model's weights per unit, or per sd (standard deviation)."
    )
    positive: str | None = option(
        "CLASS", "Weights, or points of curves, for this one of two classes (guessed)."
    )
    schema: SchemaOfRules = None
    as_json: Json = False


def run(asked: ShowOptions) -> None:
    """The model, or its rules, or both as JSON."""
    from clearwood.cli.drawing import model_text, rules_in
    from clearwood.draw.rules import draw_rules, printed_rules
    from clearwood.models.files import to_json
    from clearwood.models.kinds.linear.linear_model import LinearModel
    from clearwood.models.kinds.tree.tree import Tree
    from clearwood.models.model import model_in_words

    if asked.depth is not None and (asked.rules or asked.as_json):
        raise SettingError("--depth is for the drawing of a tree: give it without --rules and --json.")
    loaded = load_model(asked.model, asked.schema)
    if asked.depth is not None and not isinstance(loaded, Tree):
        raise SettingError(
            f"--depth is for trees, but {asked.model} holds {model_in_words(loaded)}. Leave it out."
        )
    if asked.per is not None and (asked.as_json or not isinstance(loaded, LinearModel)):
        raise SettingError("--per is for the weights of a linear model as text. Leave it out.")
    if asked.positive is not None and (asked.as_json or not _has_log_odds(loaded)):
        raise SettingError(
            "--positive is for the weights or curves of a model of two classes as text. Leave it out."
        )
    if not asked.as_json:
        print_line(
            printed_rules(rules_in(loaded))
            if asked.rules
            else model_text(loaded, depth=asked.depth, per=asked.per or "unit", positive=asked.positive)
        )
    elif asked.rules:
        text = draw_rules(rules_in(loaded))
        print_json({"model": model_as_json(loaded), "rules": text.splitlines()})
    else:
        print_line(to_json(loaded).rstrip())


def _has_log_odds(model: Model) -> bool:
    from clearwood.models.kinds.additive.additive_model import AdditiveModel
    from clearwood.models.kinds.linear.linear_model import LinearModel

    return isinstance(model, LinearModel | AdditiveModel) and len(model.schema.classes) == 2
