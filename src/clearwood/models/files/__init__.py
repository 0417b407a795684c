"""Models as files: saved whole or not at all, loaded strictly, never run."""

from clearwood.models.files.storing import from_json, json_schema, load, save, to_json
from clearwood.models.kinds.kind import KINDS

__all__ = ["KINDS", "from_json", "json_schema", "load", "save", "to_json"]
