"""What commands read: options of a table, the table, saved models, and rows coded as a model codes them."""

from __future__ import annotations

import gzip
import json
import re
import sys
import zlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from clearwood.cli.options import COLUMNS, READING, Output, flag, option, options
from clearwood.cli.output import note, terminal_text, working
from clearwood.cli.process import check_input
from clearwood.errors import Advice, ClearwoodError, ModelFileError, SchemaError, SettingError, no_such

if TYPE_CHECKING:
    from clearwood.models.model import Model
    from clearwood.table.raw import Raw
    from clearwood.table.table import Table


@options(COLUMNS)
class Columns:
    """What the columns are. A saved model knows, and takes none of these."""

    target: str | None = option("COLUMN", "The column to predict.", None, short="-t")
    schema: Path | None = option("FILE", "The kinds of the columns, as saved by clearwood schema.")
    kind: list[str] | None = option(
        "COLUMN=KIND", "Take a column as nominal, ordinal, numeric, text or ignored."
    )
    order: list[str] | None = option(
        "COLUMN=LOW,…,HIGH", "Take a column as ordinal, with its values from low to high."
    )
    ignore: list[str] | None = option("COLUMN,…", "Leave columns out: one, or several with commas.")
    weight: str | None = option("COLUMN", "The column with the weight of each row.")
    weights_are: str | None = option(
        "MEANING", "What weights are: counts (of equal rows), sampling or importance (guessed)."
    )

    def as_arguments(self) -> dict[str, Any]:
        """As `read_table` takes them."""
        ordered = pairs("--order", self.order, "COLUMN=LOW,…,HIGH")
        return {
            "target": self.target,
            "schema": self.schema,
            "weight": self.weight,
            "weights_are": self.weights_are or "guess",
            "kinds": pairs("--kind", self.kind, "COLUMN=KIND"),
            "ordered": {
                name: [value.strip() for value in values.split(",")] for name, values in ordered.items()
            },
            "ignore": tuple(name.strip() for names in self.ignore or () for name in names.split(",")),
        }


@options(READING)
class Reading:
    """How the file is written; what isn't given is guessed."""

    delimiter: str | None = option("CHAR", "What separates cells (guessed).")
    encoding: str | None = option("NAME", "utf-8, latin-1, … (guessed).")
    decimal: str | None = option("CHAR", "The decimal mark, . or , (guessed).")
    header: bool | None = flag("Does the first line name the columns? (guessed)", default=None, both=True)
    missing: list[str] | None = option(
        "[COLUMN=]MARK",
        "A mark for missing cells, besides blanks, ? and NA, of one column or all; may be repeated.",
    )
    recode: list[str] | None = option(
        "COLUMN=OLD:NEW,…", "Read a value as another, such as sex=M:male,F:female; may be repeated."
    )
    thousands: str | None = option(
        "CHAR", "The mark between thousands, as in 1,200.50 (guessed); none leaves cells as written."
    )
    dates: str | None = option("days", "Take dates as numbers: days since 1970-01-01.")
    query_seconds: float | None = option("SECONDS", "Let the query take so long (300).")
    max_bytes: str | None = option(
        "SIZE", "Read no more than this, such as 8GB (by default 4 GiB of packed files and streams)."
    )
    query: str | None = option("SQL", "Read the rows of this query, where the file is the table 'source'.")

    def as_arguments(self) -> dict[str, Any]:
        """As the readers take them."""
        given = {
            name: value
            for name in (field.name for field in fields(self))
            if (value := getattr(self, name)) not in (None, [])
        }
        if self.missing:
            given["missing"] = _marks(self.missing)
        if self.recode:
            given["recode"] = _recoding(self.recode)
        return given


def _marks(texts: Iterable[str]) -> list[str] | dict[str, list[str]]:
    """Marks of all columns and, behind a name and =, of one."""
    marks: dict[str, list[str]] = {}
    for text in texts:
        name, equals, mark = text.partition("=")
        marks.setdefault(name if equals else "", []).append(mark if equals else text)
    return marks[""] if list(marks) == [""] else marks


