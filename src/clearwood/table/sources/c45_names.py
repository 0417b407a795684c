"""C4.5's files: `x.names` says what the columns of `x.data` and `x.test` are.

play, don't play.            | the classes; or, as in C5.0, the name of the attribute to predict
outlook: sunny, overcast, rain.
humidity: continuous.        | also: discrete N, ignore, label, date, time, timestamp
"""

import re
from pathlib import Path

import numpy as np

from clearwood.errors import SourceError
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.coding import as_strings, code_column
from clearwood.table.describe import excerpt, listed
from clearwood.table.raw import Raw, RawColumn, RawStrings
from clearwood.table.schema import Schema, unused_name
from clearwood.table.sources.csv import read_csv
from clearwood.table.sources.decoding import read_text
from clearwood.table.sources.opening import Held, SizeLimit
from clearwood.table.table import UNSEEN

_COMMENT = re.compile(r"(?<!\\)\|.*")
_COMMA, _COLON = re.compile(r"(?<!\\),"), re.compile(r"(?<!\\):")
_PACKED = re.compile(r"\.(gz|bz2|xz|zst)$", re.IGNORECASE)


def names_of(path: Path) -> Path:
    """The `.names` file that describes a `.data` or `.test` file, packed or not."""
    return path.with_name(_PACKED.sub("", path.name)).with_suffix(".names")


def read_c45(path: Path, encoding: str | None = None, max_bytes: SizeLimit = None) -> Raw:
    """The rows of `x.data` for `x.names` itself, else of the file named."""
    names_path = names_of(path)
    data_path = names_path.with_suffix(".data") if path.suffix.lower() == ".names" else path
    if not data_path.exists():
        raise SourceError(f"{names_path.name} describes {data_path.name}, which is not beside it.")
    order, target = read_names(names_path, encoding)
    text, where, notes = read_text(data_path, encoding, max_bytes)
    rows = _COMMENT.sub("", text) if "|" in text else text
    held = Held(np.frombuffer(rows.encode(), np.uint8), where)
    raw = read_csv(held, header=False, delimiter=",", decimal=".", thousands="none", missing="?")
    if len(order) != len(raw.columns):
        raise SourceError(
            f"{where} has {len(raw.columns)} columns where {names_path.name} describes {len(order)}."
        )
    columns = [*raw.columns[:-1], _without_full_stops(raw.columns[-1], order[-1])]
    for attribute, column in zip(order, columns, strict=True):
        _check_listed(attribute, column, where, names_path.name)
    schema = Schema(tuple(attribute for attribute in order if attribute is not target), target)
    return Raw(tuple(attribute.name for attribute in order), tuple(columns), where, notes, schema)


def read_names(
    path: Path, encoding: str | None = None
) -> tuple[list[Attribute], Nominal | Ordinal | Numeric]:
    """The columns that a `.names` file declares, in the order of the data, and which one is the target."""
    text, where, _ = read_text(path, encoding)
    (_, first), *entries = _entries(text, where)
    attributes: list[Attribute] = [_attribute(entry, f"{where}, line {line}") for line, entry in entries]
    classes = _values(first)
    for attribute in attributes:
        if [attribute.name] == classes:
            if isinstance(attribute, Ignored | Text):
                raise SourceError(
                    f"{where}: '{attribute.name}' is the target, but its kind cannot be predicted."
                )
            return attributes, attribute
    target = Nominal(unused_name("class", [each.name for each in attributes]), tuple(classes))
    return [*attributes, target], target


def _entries(text: str, where: str) -> list[tuple[int, str]]:
    """Line and text of each entry: up to a full stop at a line's end, or to where the next one begins."""
    entries: list[tuple[int, str]] = []
    closed = True
    for number, line in enumerate(text.split("\n"), 1):
        part = _COMMENT.sub("", line).strip()
        if not part:
            continue
        if closed or _COLON.search(part):
            entries.append((number, part))
        else:
            entries[-1] = (entries[-1][0], f"{entries[-1][1]} {part}")
        closed = part.endswith(".")
    if len(entries) < 2:
        raise SourceError(
            f"{where} needs the classes on its first line and an attribute on each that follows."
        )
    return [(number, entry.removesuffix(".")) for number, entry in entries]


def _attribute(entry: str, where: str) -> Attribute:
    name, *rest = _COLON.split(entry, maxsplit=1)
    name = _plain(name)
    if not rest or not rest[0].strip() or rest[0].startswith("="):
        raise SourceError(f"{where}: expected 'name: values', found '{entry[:40]}'.")
    values = _values(rest[0])
    match values[0].lower().split() if len(values) == 1 else []:
        case ["continuous"]:
            return Numeric(name)
        case ["ignore" | "label" as word]:
            return Ignored(name, f"declared as '{word}'")
        case ["date" | "time" | "timestamp"]:
            return Ignored(name, "it holds dates")
        case ["discrete", _]:
            return Nominal(name, ())
    if values[0] == "[ordered]":
        return Ordinal(name, tuple(values[1:]))
    return Nominal(name, tuple(values))


def _values(text: str) -> list[str]:
    return [_plain(part) for part in _COMMA.split(text)]


def _plain(text: str) -> str:
    return " ".join(re.sub(r"\\(.)", r"\1", text).split())


def _without_full_stops(column: RawColumn, attribute: Attribute) -> RawColumn:
    """A row may end with a full stop, which is no part of its class."""
    if not isinstance(attribute, Nominal):
        return column
    strings = as_strings(column)
    known = set(attribute.values)
    values = [value if value in known else value.removesuffix(".") for value in strings.values]
    places = {value: place for place, value in enumerate(dict.fromkeys(values))}
    table = np.array([*(places[value] for value in values), -1], np.int32)
    return RawStrings(table[strings.codes], tuple(places))


def _check_listed(attribute: Attribute, column: RawColumn, where: str, names: str) -> None:
    if isinstance(attribute, Nominal | Ordinal) and attribute.values:
        strings = as_strings(column)
        unlisted = code_column(strings, attribute) == UNSEEN
        if unlisted.any():
            row = int(np.argmax(unlisted))
            value = strings.values[strings.codes[row]]
            raise SourceError(
                f"{where}, row {row + 1}: '{excerpt(value)}' is not among the values of '{attribute.name}' "
                f"in {names} ({listed(attribute.values)})."
            )
