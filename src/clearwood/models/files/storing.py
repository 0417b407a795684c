"""Saving and loading: the steps from a model to the text of its file and back; nothing in a file is run."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterator
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any, Final

import msgspec

from clearwood.errors import ModelFileError
from clearwood.files import write_whole
from clearwood.models.files.forms import refuse
from clearwood.models.files.heading import (
    FORMAT,
    VERSION,
    any_file,
    fields_of,
    file_form,
    kind_named,
    model_of,
)
from clearwood.models.files.packed import reading_file_of
from clearwood.models.model import Model, check_kind
from clearwood.table.describe import excerpt
from clearwood.table.schema import broken_name

_MOST_BYTES: Final = 1 << 30
_AGAIN: Final = "Copy the file again, or save the model again with clearwood.save."


def save(model: Model, path: str | os.PathLike[str]) -> Path:
    """Write a model file and return its path; a name that ends in .gz is compressed.

    A failure, or Ctrl-C, leaves the old file as it was.
    """
    check_kind("save", model)
    if (because := broken_name(model.schema)) is not None:
        raise ModelFileError(because)
    place = Path(path)
    try:
        content = to_json(model).encode("utf-8")
    except UnicodeEncodeError as error:
        raise ModelFileError(
            f"This model cannot be saved: a name holds broken text ({error.reason})."
        ) from None
    if place.suffix == ".gz":
        content = gzip.compress(content, 6, mtime=0)
    return write_whole(place, content, refusal=ModelFileError)


def load(path: str | os.PathLike[str]) -> Model:
    """Read a model file; runs no code. What is not a valid model is refused with one sentence."""
    if not isinstance(path, str | os.PathLike):
        raise ModelFileError(f"A model is loaded from the path of its file, not a {type(path).__name__}.")
    place = Path(path)
    try:
        content = _content(place)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise ModelFileError(f"{place}: the compressed file is damaged or cut off. {_AGAIN}") from None
    except OSError as error:
        raise ModelFileError(f"Cannot read {place}: {error.strerror or error}.") from None
    if len(content) > _MOST_BYTES:
        raise ModelFileError(f"{place}: more than {_MOST_BYTES >> 20} MB; that is too big for a model.")
    try:
        return from_json(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ModelFileError(f"{place}: not a model file; it is not UTF-8 text.") from None
    except ModelFileError as error:
        raise ModelFileError(f"{place}: {error}") from None


def to_json(model: Model) -> str:
    """The text of a model file."""
    return text_of(model)


def from_json(text: str) -> Model:
    """The model in the text of a model file."""
    with reading_file_of(len(text)):
        return _from_json(text)


def _from_json(text: str) -> Model:
    try:
        form = _decoded(text)
        if form is not None:
            return model_of(form, form.__struct_config__.tag)
        data = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
        if "\\u" in text:
            json.dumps(data, ensure_ascii=False).encode("utf-8")
        return _model(data)
    except json.JSONDecodeError as error:
        raise ModelFileError(f"{_what_is_wrong(text, error)} {_AGAIN}") from None
    except ModelFileError:
        raise
    except UnicodeEncodeError:
        raise ModelFileError("a name holds broken text (half of a surrogate pair).") from None
    except ValueError:  # Python's own limit on the digits of a whole number
        raise ModelFileError(
            f"holds a number that cannot be read, of thousands of digits; no model has one. {_AGAIN}"
        ) from None
    except RecursionError:
        raise ModelFileError("nested too deeply for a model.") from None
    except MemoryError:
        raise ModelFileError("too big for this machine's memory.") from None


def json_schema() -> dict[str, Any]:
    """The published JSON Schema of model files."""
    text = resources.files("clearwood.models").joinpath("model.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def _decoded(text: str) -> Any:
    """The form of a file that is surely as it must be, at once; None where it takes a second look.

    The quick decoder takes the last of two fields of one name. Written again, such a file has fewer fields
    than before, and a field's name is the only text before a colon.
    """
    if "\\u" in text or any(f"{blank}:" in text for blank in " \t\r\n"):
        return None
    try:
        form = msgspec.json.decode(text, type=any_file())
        again = msgspec.json.encode(form)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError, MemoryError):
        return None
    return form if again.count(b'":') == text.count('":') else None


def _model(data: Any) -> Model:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ModelFileError(
            f'not a Clearwood model; a model file says "format": "{FORMAT}". clearwood.save writes one.'
        )
    version = data.get("version")
    if type(version) is not int or version < VERSION:
        refuse("version", f"must be a whole number, {VERSION} as clearwood.save writes it", version)
    if version > VERSION:
        raise ModelFileError(
            f"written in version {excerpt(str(version))} of the format; this Clearwood reads up to "
            f"{VERSION}. Upgrade it."
        )
    name = data.get("model")
    kind_named(name)
    assert isinstance(name, str)
    return model_of(_formed(data, file_form(name)), name)


def _formed(data: Any, form: type[Any]) -> Any:
    try:
        return msgspec.convert(data, form)
    except msgspec.ValidationError as error:
        from clearwood.models.files.mismatch import mismatch

        raise ModelFileError(mismatch(data, form, "") or f"not a model: {error}.") from None


def _what_is_wrong(text: str, error: json.JSONDecodeError) -> str:
    """Text that was never a model, one that stops too early, or one that was changed, and where."""
    text = text.strip()
    if not text.startswith("{"):
        return f"not a model file: {'it does not begin with {' if text else 'it is empty'}."
    place = f"at line {error.lineno}, column {error.colno}"
    if error.msg != "Extra data" and (error.pos >= len(text) or not text.endswith("}")):
        return f"the file seems cut off; it is not JSON {place}."
    # Python's words may end in "at", for the place to follow.
    return f"not JSON {place}: {error.msg.removesuffix(' at').removesuffix(' starting').rstrip(': ')}."


def _content(place: Path) -> bytes:
    if place.suffix == ".gz":
        with gzip.open(place) as file:
            return file.read(_MOST_BYTES + 1)
    with place.open("rb") as file:
        return file.read(_MOST_BYTES + 1)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ModelFileError(f"an object has the field '{twice}' twice.")
    return unique


def _no_constant(name: str) -> None:
    raise ModelFileError(f"holds {name}, which is not a number JSON knows.")


# Layout: the text of a model file, so that a person can read it: one node, rule, table or term a line.


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
        "model": _line(model.kind),
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


# A fingerprint of a model: sixteen digits that change if anything does that its file holds.


def model_fingerprint(model: Model) -> str:
    """The first digits of the SHA-256 of its file's text: the same on every machine, whatever the file is
    called and however it is compressed. Exports and their certificates name a model by it.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> model_fingerprint(cw.ID3().learn(table)) == model_fingerprint(cw.ID3().learn(table))
    True
    """
    check_kind("model_fingerprint", model)
    return sha256(to_json(model).encode("utf-8", "surrogatepass")).hexdigest()[:16]
