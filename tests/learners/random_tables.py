"""Random tables for properties: ties, empty cells, weights, constants, one class, one row, many values.

The shape is drawn by hypothesis, so that it shrinks; the cells come from a drawn seed, so that a
table of a thousand rows costs one draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from hypothesis import strategies as st

from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, Column, Table

TargetKind: TypeAlias = Literal["nominal", "ordinal", "numeric"]
COLUMNS = ("whole", "real", "float32", "strided", "constant", "empty", "nominal", "binary", "ordinal", "many")
WEIGHTS = ("none", "ones", "whole", "halves", "some zero", "real")


@st.composite
def random_tables(
    draw: st.DrawFn,
    targets: Sequence[TargetKind] = ("nominal", "ordinal", "numeric"),
    *,
    max_rows: int = 80,
    max_columns: int = 5,
    min_classes: int = 1,
    max_classes: int = 4,
    spare_class: bool = True,
    max_values: int = 1000,
    columns: Sequence[str] = COLUMNS,
    weights: Sequence[str] = WEIGHTS,
    missing: Sequence[float] = (0.0, 0.1, 0.5),
) -> Table:
    """A table with at least one row of positive weight; the target has no empty cell."""
    rows = draw(st.integers(1, max_rows), label="rows")
    kinds = draw(st.lists(st.sampled_from(list(columns)), min_size=1, max_size=max_columns), label="columns")
    rates = draw(
        st.lists(st.sampled_from(list(missing)), min_size=len(kinds), max_size=len(kinds)), label="missing"
    )
    target = draw(st.sampled_from(list(targets)), label="target")
    classes = draw(st.integers(min_classes, max_classes), label="classes")
    weighing = draw(st.sampled_from(list(weights)), label="weights")
    signal = draw(st.sampled_from([0.0, 0.5, 1.0]), label="signal")
    ignored = draw(st.booleans(), label="an ignored column")
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1), label="seed"))

    attributes: list[Attribute] = []
    cells: dict[str, Column] = {}
    for i, (kind, rate) in enumerate(zip(kinds, rates, strict=True)):
        name = f"a{i}"
        if ignored and i == 1:
            attributes.append(Ignored("i"))
        attribute, column = _column(name, kind, rows, max_values, random)
        empty = random.random(rows) < rate
        column[empty] = MISSING if column.dtype == np.int32 else np.nan
        attributes.append(attribute)
        cells[name] = column
    # The target leans on the first column, so that trees grow deep enough to be worth comparing.
    first = np.nan_to_num(cells["a0"].astype(np.float64), nan=-1.0)
    lean = np.where(
        random.random(rows) < signal, np.searchsorted(np.unique(first), first), random.integers(0, 9, rows)
    )
    if target == "numeric":
        cells["y"] = np.round(lean + random.integers(0, 3, rows), 0) / 2
        goal: Nominal | Ordinal | Numeric = Numeric("y")
    else:
        cells["y"] = (lean % classes).astype(np.int32)
        # One class more than the rows may have, for a declared class that never occurs is allowed.
        names = tuple(f"c{i}" for i in range(classes + int(spare_class and random.random() < 0.2)))
        goal = Nominal("y", names) if target == "nominal" else Ordinal("y", names)
    return Table(Schema(tuple(attributes), goal), cells, _weights(weighing, rows, random))


def _column(
    name: str, kind: str, rows: int, max_values: int, random: np.random.Generator
) -> tuple[Attribute, Column]:
    match kind:
        case "whole":
            return Numeric(name), random.integers(0, 6, rows).astype(np.float64)
        case "real":
            return Numeric(name), random.normal(size=rows).round(int(random.integers(1, 9)))
        case "float32":
            return Numeric(name), random.normal(size=rows).astype(np.float32).round(1)
        case "strided":
            wide: Any = random.integers(0, 4, (rows, 3)).astype(np.float64)
            return Numeric(name), wide[:, 1]
        case "constant":
            return Numeric(name), np.full(rows, 7.5)
        case "empty":
            return Numeric(name), np.full(rows, np.nan)
    values = {"binary": 2, "nominal": int(random.integers(1, 7)), "ordinal": int(random.integers(1, 8))}
    used = values.get(kind, int(random.integers(8, max(9, min(max_values, 2 * rows + 8)))))
    # Some declared values never occur.
    names = tuple(f"v{i}" for i in range(used + int(random.integers(0, 2))))
    codes = random.integers(0, used, rows).astype(np.int32)
    return (Ordinal(name, names) if kind == "ordinal" else Nominal(name, names)), codes


def _weights(
    kind: str, rows: int, random: np.random.Generator
) -> np.ndarray[Any, np.dtype[np.float64]] | None:
    match kind:
        case "ones":
            weights = np.ones(rows)
        case "whole":
            weights = random.integers(1, 4, rows).astype(np.float64)
        case "halves":
            weights = random.integers(1, 6, rows) / 2
        case "some zero":
            weights = random.integers(0, 3, rows).astype(np.float64)
        case "real":
            weights = random.uniform(0.1, 3, rows)
        case _:
            return None
    weights[0] = max(weights[0], 1.0)
    return weights
