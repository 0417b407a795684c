"""The server's description for programs (OpenAPI 3.1): routes, and the columns of each model by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, assert_never
from unicodedata import combining, normalize
from urllib.parse import quote

from clearwood import __version__
from clearwood.models.model import model_in_words
from clearwood.models.predicted import predicted
from clearwood.serving.bodies import ARROW, CSV
from clearwood.serving.exchange import JSON, PLAIN, Limits
from clearwood.serving.served import ServedModel
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text, kind_of

_TEXT: Final = {"type": "string"}


def _text(about: str) -> dict[str, Any]:
    return {**_TEXT, "description": about}


def _object(properties: Mapping[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    listed = {"required": list(required)} if required else {}
    return {"type": "object", **listed, "properties": properties, **more}


def _sentences(about: str) -> dict[str, Any]:
    """Sentences by the names of columns."""
    return {"type": "object", "additionalProperties": _TEXT, "description": about}


_ERROR: Final = _object(
    {
        "error": _text("A sentence: what is wrong, and the way out."),
        "columns": _sentences("What is wrong with each column, by its name."),
    },
    "error",
)
_CHANGES: Final = {
    "to": "The class that a change is to reach; any other unless given.",
    "fixed": "Columns that must not change, with commas between.",
    "only_up": "Columns that may change to higher values only.",
    "only_down": "Columns that may change to lower values only.",
}


_WHAT: Final = {"predict": "Answer", "explain": "Explanation"}


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
        path = f"/models/{quote(each.name, safe='')}"
        paths |= {f"{path}/{verb}": _asking(verb, key, [key], [each], about) for verb in _WHAT}
        paths[path] = _looking(f"describe{key}", f"Versions, columns and classes of {each.name}.")
    of = "the model." if len(models) == 1 else "the model that is named."
    paths |= {f"/{verb}": _asking(verb, "", keys, models, of) for verb in _WHAT}
    paths |= {
        "/models": _looking("listModels", "The models: names, versions, columns."),
        "/metrics": _looking("metrics", "Counters, times and drift, as Prometheus reads them.", PLAIN),
        "/health": _looking("health", "Does the server run?"),
        "/ready": _looking("ready", "Does it predict rows?"),
    }
    components: dict[str, Any] = {"schemas": schemas}
    about = (
        "Predictions of models that a person can read. "
        f"A request holds up to {limits.max_rows:,} rows and {limits.max_bytes:,} bytes."
    )
    content: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "Clearwood", "version": __version__, "description": about},
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
    return {
        "type": "object",
        "description": "Values that are not listed are predicted as values never met. null is missing.",
        "properties": {each.name: column_schema(each) for each in served.model.schema.attributes},
        "required": [each.name for each in served.reader.columns],
        "additionalProperties": False,
    }


def _answer(served: ServedModel) -> dict[str, Any]:
    classes = served.model.schema.classes
    what = {"enum": [*classes, None]} if classes else {"type": ["number", "null"]}
    share = {"type": "number", "minimum": 0, "maximum": 1}
    interval = (
        "95 % interval of the predicted class's probability, or of the number; null where there is none."
    )
    return _object(
        {
            "model": _TEXT,
            "version": _text("The model's fingerprint."),
            "answer": {
                **what,
                "description": f"{predicted(served.model)}; null where the row gets no prediction.",
            },
            "shares": {
                "type": ["object", "null"],
                "properties": dict.fromkeys(classes, share),
                "description": "The probability of each class; null for a number.",
            },
            "interval": {"type": ["array", "null"], "items": {"type": "number"}, "description": interval},
            "columns": _sentences("Sentences on values that the model has never met, by column."),
        },
        *("answer", "shares", "interval"),
    )


def _explanation(key: str) -> dict[str, Any]:
    parts = {
        "why": {"type": "object", "description": "The path, rules or evidence behind the prediction."},
        "change": {"type": "object", "description": "The smallest change that changes the prediction."},
        "notes": {"type": "array", "items": _TEXT},
        "text": _text("The whole explanation in sentences."),
    }
    return {"allOf": [_any_of([f"{key}Answer"]), _object(parts, "why", "change", "text")]}


def _asking(
    verb: str, key: str, keys: Sequence[str], models: Sequence[ServedModel], about: str
) -> dict[str, Any]:
    """A path that takes rows."""
    what, row = _WHAT[verb], _any_of([f"{each}Row" for each in keys])
    rows = {"oneOf": [row, {"type": "array", "items": row, "minItems": 1}]}
    return {
        "post": {
            "operationId": f"{verb}{key}",
            "summary": f"{what}s of {about}",
            "parameters": _parameters(models, explains=verb == "explain"),
            "requestBody": {"required": True, "content": {JSON: {"schema": rows}, CSV: {}, ARROW: {}}},
            "responses": _responses([f"{each}{what}" for each in keys], tables=verb == "predict"),
        }
    }


def _looking(name: str, summary: str, kind: str = JSON) -> dict[str, Any]:
    """A path that is only looked at."""
    content: dict[str, Any] = {kind.partition(";")[0]: {}}
    replies = {"200": {"description": "So it is.", "content": content}}
    return {"get": {"operationId": name, "summary": summary, "responses": replies}}


def _any_of(names: Sequence[str]) -> dict[str, Any]:
    """One of these schemas; several models may know the same columns."""
    references = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    return references[0] if len(references) == 1 else {"anyOf": references}


def _responses(names: Sequence[str], *, tables: bool) -> dict[str, Any]:
    one = _any_of(names)
    head = {"model": _TEXT, "version": _TEXT, "rows": {"type": "integer"}}
    listed = _object({**head, "answers": {"type": "array", "items": one}}, *head, "answers")
    content: dict[str, Any] = {JSON: {"schema": {"oneOf": [one, listed]}}}
    if tables:
        content |= {CSV: {}, ARROW: {}}
    error = {"content": {JSON: {"schema": _any_of(["Error"])}}}
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
    which = [
        _parameter("model", "The model that is to predict.", [each.name for each in models], required=True)
    ]
    listed = [
        *(which if len(models) > 1 else []),
        _parameter("version", "The fingerprint of the version that is to predict."),
        _parameter("unknown", "What becomes of columns that the model does not know.", ["refuse", "ignore"]),
    ]
    if explains:
        classes = list(dict.fromkeys(name for each in models for name in each.model.schema.classes))
        listed += [
            _parameter(name, meaning, classes if name == "to" else ()) for name, meaning in _CHANGES.items()
        ]
    return listed


def _parameter(
    name: str, meaning: str, among: Sequence[str] = (), *, required: bool = False
) -> dict[str, Any]:
    schema = {"enum": among} if among else _TEXT
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
