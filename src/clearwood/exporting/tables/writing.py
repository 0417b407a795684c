"""Tables as text: a decision table, or points or weights to add up, in Markdown to be read, or as CSV.

A spreadsheet takes a cell that begins with =, +, - or @ for a formula, and runs it. Such a cell of CSV,
unless it is a number, has an apostrophe before it, which is taken off again when the table is read.
"""

import csv
import io
import re
from collections.abc import Sequence
from typing import Final

from clearwood.exporting.exportable import Exportable
from clearwood.exporting.exported import Exported, ExportFormat, heading_of
from clearwood.exporting.tables.lines import NOTHING_ASKED, DecisionTable, head_of, lines_of
from clearwood.exporting.tables.sum_table import (
    head_of_sums,
    how_to_add,
    lines_of_reading,
    lines_of_sums,
    sum_table,
)
from clearwood.exporting.tables.table_of import adds_up, decision_table, refused_by_tables
from clearwood.formulas.conditions import written

_MARKUP: Final = re.compile(r"[\\`*_\[\]|~]|<(?=[^\s])|&(?=[#A-Za-z])")
_ESCAPED: Final = re.compile(r"\\([\\`*_\[\]|~<&])")


def export_to_markdown(model: Exportable) -> Exported:
    """The decision table of a tree or of rules, with its shares to four digits; or the points or weights that
    a scorecard or a model adds up, without loss."""
    notes: tuple[str, ...] = ()
    if adds_up(model):
        sums = sum_table(model)
        head = list(map(written, head_of_sums(sums)))
        ruler = [*["---"] * (len(head) - len(sums.names)), *["--:"] * len(sums.names)]
        body = lines_of_sums(sums, name=written)
        how = markdown_cell(how_to_add(sums))
    else:
        table = decision_table(model)
        head = ["#", *map(written, head_of(table)[1:])]
        asked = len(table.inputs) + 1
        ruler = ["--:", *["---"] * asked, *["--:"] * (len(head) - asked - 1)]
        body = [
            [cell or NOTHING_ASKED if place < asked else cell for place, cell in enumerate(line)]
            for line in lines_of(table, lambda share: f"{share:.4g}")
        ]
        how = policy_words(table)
        if model.schema.classes:
            notes = ("Probabilities are written to four digits.",)
    marked = [list(map(markdown_cell, line)) for line in (head, *body)]
    lines = [f"| {' | '.join(line)} |" for line in (marked[0], ruler, *marked[1:])]
    what, source = map(markdown_cell, heading_of(model))
    page = "\n".join([f"# {what}", "", how, "", *lines, "", source, ""])
    return Exported("markdown", page, ".md", model, "table", notes=notes)


def policy_words(table: DecisionTable, nothing_asked: str = NOTHING_ASKED) -> str:
    """How the rows are to be read; `nothing_asked` is the cell that asks nothing.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    >>> print(policy_words(decision_table(cw.CART(surrogates=0).learn(table))).partition(".")[0])
    Hit policy: first
    """
    text = f"{table.policy_sentence} {nothing_asked} is any value, a missing one too"
    if any(row.rest for row in table.rows):
        text += "; “any other” is a value that no row above takes, or none"
    text += "."
    if any(row.weight is None for row in table.rows):
        text += " Rows without a number behind them are mixed from several leaves."
    return text


def cells_of_markdown(text: str) -> list[list[str]]:
    """The rows of the first table of a page, without its head."""
    lines = [line for line in text.split("\n") if line.startswith("| ")][2:]
    split = [re.findall(r"((?:\\.|[^\\|])*)\|", line[1:]) for line in lines]
    return [[_ESCAPED.sub(r"\1", cell.strip(" ")) for cell in line] for line in split]


def head_of_markdown(text: str) -> list[str]:
    """The names of the columns of the first table of a page."""
    head = next((line for line in text.split("\n") if line.startswith("| ")), "")
    read = cells_of_markdown(f"| |\n| |\n{head}")  # of a table it leaves out the first two lines
    return read[0] if read else []


def markdown_cell(text: str) -> str:
    """A text that is no markup."""
    return _MARKUP.sub(lambda found: f"\\{found[0]}", text)


# CSV: shares without loss, for spreadsheets and programs.


_FORMULA: Final = re.compile(r"'*[=+\-@＝＋－＠\t\r\n]")
_NUMBER: Final = re.compile(r"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?")


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
        sums = sum_table(model)
        lines = [head_of_sums(sums), *lines_of_sums(sums), *lines_of_reading(sums, how_to_add(sums))]
        notes = []
    else:
        table = decision_table(model)
        lines = [[*head_of(table), "hit policy"], *([*line, table.policy] for line in lines_of(table, repr))]
        notes = [policy_words(table, "An empty cell")]
    guarded = [[guarded_cell(cell) for cell in line] for line in lines]
    if guarded != lines:
        notes.append("A cell that a spreadsheet would take for a formula has an apostrophe before it.")
    return Exported("csv", "".join(map(_line, guarded)), ".csv", model, "table", notes=tuple(notes))


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


MARKDOWN: Final = ExportFormat(
    "markdown",
    "a decision table, or points or weights to add up, to be read",
    (".md",),
    export_to_markdown,
    refused_by_tables,
)
CSV: Final = ExportFormat(
    "csv",
    "a decision table, or points or weights to add up, for spreadsheets and programs",
    (".csv",),
    export_to_csv,
    refused_by_tables,
)
