"""Options of a table that is read: what its columns are, and how the file is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

from clearwood.cli.declaring import COLUMNS, READING, option
from clearwood.errors import SettingError
from clearwood.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What the columns are. A saved model knows, and takes none of these."""

    target: Annotated[str | None, option("--target -t", "COLUMN", "The column to predict.")] = None
    schema: Annotated[
        Path | None,
        option("--schema", "FILE", "The kinds of the columns, as saved by clearwood schema.", COLUMNS),
    ] = None
    kind: Annotated[
        list[str] | None,
        option(
            "--kind", "COLUMN=KIND", "Take a column as nominal, ordinal, numeric, text or ignored.", COLUMNS
        ),
    ] = None
    order: Annotated[
        list[str] | None,
        option(
            "--order",
            "COLUMN=LOW,…,HIGH",
            "Take a column as ordinal, with its values from low to high.",
            COLUMNS,
        ),
    ] = None
    ignore: Annotated[
        list[str] | None,
        option("--ignore", "COLUMN,…", "Leave columns out: one, or several with commas.", COLUMNS),
    ] = None
    weight: Annotated[
        str | None, option("--weight", "COLUMN", "The column with the weight of each row.", COLUMNS)
    ] = None
    weights_are: Annotated[
        str | None,
        option(
            "--weights-are",
            "MEANING",
            "What weights are: counts (of equal rows), sampling or importance (guessed).",
            COLUMNS,
        ),
    ] = None

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How the file is written; what isn't given is guessed."""

    delimiter: Annotated[
        str | None, option("--delimiter", "CHAR", "What separates cells (guessed).", READING)
    ] = None
    encoding: Annotated[str | None, option("--encoding", "NAME", "utf-8, latin-1, … (guessed).", READING)] = (
        None
    )
    decimal: Annotated[
        str | None, option("--decimal", "CHAR", "The decimal mark, . or , (guessed).", READING)
    ] = None
    header: Annotated[
        bool | None,
        option("--header/--no-header", None, "Does the first line name the columns? (guessed)", READING),
    ] = None
    missing: Annotated[
        list[str] | None,
        option(
            "--missing",
            "[COLUMN=]MARK",
            "A mark for missing cells, besides blanks, ? and NA, of one column or all; may be repeated.",
            READING,
        ),
    ] = None
    recode: Annotated[
        list[str] | None,
        option(
            "--recode",
            "COLUMN=OLD:NEW,…",
            "Read a value as another, such as sex=M:male,F:female; may be repeated.",
            READING,
        ),
    ] = None
    thousands: Annotated[
        str | None,
        option(
            "--thousands",
            "CHAR",
            "The mark between thousands, as in 1,200.50 (guessed); none leaves cells as written.",
            READING,
        ),
    ] = None
    dates: Annotated[
        str | None, option("--dates", "days", "Take dates as numbers: days since 1970-01-01.", READING)
    ] = None
    query_seconds: Annotated[
        float | None,
        option("--query-seconds", "SECONDS", "Let the query take so long (300).", READING),
    ] = None
    max_bytes: Annotated[
        str | None,
        option(
            "--max-bytes",
            "SIZE",
            "Read no more than this, such as 8GB (by default 4 GiB of packed files and streams).",
            READING,
        ),
    ] = None
    query: Annotated[
        str | None,
        option(
            "--query", "SQL", "Read the rows of this query, where the file is the table 'source'.", READING
        ),
    ] = None

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
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
