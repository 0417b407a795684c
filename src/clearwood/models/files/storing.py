"""Saving and loading: the kinds of model there are, and the steps from text to file and back."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Final

from clearwood.errors import ModelFileError, no_such
from clearwood.files import write_whole
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.files.bayes import bayes_from_json, bayes_to_json
from clearwood.models.files.fields import refuse
from clearwood.models.files.heading import FORMAT, VERSION
from clearwood.models.files.linear import linear_from_json, linear_to_json
from clearwood.models.files.rules import rules_from_json, rules_to_json
from clearwood.models.files.tree_reading import tree_from_json
from clearwood.models.files.tree_writing import tree_to_json
from clearwood.models.kinds import check_kind
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree

_MOST_BYTES: Final = 1 << 30
_AGAIN: Final = "Copy the file anew, or save the model again with clearwood.save."


def save(model: Model, path: str | os.PathLike[str]) -> Path:
    """Write a model file and return its path; a name that ends in .gz is compressed.

    A failure, or Ctrl-C, leaves the old file as it was.
    """
    check_kind("save", model)
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
    """Read a model file. Whatever is not exactly a model is refused in one sentence; nothing in it is run."""
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
    for kind, write, _ in MODELS.values():
        if isinstance(model, kind):
            return write(model)
    raise TypeError(f"Cannot save a {type(model).__name__}; models are: {', '.join(MODELS)}.")


def from_json(text: str) -> Model:
    """The model in the text of a model file."""
    try:
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
    except ValueError as error:
        raise ModelFileError(f"holds a number that cannot be read: {error}.") from None
    except RecursionError:
        raise ModelFileError("nested too deeply for a model.") from None
    except MemoryError:
        raise ModelFileError("too big for this machine's memory.") from None


def json_schema() -> dict[str, Any]:
    """The published JSON Schema of model files."""
    text = resources.files("clearwood.models").joinpath("model.schema.json").read_text(encoding="utf-8")
    return json.loads(text)  # type: ignore[no-any-return]


def _model(data: Any) -> Model:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ModelFileError(
            f'not a Clearwood model; a model file says "format": "{FORMAT}". clearwood.save writes one.'
        )
    version = data.get("version")
    if type(version) is not int or version < 1:
        refuse("version", "must be a whole number from 1", version)
    if version > VERSION:
        raise ModelFileError(
            f"written in version {version} of the format; this Clearwood reads up to {VERSION}. Upgrade it."
        )
    kind = data.get("model")
    if not isinstance(kind, str) or kind not in MODELS:
        raise ModelFileError(no_such("kind of model", str(kind), MODELS, plural="kinds"))
    read: Callable[[Mapping[str, Any]], Model] = MODELS[kind][2]
    return read({k: v for k, v in data.items() if k not in ("format", "version", "model")})


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
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ModelFileError(f"an object has the field '{twice}' twice.")
    return found


def _no_constant(name: str) -> None:
    raise ModelFileError(f"holds {name}, which is not a number JSON knows.")


# kind → its type, how it is written, how its fields are read
MODELS: Final[dict[str, tuple[type[Any], Callable[[Any], str], Callable[[Mapping[str, Any]], Any]]]] = {
    "tree": (Tree, tree_to_json, tree_from_json),
    "rules": (RuleList, rules_to_json, rules_from_json),
    "bayes": (BayesTables, bayes_to_json, bayes_from_json),
    "linear": (LinearModel, linear_to_json, linear_from_json),
}
