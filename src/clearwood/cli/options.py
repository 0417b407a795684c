"""The options that several commands share: what to read, how it is written, what its columns are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from clearwood.errors import SettingError

_COLUMNS = "What the columns are"
_WRITTEN = "How the file is written"

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA", help="CSV, TSV, Parquet, Arrow, JSON lines, ARFF or C4.5 file, or - for stdin."
    ),
]
Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A model file, as saved by fit.")]
RuleFile = Annotated[
    Path, typer.Argument(metavar="RULES", help="Rules as text, or a model file; a tree stands for its rules.")
]
Target = Annotated[
    str | None,
    typer.Option("--target", "-t", metavar="COLUMN", help="The column to predict.", rich_help_panel=_COLUMNS),
]
SchemaFile = Annotated[
    Path | None,
    typer.Option(
        "--schema", metavar="FILE", help="What each column is, as saved by schema.", rich_help_panel=_COLUMNS
    ),
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        metavar="COLUMN=KIND",
        help="Take a column as nominal, ordinal, numeric, text or ignored.",
        rich_help_panel=_COLUMNS,
    ),
]
Orders = Annotated[
    list[str] | None,
    typer.Option(
        "--order",
        metavar="COLUMN=LOW,…,HIGH",
        help="Take a column as ordinal, with its values from low to high.",
        rich_help_panel=_COLUMNS,
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        metavar="COLUMN,…",
        help="Leave columns out: one, or several with commas.",
        rich_help_panel=_COLUMNS,
    ),
]
Weight = Annotated[
    str | None,
    typer.Option("--weight", metavar="COLUMN", help="How much each row counts.", rich_help_panel=_COLUMNS),
]
WeightsAre = Annotated[
    str | None,
    typer.Option(
        "--weights-are",
        metavar="MEANING",
        help="counts (of equal rows), sampling or importance (guessed).",
        rich_help_panel=_COLUMNS,
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(metavar="CHAR", help="What separates cells (guessed).", rich_help_panel=_WRITTEN),
]
Encoding = Annotated[
    str | None, typer.Option(metavar="NAME", help="utf-8, latin-1, … (guessed).", rich_help_panel=_WRITTEN)
]
Decimal = Annotated[
    str | None,
    typer.Option(metavar="CHAR", help="The decimal mark, . or , (guessed).", rich_help_panel=_WRITTEN),
]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header", help="Is the first line column names? (guessed)", rich_help_panel=_WRITTEN
    ),
]
Missing = Annotated[
    list[str] | None,
    typer.Option(
        "--missing",
        metavar="MARK",
        help="Also counts as missing, beside blanks, ?, NA, …; may be repeated.",
        rich_help_panel=_WRITTEN,
    ),
]
Thousands = Annotated[
    str | None,
    typer.Option(
        metavar="CHAR",
        help="The mark between thousands, as in 1,200.50 (guessed); none takes cells as written.",
        rich_help_panel=_WRITTEN,
    ),
]
Dates = Annotated[
    str | None,
    typer.Option(
        metavar="days", help="Take dates as numbers: days since 1970-01-01.", rich_help_panel=_WRITTEN
    ),
]
MaxBytes = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="The most that may be read, such as 8GB (4 GiB of what is packed or streamed).",
        rich_help_panel=_WRITTEN,
    ),
]
Query = Annotated[
    str | None,
    typer.Option(
        metavar="SQL",
        help="Read the rows of this query, where the file is the table 'source'.",
        rich_help_panel=_WRITTEN,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")]
Rules = Annotated[bool, typer.Option("--rules", help="Also one IF … THEN line for every leaf.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No notes, no model.")]


def pairs(option: str, texts: Iterable[str] | None, form: str) -> dict[str, str]:
    """`name=value` texts as a dict; the name may hold `=` no more than the value may lack it.

    >>> pairs("--kind", ["age=numeric", "zip=nominal"], "COLUMN=KIND")
    {'age': 'numeric', 'zip': 'nominal'}
    """
    found: dict[str, str] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise SettingError(f"{option} takes {form}, not '{text}'.")
        if name in found:
            raise SettingError(f"{option} gives {name} twice: {found[name]} and {value}. Give it once.")
        found[name] = value
    return found


def columns_as(
    kinds: Sequence[str] | None,
    orders: Sequence[str] | None,
    ignore: Sequence[str] | None,
    weights_are: str | None = None,
) -> dict[str, Any]:
    """The options on columns as `read_table` takes them; what weights are is guessed unless given."""
    ordered = pairs("--order", orders, "COLUMN=LOW,…,HIGH")
    return {
        "kinds": pairs("--kind", kinds, "COLUMN=KIND"),
        "ordered": {name: [value.strip() for value in values.split(",")] for name, values in ordered.items()},
        "weights_are": weights_are or "guess",
        "ignore": tuple(name.strip() for names in ignore or () for name in names.split(",")),
    }


def given_in(columns: Mapping[str, Any]) -> list[str]:
    """The arguments that somebody gave, rather than left to be guessed.

    >>> given_in(columns_as(["age=numeric"], None, None))
    ['kinds']
    """
    return [name for name, value in columns.items() if value and (name, value) != ("weights_are", "guess")]


def written_as(
    delimiter: str | None,
    encoding: str | None,
    decimal: str | None,
    header: bool | None,
    missing: Sequence[str] | None,
    thousands: str | None = None,
    dates: str | None = None,
    max_bytes: str | None = None,
) -> dict[str, Any]:
    """The options on the file's dress as the readers take them; what isn't given is guessed."""
    given = {
        "delimiter": delimiter,
        "encoding": encoding,
        "decimal": decimal,
        "header": header,
        "missing": missing,
        "thousands": thousands,
        "dates": dates,
        "max_bytes": max_bytes,
    }
    return {name: value for name, value in given.items() if value is not None}
