"""The heading every model file has: format and version, kind of model, schema, origin, decision."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final

from clearwood.errors import ModelFileError, TableError
from clearwood.models.decision import Decision
from clearwood.models.files.fields import as_list, as_number, fields, refuse
from clearwood.models.origin import Origin
from clearwood.models.plain import Plain
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema
from clearwood.table.schema_file import schema_from_json, schema_to_json
from clearwood.table.weights import MEANINGS

FORMAT: Final = "clearwood"
VERSION: Final = 1
HEADING: Final = ("schema", "origin", "decision")


def heading_lines(kind: str, schema: Schema, origin: Origin, decision: Decision) -> Iterator[str]:
    """The lines that come first, each with the comma that ends it."""
    yield f' "format": {dumps(FORMAT)},\n "version": {VERSION},\n "model": {dumps(kind)},\n'
    yield f' "schema": {_schema(schema)},\n'
    yield f' "origin": {dumps(_origin_to_json(origin))},\n'
    yield f' "decision": {dumps({"factors": decision.factors, "costs": decision.costs})},\n'


def read_heading(data: Mapping[str, Any]) -> tuple[Schema, Origin, Decision]:
    """Schema, origin and decision from the fields of a model file that has them all."""
    try:
        schema = schema_from_json(data["schema"])
    except TableError as error:
        raise ModelFileError(f"schema: {error}") from None
    if schema.target is None:
        refuse("schema.target", "must name what the model predicts", None)
    classes = 0 if isinstance(schema.target, Numeric) else len(schema.classes)
    return schema, _origin_from_json(data["origin"]), _decision(data["decision"], classes)


def dumps(value: object) -> str:
    """JSON text on one line."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise ModelFileError(f"This model cannot be saved: {error}.") from None


def exact(value: float) -> str:
    """The shortest text that reads back as this number."""
    text = repr(value)
    if text[-2:] == ".0":
        return text[:-2]
    if text in ("inf", "-inf", "nan"):
        raise ModelFileError(f"A model with {text} among its numbers cannot be saved.")
    return text


def _schema(schema: Schema) -> str:
    data = schema_to_json(schema)
    columns = ",\n  ".join(dumps(column) for column in data.pop("columns"))
    return f'{{"columns": [\n  {columns}\n ], {dumps(data)[1:]}'


def _origin_to_json(origin: Origin) -> dict[str, Any]:
    return {
        "learner": origin.learner,
        "settings": _plain_to_json(origin.settings, "settings"),
        "version": origin.version,
        "fingerprint": origin.fingerprint,
        "rows": origin.rows,
        **({} if origin.weights_are is None else {"weights_are": origin.weights_are}),
    }


def _plain_to_json(value: Plain, where: str) -> Any:
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise ModelFileError(
                    f"Origin.{where} has the key {key!r}; a model file holds only text as keys."
                )
        return {key: _plain_to_json(each, f"{where}.{key}") for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain_to_json(each, where) for each in value]
    if value is None or type(value) in (str, bool, int) or (type(value) is float and math.isfinite(value)):
        return value
    raise ModelFileError(
        f"Origin.{where} is {value!r}; a model file holds text, finite numbers and lists of them."
    )


def _origin_from_json(data: Any) -> Origin:
    known = ("learner", "settings", "version", "fingerprint", "rows")
    fields(data, "origin", required=known, optional=("weights_are",))
    for key in ("learner", "version", "fingerprint"):
        if not isinstance(data[key], str):
            refuse(f"origin.{key}", "must be text", data[key])
    if type(data["rows"]) is not int or data["rows"] < 0:
        refuse("origin.rows", "must be a whole number ≥ 0", data["rows"])
    if not isinstance(data["settings"], dict):
        refuse("origin.settings", "must be an object", data["settings"])
    settings = {
        key: _plain_from_json(value, f"origin.settings.{key}") for key, value in data["settings"].items()
    }
    weights_are = data.get("weights_are")
    if weights_are is not None and weights_are not in MEANINGS:
        refuse("origin.weights_are", f"must be one of {', '.join(MEANINGS)}", weights_are)
    found = (data["learner"], settings, data["version"], data["fingerprint"], data["rows"])
    return Origin(*found, weights_are=weights_are)


def _plain_from_json(value: Any, where: str) -> Plain:
    if isinstance(value, dict):
        return {key: _plain_from_json(each, f"{where}.{key}") for key, each in value.items()}
    if isinstance(value, list):
        return tuple(_plain_from_json(each, where) for each in value)
    if isinstance(value, float) and not math.isfinite(value):
        refuse(where, "must be a finite number", value)
    return value  # type: ignore[no-any-return]


def _decision(data: Any, classes: int) -> Decision:
    fields(data, "decision", required=("factors", "costs"))
    factors = as_list(data["factors"], "decision.factors")
    if factors and len(factors) != classes:
        refuse("decision.factors", f"must be one number a class ({classes}), or none", factors)
    costs = [
        as_list(row, f"decision.costs[{i}]") for i, row in enumerate(as_list(data["costs"], "decision.costs"))
    ]
    if costs and (len(costs) != classes or any(len(row) != classes for row in costs)):
        refuse("decision.costs", f"must be a table of {classes} by {classes} numbers, or empty", costs)
    most = sys.float_info.max
    return Decision(
        tuple(as_number(each, "decision", f"factors[{i}]", 0.0, most) for i, each in enumerate(factors)),
        tuple(
            tuple(as_number(each, "decision", f"costs[{i}]", 0.0, most) for each in row)
            for i, row in enumerate(costs)
        ),
    )
