"""Rows for a database and answers from it: the table that an exported query reads, and what it gives."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from clearwood.export.exportable import gives_points
from clearwood.export.exported import Exported
from clearwood.export.program.inputs import inputs_of
from clearwood.export.running.processes import TargetFailedError
from clearwood.export.running.runner import NotRun, Ran, ran_with
from clearwood.export.sql.dialect import SqlDialect
from clearwood.export.sql.dialects import DIALECTS
from clearwood.export.sql.naming import output_names
from clearwood.table.attributes import Numeric
from clearwood.table.row import Row

SqlValue: TypeAlias = str | float | None

PLACE: Final = "number of the row"  # by which answers are put in the order of the rows


@dataclass(frozen=True, slots=True)
class SqlTask:
    """A query to run: the columns of its table and whether each holds numbers, and the columns of its answer.

    `query` is over the table `source`. `in_order`: the answer has no number of the row, and comes in order.
    """

    query: str
    source: str
    columns: dict[str, bool]
    answers: tuple[str, ...]
    in_order: bool

    def cells(self, rows: Sequence[Row], name: str) -> list[SqlValue]:
        """A column of the table, typed; a cell that a row does not have is empty."""
        if name == PLACE:
            return [float(place) for place in range(len(rows))]
        made: list[SqlValue] = []
        for row in rows:
            cell = row.get(name)
            missing = cell is None or (isinstance(cell, float) and math.isnan(cell))
            made.append(None if missing or cell is None else float(cell) if self.columns[name] else str(cell))
        return made


def sql_task(exported: Exported) -> SqlTask | NotRun:
    """What is to be run, or why it cannot be."""
    options = exported.options
    dialect: SqlDialect = DIALECTS[str(options["dialect"])]
    source = str(options["source"])
    if not re.fullmatch(r"[A-Za-z_]\w*", source):
        return NotRun(f"The source '{source}' is no plain name of a table, so none is made to run it on.")
    inputs = inputs_of(exported.model)
    columns = {PLACE: True, **{each.name: isinstance(each, Numeric) for each in inputs}}
    numbers = {each.name for each in exported.model.schema.attributes if isinstance(each, Numeric)}
    if options["form"] == "expression":
        place = dialect.quote(PLACE)
        query = f"SELECT {place}, (\n{exported.text}) AS answer FROM {source}"
        return SqlTask(query, source, columns, (PLACE, "answer"), in_order=False)
    keep = options["keep"]
    columns |= {each: each in numbers for each in keep or () if each not in columns}
    names = output_names(exported.model, dialect, keep or ())
    if "prediction" not in options["outputs"]:
        return NotRun("The query gives no prediction. Export it with outputs=('prediction', 'shares').")
    shares = names.shares if "shares" in options["outputs"] else ()
    if gives_points(exported.model):
        if not {"shares", "points"} <= set(options["outputs"]):
            return NotRun("The query does not give both shares and points, which a proof of a card compares.")
        shares = (*shares, names.points)
    in_order = keep is not None
    placed = () if in_order else (PLACE,)
    return SqlTask(exported.text, source, columns, (*placed, names.prediction, *shares), in_order)


def places_of_answers(task: SqlTask, given: Sequence[str]) -> list[int]:
    """Where the columns of the answer stand among those that the query gives."""
    for name in task.answers:
        if name not in given:
            raise TargetFailedError(f"The query gives no column '{name}', but {', '.join(given)}.")
    return [given.index(name) for name in task.answers]


def ran_in_order(
    exported: Exported, task: SqlTask, fetched: Sequence[Sequence[SqlValue]], versions: Mapping[str, str]
) -> Ran:
    """Answers, shares and points in the order of the rows, from the columns of the task in its order."""
    classes = exported.model.schema.classes
    ordered = list(fetched)
    if not task.in_order:
        ordered = [row[1:] for row in sorted(ordered, key=lambda row: float(row[0] or 0))]
    answers = tuple(_answer(row[0], classes) for row in ordered)
    if len(ordered) == 0 or len(ordered[0]) == 1:
        return Ran(answers, None, versions)
    # NULL is no number: a query that leaves a share empty has not given 0.
    numbers = ([math.nan if each is None else float(each) for each in row[1:]] for row in ordered)
    return ran_with(exported, answers, numbers, versions)


def _answer(value: SqlValue, classes: Sequence[str]) -> SqlValue:
    return value if value is None or classes else float(value)
