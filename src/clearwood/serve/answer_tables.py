"""Answers as a table, for clients that send one and want one back: CSV or Arrow, a row for each row."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import BytesIO, StringIO
from typing import Any

from clearwood.errors import MissingExtraError
from clearwood.serve.served import AnswerJson, ServedModel


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
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError(
            "To reply with Arrow, install pyarrow: pip install 'clearwood[arrow]'"
        ) from None
    table = pyarrow.table(columns)
    sink = BytesIO()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()
