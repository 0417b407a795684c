"""A table of sums is read back from its text and added up, row by row, as a person would."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from clearwood import __version__
from clearwood.explain.card_lines import MOST_POINTS
from clearwood.explain.curve_groups import AnotherValue
from clearwood.export.exported import Exported
from clearwood.export.running.processes import TargetFailedError
from clearwood.export.running.runner import Ran, ran_with
from clearwood.export.running.table_text import lines_under
from clearwood.export.tables.markdown import markdown_cell
from clearwood.export.tables.sum_answers import answer_of_sums
from clearwood.export.tables.sum_lines import head_of_sums, sums_from_lines, sums_with_reading
from clearwood.export.tables.sum_reading import AddsUp, SumReading, reading_from, statements_of
from clearwood.export.tables.sum_table import EachUnit, SumCell, SumRow, SumTable, sum_table
from clearwood.export.tables.sum_words import how_to_add
from clearwood.models.conditions import holds
from clearwood.models.words import read_word
from clearwood.table.row import Cell, Row

_GAP: Final = "\0"  # where a number stands; no name has one
_NUMBER: Final = r"(-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|inf))"


def run_sums(exported: Exported, of: AddsUp, rows: Sequence[Row]) -> Ran:
    """What the lines that are read back add up to, and the shares and answers that the text makes of it."""
    table = _read_back(exported, sum_table(of))
    answers: list[str | float | None] = []
    numbers = []
    for row in rows:
        sums = _sums(table, row)
        answer, shares = answer_of_sums(table.reading, sums)
        answers.append(answer)
        numbers.append([*shares, *(sums if table.reading.link == "points" else [])])
    return ran_with(exported, answers, numbers, {"Clearwood": __version__})


def _read_back(exported: Exported, table: SumTable) -> SumTable:
    """The table of the text, and how its text says in words that it is read."""
    lines = lines_under(exported, head_of_sums(table))
    if exported.format == "csv":
        read = sums_with_reading(table, lines)
        if read.how != how_to_add(read.table):
            raise TargetFailedError(
                f"the table says in words how it is added up, and in its lines: {how_to_add(read.table)}"
            )
        return read.table
    sums = sums_from_lines(table, lines, name=_read_name)
    return replace(sums, reading=_reading_in_words(exported.text, table))


def _reading_in_words(page: str, table: SumTable) -> SumReading:
    """The reading that the sentences above the table state: their words are ours, their numbers are read."""
    names: list[str] = []

    def gap(name: str) -> str:
        names.append(name)
        return _GAP

    words = markdown_cell(how_to_add(table, gap)).split(_GAP)
    sentences = re.search(rf"\n\n{_NUMBER.join(map(re.escape, words))}\n\n\| ", page)
    if sentences is None:
        raise TargetFailedError(f"the table does not say how it is added up: {how_to_add(table)}")
    stated = {name: value for name, value in statements_of(table.reading) if isinstance(value, str)}
    for name, text in zip(names, sentences.groups(), strict=True):
        if float(stated.setdefault(name, text)) != float(text):
            raise TargetFailedError(f"the table states two numbers as its {name}: {stated[name]} and {text}.")
    return reading_from(stated, table.reading)


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
            return given is not None and given not in getattr(table.schema[name], "values", ())
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
