"""Why a row gets its answer, as a reply: the reason, the interval, and the smallest change for another."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clearwood.errors import ClearwoodError
from clearwood.explain.shap import ShapValues
from clearwood.explain.why import explained_with, shared_values
from clearwood.serve.exchange import RefusalError, only_value
from clearwood.serve.row_reading import RowRead
from clearwood.serve.served import AnswerJson, ServedModel
from clearwood.table.row import Cell


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
        raise RefusalError(error.sentence, status=400, because="query") from None
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
