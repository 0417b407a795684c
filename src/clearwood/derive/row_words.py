"""A row in words: the title of what is derived for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clearwood.models.words import written
from clearwood.words.numbers import number


def row_words(row: Mapping[str, Any]) -> str:
    """The cells that were given.

    >>> row_words({"Outlook": "Sunny", "Humidity": 70.0, "Wind": None})
    'Outlook = Sunny, Humidity = 70, Wind missing'
    """
    return ", ".join(f"{written(name)}{_cell(cell)}" for name, cell in row.items())


def _cell(cell: Any) -> str:
    if cell is None:
        return " missing"
    return f" = {number(cell) if isinstance(cell, float) else written(str(cell))}"
