"""What commands read: tables with their notes, saved models, and rows coded as a model codes them."""

from __future__ import annotations

import gzip
import re
import sys
import zlib
from collections.abc import Collection, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeVar

from clearwood._native import keep_freed_memory
from clearwood.advice import Advice
from clearwood.cli.options import Output
from clearwood.cli.output import note, terminal_text
from clearwood.cli.progress import working
from clearwood.cli.source_options import Reading, Source
from clearwood.cli.streams import check_input
from clearwood.errors import ClearwoodError, ModelFileError, SchemaError, SettingError, no_such
from clearwood.models.model import Model, model_in_words
from clearwood.table import encode, read_table
from clearwood.table.attributes import Ignored
from clearwood.table.raw import Raw
from clearwood.table.schema_file import load_schema
from clearwood.table.sources import read_raw
from clearwood.table.table import Table

Kind = TypeVar("Kind", bound=Model)
_TARGETS: Final = ("target", "class", "label", "outcome", "y")  # as the column to predict is often named
_MODEL: Final = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*"format"\s*:\s*"clearwood"')


def beginning(place: str | Path) -> bytes | None:
    """The first bytes of a file, unpacked, or None; none of a pipe: what is read of it is gone."""
    try:
        if not Path(place).is_file():
            return b""
        with gzip.open(place) if str(place).endswith(".gz") else Path(place).open("rb") as file:
            return file.read(64)
    except (OSError, EOFError, ValueError, zlib.error):
        return None


def holds_model(place: str | Path) -> bool:
    """Does this file begin as our model files do?"""
    return _MODEL.match(beginning(place) or b"") is not None


def check_data(data: str) -> None:
    """Refuse what is no source of rows: a stream that cannot be read, or a model in the place of a table."""
    check_input(data)
    if holds_model(data):
        raise SettingError(f"{data} holds a model, not rows. Give a table there: a CSV file, for example.")


def table_in(data: str, source: Source, output: Output, *, keep: str | None = None) -> Table:
    """The table, with what was guessed of it noted; `keep` is a column that is not left out by guess."""
    check_data(data)
    arguments = {**source.columns.as_arguments(), **source.reading.as_arguments()}
    keep_freed_memory()
    with working(f"Reading {data}"):
        table = read_table(data, **arguments)
        if keep is not None and data != "-" and isinstance(table.schema[keep], Ignored):
            table = _read_keeping(keep, data, arguments)
    note(table.notes, output)
    return table


def _read_keeping(column: str, data: str, arguments: dict[str, Any]) -> Table:
    """The table with a column that was left out by guess: as numbers, or else as values."""
    kept = {**arguments, "kinds": {**arguments["kinds"], column: "numeric"}}
    try:
        return read_table(data, **kept)
    except ClearwoodError:
        return read_table(data, **{**kept, "kinds": {**arguments["kinds"], column: "nominal"}})


def table_to_learn(data: str, source: Source, output: Output, *, keep: str | None = None) -> Table:
    """The table. Where nobody said what to predict, a person at a terminal is asked; else a sentence asks."""
    table = table_in(data, source, output, keep=keep)
    if table.schema.target is not None:
        return table
    names = [attribute.name for attribute in table.schema.attributes]
    asks = data != "-" and not output.as_json and sys.stdin is not None and sys.stdin.isatty()
    target = _target_asked_for(names) if asks and sys.stderr.isatty() else None
    if target is None:
        raise SchemaError(
            "Which column is to be predicted? Give it: ", Advice("target"), f". Columns: {', '.join(names)}."
        )
    source = replace(source, columns=replace(source.columns, target=target))
    return table_in(data, source, replace(output, quiet=True), keep=keep)


def _target_asked_for(names: Sequence[str]) -> str | None:
    """The column that a person names, or takes as proposed: one that is named as targets are, or else the
    last. None: nobody answers."""
    usual = next((name for name in names if name.casefold() in _TARGETS), names[-1])
    note([f"Columns: {', '.join(names)}. To name it without being asked: --target COLUMN."])
    while True:
        question = f"Which column is to be predicted? [{terminal_text(usual)}]: "
        print(question, end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        named = line.strip() or usual
        if not line or named in names:
            return named if line else None
        note([no_such("column", named, names)])


def raw_in(data: str, reading: Reading) -> Raw:
    """The rows as they are written."""
    check_data(data)
    keep_freed_memory()
    with working(f"Reading {data}"):
        return read_raw(data, **reading.as_arguments())


def rows_for(model: Model, data: str, reading: Reading, output: Output) -> Table:
    """The rows of a file as the model codes them, with what was guessed noted."""
    table = coded_for(model, raw_in(data, reading))
    note(table.notes, output)
    return table


def coded_for(
    model: Model, raw: Raw, *, only: Collection[str] | None = None, before: int | None = None
) -> Table:
    """The rows as the model codes them; `before` rows came earlier, where they are a block."""
    return encode(raw, model.schema, only=only, before=before, own_classes=True)


def load_model(place: Path, schema: Path | None = None) -> Model:
    """The model in a file, or its rules as text, whose columns a schema file may say; where there is none,
    the file that may be meant.
    """
    if place.is_dir():
        raise ModelFileError(f"{place} is a folder. Name a model file in it.")
    if not place.exists():
        folder = place.parent
        names = [each.name for each in folder.iterdir()] if folder.is_dir() else []
        near = get_close_matches(place.name, names, n=1)
        hint = f"Did you mean {folder / near[0]}?" if near else "Make one: clearwood fit DATA --save MODEL."
        raise ModelFileError(f"No file {place}. {hint}")
    from clearwood.editing.reading import holds_rule_text, load_model_or_rules  # late: learning needs neither

    if schema is None:
        return load_model_or_rules(place)
    if not holds_rule_text(place):
        raise SettingError(
            f"--schema is for rules as text, and {place} is a model, which knows its columns. Leave it out."
        )
    return load_model_or_rules(place, load_schema(schema))


def load_kind(place: Path, kinds: tuple[type[Kind], ...], why: str) -> Kind:
    """The model in a file, if it is of these kinds; rules as text are of none, whatever their columns are."""
    from clearwood.editing.reading import holds_rule_text  # late, as above

    model = None if holds_rule_text(place) else load_model(place)
    if not isinstance(model, kinds):
        held = "rules as text" if model is None else model_in_words(model)
        raise ModelFileError(f"{place} holds {held}{why}")
    return model
