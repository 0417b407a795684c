"""From a request's rows to its reply: predictions or explanations, of one row or of many."""

from __future__ import annotations

import csv
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from statistics import median
from typing import Any, Final, Literal, TypeAlias, assert_never

import msgspec
import numpy as np

from clearwood.errors import ClearwoodError, MissingExtraError
from clearwood.explaining.shap import ShapValues
from clearwood.explaining.why import explained_with, shared_values
from clearwood.registry import imported_extra
from clearwood.serving.bodies import ARROW, CSV, Body, ManyRows, OneRow, RawRows, body_of
from clearwood.serving.exchange import About, Deadline, HttpRequest, Limits, RefusalError, Reply, only_value
from clearwood.serving.row_reading import RowRead, coded_rows, json_rows
from clearwood.serving.served import AnswerJson, ServedModel
from clearwood.table.raw import Cell
from clearwood.table.table import Table

Verb: TypeAlias = Literal["predict", "explain"]

_BLOCK: Final = 1000  # rows between two looks at the clock
_RECENT: Final = 9  # rows whose time says what the next one takes without a search
_TRIED: Final = 2  # rows explained without a search; the first of all takes longer than others
_FEW, _MANY = 4, 64  # rows worked on together: few at first, then four times as many as before
QUERY: Final = {
    "predict": ("model", "version", "unknown"),
    "explain": ("model", "version", "unknown", "to", "fixed", "only_up", "only_down"),
}


def reply_to(
    request: HttpRequest,
    fields: Mapping[str, list[str]],
    verb: Verb,
    served: ServedModel,
    limits: Limits,
    deadline: Deadline,
) -> Reply:
    """The answers to the rows of a request."""
    ignore = _ignores_unknown(fields, verb)
    body = body_of(request, limits)
    head = {"model": served.name, "version": served.version}
    if isinstance(body, OneRow):
        match verb:
            case "predict":
                answer = served.answer(body.row, ignore_unknown=ignore)
            case "explain":
                wanted = wanted_of(fields, served.reader.names)
                read = served.reader.read(body.row, ignore_unknown=ignore)
                answer = explanation_of(served, read, wanted, seconds=deadline.share(1))
            case _:
                assert_never(verb)
        about = About(served.name, served.version, 1)
        return _as_asked(request, served, [answer], {**head, **answer}, verb, about)
    answers = list(_answers(verb, served, body, fields, ignore, deadline))
    about = About(served.name, served.version, len(answers))
    return _as_asked(
        request, served, answers, {**head, "rows": len(answers), "answers": answers}, verb, about
    )


def _answers(
    verb: Verb,
    served: ServedModel,
    body: ManyRows | RawRows,
    fields: Mapping[str, list[str]],
    ignore: bool,
    deadline: Deadline,
) -> Iterator[AnswerJson]:
    """One by one, until the time is over."""
    match verb:
        case "predict":
            table, unseen = _coded(served, body, ignore, deadline)
            for start in range(0, len(table), _BLOCK):
                deadline.check()
                rows = np.arange(start, min(start + _BLOCK, len(table)))
                own = {row - start: unseen[row] for row in rows.tolist() if row in unseen}
                yield from served.answers(table.take(rows), own)
        case "explain":
            wanted = wanted_of(fields, served.reader.names)
            listed = (
                body.rows
                if isinstance(body, ManyRows)
                else json_rows(served.reader, body, ignore_unknown=ignore)
            )
            reader = served.reader
            read = [
                reader.read(row, ignore_unknown=ignore, number=place) for place, row in enumerate(listed, 1)
            ]
            yield from _explanations(served, read, wanted, deadline)
        case _:
            assert_never(verb)


def _explanations(
    served: ServedModel, rows: Sequence[RowRead], wanted: Wanted, deadline: Deadline
) -> Iterator[AnswerJson]:
    """Rows that share the time: what one takes without a search is tried first, the rest is for searches."""
    fixed, costs = 0.0, []
    values: list[ShapValues | None] = []
    together = 0.0  # seconds for each row of what is worked out for many at once
    for place, read in enumerate(rows):
        deadline.check()
        left = len(rows) - place
        if place == len(values):
            began = time.monotonic()
            block = rows[place : place + min(_FEW * max(1, place), _MANY)]
            values += shared_by(served, block)
            if place:  # the first few say nothing of the others: what is set up once is in their time
                together = (time.monotonic() - began) / len(block)
            elif len(rows) > _TRIED:
                costs = _tried(served, rows[:_TRIED], values, wanted, deadline)
                fixed = min(costs)
            deadline.check_ahead(left, fixed + together * (len(rows) - len(values)) / left)
        seconds = deadline.share(left, fixed + together * (len(rows) - len(values)) / left)
        began = time.monotonic()
        answer = explanation_of(served, read, wanted, seconds=seconds, values=values[place])
        took = time.monotonic() - began
        # A search that ran out of its time took all of it. The machine may be busier than it was, but one row
        # alone does not say so: it may be the first for which something is worked out.
        costs.append(took - seconds if answer["change"]["stopped"] else min(fixed, took))
        fixed = median(costs[-_RECENT:])
        yield answer


def _tried(
    served: ServedModel,
    rows: Sequence[RowRead],
    values: Sequence[ShapValues | None],
    wanted: Wanted,
    deadline: Deadline,
) -> list[float]:
    """The seconds that each of these rows takes without a search."""
    costs = []
    for read, own in zip(rows, values, strict=False):
        deadline.check()
        began = time.monotonic()
        explanation_of(served, read, wanted, seconds=0.0, values=own)
        costs.append(time.monotonic() - began)
    return costs


