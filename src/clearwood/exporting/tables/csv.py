"""CSV: a decision table for spreadsheets and programs, its shares without loss.

A spreadsheet takes a cell that begins with =, +, - or @ for a formula, and runs it. Such a cell, unless it is
a number, has an apostrophe before it, which is taken off again when the table is read.
"""

import csv
import io
import re
from collections.abc import Sequence
from typing import Final

from clearwood.exporting.exportable import Exportable
from clearwood.exporting.exported import Exported, ExportFormat
from clearwood.exporting.tables.lines import head_of, lines_of
from clearwood.exporting.tables.markdown import policy_words
from clearwood.exporting.tables.sum_lines import head_of_sums, how_to_add, lines_of_reading, lines_of_sums
from clearwood.exporting.tables.sum_reading import AddsUp
from clearwood.exporting.tables.sum_table import sum_table
from clearwood.exporting.tables.table_of import adds_up, decision_table, refused_by_tables

_FORMULA: Final = re.compile(r"'*[=+\-@＝＋－＠\t\r\n]")
_NUMBER: Final = re.compile(r"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?")
_GUARDED: Final = "A cell that a spreadsheet would take for a formula has an apostrophe before it."


def export_to_csv(model: Exportable) -> Exported:
    """The decision table of a tree or of rules, or the lines that a scorecard or a model adds up: a line of
    names, then a line per row.

    An empty cell asks nothing of its column. The last column has the hit policy, "first" or "unique". Behind
    points or weights stand lines that say how they are added up and who answers.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> print(export_to_csv(cw.ID3().learn(table)).text.splitlines()[1])
    1,Overcast,,,Yes,0.0,1.0,4,first
    """
    if adds_up(model):
        return _sums_in_csv(model)
    table = decision_table(model)
    lines = [[*head_of(table), "hit policy"], *([*line, table.policy] for line in lines_of(table, repr))]
    guarded = [[guarded_cell(cell) for cell in line] for line in lines]
    notes = (policy_words(table, "An empty cell"), *((_GUARDED,) if guarded != lines else ()))
    return Exported("csv", "".join(map(_line, guarded)), ".csv", model, "table", notes=notes)


def _sums_in_csv(model: AddsUp) -> Exported:
    """Lines of points or weights, and behind them how they are added up."""
    table = sum_table(model)
    lines = [head_of_sums(table), *lines_of_sums(table), *lines_of_reading(table, how_to_add(table))]
    guarded = [[guarded_cell(cell) for cell in line] for line in lines]
    notes = (_GUARDED,) if guarded != lines else ()
    return Exported("csv", "".join(map(_line, guarded)), ".csv", model, "table", notes=notes)


def cells_of_csv(text: str) -> list[list[str]]:
    """The rows of such a file, without its head."""
    lines = list(csv.reader(io.StringIO(text, newline="")))[1:]
    return [[unguarded_cell(cell) for cell in line] for line in lines]


def guarded_cell(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula.

    >>> [guarded_cell(each) for each in ("=1+1", "-1.5", "-5 < … ≤ 3", "'=x", "a")]
    ["'=1+1", '-1.5', "'-5 < … ≤ 3", "''=x", 'a']
    """
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell


def unguarded_cell(cell: str) -> str:
    """The cell as it was before it was guarded."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def _line(cells: Sequence[str]) -> str:
    out = io.StringIO()
    # Only what is in its line break is quoted by the writer, and a lone \\r would end the line for readers.
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + "\n"


FORMAT: Final = ExportFormat(
    "csv",
    "a decision table, or points or weights to add up, for spreadsheets and programs",
    (".csv",),
    export_to_csv,
    refused_by_tables,
)
