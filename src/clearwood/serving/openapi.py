"""The server's description for programs (OpenAPI 3.1): routes, and the columns of each model by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, assert_never
from unicodedata import combining, normalize
from urllib.parse import quote

from clearwood import __version__
from clearwood.models.model import model_in_words
from clearwood.models.predicted import predicted
from clearwood.serving.admission import Limits
from clearwood.serving.bodies import ARROW, CSV
from clearwood.serving.exchange import JSON, PLAIN
from clearwood.serving.served import ServedModel
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text, kind_of

_ERROR: Final = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {"type": "string", "description": "A sentence: what is wrong, and the way out."},
        "columns": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "What is wrong with each column, by its name.",
        },
    },
}
_CHANGES: Final = {
    "to": "The class that a change is to reach; any other unless given.",
    "fixed": "Columns that must not change, with commas between.",
    "only_up": "Columns that may change to higher values only.",
    "only_down": "Columns that may change to lower values only.",
}


def openapi(models: Sequence[ServedModel], limits: Limits, *, with_token: bool) -> dict[str, Any]:
    """The whole description."""
    paths: dict[str, Any] = {}
    schemas: dict[str, Any] = {"Error": _ERROR}
    keys = _keys([each.name for each in models])
    for key, each in zip(keys, models, strict=True):
        schemas |= {
            f"{key}Row": _row(each),
            f"{key}Answer": _answer(each),
            f"{key}Explanation": _explanation(key),
        }
        about = f"{each.name} ({model_in_words(each.model)}, version {each.version})"
        for verb, what in (("predict", "Answer"), ("explain", "Explanation")):
            operation = {
                "operationId": f"{verb}{key}",
                "summary": f"{what}s of {about}",
                "parameters": _parameters([each], explains=verb == "explain"),
                "requestBody": _rows_of([key]),
                "responses": _responses([f"{key}{what}"], tables=verb == "predict"),
            }
            paths[f"/models/{quote(each.name, safe='')}/{verb}"] = {"post": operation}
        described = _looking(f"describe{key}", f"Versions, columns and classes of {each.name}.")
        paths[f"/models/{quote(each.name, safe='')}"] = described
    for verb, what in (("predict", "Answer"), ("explain", "Explanation")):
        of = "the model" if len(models) == 1 else "the model that is named"
        paths[f"/{verb}"] = {
            "post": {
                "operationId": verb,
                "summary": f"{what}s of {of}.",
                "parameters": _parameters(models, explains=verb == "explain"),
                "requestBody": _rows_of(keys),
                "responses": _responses([f"{key}{what}" for key in keys], tables=verb == "predict"),
            }
        }
    paths |= {
        "/models": _looking("listModels", "The models: names, versions, columns."),
        "/metrics": _looking("metrics", "Counters, times and drift, as Prometheus reads them.", PLAIN),
        "/health": _looking("health", "Does the server run?"),
        "/ready": _looking("ready", "Does it predict rows?"),
    }
    components: dict[str, Any] = {"schemas": schemas}
    content: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Clearwood",
            "version": __version__,
            "description": (
                "Predictions of models that a person can read. "
                f"A request holds up to {limits.max_rows:,} rows and {limits.max_bytes:,} bytes."
            ),
        },
        "paths": paths,
        "components": components,
    }
    if with_token:
        components["securitySchemes"] = {
            "token": {"type": "http", "scheme": "bearer"},
            "password": {"type": "http", "scheme": "basic", "description": "The token as the password."},
        }
        content["security"] = [{"token": []}, {"password": []}]
    return content


_CELL: Final = {"type": ["string", "number", "boolean", "null"]}  # of a column of values


def column_schema(attribute: Attribute) -> dict[str, Any]:
    """What a column's cell may be, with its kind and its values.

    Values that are not known are answered too: those that are known are examples.

    >>> column_schema(Nominal("Wind", ("Weak", "Strong")))["examples"]
    ['Weak', 'Strong']
    """
    kind = kind_of(attribute)
    match attribute:
        case Nominal(_, values):
            return {**_CELL, "examples": list(values), "description": "Nominal.", "x-kind": kind}
        case Ordinal(_, values):
            about = "Ordinal, from low to high."
            return {**_CELL, "examples": list(values), "description": about, "x-kind": kind}
        case Numeric():
            return {"type": ["number", "null"], "description": "A number.", "x-kind": kind}
        case Text():
            return {"type": ["string", "null"], "description": "Text.", "x-kind": kind}
        case Ignored(_, because):
            return {"description": f"Not used: {because}.", "x-kind": kind}
        case _:
            assert_never(attribute)


def _row(served: ServedModel) -> dict[str, Any]:
    reader = served.reader
    return {
        "type": "object",
        "description": "Values that are not listed are predicted as values never met. null is missing.",
        "properties": {each.name: column_schema(each) for each in served.model.schema.attributes},
        "required": [each.name for each in reader.columns],
        "additionalProperties": False,
    }


def _answer(served: ServedModel) -> dict[str, Any]:
    classes = served.model.schema.classes
    what = {"enum": [*classes, None]} if classes else {"type": ["number", "null"]}
    share = {"type": "number", "minimum": 0, "maximum": 1}
    return {
        "type": "object",
        "required": ["answer", "shares", "interval"],
        "properties": {
            "model": {"type": "string"},
            "version": {"type": "string", "description": "The model's fingerprint."},
            "answer": {
                **what,
                "description": f"{predicted(served.model)}; null where the row gets no prediction.",
            },
            "shares": {
                "type": ["object", "null"],
                "properties": dict.fromkeys(classes, share),
                "description": "The probability of each class; null for a number.",
            },
            "interval": {
                "type": ["array", "null"],
                "items": {"type": "number"},
                "description": (
                    "95 % interval of the predicted class's probability, or of the number; null where there "
                    "is none."
                ),
            },
            "columns": {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "description": "Sentences on values that the model has never met, by column.",
            },
        },
    }


def _explanation(key: str) -> dict[str, Any]:
    return {
        "allOf": [
            {"$ref": f"#/components/schemas/{key}Answer"},
            {
                "type": "object",
                "required": ["why", "change", "text"],
                "properties": {
                    "why": {
                        "type": "object",
                        "description": "The path, rules or evidence behind the prediction.",
                    },
                    "change": {
                        "type": "object",
                        "description": "The smallest change that changes the prediction.",
                    },
                    "notes": {"type": "array", "items": {"type": "string"}},
                    "text": {"type": "string", "description": "The whole explanation in sentences."},
                },
            },
        ]
    }


def _looking(name: str, summary: str, kind: str = JSON) -> dict[str, Any]:
    """A path that is only looked at."""
    content: dict[str, Any] = {kind.partition(";")[0]: {}}
    replies = {"200": {"description": "So it is.", "content": content}}
    return {"get": {"operationId": name, "summary": summary, "responses": replies}}


def _rows_of(keys: Sequence[str]) -> dict[str, Any]:
    row = _any_of([f"{key}Row" for key in keys])
    rows = {"oneOf": [row, {"type": "array", "items": row, "minItems": 1}]}
    return {"required": True, "content": {"application/json": {"schema": rows}, CSV: {}, ARROW: {}}}


def _any_of(names: Sequence[str]) -> dict[str, Any]:
    """One of these schemas; several models may know the same columns."""
    references = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    return references[0] if len(references) == 1 else {"anyOf": references}


def _responses(names: Sequence[str], *, tables: bool) -> dict[str, Any]:
    one = _any_of(names)
    listed = {
        "type": "object",
        "required": ["model", "version", "rows", "answers"],
        "properties": {
            "model": {"type": "string"},
            "version": {"type": "string"},
            "rows": {"type": "integer"},
            "answers": {"type": "array", "items": one},
        },
    }
    content: dict[str, Any] = {"application/json": {"schema": {"oneOf": [one, listed]}}}
    if tables:
        content |= {CSV: {}, ARROW: {}}
    error = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}
    refusals = {
        "400": "The body or the query cannot be read.",
        "413": "Too many bytes or rows.",
        "415": "Not a type that is read.",
        "422": "Columns are unknown, lacking, or of another kind.",
        "503": "It takes too long, or the server is busy.",
    }
    return {
        "200": {"description": "One prediction, or one for each row.", "content": content},
        **{status: {"description": meaning, **error} for status, meaning in refusals.items()},
    }


def _parameters(models: Sequence[ServedModel], *, explains: bool) -> list[dict[str, Any]]:
    text = {"type": "string"}
    named = {"enum": [each.name for each in models]}
    which = _parameter("model", "The model that is to predict.", named, required=True)
    listed = [
        *([which] if len(models) > 1 else []),
        _parameter("version", "The fingerprint of the version that is to predict.", text),
        _parameter(
            "unknown", "What becomes of columns that the model does not know.", {"enum": ["refuse", "ignore"]}
        ),
    ]
    if explains:
        classes = dict.fromkeys(name for each in models for name in each.model.schema.classes)
        kinds = {"to": {"enum": list(classes)} if classes else text}
        listed += [_parameter(name, meaning, kinds.get(name, text)) for name, meaning in _CHANGES.items()]
    return listed


def _parameter(name: str, meaning: str, schema: dict[str, Any], *, required: bool = False) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": required, "description": meaning, "schema": schema}


def _keys(names: Sequence[str]) -> list[str]:
    """Models' names as schemas may be named: ASCII letters and digits, and the place where that is not all.

    >>> _keys(["tennis", "café-crème", "кредит", "Tennis"])
    ['Tennis', 'CafeCreme_2', 'Model_3', 'Tennis_4']
    """
    keys: list[str] = []
    for place, name in enumerate(names, 1):
        letters = (letter for letter in normalize("NFKD", name) if not combining(letter))
        words = "".join(each if each.isascii() and each.isalnum() else " " for each in letters).split()
        plain = "".join(word[:1].upper() + word[1:] for word in words)
        is_all = name.isascii() and plain[1:] == name[1:] and plain not in keys
        keys.append(plain if is_all else f"{plain or 'Model'}_{place}")
    return keys