def _coded(
    served: ServedModel, body: Body, ignore: bool, deadline: Deadline
) -> tuple[Table, Mapping[int, Mapping[str, str]]]:
    """The rows as a table, and sentences on values never met."""
    reader = served.reader
    if isinstance(body, RawRows):
        return coded_rows(reader, body, ignore_unknown=ignore)
    assert isinstance(body, ManyRows)
    rows, unseen = [], {}
    for place, row in enumerate(body.rows):
        if place % _BLOCK == 0:
            deadline.check()
        read = reader.read(row, ignore_unknown=ignore, number=place + 1)
        rows.append(read.codes)
        if sentences := reader.unseen(read):
            unseen[place] = sentences
    return reader.table(rows), unseen


def _as_asked(
    request: HttpRequest,
    served: ServedModel,
    answers: list[AnswerJson],
    content: dict[str, Any],
    verb: Verb,
    about: About,
) -> Reply:
    """JSON, unless the client asks for a table."""
    accepted = request.header("accept")
    if verb == "predict" and CSV in accepted:
        return Reply(200, as_csv(answer_columns(served, answers)), f"{CSV}; charset=utf-8", about=about)
    if verb == "predict" and ARROW in accepted:
        try:
            return Reply(200, as_arrow(answer_columns(served, answers)), ARROW, about=about)
        except MissingExtraError as error:
            raise RefusalError(str(error), status=406, because="type") from None
    return Reply(200, msgspec.json.encode(content), about=about)


def _ignores_unknown(fields: Mapping[str, list[str]], verb: Verb) -> bool:
    for name in fields:
        if name not in QUERY[verb]:
            listed = ", ".join(QUERY[verb])
            raise RefusalError(f"No field '{name[:80]}' of a query. {verb} takes: {listed}.", because="query")
    word = only_value(fields, "unknown") or "refuse"
    if word not in ("refuse", "ignore"):
        raise RefusalError(f"unknown is refuse or ignore, not '{word[:80]}'.", because="query")
    return word == "ignore"


# Answers as a table, for clients that send one and want one back: CSV or Arrow, a row for each row.


def answer_columns(served: ServedModel, answers: Sequence[AnswerJson]) -> dict[str, list[Any]]:
    """Columns by name: the answer, the share of each class, both ends of the interval."""
    columns: dict[str, list[Any]] = {"answer": [each["answer"] for each in answers]}
    for name in served.model.schema.classes:
        columns[f"share_{name}"] = [each["shares"] and each["shares"][name] for each in answers]
    ends = [each["interval"] or (None, None) for each in answers]
    columns["low"] = [low for low, _ in ends]
    columns["high"] = [high for _, high in ends]
    return columns


def as_csv(columns: dict[str, list[Any]]) -> bytes:
    """Delimited text with a header; what is not known is an empty cell."""
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue().encode("utf-8")


def as_arrow(columns: dict[str, list[Any]]) -> bytes:
    """An Arrow stream."""
    pyarrow = imported_extra("pyarrow", "arrow", "To reply with Arrow")
    table = pyarrow.table(columns)
    sink = BytesIO()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


# Why a row gets its answer, as a reply: the reason, the interval, and the smallest change for another.


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a change of the row may be: the class to reach, columns that stay or move one way."""

    to: str | None = None
    fixed: tuple[str, ...] = ()
    only_up: tuple[str, ...] = ()
    only_down: tuple[str, ...] = ()


def wanted_of(fields: Mapping[str, list[str]], known: Collection[str]) -> Wanted:
    """What a query asks of the change; columns are repeated or have commas between.

    >>> wanted_of({"to": ["good"], "fixed": ["age,sex", "job"]}, ["age", "sex", "job"])
    Wanted(to='good', fixed=('age', 'sex', 'job'), only_up=(), only_down=())
    """

    def names(field: str) -> tuple[str, ...]:
        texts = fields.get(field, [])
        return tuple(name for text in texts for name in ([text] if text in known else text.split(",")))

    return Wanted(only_value(fields, "to"), names("fixed"), names("only_up"), names("only_down"))


def shared_by(served: ServedModel, rows: Sequence[RowRead]) -> list[ShapValues | None]:
    """[row] what is worked out for rows together, before each is explained."""
    return shared_values(served.model, [_cells(served, read) for read in rows])


def explanation_of(
    served: ServedModel,
    read: RowRead,
    wanted: Wanted,
    *,
    seconds: float | None = None,
    values: ShapValues | None = None,
) -> AnswerJson:
    """The answer to a row and the reasons for it, as data and as text; `seconds` bound the search for the
    change, and `values` are what was worked out for rows together."""
    try:
        explained = explained_with(
            served.model,
            _cells(served, read),
            values,
            to=wanted.to,
            fixed=wanted.fixed,
            only_up=wanted.only_up,
            only_down=wanted.only_down,
            seconds=seconds,
        )
    except ClearwoodError as error:
        raise RefusalError(error.sentence, because="query") from None
    fields: dict[str, Any] = explained.to_json()
    answer: AnswerJson = {
        name: fields[name]
        for name in ("answer", "shares", "interval", "decided_by", "cutoff", "why", "change", "notes")
    }
    answer["text"] = str(explained)
    unseen = served.reader.unseen(read)
    if unseen:
        answer["columns"] = unseen
    return answer


def _cells(served: ServedModel, read: RowRead) -> dict[str, Cell]:
    return dict(zip(served.reader.names, read.cells, strict=True))
