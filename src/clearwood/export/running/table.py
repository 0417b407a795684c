"""A table is read back from its text and asked, row by row, as a person would.

A person goes by the headings and the hit policy: where these are not the model's, the table has failed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from clearwood import __version__
from clearwood.errors import ClearwoodError
from clearwood.export.exported import Exported
from clearwood.export.running.added_up import run_sums
from clearwood.export.running.processes import TargetFailedError
from clearwood.export.running.runner import Ran, Runner, one_by_one
from clearwood.export.running.table_text import lines_under
from clearwood.export.tables.decision_table import DecisionTable, hit_of
from clearwood.export.tables.lines import head_of, table_of_lines
from clearwood.export.tables.table_of import adds_up, decision_table
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
