"""One row as a person types it: `Outlook=Sunny,Humidity=70`."""

from __future__ import annotations

from collections.abc import Iterable

from clearwood.cli.options import pairs
from clearwood.errors import SchemaError
from clearwood.models.model import Model
from clearwood.table.attributes import Numeric, Text
from clearwood.table.sources.csv import MISSING_MARKS


def row_in(texts: Iterable[str], model: Model) -> dict[str, str | float | None]:
    """The cells by column, as the model's schema has them: numbers where it has numbers.

    A comma parts cells only where a column's name and = follow, so that values may hold commas. Behind a
    text it must be a name that the model knows, for texts hold = too.
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
    for name, text in pairs("--row", parts, "COLUMN=VALUE").items():
        numeric = name in model.schema.positions and isinstance(model.schema[name], Numeric)
        row[name] = (
            None if text.strip() in MISSING_MARKS else _number(name, text) if numeric else text.strip()
        )
    return row


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise SchemaError(f"Column '{name}' is numeric, but --row says '{text}'. Give a number.") from None
