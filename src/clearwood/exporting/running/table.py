"""A table is read back from its text and asked, row by row, as a person would.

A person goes by the headings and the hit policy: where these are not the model's, the table has failed.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from clearwood import __version__
from clearwood.errors import ClearwoodError
from clearwood.explaining.card_lines import MOST_POINTS
from clearwood.explaining.curve_groups import AnotherValue
from clearwood.exporting.exported import Exported
from clearwood.exporting.running.runner import (
    AnsweredRow,
    Ran,
    Runner,
    TargetFailedError,
    one_by_one,
    ran_with,
)
from clearwood.exporting.tables.lines import DecisionTable, head_of, hit_of, table_of_lines
from clearwood.exporting.tables.sum_reading import (
    AddsUp,
    SumReading,
    answer_of_sums,
    reading_from,
    statements_of,
)
from clearwood.exporting.tables.sum_table import (
    EachUnit,
    SumCell,
    SumRow,
    SumTable,
    head_of_sums,
    how_to_add,
    sum_table,
    sums_from_lines,
    sums_with_reading,
)
from clearwood.exporting.tables.table_of import adds_up, decision_table
from clearwood.exporting.tables.writing import (
    cells_of_csv,
    cells_of_markdown,
    head_of_markdown,
    markdown_cell,
    unguarded_cell,
)
from clearwood.formulas.conditions import holds, read_word, written
from clearwood.table.raw import Cell, Row


def run_table(exported: Exported, rows: Sequence[Row]) -> Ran:
    """What the first row that holds answers, or the lines that hold add up to; the rounded shares of a
    decision table in Markdown are not given."""
    if adds_up(exported.model):
        with _readable():
            return run_sums(exported, exported.model, rows)
    table, reasons_of = _read_back(exported)
    places = [hit_of(table, row) for row in rows]
    answers = tuple(None if place is None else table.rows[place].answer for place in places)
    none = (0.0,) * len(exported.model.schema.classes)
    shares = tuple(none if place is None else table.rows[place].shares for place in places)
    gives_shares = exported.format == "csv" and not exported.model.is_numeric
    reasons = tuple(None if place is None else reasons_of[place] for place in places)
    return Ran(answers, shares if gives_shares else None, {"Clearwood": __version__}, reasons=reasons)


def _read_back(exported: Exported) -> tuple[DecisionTable, list[str | None]]:
    """The table, and of each row, by the number before it, the leaf or rule that it was written from."""
    own = decision_table(exported.model)
    in_csv = exported.format == "csv"
    with _readable():
        lines = lines_under(exported, [*head_of(own), *(["hit policy"] if in_csv else [])])
        if not in_csv and own.policy_sentence not in exported.text:
            raise TargetFailedError(
                f"the table does not say by which hit policy it is to be read: {own.policy_sentence}"
            )
        if in_csv and any(line[-1] != own.policy for line in lines):
            raise TargetFailedError(
                f"the hit policy of the table is '{own.policy}', and its lines say another."
            )
        table = table_of_lines(exported.model, lines, float if in_csv else None)
        return table, [own.rows[int(line[0]) - 1].reason for line in lines]


@contextmanager
def _readable() -> Iterator[None]:
    """What cannot be read is a failure of the table."""
    try:
        yield
    except TargetFailedError:
        raise
    except (ClearwoodError, ValueError, IndexError, KeyError) as error:
        raise TargetFailedError(f"The table cannot be read back: {error}") from error


RUNNER: Final = Runner("table", one_by_one(run_table))


# The text of a table read back: its lines, under headings that must be those of their cells.


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


# A table of sums is read back from its text and added up, row by row, as a person would.


_GAP: Final = "\0"  # where a number stands; no name has one
_NUMBER: Final = r"(-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|inf))"


def run_sums(exported: Exported, of: AddsUp, rows: Sequence[Row]) -> Ran:
    """What the lines that are read back add up to, and the shares and answers that the text makes of it."""
    table = _added_up_read_back(exported, sum_table(of))
    given: list[AnsweredRow] = []
    for row in rows:
        sums = _sums(table, row)
        answer, shares = answer_of_sums(table.reading, sums)
        given.append((answer, [*shares, *(sums if table.rounded else [])], None))
    return ran_with(exported, given, {"Clearwood": __version__}, reasons=False)


def _added_up_read_back(exported: Exported, table: SumTable) -> SumTable:
    """The table of the text, and how its text says in words that it is read."""
    lines = lines_under(exported, head_of_sums(table))
    if exported.format == "csv":
        read, how = sums_with_reading(table, lines)
        if how != how_to_add(read):
            raise TargetFailedError(
                f"the table says in words how it is added up, and in its lines: {how_to_add(read)}"
            )
        return read
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
