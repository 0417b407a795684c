"""A table is read back from its text and asked, row by row, as a person would.

A person goes by the headings and the hit policy: where these are not the model's, the table has failed.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from clearwood import __version__
from clearwood.errors import ClearwoodError
from clearwood.export.exportable import Exportable
from clearwood.export.exported import Exported
from clearwood.export.program.inputs import inputs_of
from clearwood.export.running.added_up import run_sums
from clearwood.export.running.processes import TargetFailedError
from clearwood.export.running.runner import Ran, Runner, one_by_one
from clearwood.export.tables.csv import cells_of_csv, unguarded_cell
from clearwood.export.tables.decision_table import DecisionTable, hit_of
from clearwood.export.tables.lines import table_of_lines
from clearwood.export.tables.markdown import cells_of_markdown, head_of_markdown
from clearwood.export.tables.table_of import adds_up, decision_table
from clearwood.models.words import written
from clearwood.table.row import Row


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


def _check_headings(model: Exportable, head: Sequence[str]) -> None:
    """Refuse headings that do not name the columns, the target and the classes in the order of the cells."""
    target = model.schema.target
    assert target is not None
    shares = [f"share of {name}" for name in model.schema.classes]
    names = [*(each.name for each in inputs_of(model)), target.name, *shares]
    for place, name in enumerate(names, 1):
        heading = head[place] if place < len(head) else ""
        if heading not in (name, written(name)):
            raise TargetFailedError(
                f"the heading of column {place + 1} is '{heading}', and its cells are of '{name}'."
            )


def _check_policy(exported: Exported) -> None:
    sentence = decision_table(exported.model).policy_sentence
    if sentence not in exported.text:
        raise TargetFailedError(f"the table does not say by which hit policy it is to be read: {sentence}")


def _read_back(exported: Exported) -> tuple[DecisionTable, list[str | None]]:
    """The table, and of each row, by the number before it, the leaf or rule that it was written from."""
    own = [row.reason for row in decision_table(exported.model).rows]
    with _readable():
        if exported.format == "csv":
            head = next(csv.reader(io.StringIO(exported.text, newline="")), [])
            _check_headings(exported.model, [unguarded_cell(cell) for cell in head])
            lines = cells_of_csv(exported.text)
        else:
            _check_headings(exported.model, head_of_markdown(exported.text))
            _check_policy(exported)
            lines = cells_of_markdown(exported.text)
        table = table_of_lines(exported.model, lines, float if exported.format == "csv" else None)
        return table, [own[int(line[0]) - 1] for line in lines]


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
