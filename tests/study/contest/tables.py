"""Tables to choose on, small enough for many models."""

from __future__ import annotations

import numpy as np

import clearwood as cw


def credit(rows: int = 150, *, weights: bool = False, missing: bool = False) -> cw.Table:
    """Two classes that two columns tell apart, but for some noise; customers have several rows each."""
    chance = np.random.default_rng(4)
    income, age = chance.normal(50, 15, rows), chance.integers(18, 80, rows).astype(float)
    house = chance.choice(["own", "rent", "free"], size=rows)
    good = income + 10 * (house == "own") + chance.normal(0, 8, rows) > 52
    if missing:
        income[::9] = np.nan
    columns = {
        "income": income,
        "age": age,
        "house": house,
        "customer": [f"c{k}" for k in chance.integers(0, 30, rows)],
        "class": np.where(good, "good", "bad"),
    }
    if weights:
        columns["weight"] = chance.integers(1, 4, rows).astype(float)
    return cw.read_table(
        columns,
        target="class",
        kinds={"customer": "nominal"},
        weight="weight" if weights else None,
    )


def prices(rows: int = 90) -> cw.Table:
    """A number that bends with one column."""
    chance = np.random.default_rng(8)
    x, z = chance.uniform(-2, 2, rows), chance.normal(size=rows)
    return cw.read_table({"x": x, "z": z, "y": x**2 + 0.3 * z + chance.normal(0, 0.2, rows)}, target="y")
