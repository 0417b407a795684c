"""The published schema of model files, made ready once: preparing it takes longer than trying a file."""

from __future__ import annotations

import json
from functools import cache

import pytest
from jsonschema import Draft202012Validator
from jsonschema.protocols import Validator

from clearwood.models.files import json_schema


def fits_the_published_schema(text: str) -> None:
    """Fails where the text is not JSON (which has no infinities) or not as the schema says."""
    _validator().validate(json.loads(text, parse_constant=pytest.fail))


@cache
def _validator() -> Validator:
    schema = json_schema()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)
