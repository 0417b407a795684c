"""Texts that a spreadsheet would run as formulas when it opens a file of rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

_BEGIN: Final = ("=", "+", "-", "@", "\t", "\r")


def is_formula(text: str) -> bool:
    """Would a spreadsheet run this? A number with a sign is a number.

    >>> [text for text in ("=1+2", "-3.5", "- none", "a=b", "@SUM(A1)") if is_formula(text)]
    ['=1+2', '- none', '@SUM(A1)']
    """
    if not text.startswith(_BEGIN):
        return False
    try:
        float(text)
    except ValueError:
        return True
    return False


def escaped(text: str) -> str:
    """The text with ' before it where it would be run, as spreadsheets have it."""
    return f"'{text}" if is_formula(text) else text


def formulas_in(texts: Iterable[Any]) -> list[str]:
    """Those of the texts that would be run, each once."""
    return sorted({text for text in texts if isinstance(text, str) and is_formula(text)})
