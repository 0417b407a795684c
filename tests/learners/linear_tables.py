"""Small tables for linear models, made from columns in one line."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from clearwood.table.attributes import Attribute, Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Column, Table

CLASSES = ("A", "B", "C", "D")


def linear_table(
    columns: dict[str, Column],
    target: npt.ArrayLike,
    classes: int = 2,
    weights: npt.NDArray[np.float64] | None = None,
) -> Table:
    """Integers are codes of values v0, v1, …; other columns are numbers; the target's classes are A, B, …"""
    attributes: list[Attribute] = []
    held: dict[str, Column] = {}
    for name, column in columns.items():
        if column.dtype.kind == "i":
            held[name] = column.astype(np.int32)
            attributes.append(Nominal(name, tuple(f"v{code}" for code in range(int(column.max()) + 1))))
        else:
            held[name] = column
            attributes.append(Numeric(name))
    held["y"] = np.asarray(target).astype(np.int32)
    return Table(Schema(tuple(attributes), Nominal("y", CLASSES[:classes])), held, weights)


def noisy_table(rows: int = 400, seed: int = 0, classes: int = 2) -> Table:
    """Three numbers, two of them of use, and a nominal column of four values, in overlapping classes."""
    random = np.random.default_rng(seed)
    x, z, noise = random.normal(size=rows), random.normal(50, 10, rows), random.normal(size=rows)
    c = random.integers(0, 4, rows)
    lean = np.outer(x + 0.05 * (z - 50), np.arange(classes)) + (c == 2)[:, None] * np.arange(classes)[::-1]
    target = (lean + random.gumbel(size=lean.shape)).argmax(axis=1)
    return linear_table({"x": x, "z": z, "noise": noise, "c": c}, target, classes)
