"""Models as files: saved whole or not at all, loaded strictly, never run."""

from clearwood.models.files.storing import MODELS, from_json, json_schema, load, save, to_json

__all__ = ["MODELS", "from_json", "json_schema", "load", "save", "to_json"]
