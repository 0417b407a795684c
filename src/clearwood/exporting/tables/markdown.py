"""Markdown: a decision table to be read, in a page, a wiki or a merge request."""

import re
from collections.abc import Sequence
from typing import Final

from clearwood.exporting.exportable import Exportable
from clearwood.exporting.exported import Exported, ExportFormat, heading_of
from clearwood.exporting.tables.lines import NOTHING_ASKED, DecisionTable, head_of, lines_of
from clearwood.exporting.tables.sum_lines import head_of_sums, how_to_add, lines_of_sums
from clearwood.exporting.tables.sum_reading import AddsUp
from clearwood.exporting.tables.sum_table import sum_table
from clearwood.exporting.tables.table_of import adds_up, decision_table, refused_by_tables
from clearwood.formulas.spelling import written

_MARKUP: Final = re.compile(r"[\\`*_\[\]|~]|<(?=[^\s])|&(?=[#A-Za-z])")
_ESCAPED: Final = re.compile(r"\\([\\`*_\[\]|~<&])")


def export_to_markdown(model: Exportable) -> Exported:
    """The decision table of a tree or of rules, with its shares to four digits; or the points or weights that
    a scorecard or a model adds up, without loss."""
    if adds_up(model):
        return _sums_in_markdown(model)
    table = decision_table(model)
    what, source = heading_of(model)
    head = ["#", *(markdown_cell(written(each)) for each in head_of(table)[1:])]
    inputs = len(table.inputs)
    ruler = ["--:", *["---"] * (inputs + 1), *["--:"] * (len(head) - inputs - 2)]
    body = [
        [
            NOTHING_ASKED if not cell and place <= inputs else markdown_cell(cell)
            for place, cell in enumerate(line)
        ]
        for line in lines_of(table, lambda share: f"{share:.4g}")
    ]
    lines = [f"| {' | '.join(line)} |" for line in (head, ruler, *body)]
    text = _page(what, policy_words(table), lines, source)
    notes = ("Probabilities are written to four digits.",) if model.schema.classes else ()
    return Exported("markdown", text, ".md", model, "table", notes=notes)


def _sums_in_markdown(model: AddsUp) -> Exported:
    table = sum_table(model)
    what, source = heading_of(model)
    head = [markdown_cell(written(each)) for each in head_of_sums(table)]
    words = len(head) - len(table.names)
    ruler = [*["---"] * words, *["--:"] * len(table.names)]
    body = [[markdown_cell(cell) for cell in line] for line in lines_of_sums(table, name=written)]
    lines = [f"| {' | '.join(line)} |" for line in (head, ruler, *body)]
    page = _page(what, markdown_cell(how_to_add(table)), lines, source)
    return Exported("markdown", page, ".md", model, "table")


def _page(what: str, how: str, lines: Sequence[str], source: str) -> str:
    return "\n".join([f"# {markdown_cell(what)}", "", how, "", *lines, "", markdown_cell(source), ""])


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


FORMAT: Final = ExportFormat(
    "markdown",
    "a decision table, or points or weights to add up, to be read",
    (".md",),
    export_to_markdown,
    refused_by_tables,
)
