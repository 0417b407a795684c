"""Rows for a database and answers from it: the table that an exported query reads, and what it gives."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from clearwood.exporting.exportable import Exportable, gives_points, inputs_of, program_to_export
from clearwood.exporting.exported import Exported
from clearwood.exporting.running.runner import AnsweredRow, NotRun, Ran, TargetFailedError, ran_with
from clearwood.exporting.sql.dialects import DIALECTS, SqlDialect
from clearwood.exporting.sql.naming import names_beside, output_names, source_in_sql, source_parts
from clearwood.exporting.sql.select_form import SEVERAL
from clearwood.exporting.sql.to_sql import columns_kept
from clearwood.table.attributes import Numeric
from clearwood.table.raw import Row

SqlValue: TypeAlias = str | float | None

_NUMBER: Final = "number of the row"


@dataclass(frozen=True, slots=True)
class SqlTask:
    """An exported query to run: the columns of its table and whether each holds numbers, and those of its
    answer.

    `query` is over the table `source`, which has its schema before it. `number` is the column of the table
    with the number of the row, and `place` the same in the answer, by which it is put in the order of the
    rows; without it the answer comes in order. `kept` are the columns of the table that go along, None: all.
    `region` is the column with the number of the leaf or
    rule, and `reason` the one with its text, where the query gives them; `regions` has the texts.
    """

    exported: Exported
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

    @property
    def select(self) -> str:
        """The query as it may stand within another."""
        return self.query.rstrip().removesuffix(";")

    def table(self, dialect: SqlDialect, *, numbers: str, texts: str) -> str:
        """What makes the table, by the database's names of types."""
        columns = ", ".join(
            f"{dialect.quote(name)} {numbers if is_number else texts}"
            for name, is_number in self.columns.items()
        )
        return f"CREATE TABLE {source_in_sql(self.source, dialect)} ({columns})"

    def cells(self, rows: Sequence[Row], name: str) -> list[SqlValue]:
        """A column of the table, typed; a cell that a row does not have is empty."""
        if name == self.number:
            return [float(place) for place in range(len(rows))]
        kind = float if self.columns[name] else str
        given = (row.get(name) for row in rows)
        return [
            None if each is None or (isinstance(each, float) and math.isnan(each)) else kind(each)
            for each in given
        ]

    def lines(self, rows: Sequence[Row]) -> Iterator[tuple[SqlValue, ...]]:
        """The rows of the table."""
        return zip(*(self.cells(rows, name) for name in self.columns), strict=True)


def sql_task(exported: Exported) -> SqlTask | NotRun:
    """What is to be run, or why it cannot be."""
    options, model = exported.options, exported.model
    dialect: SqlDialect = DIALECTS[str(options["dialect"])]
    source = source_parts(str(options["source"]), dialect)
    if options["form"] == "expression":
        table, number = source_in_sql(source, dialect), names_beside(model).fresh(_NUMBER)
        query = f"SELECT {dialect.quote(number)}, (\n{exported.text}) AS answer FROM {table}"
        return SqlTask(exported, query, source, _columns(model, number), number, number, "answer")
    outputs, keep = options["outputs"], columns_kept(options["keep"], inputs_of(model), dialect)
    if "prediction" not in outputs:
        return NotRun("The query gives no prediction. Export it with outputs=('prediction', 'shares').")
    if gives_points(model) and not {"shares", "points"} <= set(outputs):
        return NotRun(
            "The query does not give both probabilities and points, which a proof of a card compares."
        )
    number = names_beside(model, keep or ()).fresh(_NUMBER)
    names = output_names(model, dialect, keep or ())
    program = program_to_export(model)
    reasons = outputs if program.region is not None else ()
    return SqlTask(
        exported,
        exported.text,
        source,
        _columns(model, number, keep or ()),
        number,
        number if keep is None else "",
        names.prediction,
        (*(names.shares if "shares" in outputs else ()), *([names.points] if gives_points(model) else [])),
        names.region if "region" in reasons else "",
        names.reason if "reason" in reasons else "",
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
    task: SqlTask, fetched: Sequence[Sequence[SqlValue]], versions: Mapping[str, str], *, instead: str = ""
) -> Ran:
    """What was fetched, the columns of the task in its order, in the order of the rows."""
    ordered = list(fetched)
    if task.place:
        ordered = [row[1:] for row in sorted(ordered, key=lambda row: float(row[0] or 0))]
    end = len(task.shares)
    named = tuple(name for name, asked in (("leaf or rule", task.region), ("reason", task.reason)) if asked)
    given: list[AnsweredRow] = []
    for answer, *cells in ordered:
        if answer is not None and not task.exported.model.schema.classes:
            answer = float(answer)
        # NULL is no number: a query that leaves a share empty has not given 0.
        numbers = [math.nan if each is None else float(each) for each in cells[:end]]
        given.append((answer, numbers, _reason(task, cells[end:]) if named else None))
    if not task.shares:
        answers, reasons = tuple(each for each, _, _ in given), tuple(each for _, _, each in given)
        return Ran(answers, None, versions, instead, reasons if named else None, named)
    ran = ran_with(task.exported, given, versions, reasons=bool(named))
    return replace(ran, instead=instead, reasons_by=named)


def of_queries(
    run: Callable[[SqlTask, Sequence[Row]], Ran | NotRun],
) -> Callable[[Exported, Sequence[Row]], Ran | NotRun]:
    """A function that runs queries as one that runs exports."""

    def run_export(exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
        task = sql_task(exported)
        return task if isinstance(task, NotRun) else run(task, rows)

    return run_export


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