def _recoding(texts: Iterable[str]) -> dict[str, dict[str, str]]:
    """By column the values that are read as others.

    >>> _recoding(["sex=M:male,F:female", "city=Paris, TX:Paris"])
    {'sex': {'M': 'male', 'F': 'female'}, 'city': {'Paris, TX': 'Paris'}}
    """
    recoding: dict[str, dict[str, str]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        # Where there is one pair, its values may hold commas.
        pairs = [values] if values.count(":") == 1 else values.split(",")
        if not equals or not name or not all(":" in pair for pair in pairs):
            raise SettingError(f"--recode takes COLUMN=OLD:NEW,…, not '{text}'.")
        own = recoding.setdefault(name, {})
        for pair in pairs:
            old, _, new = pair.partition(":")
            if own.setdefault(old, new) != new:
                raise SettingError(f"--recode reads {old} of {name} as {own[old]} and as {new}. Say it once.")
    return recoding


@options()
class TableOptions:
    """How a table is read that no model knows yet."""

    columns: Columns
    reading: Reading


def pairs(option: str, texts: Iterable[str] | None, form: str) -> dict[str, str]:
    """`name=value` texts as a dict; the name may hold `=` no more than the value may lack it.

    >>> pairs("--kind", ["age=numeric", "zip=nominal"], "COLUMN=KIND")
    {'age': 'numeric', 'zip': 'nominal'}
    """
    named: dict[str, str] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise SettingError(f"{option} takes {form}, not '{text}'.")
        if name in named:
            raise SettingError(f"{option} gives {name} twice: {named[name]} and {value}. Give it once.")
        named[name] = value
    return named


# What commands read: tables with their notes, saved models, and rows coded as a model codes them.


Loaded = TypeVar("Loaded", bound="Model")
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


def table_in(data: str, source: TableOptions, output: Output, *, keep: str | None = None) -> Table:
    """The table, with what was guessed of it noted; `keep` is a column that is not left out by guess."""
    from clearwood._native import keep_freed_memory  # late, as all that help can do without
    from clearwood.table.attributes import Ignored
    from clearwood.table.reading import read_table

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
    from clearwood.table import read_table

    kept = {**arguments, "kinds": {**arguments["kinds"], column: "numeric"}}
    try:
        return read_table(data, **kept)
    except ClearwoodError:
        return read_table(data, **{**kept, "kinds": {**arguments["kinds"], column: "nominal"}})


def table_to_learn(data: str, source: TableOptions, output: Output, *, keep: str | None = None) -> Table:
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
    from clearwood._native import keep_freed_memory
    from clearwood.table.sources import read_raw

    check_data(data)
    keep_freed_memory()
    with working(f"Reading {data}"):
        return read_raw(data, **reading.as_arguments())


def rows_for(model: Model, data: str, reading: Reading, output: Output) -> Table:
    """The rows of a file as the model codes them, with what was guessed noted."""
    return noted_for(model, raw_in(data, reading), output)


def noted_for(model: Model, raw: Raw, output: Output, *, evaluated: bool = False) -> Table:
    """The rows as the model codes them, with a note of what was guessed, and of classes it does not know; of
    rows that are `evaluated` also of cells that it cannot use, and of columns that have changed."""
    from clearwood.cli.evaluation_rows import note_on_classes, unknown_classes, unusual_rows

    table = coded_for(model, raw)
    met = (
        unusual_rows(raw, model, table).notes()
        if evaluated
        else note_on_classes(model, unknown_classes(raw, model, table))
    )
    table = replace(table, notes=(*table.notes, *met))
    note(table.notes, output)
    return table


def coded_for(
    model: Model, raw: Raw, *, only: Collection[str] | None = None, before: int | None = None
) -> Table:
    """The rows as the model codes them; `before` rows came earlier, where they are a block."""
    from clearwood.table import encode

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
    from clearwood.editing.reading import holds_rule_text, load_model_or_rules
    from clearwood.table.schema_file import load_schema

    if schema is None:
        return load_model_or_rules(place)
    if not holds_rule_text(place):
        raise SettingError(
            f"--schema is for rules as text, and {place} is a model, which knows its columns. Leave it out."
        )
    return load_model_or_rules(place, load_schema(schema))


def save_model(model: Model, place: Path | None) -> None:
    """Write the model, where a place is named for it."""
    if place is not None:
        from clearwood.models.files import save  # late: only what is saved needs its forms

        save(model, place)


def model_as_json(model: Model) -> dict[str, Any]:
    """The model as plain values, as its file has them."""
    from clearwood.models.files import to_json  # late: as for saving

    data: dict[str, Any] = json.loads(to_json(model))
    return data


def load_kind(place: Path, kinds: tuple[type[Loaded], ...], why: str) -> Loaded:
    """The model in a file, if it is of these kinds; rules as text are of none, whatever their columns are."""
    from clearwood.editing.reading import holds_rule_text
    from clearwood.models.model import model_in_words

    model = None if holds_rule_text(place) else load_model(place)
    if not isinstance(model, kinds):
        held = "rules as text" if model is None else model_in_words(model)
        raise ModelFileError(f"{place} holds {held}{why}")
    return model
