"""One row by itself: its cells by the names of their columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Cell: TypeAlias = str | float | None  # None: missing
Row: TypeAlias = Mapping[str, Cell]
