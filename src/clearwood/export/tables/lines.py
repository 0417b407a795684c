"""The lines of a decision table, a list of texts each: its head, then its rows; and read back from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clearwood.export.exportable import Exportable
from clearwood.export.program.program import inputs_of
from clearwood.export.tables.cells import cell_words, condition_of_cell
from clearwood.export.tables.decision_table import DecisionRow, DecisionTable
from clearwood.models.rule_list import answer_text
from clearwood.models.rule_reading import parse_answer
from clearwood.words.numbers import rows as row_words


def head_of(table: DecisionTable) -> list[str]:
    """The names of the columns: the row's number, each attribute, the answer, shares, and the rows behind."""
    target = table.model.schema.target
    assert target is not None
    shares = [f"probability of {name}" for name in table.model.schema.classes]
    return ["#", *(each.name for each in table.inputs), target.name, *shares, "rows"]


def lines_of(table: DecisionTable, share: Callable[[float], str]) -> list[list[str]]:
    """The rows of a table; `share` writes a share."""
    return [
        [
            str(place),
            *(cell_words(row, each.name) for each in table.inputs),
            answer_text(row.answer),
            *map(share, row.shares),
            "" if row.weight is None else row_words(row.weight),
        ]
        for place, row in enumerate(table.rows, 1)
    ]


def table_of_lines(
    model: Exportable, lines: Sequence[Sequence[str]], share: Callable[[str], float] | None
) -> DecisionTable:
    """The table that such lines say; without `share` the shares are not read."""
    inputs = inputs_of(model)
    classes = model.schema.classes
    rows = []
    for _, *cells in lines:
        asked = cells[: len(inputs)]
        conditions = [condition_of_cell(cell, each) for cell, each in zip(asked, inputs, strict=True)]
        answer = parse_answer(cells[len(inputs)], model.schema)
        shown = cells[len(inputs) + 1 : len(inputs) + 1 + len(classes)]
        shares = () if share is None else tuple(map(share, shown))
        when = {each.name: each for each in conditions if each is not None}
        rows.append(DecisionRow(when, frozenset(), answer, shares, None))
    return DecisionTable(model, inputs, tuple(rows), "first")
