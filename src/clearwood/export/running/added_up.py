"""A table of sums is read back from its text and added up, row by row, as a person would."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence

from clearwood import __version__
from clearwood.explain.card_lines import MOST_POINTS
from clearwood.explain.curve_groups import AnotherValue
from clearwood.export.exported import Exported
from clearwood.export.program.evaluating import formula_value, test_holds
from clearwood.export.program.needed import needed_steps
from clearwood.export.running.processes import TargetFailedError
from clearwood.export.running.runner import Ran, ran_with
from clearwood.export.tables.csv import cells_of_csv, unguarded_cell
from clearwood.export.tables.markdown import cells_of_markdown, head_of_markdown, markdown_cell
from clearwood.export.tables.sum_lines import head_of_sums, sums_from_lines
from clearwood.export.tables.sum_table import AddsUp, EachUnit, SumCell, SumRow, SumTable, sum_table
from clearwood.export.tables.sum_words import how_to_add
from clearwood.models.conditions import holds
from clearwood.models.words import read_word, written
from clearwood.table.row import Cell, Row


def run_sums(exported: Exported, of: AddsUp, rows: Sequence[Row]) -> Ran:
    """What the lines that are read back add up to, and the answers by these sums."""
    table = _read_back(exported, sum_table(of))
    program = table.program
    rest = needed_steps([step for step in program.steps if step.name not in table.steps], program.outputs)
    answers: list[str | float | None] = []
    numbers = []
    for row in rows:
        known = dict(zip(table.steps, _sums(table, row), strict=True))
        for step in rest:
            if step.when is None or test_holds(step.when, row, known):
                known[step.name] = formula_value(step.value, row, known)
        answer = known[program.answer]
        if program.classes:
            answers.append(None if answer < 0 else program.classes[int(answer)])
        else:
            answers.append(None if math.isnan(answer) else answer)
        beside = (*program.shares, *([] if program.points is None else [program.points]))
        numbers.append([known[each] for each in beside])
    return ran_with(exported, answers, numbers, {"Clearwood": __version__})


def _read_back(exported: Exported, table: SumTable) -> SumTable:
    """The table of the text, whose headings must be those of its lines."""
    if exported.format == "csv":
        head = next(csv.reader(io.StringIO(exported.text, newline="")), [])
        _check_head([unguarded_cell(cell) for cell in head], head_of_sums(table))
        return sums_from_lines(table, cells_of_csv(exported.text))
    _check_head(head_of_markdown(exported.text), [written(each) for each in head_of_sums(table)])
    if markdown_cell(how_to_add(table)) not in exported.text:
        raise TargetFailedError(f"the table does not say how it is added up: {how_to_add(table)}")
    return sums_from_lines(table, cells_of_markdown(exported.text), name=_read_name)


def _check_head(given: Sequence[str], expected: Sequence[str]) -> None:
    for place, (one, other) in enumerate(zip(given, expected, strict=False), 1):
        if one != other:
            raise TargetFailedError(
                f"the heading of column {place} is '{one}', and its cells are of '{other}'."
            )
    if len(given) != len(expected):
        raise TargetFailedError(f"the table has {len(given)} columns, not {len(expected)}.")


def _read_name(text: str) -> str:
    return read_word(text) if text.startswith('"') else text


def _sums(table: SumTable, row: Row) -> list[float]:
    sums = list(table.start)
    for line in table.rows:
        if all(_holds(table, cell, row.get(cell.name)) for cell in line.cells):
            for place, amount in enumerate(line.amounts):
                sums[place] += _amount(table, line, amount, row)
    return sums


def _holds(table: SumTable, cell: SumCell, given: Cell) -> bool:
    match cell:
        case EachUnit():
            return not (given is None or (isinstance(given, float) and math.isnan(given)))
        case AnotherValue(name):
            return given is not None and given not in getattr(table.of.schema[name], "values", ())
        case _:
            return holds(cell, given)


def _amount(table: SumTable, line: SumRow, amount: float, row: Row) -> float:
    match line.cells[0]:
        case EachUnit(name):
            number = float(row[name] or 0.0)
            if not table.rounded:
                return amount * number
            reach = MOST_POINTS / abs(amount) if amount else math.inf
            return float(math.floor(amount * min(max(number, -reach), reach) + 0.5))
        case _:
            return amount
