"""Protecting columns: no learner sees them, and the model's schema says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clearwood.table.aside import set_aside
from clearwood.table.table import Table

PROTECTED: Final = "it is protected"  # why a model's schema ignores a column


def protect(table: Table, columns: Sequence[str]) -> Table:
    """The table in which no learner sees these columns; the model's schema will say that they are protected.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> cw.ID3().learn(protect(days, ["Outlook"])).schema["Outlook"]
    Ignored(name='Outlook', because='it is protected')
    """
    return set_aside(table, columns, PROTECTED)
