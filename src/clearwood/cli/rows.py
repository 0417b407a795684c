"""One row as a person names it: its cells, `Outlook=Sunny,Humidity=70`, or its number in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from clearwood.cli.sources import pairs
from clearwood.errors import ColumnError, SchemaError, SettingError, no_such
from clearwood.explaining.reference import Reference
from clearwood.models.model import Model
from clearwood.table.attributes import Nominal, Numeric, Ordinal, Text
from clearwood.table.coding import as_numbers, as_strings
from clearwood.table.raw import Raw
from clearwood.table.sources.csv import MISSING_MARKS


def row_in(texts: Iterable[str], model: Model, option: str = "--row") -> dict[str, str | float | None]:
    """The cells by column, as the model's schema has them: numbers where it has numbers.

    A comma parts cells only where a column's name and = follow, so that values may hold commas. Behind a
    text it must be a name that the model knows, for texts hold = too. Errors name the option.
    """
    names = [attribute.name for attribute in model.schema.attributes]
    of_text = tuple(f"{each.name}=" for each in model.schema.attributes if isinstance(each, Text))
    parts: list[str] = []
    for text in texts:
        first, *more = text.split(",")
        parts.append(first.strip())
        for piece in more:
            begins = any(piece.strip().startswith(f"{name}=") for name in names)
            if begins or ("=" in piece and not parts[-1].startswith(of_text)):
                parts.append(piece.strip())
            else:
                parts[-1] += f",{piece}"
    row: dict[str, str | float | None] = {}
    for name, text in pairs(option, parts, "COLUMN=VALUE").items():
        numeric = name in model.schema.positions and isinstance(model.schema[name], Numeric)
        cell = text.strip()
        row[name] = None if cell in MISSING_MARKS else _number(name, text, option) if numeric else cell
    return row


def row_given(
    texts: Iterable[str] | None, model: Model, option: str = "--row"
) -> dict[str, str | float | None]:
    """The cells that are given; a column that the model lacks is refused, with the one that may be meant."""
    row = row_in(texts or (), model, option)
    names = [each.name for each in model.schema.inputs]
    for name in row:
        if name not in model.schema.positions and name != getattr(model.schema.target, "name", None):
            raise ColumnError(no_such("column", name, names))
    return row


def check_values(row: Mapping[str, str | float | None], model: Model, way_out: str = "") -> None:
    """Refuse a value that the model has never seen: it is more often misspelt than meant."""
    for sentence in _never_seen(row, model):
        raise SettingError(f"{sentence}{way_out}")


def notes_on_values(row: Mapping[str, str | float | None], model: Model) -> list[str]:
    """A value that the model has never seen, with the one that may be meant, where it is not refused."""
    return [f"{sentence} It counts as an unseen value." for sentence in _never_seen(row, model)]


def _never_seen(row: Mapping[str, str | float | None], model: Model) -> Iterator[str]:
    for name, cell in row.items():
        if name not in model.schema.positions or not isinstance(cell, str):
            continue
        attribute = model.schema[name]
        if isinstance(attribute, Nominal | Ordinal) and cell not in attribute.values:
            yield no_such(f"value of {name}", cell, attribute.values, plural="values")


def reference_in(text: str | None, model: Model) -> Reference:
    """What --relative-to names: a reference by its name, or the cells of a row."""
    match text:
        case None | "average" | "zero" | "best":
            return text
        case _ if "=" in text:
            row = row_given([text], model, "--relative-to")
            check_values(row, model)
            return row
        case _:
            raise SettingError(
                f"--relative-to is average, zero, best or a row (COLUMN=VALUE,…); not '{text}'."
            )


def row_at(raw: Raw, model: Model, number: int) -> dict[str, str | float | None]:
    """The cells of a file's row, counted from 1, in the columns that the model knows."""
    if number > len(raw):
        rows = "1 row" if len(raw) == 1 else f"{len(raw):,} rows"
        raise SettingError(f"{raw.where} has {rows}; there is no row {number}.")
    row: dict[str, str | float | None] = {}
    for name, column in zip(raw.names, raw.columns, strict=True):
        if name not in model.schema.positions:
            continue
        if isinstance(model.schema[name], Numeric):
            row[name] = float(as_numbers(column, name)[number - 1])
        else:
            strings = as_strings(column)
            code = int(strings.codes[number - 1])
            row[name] = None if code < 0 else strings.values[code]
    return row


def _number(name: str, text: str, option: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise SchemaError(f"Column '{name}' is numeric, but {option} says '{text}'. Give a number.") from None
