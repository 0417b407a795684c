"""The published JSON Schema of model files, made from their forms.

`python -m clearwood.models.files.published` writes it; a test holds it to the forms.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from clearwood.models.files.forms import MOST
from clearwood.models.files.heading import SchemaForm
from clearwood.models.files.kinds import KINDS, file_form

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
