"""Layout: the text of a model file, so that a person can read it: one node, rule, table or term a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from clearwood.models.files.kinds import fields_of, kind_of_model
from clearwood.models.model import Model


def _plain(value: object) -> str:
    """A sentence with advice is a str of ours, which msgspec does not take for text; files keep its words."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_plain)


def text_of(model: Model) -> str:
    """The whole text of a model file."""
    kind, heading, body = fields_of(model)
    parts = {
        "format": _line(heading["format"]),
        "version": _line(heading["version"]),
        "model": _line(kind_of_model(model)),
        "schema": _object(_items(heading["schema"], ("columns",)), " "),
        "origin": _line(heading["origin"]),
        "decision": _line(heading["decision"]),
        "profile": _profile(heading["profile"]),
        "body": _object(_items(msgspec.structs.asdict(body), kind.lines), " "),
    }
    return _object(iter(parts.items()), "").decode("utf-8") + "\n"


def _line(value: Any) -> bytes:
    return msgspec.json.format(_ENCODER.encode(value), indent=0)


def _items(fields: dict[str, Any], lines: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    for name, value in fields.items():
        yield name, _list(value, "  ") if name in lines else _line(value)


def _profile(profile: Any) -> bytes:
    if profile is None:
        return b"null"
    fields = msgspec.structs.asdict(profile)
    columns = _object(((name, _line(each)) for name, each in fields.pop("columns").items()), "  ")
    return _object(iter([*((name, _line(each)) for name, each in fields.items()), ("columns", columns)]), " ")


def _object(fields: Iterator[tuple[str, bytes]], indent: str) -> bytes:
    inner = f"\n {indent}".encode()
    lines = [_line(name) + b": " + text for name, text in fields]
    if not lines:
        return b"{}"
    return b"{" + inner + (b"," + inner).join(lines) + f"\n{indent}}}".encode()


def _list(values: Any, indent: str) -> bytes:
    if not values:
        return b"[]"
    inner = f"\n {indent}".encode()
    lines = [msgspec.json.format(line, indent=0) for line in _ENCODER.encode_lines(values).splitlines()]
    return b"[" + inner + (b"," + inner).join(lines) + f"\n{indent}]".encode()
