"""Cells and lists of values in sentences: as much of them as a person reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_LETTERS: Final = 40
_VALUES: Final = 20


def excerpt(text: str) -> str:
    """A text, cut where it is long.

    >>> excerpt("9" * 50)
    '999999999999999999999999999999999999999…'
    """
    return text if len(text) <= _LETTERS else text[: _LETTERS - 1] + "…"


def listed(values: Sequence[str]) -> str:
    """Values with commas, the first ones where there are many.

    >>> listed([str(i) for i in range(30)])
    '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, … (30 in all)'
    """
    shown = [excerpt(value) for value in values[:_VALUES]]
    return ", ".join(shown if len(values) <= _VALUES else [*shown[:-1], f"… ({len(values)} in all)"])
