"""A decision table is read back from its text and asked, row by row, as a person would."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Final

from clearwood.errors import ClearwoodError
from clearwood.export.exported import Exported
from clearwood.export.running.processes import TargetFailedError
from clearwood.export.running.runner import Ran, Runner
from clearwood.export.tables.csv import cells_of_csv
from clearwood.export.tables.decision_table import DecisionTable, hit_of
from clearwood.export.tables.lines import table_of_lines
from clearwood.export.tables.markdown import cells_of_markdown
from clearwood.table.row import Row


def run_table(exported: Exported, rows: Sequence[Row]) -> Ran:
    """What the first row that holds answers; the rounded shares of Markdown are not given."""
    table = _read_back(exported)
    places = [hit_of(table, row) for row in rows]
    answers = tuple(None if place is None else table.rows[place].answer for place in places)
    none = (0.0,) * len(exported.model.schema.classes)
    shares = tuple(none if place is None else table.rows[place].shares for place in places)
    gives_shares = exported.format == "csv" and not exported.model.is_numeric
    return Ran(answers, shares if gives_shares else None, {"Python": platform.python_version()})


def _read_back(exported: Exported) -> DecisionTable:
    try:
        if exported.format == "csv":
            return table_of_lines(exported.model, cells_of_csv(exported.text), float)
        return table_of_lines(exported.model, cells_of_markdown(exported.text), None)
    except (ClearwoodError, ValueError, IndexError) as error:
        raise TargetFailedError(f"The table cannot be read back: {error}") from error


RUNNER: Final = Runner("table", run_table)
