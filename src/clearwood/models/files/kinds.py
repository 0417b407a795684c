"""The kinds of model that files hold: for each its type, the form of its body, and the way there and back.

A kind that is added here is saved, loaded strictly, and published in the JSON Schema. A body has no schema
and no origin: it can stand in the file of another model, which gives it its own.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, Union

import msgspec

from clearwood.errors import ClearwoodError, ModelFileError, no_such
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.ensemble import Ensemble
from clearwood.models.files.additive import AdditiveForm, additive_from_form, additive_to_form
from clearwood.models.files.bayes import BayesForm, bayes_from_form, bayes_to_form
from clearwood.models.files.ensemble import EnsembleForm, ensemble_from_form, ensemble_to_form
from clearwood.models.files.forms import MOST, Form
from clearwood.models.files.heading import HEADING, Heading, SchemaForm, heading_from_form, heading_to_form
from clearwood.models.files.linear import LinearForm, linear_from_form, linear_to_form
from clearwood.models.files.rules import RulesForm, rules_from_form, rules_to_form
from clearwood.models.files.tree import TreeForm, tree_from_form, tree_to_form
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.records import dataclass


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of model in files; `lines` are the fields of its body that stand one entry a line."""

    model: type[Any]
    called: str
    body: type[Form]
    write: Callable[[Any], Form]
    read: Callable[[Any, Heading], Any]
    lines: tuple[str, ...]


KINDS: Final[dict[str, FileKind]] = {
    "tree": FileKind(Tree, "a tree", TreeForm, tree_to_form, tree_from_form, ("nodes",)),
    "rules": FileKind(RuleList, "a rule list", RulesForm, rules_to_form, rules_from_form, ("rules",)),
    "bayes": FileKind(
        BayesTables, "a Bayes model", BayesForm, bayes_to_form, bayes_from_form, ("distributions",)
    ),
    "linear": FileKind(
        LinearModel, "a linear model", LinearForm, linear_to_form, linear_from_form, ("terms",)
    ),
    "ensemble": FileKind(
        Ensemble, "an ensemble", EnsembleForm, ensemble_to_form, ensemble_from_form, ("models", "curves")
    ),
    "additive": FileKind(
        AdditiveModel,
        "an additive model",
        AdditiveForm,
        additive_to_form,
        additive_from_form,
        ("curves", "pairs"),
    ),
}


def kind_named(name: object) -> FileKind:
    """The kind of this name."""
    if not isinstance(name, str) or name not in KINDS:
        raise ModelFileError(no_such("kind of model", str(name), KINDS, plural="kinds"))
    return KINDS[name]


def kind_of_model(model: Model) -> str:
    """The name of a model's kind."""
    for name, kind in KINDS.items():
        if isinstance(model, kind.model):
            return name
    raise TypeError(f"Cannot save a {type(model).__name__}; models are: {', '.join(KINDS)}.")


@cache
def file_form(name: str) -> Any:
    """The form of a whole file of this kind: the heading, then the body."""
    return msgspec.defstruct(
        f"{name.capitalize()}File",
        [*HEADING, ("body", KINDS[name].body)],
        bases=(Form,),
        tag=name,
        tag_field="model",
        forbid_unknown_fields=True,
        kw_only=True,
        frozen=True,
        gc=False,
    )


@cache
def any_file() -> Any:
    """The form of a file of any kind, told apart by its `model`."""
    return Union[tuple(map(file_form, KINDS))]  # noqa: UP007


def model_of(form: Any, name: str) -> Model:
    """The model in a file's form."""
    kind, heading = KINDS[name], heading_from_form(form)
    try:
        model: Model = kind.read(form.body, heading)
        return model
    except ModelFileError:
        raise
    except (ClearwoodError, TypeError) as error:
        raise ModelFileError(f"not {kind.called}: {error}") from None


def fields_of(model: Model) -> tuple[FileKind, dict[str, Any], Form]:
    """A model's kind, its heading and its body, as forms."""
    kind = KINDS[kind_of_model(model)]
    return kind, heading_to_form(model), kind.write(model)


# The published JSON Schema of model files, made from their forms.
#
# `python -m clearwood.models.files.kinds` writes it; a test holds it to the forms.


PLACE: Final = Path(__file__).parents[1] / "model.schema.json"


def made_schema() -> dict[str, Any]:
    """The schema (draft 2020-12) of what is written now."""
    files = [file_form(name) for name in KINDS]
    refs, parts = msgspec.json.schema_components([*files, SchemaForm], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Clearwood model",
        "description": "A model as Clearwood saves it: plain data that stands alone, with its schema, its "
        "origin and how it decides.",
        "oneOf": list(refs[:-1]),
        "$defs": {name: _bare(part) for name, part in parts.items()},
    }


def schema_text() -> str:
    """The text of the published file."""
    return json.dumps(made_schema(), indent=1, ensure_ascii=False) + "\n"


def _bare(part: Any) -> Any:
    """Without bounds that every finite number keeps, and with sentences on one line."""
    if isinstance(part, dict):
        return {
            key: " ".join(each.split()) if key == "description" and isinstance(each, str) else _bare(each)
            for key, each in part.items()
            if not (key in ("minimum", "maximum") and isinstance(each, float) and abs(each) == MOST)
        }
    return [_bare(each) for each in part] if isinstance(part, list) else part


if __name__ == "__main__":
    PLACE.write_text(schema_text(), encoding="utf-8")
    sys.stdout.write(f"{PLACE}\n")
