"""Tables with a rare class, for the tests of balancing."""

from __future__ import annotations

import numpy as np

from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import Table

CLASSES = ("common", "rare")


def rare_table(rows: int = 300, seed: int = 1, rare: float = 0.15) -> Table:
    """Numbers, an ordinal and a nominal column, of which three tell something about a rare class."""
    random = np.random.default_rng(seed)
    target = (random.uniform(size=rows) < rare).astype(np.int32)
    columns = {
        "x": random.normal(size=rows) + 1.2 * target,
        "age": np.floor(random.uniform(20, 60, size=rows)),
        "size": np.where(
            target == 1, random.integers(0, 8, rows) // 2, random.integers(0, 16, rows) // 5
        ).astype(np.int32),
        "color": np.where(random.uniform(size=rows) < 0.4, 2 * target, random.integers(0, 3, rows)).astype(
            np.int32
        ),
        "class": target,
    }
    schema = Schema(
        (
            Numeric("x"),
            Numeric("age"),
            Ordinal("size", ("S", "M", "L", "XL")),
            Nominal("color", ("red", "green", "blue")),
        ),
        Nominal("class", CLASSES),
    )
    return Table(schema, columns)


def numbers_only(rows: int = 300, seed: int = 1, rare: float = 0.15) -> Table:
    """Two numbers in very different units."""
    random = np.random.default_rng(seed)
    target = (random.uniform(size=rows) < rare).astype(np.int32)
    schema = Schema((Numeric("x"), Numeric("income")), Nominal("class", CLASSES))
    x = random.normal(size=rows) + 1.2 * target
    return Table(schema, {"x": x, "income": 1e4 * random.normal(size=rows) + 1e4 * target, "class": target})


def noise(rows: int, seed: int, rare: float = 0.1) -> Table:
    """Columns that tell nothing about the class."""
    random = np.random.default_rng(seed)
    target = np.zeros(rows, dtype=np.int32)
    target[random.permutation(rows)[: round(rare * rows)]] = 1
    columns = {f"x{place}": random.normal(size=rows) for place in range(4)}
    schema = Schema(tuple(map(Numeric, columns)), Nominal("class", CLASSES))
    return Table(schema, {**columns, "class": target})
