"""The columns of rules, kept as comments of their text: with them a text of rules is a model.

    #: column {"name": "Humidity", "kind": "numeric"}
    #: target {"name": "Play", "kind": "nominal", "values": ["Yes", "No"]}

A line for each column, in the form of a schema file. Whoever reads the rules passes over them, as over any
comment; whoever has no table beside the rules reads there what their columns are.
"""

from __future__ import annotations

import json
from typing import Any, Final

from clearwood.errors import ColumnError, ModelFileError, SchemaError
from clearwood.table.schema import Schema
from clearwood.table.schema_file import schema_from_json, schema_to_json

_MARK: Final = "#: "
_HEADING: Final = "# The columns that these rules use; with them this file is a model."


def columns_text(schema: Schema) -> str:
    """The comments that say what the columns are.

    >>> from clearwood import Nominal, Numeric
    >>> print(columns_text(Schema((Numeric("Humidity"),), Nominal("Play", ("Yes", "No")))))
    # The columns that these rules use; with them this file is a model.
    #: column {"name": "Humidity", "kind": "numeric"}
    #: target {"name": "Play", "kind": "nominal", "values": ["Yes", "No"]}
    """
    data = schema_to_json(schema)
    entries = [("column", each) for each in data["columns"]]
    entries += [(name, data[name]) for name in ("target", "weight") if data[name] is not None]
    lines = [f"{_MARK}{name} {json.dumps(each, ensure_ascii=False)}" for name, each in entries]
    return "\n".join([_HEADING, *lines])


def columns_in(text: str, name: str = "") -> Schema | None:
    """The schema that the comments of a text say; None where they say none."""
    data: dict[str, Any] = {"columns": []}
    is_given = False
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith(_MARK):
            continue
        is_given = True
        kind, _, entry = line.removeprefix(_MARK).strip().partition(" ")
        try:
            value = json.loads(entry)
        except (ValueError, RecursionError):
            value = None
        if kind not in ("column", "target", "weight") or value is None or kind in data:
            raise ModelFileError(
                f"{name or 'the rules'}, line {number}: this line should name a column, as in"
                ' #: column {"name": "Humidity", "kind": "numeric"}'
            )
        if kind == "column":
            data["columns"].append(value)
        else:
            data[kind] = value
    try:
        return schema_from_json(data) if is_given else None
    except (SchemaError, ColumnError) as error:
        where = f"{name or 'the rules'}, lines beginning with {_MARK.strip()}: "
        raise type(error)(where, error.sentence, place=error.place) from None
