"""CSV: a decision table for spreadsheets and programs, its shares without loss."""

from __future__ import annotations

import csv
import io
from typing import Final

from clearwood.export.exported import Exported
from clearwood.export.format import ExportFormat
from clearwood.export.tables.lines import head_of, lines_of
from clearwood.export.tables.markdown import policy_words
from clearwood.export.tables.table_of import decision_table, refused_by_table
from clearwood.models.model import Model


def export_to_csv(model: Model) -> Exported:
    """The decision table of a tree or of rules: a line of names, then a line per row.

    An empty cell asks nothing of its column. The first row that holds answers.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> print(export_to_csv(cw.ID3().learn(table)).text.splitlines()[1])
    1,Sunny,High,,No,1.0,0.0,3
    """
    table = decision_table(model)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head_of(table))
    writer.writerows(lines_of(table, repr))
    return Exported("csv", out.getvalue(), ".csv", model, "table", notes=(policy_words(table),))


def cells_of_csv(text: str) -> list[list[str]]:
    """The rows of such a file, without its head."""
    return list(csv.reader(io.StringIO(text, newline="")))[1:]


FORMAT: Final = ExportFormat(
    "csv", "a decision table for spreadsheets and programs", (".csv",), export_to_csv, refused_by_table
)
