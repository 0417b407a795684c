"""The server's description for programs (OpenAPI 3.1): routes, and the columns of each model by name.

`openapi.json` has all that is the same for every server; "$name" stands there for what depends on the models.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, assert_never
from unicodedata import combining, normalize
from urllib.parse import quote

import msgspec

from clearwood import __version__
from clearwood.models.model import model_in_words
from clearwood.models.predicted import predicted
from clearwood.serving.answering import QUERY, Verb
from clearwood.serving.bodies import ARROW, CSV
from clearwood.serving.exchange import JSON, PLAIN, Limits
from clearwood.serving.served import ServedModel
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text

_WHAT: Final[dict[Verb, str]] = {"predict": "Answer", "explain": "Explanation"}


def openapi(models: Sequence[ServedModel], limits: Limits, *, with_token: bool) -> dict[str, Any]:
    """The whole description."""
    paths: dict[str, Any] = {}
    schemas: dict[str, Any] = {"Error": _part("Error")}
    keys = _keys([each.name for each in models])
    for key, each in zip(keys, models, strict=True):
        schemas |= {
            f"{key}Row": _row(each),
            f"{key}Answer": _answer(each),
            f"{key}Explanation": _part("Explanation", answer=_any_of([f"{key}Answer"])),
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
    about = (
        "Predictions of models that a person can read. "
        f"A request holds up to {limits.max_rows:,} rows and {limits.max_bytes:,} bytes."
    )
    content = _part("description", release=__version__, about=about, paths=paths, schemas=schemas)
    if with_token:
        schemes = content["components"]["securitySchemes"] = _part("security")
        content["security"] = [{name: []} for name in schemes]
    return content


@cache
def _parts() -> dict[str, Any]:
    parts: dict[str, Any] = msgspec.json.decode(files(__package__).joinpath("openapi.json").read_bytes())
    return parts


def _part(name: str, /, **of_models: Any) -> dict[str, Any]:
    """A part of the description, with what depends on the models in its places."""

    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: filled(each) for key, each in value.items()}
        if isinstance(value, list):
            return [filled(each) for each in value]
        return of_models[value[1:]] if isinstance(value, str) and value.startswith("$") else value

    part: dict[str, Any] = filled(_parts()[name])
    return part


_CELL: Final = {"type": ["string", "number", "boolean", "null"]}  # of a column of values


def column_schema(attribute: Attribute) -> dict[str, Any]:
    """What a column's cell may be, with its kind and its values.

    Values that are not known are answered too: those that are known are examples.

    >>> column_schema(Nominal("Wind", ("Weak", "Strong")))["examples"]
    ['Weak', 'Strong']
    """
    kind = attribute.kind
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
    columns = {each.name: column_schema(each) for each in served.model.schema.attributes}
    return _part("Row", columns=columns, required=[each.name for each in served.reader.columns])


def _answer(served: ServedModel) -> dict[str, Any]:
    classes = served.model.schema.classes
    what = {"enum": [*classes, None]} if classes else {"type": ["number", "null"]}
    about = f"{predicted(served.model)}; null where the row gets no prediction."
    shares = {name: {"type": "number", "minimum": 0, "maximum": 1} for name in classes}
    return _part("Answer", answer={**what, "description": about}, shares=shares)


def _asking(
    verb: Verb, key: str, keys: Sequence[str], models: Sequence[ServedModel], about: str
) -> dict[str, Any]:
    """A path that takes rows."""
    what = _WHAT[verb]
    one = _any_of([f"{each}{what}" for each in keys])
    content: dict[str, Any] = {JSON: {"schema": _part("replies", one=one)}}
    if verb == "predict":
        content |= {CSV: {}, ARROW: {}}
    return _part(
        "asking",
        operation=f"{verb}{key}",
        summary=f"{what}s of {about}",
        parameters=_parameters(verb, models),
        row=_any_of([f"{each}Row" for each in keys]),
        content=content,
        error={JSON: {"schema": _any_of(["Error"])}},
    )


def _looking(name: str, summary: str, kind: str = JSON) -> dict[str, Any]:
    """A path that is only looked at."""
    return _part("looking", operation=name, summary=summary, content={kind.partition(";")[0]: {}})


def _any_of(names: Sequence[str]) -> dict[str, Any]:
    """One of these schemas; several models may know the same columns."""
    references = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    return references[0] if len(references) == 1 else {"anyOf": references}


def _parameters(verb: Verb, models: Sequence[ServedModel]) -> list[dict[str, Any]]:
    """Those that a query may have; the model must be named where there are several."""
    among = {
        "model": [each.name for each in models],
        "unknown": ["refuse", "ignore"],
        "to": list(dict.fromkeys(name for each in models for name in each.model.schema.classes)),
    }
    return [
        _part(
            "parameter",
            name=name,
            required=name == "model",
            meaning=meaning,
            schema={"enum": among[name]} if among.get(name) else {"type": "string"},
        )
        for name, meaning in _part("parameters").items()
        if name in QUERY[verb] and (name != "model" or len(models) > 1)
    ]


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
