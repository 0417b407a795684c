"""Why a row gets its answer, as a reply: the reason, the interval, and the smallest change for another."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from clearwood.errors import ClearwoodError
from clearwood.explain.why import explain
from clearwood.serve.exchange import RefusalError, only_value
from clearwood.serve.row_reading import JsonRow
from clearwood.serve.served import AnswerJson, ServedModel


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


def explanation_of(
    served: ServedModel,
    row: JsonRow,
    wanted: Wanted,
    *,
    ignore_unknown: bool = False,
    number: int | None = None,
    seconds: float | None = None,
) -> AnswerJson:
    """The answer to a row and the reasons for it, as data and as text; `seconds` bound the search for the
    change."""
    read = served.reader.read(row, ignore_unknown=ignore_unknown, number=number)
    cells = dict(zip(served.reader.names, read.cells, strict=True))
    try:
        explained = explain(
            served.model,
            cells,
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
