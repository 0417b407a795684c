"""The 25 reference tables, read by the standard library alone so that they can judge our own readers.

They lie outside the repository, in `../shared/data` or where CLEARWOOD_DATA points; tests that need one
are skipped where there is none.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Column, Table

_HERE = Path(__file__).resolve()
_PLACES = [
    Path(os.environ.get("CLEARWOOD_DATA") or "."),
    *(up / "shared" / "data" for up in _HERE.parents[2:5]),
]
FOLDER = next((place for place in _PLACES if (place / "iris.json").is_file()), None)

NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.json"))) if FOLDER else ()


@cache
def describe(name: str) -> dict[str, Any]:
    """What the set's own JSON says of it."""
    return dict(json.loads((_folder() / f"{name}.json").read_text(encoding="utf-8")))


def csv_path(name: str) -> Path:
    return _folder() / f"{name}.csv.gz"


def load_shared(
    name: str, ordinal: Literal["nominal", "ordinal"] = "nominal", *, train: bool = False
) -> Table:
    """One set under its declared kinds: the features and the target, values in their declared order.

    `train` keeps only the rows of the original training set, where there is one.
    """
    about = describe(name)
    with gzip.open(csv_path(name), "rt", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    if train and "split" in about:
        rows = rows[: about["split"]["train_rows"]]
    levels: dict[str, list[str]] = about.get("ordinal_levels_low_to_high", {})
    declared: dict[str, list[str]] = {**about.get("declared_categories", {}), **levels}
    columns: dict[str, Column] = {}
    attributes: dict[str, Attribute] = {}
    for column in (*about["features"], about["target"]):
        cells = [row[header.index(column)] for row in rows]
        kind = about["kinds"][column]
        if kind == "numeric":
            attributes[column] = Numeric(column)
            columns[column] = np.array([float(cell) if cell else np.nan for cell in cells])
        elif kind == "text":
            attributes[column] = Text(column)
            columns[column] = np.array([cell or None for cell in cells], dtype=object)
        else:
            values = tuple(dict.fromkeys([*declared.get(column, []), *(cell for cell in cells if cell)]))
            codes = {value: code for code, value in enumerate(values)} | {"": MISSING}
            is_ordinal = kind == "ordinal" and ordinal == "ordinal"
            attributes[column] = (Ordinal if is_ordinal else Nominal)(column, values)
            columns[column] = np.array([codes[cell] for cell in cells], dtype=np.int32)
    target = attributes.pop(about["target"])
    assert isinstance(target, Nominal | Ordinal | Numeric)
    return Table(Schema(tuple(attributes.values()), target), columns)


def _folder() -> Path:
    if FOLDER is None:
        pytest.skip("the reference tables are not here; point CLEARWOOD_DATA at their folder")
    return FOLDER
