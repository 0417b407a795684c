"""Rows for a database and answers from it: the table that an exported query reads, and what it gives."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from clearwood.exporting.exportable import Exportable, gives_points, inputs_of, program_to_export
from clearwood.exporting.exported import Exported
from clearwood.exporting.running.runner import NotRun, Ran, TargetFailedError, ran_with
from clearwood.exporting.sql.dialects import DIALECTS, SqlDialect
from clearwood.exporting.sql.naming import names_beside, output_names
from clearwood.exporting.sql.select_form import SEVERAL
from clearwood.exporting.sql.source import source_in_sql, source_parts
from clearwood.exporting.sql.to_sql import columns_kept
from clearwood.table.attributes import Numeric
from clearwood.table.raw import Row

SqlValue: TypeAlias = str | float | None

_NUMBER: Final = "number of the row"


@dataclass(frozen=True, slots=True)
class SqlTask:
    """A query to run: the columns of its table and whether each holds numbers, and the columns of its answer.

    `query` is over the table `source`, which has its schema before it. `number` is the column of the table
    with the number of the row, and `place` the same in the answer, by which it is put in the order of the
    rows; without it the answer comes in order. `kept` are the columns of the table that go along, None: all.
    `region` is the column with the number of the leaf or
    rule, and `reason` the one with its text, where the query gives them; `regions` has the texts.
    """

    query: str
    source: tuple[str, ...]
    columns: dict[str, bool]
    number: str
    place: str
    prediction: str
    shares: tuple[str, ...] = ()
    region: str = ""
    reason: str = ""
    regions: tuple[str, ...] = ()
    kept: tuple[str, ...] | None = None

    @property
    def answers(self) -> tuple[str, ...]:
        """The columns of the answer that are asked for."""
        return tuple(filter(None, (self.place, self.prediction, *self.shares, self.region, self.reason)))

    def cells(self, rows: Sequence[Row], name: str) -> list[SqlValue]:
        """A column of the table, typed; a cell that a row does not have is empty."""
        if name == self.number:
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
    source = source_parts(str(options["source"]), dialect)
    inputs = inputs_of(exported.model)
    if options["form"] == "expression":
        table, number = source_in_sql(source, dialect), names_beside(exported.model).fresh(_NUMBER)
        query = f"SELECT {dialect.quote(number)}, (\n{exported.text}) AS answer FROM {table}"
        return SqlTask(query, source, _columns(exported.model, number), number, number, "answer")
    outputs, keep = options["outputs"], columns_kept(options["keep"], inputs, dialect)
    if "prediction" not in outputs:
        return NotRun("The query gives no prediction. Export it with outputs=('prediction', 'shares').")
    number = names_beside(exported.model, keep or ()).fresh(_NUMBER)
    names = output_names(exported.model, dialect, keep or ())
    program = program_to_export(exported.model)
    by_region = program.region is not None
    beside = names.shares if "shares" in outputs else ()
    if gives_points(exported.model):
        if not {"shares", "points"} <= set(outputs):
            return NotRun(
                "The query does not give both probabilities and points, which a proof of a card compares."
            )
        beside = (*beside, names.points)
    return SqlTask(
        exported.text,
        source,
        _columns(exported.model, number, keep or ()),
        number,
        number if keep is None else "",
        names.prediction,
        beside,
        names.region if by_region and "region" in outputs else "",
        names.reason if by_region and "reason" in outputs else "",
        program.regions,
        keep,
    )


def _columns(model: Exportable, number: str, keep: Sequence[str] = ()) -> dict[str, bool]:
    """The columns of the table, and whether each holds numbers."""
    inputs = {each.name: isinstance(each, Numeric) for each in inputs_of(model)}
    numbers = {each.name for each in model.schema.attributes if isinstance(each, Numeric)}
    return {number: True, **inputs, **{each: each in numbers for each in keep}}


def places_of_answers(task: SqlTask, given: Sequence[str]) -> list[int]:
    """Where the columns of the answer stand among those that the query gives."""
    for name in task.answers:
        if name not in given:
            raise TargetFailedError(f"The query gives no column '{name}', but {', '.join(given)}.")
    return [given.index(name) for name in task.answers]


def ran_from_rows(
    task: SqlTask,
    exported: Exported,
    fetched: Sequence[Sequence[SqlValue]],
    versions: Mapping[str, str],
    *,
    instead: str = "",
) -> Ran:
    """What was fetched, the columns of the task in its order, in the order of the rows."""
    ordered = list(fetched)
    if task.place:
        ordered = [row[1:] for row in sorted(ordered, key=lambda row: float(row[0] or 0))]
    classes = exported.model.schema.classes
    end = 1 + len(task.shares)
    named = tuple(name for name, asked in (("leaf or rule", task.region), ("reason", task.reason)) if asked)
    answers = tuple(_answer(row[0], classes) for row in ordered)
    reasons = tuple(_reason(task, row[end:]) for row in ordered) if named else None
    if not task.shares:
        return Ran(answers, None, versions, instead, reasons, named)
    # NULL is no number: a query that leaves a share empty has not given 0.
    numbers = ([math.nan if each is None else float(each) for each in row[1:end]] for row in ordered)
    ran = ran_with(exported, answers, numbers, versions, reasons=reasons)
    return replace(ran, instead=instead, reasons_by=named)


def _answer(value: SqlValue, classes: Sequence[str]) -> SqlValue:
    return value if value is None or classes else float(value)


def _reason(task: SqlTask, cells: Sequence[SqlValue]) -> str | None:
    """The text of the leaf or rule; what its number and its text say is given in full where they differ."""
    by_text = str(cells[-1]) if task.reason and cells[-1] is not None else None
    if not task.region:
        return None if by_text == SEVERAL else by_text if by_text is not None else "no reason"
    place = None if cells[0] is None else int(float(cells[0]))
    if place is not None and not 1 <= place <= len(task.regions):
        return f"{task.region} {place}, which there is not"
    by_place = None if place is None else task.regions[place - 1]
    if task.reason and by_text != (SEVERAL if by_place is None else by_place):
        return f"{task.region} {place}, which is {by_place!r}, and the reason {by_text!r}"
    return by_place
