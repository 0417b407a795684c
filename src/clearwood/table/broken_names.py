"""Broken names: texts of a schema that no file can hold, for they have half of a surrogate pair."""

from __future__ import annotations

from collections.abc import Iterator

from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.schema import Schema


def broken_name(schema: Schema) -> str | None:
    r"""A sentence that names the first such column, value or class, and the way out; None: there is none.

    >>> from clearwood.table.attributes import Numeric
    >>> str(broken_name(Schema((Numeric("age\ud800"),)))).split(",")[0]
    "The name of the column 'age\\ud800' is broken text (half of a surrogate pair)"
    """
    for what, text in _texts(schema):
        if any("\ud800" <= each <= "\udfff" for each in text):
            return (
                f"{what} is broken text (half of a surrogate pair), which no file can hold. "
                "Correct it in the table, and learn again."
            )
    return None


def _texts(schema: Schema) -> Iterator[tuple[str, str]]:
    """Every text of a schema, with what it is; written so that any terminal shows it."""
    for each in (*schema.attributes, *([] if schema.target is None else [schema.target])):
        yield f"The name of the column {each.name!a}", each.name
        if isinstance(each, Nominal | Ordinal):
            yield from ((f"The value {value!a} of the column {each.name!a}", value) for value in each.values)
    if schema.weight is not None:
        yield f"The name of the column {schema.weight!a}", schema.weight
