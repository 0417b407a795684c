"""A stand-in for nursery: each combination of eight attributes once, five classes by nested rules."""

from __future__ import annotations

import numpy as np

from clearwood.table.attributes import Nominal
from clearwood.table.schema import Schema
from clearwood.table.table import Table

VALUES = (3, 5, 4, 4, 3, 2, 3, 3)  # 12,960 combinations
CLASSES = ("refuse", "priority", "special", "accept", "at once")


def nursery_like() -> Table:
    """As there, a third is refused by one attribute, two classes share most of the rest, two are rare."""
    rows = int(np.prod(VALUES))
    codes = [column.astype(np.int32) for column in np.unravel_index(np.arange(rows), VALUES)]
    parents, care, form, children, housing, money, social, health = codes
    burden = parents + care + (form > 0) + children // 2 + housing + money + (social == 2)
    target = np.where(health == 2, 0, np.where(burden + 2 * (health == 1) > 5, 2, 1))
    target = np.where((health == 0) & (burden <= 1), 3, target)
    target = np.where((health == 0) & (burden == 0) & (social == 0), 4, target).astype(np.int32)
    names = ("parents", "care", "form", "children", "housing", "money", "social", "health")
    attributes = tuple(
        Nominal(name, tuple(f"{name} {i}" for i in range(values)))
        for name, values in zip(names, VALUES, strict=True)
    )
    columns = dict(zip(names, codes, strict=True))
    return Table(Schema(attributes, Nominal("class", CLASSES)), {**columns, "class": target})
