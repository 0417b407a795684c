"""The text of a table read back: its lines, under headings that must be those of their cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from clearwood.export.exported import Exported
from clearwood.export.running.processes import TargetFailedError
from clearwood.export.tables.csv import cells_of_csv, unguarded_cell
from clearwood.export.tables.markdown import cells_of_markdown, head_of_markdown
from clearwood.models.words import written


def lines_under(exported: Exported, expected: Sequence[str]) -> list[list[str]]:
    """The lines below the head; a person goes by the headings, so others than `expected` are a failure."""
    if exported.format == "csv":
        head = next(csv.reader(io.StringIO(exported.text, newline="")), [])
        _check_head([unguarded_cell(cell) for cell in head], expected)
        return cells_of_csv(exported.text)
    names = [*expected[:1], *map(written, expected[1:])]  # the first is our own, and no name of a column
    _check_head(head_of_markdown(exported.text), names)
    return cells_of_markdown(exported.text)


def _check_head(given: Sequence[str], expected: Sequence[str]) -> None:
    for place, (one, other) in enumerate(zip(given, expected, strict=False), 1):
        if one != other:
            raise TargetFailedError(
                f"the heading of column {place} is '{one}', and its cells are of '{other}'."
            )
    if len(given) != len(expected):
        raise TargetFailedError(f"the table has {len(given)} columns, not {len(expected)}.")
