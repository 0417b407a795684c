"""The reference tables as columns, for programs of other environments: this needs nothing of Clearwood."""

from __future__ import annotations

import csv
import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A table's columns: numbers, ordinal values as their places (NaN: missing), nominal ones as strings."""

    name: str
    columns: dict[str, Any]  # [row] floats, or strings and None
    nominal: tuple[str, ...]
    ordinal: dict[str, list[str]]  # → its values from low to high
    y: Any  # [row] class as a number, or the number
    classes: int  # 0: the target is a number

    def __len__(self) -> int:
        return len(self.y)


def frame(folder: Path, name: str) -> Frame:
    """One table of the folder, its columns as its JSON declares them."""
    about = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    with gzip.open(folder / f"{name}.csv.gz", "rt", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    by_name = {column: [row[k] for row in rows] for k, column in enumerate(header)}
    levels = about.get("ordinal_levels_low_to_high", {})
    columns: dict[str, Any] = {}
    for column in about["features"]:
        cells = by_name[column]
        match about["kinds"][column]:
            case "numeric":
                columns[column] = np.array([float(cell or "nan") for cell in cells])
            case "ordinal":
                places = [float(levels[column].index(cell)) if cell else np.nan for cell in cells]
                columns[column] = np.array(places)
            case _:
                columns[column] = np.array([cell or None for cell in cells], dtype=object)
    cells = by_name[about["target"]]
    if about["kinds"][about["target"]] == "numeric":
        y, classes = np.array([float(cell) for cell in cells]), 0
    else:
        names = sorted(set(cells))
        y, classes = np.array([names.index(cell) for cell in cells]), len(names)
    nominal = tuple(column for column, cells in columns.items() if cells.dtype == object)
    ordinal = {column: levels[column] for column in columns if about["kinds"][column] == "ordinal"}
    return Frame(name, columns, nominal, ordinal, y, classes)


def folds_of(name: str, rows: int, repeat: int, folds: int) -> Any:
    """[row] its fold: the rows shuffled by the table's name and the repeat's number, dealt in turn."""
    order = list(range(rows))
    Random(f"{name} {repeat}").shuffle(order)
    fold = np.zeros(rows, dtype=np.int64)
    fold[order] = np.arange(rows) % folds
    return fold
