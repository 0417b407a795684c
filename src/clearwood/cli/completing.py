"""Completion by a shell: columns, values and classes, from the file or the model that is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

_HEAD: Final = 1 << 16  # bytes of a text, and rows of other files, from which values are taken
_READING: Final = ("delimiter", "encoding", "decimal", "header", "thousands")
_KINDS: Final = ("nominal", "ordinal", "numeric", "text", "ignored")


def completed(takes: str, ctx: Any, incomplete: str) -> list[str]:
    """What may stand here, of an option that takes COLUMN, CLASS, COLUMN=VALUE,… or the like."""
    if takes.startswith("CLASS"):
        return _class(ctx, incomplete)
    if "=" in takes:
        return (_kind if takes == "COLUMN=KIND" else _cell)(ctx, incomplete)
    return (_columns if takes == "COLUMN,…" else _column)(ctx, incomplete)


def _column(ctx: Any, incomplete: str) -> list[str]:
    return _beginning(incomplete, _known(ctx))


def _columns(ctx: Any, incomplete: str) -> list[str]:
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in _beginning(last, _known(ctx))]


def _kind(ctx: Any, incomplete: str) -> list[str]:
    return _cells(incomplete, dict.fromkeys(_known(ctx), _KINDS))


def _cell(ctx: Any, incomplete: str) -> list[str]:
    return _cells(incomplete, _known(ctx))


def _class(ctx: Any, incomplete: str) -> list[str]:
    known = _known(ctx)
    target = ctx.params.get("target") or next(reversed(known), "")  # of a model the last is the target
    return _beginning(incomplete, known.get(target, ()))


def _cells(incomplete: str, known: Mapping[str, Iterable[str]]) -> list[str]:
    """The name up to its =, then a value; of several cells the last one."""
    before, comma, last = incomplete.rpartition(",")
    name, equals, value = last.partition("=")
    found = _beginning(value, known.get(name, ())) if equals else [f"{n}=" for n in _beginning(last, known)]
    return [f"{before}{comma}{f'{name}=' if equals else ''}{each}" for each in found]


def _beginning(incomplete: str, words: Iterable[str]) -> list[str]:
    return [word for word in words if word.startswith(incomplete)]


def _known(ctx: Any) -> dict[str, tuple[str, ...]]:
    """By column the values that are known, none of a number: in the model that is given, else in the data.

    A shell must not show errors in the midst of a line: what cannot be read completes nothing.
    """
    from clearwood.cli.sources import holds_model  # late: only a shell that asks needs any of it
    from clearwood.errors import ClearwoodError

    # An option that still lacks its value ends the parsing: arguments are then in `args`, under no name.
    given = [*(ctx.params.get(each) for each in ("model", "data", "rows", "train")), *ctx.args]
    for place in (Path(str(each)) for each in given if each is not None):
        try:
            if place.is_file():
                return _in_model(place) if holds_model(place) else _in_head(place, ctx.params)
        except (ClearwoodError, OSError):
            continue
    return {}


def _in_model(place: Path) -> dict[str, tuple[str, ...]]:
    from clearwood.models.files import load

    schema = load(place).schema
    columns = (*schema.inputs, *(() if schema.target is None else (schema.target,)))
    return {each.name: tuple(getattr(each, "values", ())) for each in columns}


def _in_head(place: Path, given: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    from clearwood.table.raw import RawStrings
    from clearwood.table.sources.blocks import blocks_of

    reading = {name: given[name] for name in _READING if given.get(name) is not None}
    raw = next(blocks_of(str(place), reading, size=_HEAD, rows=_HEAD)).raw
    return {
        name: tuple(column.values) if isinstance(column, RawStrings) else ()
        for name, column in zip(raw.names, raw.columns, strict=True)
    }
