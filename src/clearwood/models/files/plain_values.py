"""Settings as JSON: text, finite numbers, lists and objects; a learner is its name and its settings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from clearwood.errors import ModelFileError
from clearwood.models.files.places import at, wrong
from clearwood.models.plain import LearnerAsData, Plain

_MADE: Final = {"learner", "settings"}


def plain_to_json(value: Plain, where: str = "settings") -> Any:
    """A setting for a file.

    >>> plain_to_json({"of": LearnerAsData("C45", {"confidence": 0.1}), "trees": 50})
    {'of': {'learner': 'C45', 'settings': {'confidence': 0.1}}, 'trees': 50}
    """
    if isinstance(value, LearnerAsData):
        return {"learner": value.learner, "settings": plain_to_json(value.settings, where)}
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise ModelFileError(
                    f"Origin.{where} has the key {key!r}; a model file holds only text as keys."
                )
        if _is_made(value):
            raise ModelFileError(f"Origin.{where} reads like a learner; write it as Made(learner, settings).")
        return {key: plain_to_json(each, f"{where}.{key}") for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain_to_json(each, where) for each in value]
    if value is None or type(value) in (str, bool, int) or (type(value) is float and math.isfinite(value)):
        return value
    raise ModelFileError(
        f"Origin.{where} is {value!r}; a model file holds text, finite numbers and lists of them."
    )


def plain_from_json(value: Any) -> Plain:
    """What `plain_to_json` wrote."""
    if isinstance(value, dict):
        if _is_made(value):
            settings = at("settings", plain_from_json, value["settings"])
            assert isinstance(settings, Mapping)
            return LearnerAsData(value["learner"], settings)
        return {key: at(key, plain_from_json, each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return tuple(at(i, plain_from_json, each) for i, each in enumerate(value))
    if isinstance(value, float) and not math.isfinite(value):
        raise wrong("must be a finite number", value)
    return value  # type: ignore[no-any-return]


def _is_made(value: Mapping[str, Any]) -> bool:
    return (
        value.keys() == _MADE and isinstance(value["learner"], str) and isinstance(value["settings"], Mapping)
    )
