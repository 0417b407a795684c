"""Models of any kind in files: the form of a whole file, and the way there and back.

A kind that is added to `KINDS` is saved, loaded strictly, and published in the JSON Schema. A body has no
schema and no origin: it can stand in the file of another model, which gives it its own.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final, Union

import msgspec

from clearwood.errors import ClearwoodError, ModelFileError, no_such
from clearwood.models.files.forms import MOST, Form
from clearwood.models.files.heading import HEADING, SchemaForm, heading_from_form, heading_to_form
from clearwood.models.kinds.kind import KINDS, Kind, kind_of
from clearwood.models.model import Model


def kind_named(name: object) -> Kind[Any]:
    """The kind of this name."""
    if not isinstance(name, str) or name not in KINDS:
        raise ModelFileError(no_such("kind of model", str(name), KINDS, plural="kinds"))
    return KINDS[name]


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


def fields_of(model: Model) -> tuple[Kind[Any], dict[str, Any], Form]:
    """A model's kind, its heading and its body, as forms."""
    kind = kind_of(model)
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
