"""Tables made by rule from a flavour and a seed, for which other programs' figures are stored in `figures/`.

Cells come from `random.Random(seed).random()` alone, the stream Python promises never to change.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeAlias, TypeVar

import numpy as np

from clearwood.table.attributes import Attribute, Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Column, Table

T = TypeVar("T")
Cells: TypeAlias = list[float | None]

FLAVOURS = {
    "mixed": "nominal and numeric columns, some cells empty",
    "nominal": "categories alone, a declared value that may not occur",
    "numeric": "numbers alone, many equal",
    "missing": "up to 70 % of the cells empty",
    "ties": "columns that are mirror images of others",
    "close": "numbers a few millionths apart",
    "classes": "classes declared that never occur",
    "many": "nominal columns with about as many values as rows",
    "large": "two thousand rows",
}


def generated_table(flavour: str, seed: int, *, regression: bool = False) -> Table:
    """The table of this flavour and seed; with `regression` its target is a number.

    >>> len(generated_table("mixed", 3)), generated_table("mixed", 3).schema.classes
    (8, ('c0', 'c1', 'c2'))
    """
    if flavour not in FLAVOURS:
        raise KeyError(flavour)
    die = _Die(f"{flavour} {seed}")
    rows = 2000 if flavour == "large" else die.pick((8, 12, 24, 40, 60, 100, 200))
    classes = die.pick((2, 2, 3, 4))
    rate = die.pick((0.3, 0.5, 0.7)) if flavour == "missing" else die.pick((0.0, 0.0, 0.05, 0.2))
    kinds = [_kind(flavour, die) for _ in range(die.pick((1, 2, 3, 4, 5, 6)))]
    attributes: list[Attribute] = []
    cells: list[Cells] = []
    for i, kind in enumerate(kinds):
        attribute, column = _column(f"a{i}", kind, flavour, rows, die)
        attributes.append(attribute)
        cells.append([None if die.below(rate) else cell for cell in column])
    if flavour == "ties":
        for i in range(2):
            chosen = die.pick(range(len(kinds)))
            attributes.append(_renamed(attributes[chosen], f"m{i}"))
            cells.append(_mirrored(cells[chosen]))
    target = _target(cells[: min(3, len(kinds))], classes, rows, die)
    columns: dict[str, Column] = {a.name: _coded(a, c) for a, c in zip(attributes, cells, strict=True)}
    if regression:
        columns["y"] = np.array([code * 2.0 + die.whole(4) / 2 for code in target])
        return Table(Schema(tuple(attributes), Numeric("y")), columns)
    columns["y"] = np.array(target, dtype=np.int32)
    spare = 1 + die.whole(5) if flavour == "classes" else 0
    names = tuple(f"c{i}" for i in range(classes + spare))
    return Table(Schema(tuple(attributes), Nominal("y", names)), columns)


class _Die:
    """Whole numbers and choices from one stream of fractions."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed).random

    def below(self, share: float) -> bool:
        return self._random() < share

    def whole(self, stop: int) -> int:
        return int(self._random() * stop)

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.whole(len(choices))]


def _kind(flavour: str, die: _Die) -> str:
    match flavour:
        case "nominal":
            return "nominal"
        case "many":
            return "many" if die.below(0.7) else "nominal"
        case "numeric" | "close" | "classes":
            return "numeric"
        case _:
            return "nominal" if die.below(0.5) else "numeric"


def _column(name: str, kind: str, flavour: str, rows: int, die: _Die) -> tuple[Attribute, Cells]:
    if kind != "numeric":
        sizes = (rows // 4, rows // 2, rows) if kind == "many" else (1, 2, 2, 3, 3, 4, 6, 10)
        used = die.pick(sizes)
        declared = used + (die.whole(2) if flavour == "nominal" else 0)
        return Nominal(name, tuple(f"v{i}" for i in range(declared))), [die.whole(used) for _ in range(rows)]
    if flavour == "close":
        step, steps = die.pick((1e-6, 2e-6, 4e-6, 8e-6, 12e-6)), 30
    else:
        step, steps = die.pick((1.0, 1.0, 0.5, 0.125)), die.pick((2, 4, 8, 30, 1000))
    return Numeric(name), [die.whole(steps) * step for _ in range(rows)]


def _target(cells: list[Cells], classes: int, rows: int, die: _Die) -> list[int]:
    """Classes that lean on the first columns, so that trees grow deep enough to be worth comparing."""
    signal = die.pick((0.0, 0.3, 0.6, 0.9, 1.0))
    ranks = []
    for cell in cells:
        known = sorted({value for value in cell if value is not None})
        ranks.append({value: rank for rank, value in enumerate(known)})
    target = []
    for row in range(rows):
        lean = 0
        for cell, rank in zip(cells, ranks, strict=True):
            value = cell[row]
            lean += 0 if value is None else rank[value] * 3 // len(rank)
        target.append(lean % classes if die.below(signal) else die.whole(classes))
    return target


def _renamed(attribute: Attribute, name: str) -> Attribute:
    return Nominal(name, attribute.values) if isinstance(attribute, Nominal) else Numeric(name)


def _mirrored(cells: Cells) -> Cells:
    most = max((cell for cell in cells if cell is not None), default=0)
    return [None if cell is None else most - cell for cell in cells]


def _coded(attribute: Attribute, cells: Cells) -> Column:
    if isinstance(attribute, Nominal):
        return np.array([MISSING if cell is None else cell for cell in cells], dtype=np.int32)
    return np.array([np.nan if cell is None else cell for cell in cells], dtype=np.float64)
