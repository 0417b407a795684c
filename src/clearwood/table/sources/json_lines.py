"""JSON: one object a line, or one array of objects."""

import json
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from clearwood.errors import SourceError
from clearwood.table.raw import Raw
from clearwood.table.sources.decoding import read_text
from clearwood.table.sources.opening import Openable, SizeLimit


def read_json(
    source: Openable,
    encoding: str | None = None,
    missing: str | Collection[str] = (),
    max_bytes: SizeLimit = None,
) -> Raw:
    """Records of a `.jsonl`, `.ndjson` or `.json` file; a key that a record lacks is a missing cell."""
    from clearwood.table.sources.arrays import read_records

    text, where, notes = read_text(source, encoding, max_bytes)
    records = _array(text, where) if text.lstrip()[:1] == "[" else list(_lines(text, where))
    if not records:
        raise SourceError(f"{where} holds no records.")
    marks = (missing,) if isinstance(missing, str) else missing
    raw = read_records(records, missing=marks, where=where)
    return replace(raw, notes=(*notes, *raw.notes))


def _lines(text: str, where: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _record(_parse(line, f"{where}, line {number}"), f"{where}, line {number}")


def _array(text: str, where: str) -> list[dict[str, Any]]:
    return [_record(each, f"{where}, record {i}") for i, each in enumerate(_parse(text, where), 1)]


def _parse(text: str, where: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        place = where if error.lineno == 1 else f"{where}, line {error.lineno}"
        raise SourceError(f"{place}, column {error.colno} is not JSON: {error.msg}.") from None
    except _RepeatedKeyError as error:
        raise SourceError(
            f"{where}: the key '{error}' occurs twice in one object. Keep one, or rename the other."
        ) from None
    except ValueError:  # Python's own limit on the digits of a whole number
        raise SourceError(
            f"{where} has a whole number with thousands of digits. Write it in quotes if it is a code."
        ) from None
    except RecursionError:
        raise SourceError(f"{where} is nested too deeply for a table.") from None


class _RepeatedKeyError(Exception):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKeyError(next(key for i, key in enumerate(keys) if key in keys[:i]))
    return unique


def _record(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise SourceError(f'{where} must be an object such as {{"age": 30, "class": "yes"}}.')
    for key, cell in value.items():
        if isinstance(cell, dict | list):
            raise SourceError(
                f"{where}: '{key}' is not one value but {json.dumps(cell)[:40]}. Flatten it first."
            )
    return value
