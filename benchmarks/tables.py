"""The tables of the benchmarks, made by rule from fixed seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.table.attributes import Nominal
from clearwood.table.schema import Schema
from clearwood.table.table import Table

if TYPE_CHECKING:
    import pandas as pd

X: TypeAlias = npt.NDArray[np.float32]  # [row, column]
Y: TypeAlias = npt.NDArray[np.int64]  # [row]


def normal_table(rows: int, columns: int = 20, classes: int = 2, *, missing: float = 0.0) -> tuple[X, Y]:
    """Standard normal float32 columns; the class is a bent function of the first five, cut into equal parts.

    The noise is such that eight levels of a tree find most of the signal and a deep tree keeps growing.
    """
    random = np.random.default_rng(0)
    x = random.standard_normal((rows, columns), dtype=np.float32)
    first = [x[:, i % columns] for i in range(5)]
    signal = first[0] * first[1] + np.sin(2 * first[2]) + 0.5 * first[3] ** 2 + np.abs(first[4])
    signal = signal + random.standard_normal(rows, dtype=np.float32)
    y = np.searchsorted(np.quantile(signal, np.arange(1, classes) / classes), signal).astype(np.int64)
    if missing:
        x[random.random(x.shape, dtype=np.float32) < missing] = np.nan
    return x, y


def half_nominal(rows: int, columns: int = 20) -> tuple[pd.DataFrame, Y]:
    """The same rows with every other column cut into 2 to 40 categories, in a shuffled order."""
    import pandas as pd

    x, y = normal_table(rows, columns)
    random = np.random.default_rng(1)
    frame: dict[str, Any] = {}
    for i in range(columns):
        if i % 2:
            frame[f"x{i}"] = x[:, i]
            continue
        values = int(random.integers(2, 41))
        cuts = np.quantile(x[:, i], np.arange(1, values) / values)
        names = [f"v{j}" for j in random.permutation(values)]
        frame[f"x{i}"] = pd.Categorical.from_codes(np.searchsorted(cuts, x[:, i]), names)
    return pd.DataFrame(frame), y


def nursery_like() -> Table:
    """Every combination of 3·5·4·4·3·2·3·3 values, 12,960 rows as in nursery; five classes by nested sums.

    The classes are as unequal as nursery's: 12, 204, 3,282, 4,320 and 5,142 rows.
    """
    sizes = (3, 5, 4, 4, 3, 2, 3, 3)
    codes = np.indices(sizes).reshape(len(sizes), -1).astype(np.int32)
    parents, has_nursery, form, children, housing, finance, social, health = codes
    burden = 2 * (parents + has_nursery) + form // 2 + children + social + housing + finance
    target = np.select(
        [health == 2, (burden <= 1) & (health == 0), burden <= 3, burden + 2 * health <= 10], range(4), 4
    )
    names = [f"a{i}" for i in range(len(sizes))]
    inputs = (Nominal(name, tuple(f"v{j}" for j in range(k))) for name, k in zip(names, sizes, strict=True))
    schema = Schema(tuple(inputs), Nominal("y", ("c0", "c1", "c2", "c3", "c4")))
    return Table(schema, {**dict(zip(names, codes, strict=True)), "y": target.astype(np.int32)})


CENSUS_TARGET = "income"


def census_like(rows: int = 300_000) -> pd.DataFrame:
    """Like a census: 33 nominal columns of 2 to 52 values, 8 numeric, empty cells in eight, 6 % positive.

    Values are unequally common, numbers are whole, rounded or mostly zero; income leans on eleven columns.
    """
    import pandas as pd

    random = np.random.default_rng(2)
    sizes = [
        9,
        52,
        47,
        17,
        3,
        7,
        24,
        15,
        5,
        10,
        2,
        3,
        6,
        8,
        6,
        6,
        50,
        38,
        8,
        10,
        9,
        10,
        3,
        4,
        7,
        5,
        43,
        43,
        43,
        5,
    ]
    sizes += [3, 3, 2]
    columns: dict[str, Any] = {}
    score = np.zeros(rows)
    for i, size in enumerate(sizes):
        common = 1 / np.arange(1, size + 1) ** random.uniform(0.3, 1.6)
        codes = random.choice(size, rows, p=common / common.sum())
        if i % 4 == 0:
            score += random.normal(size=size)[codes] * 0.9
        # Some columns say nearly the same as their neighbour, as they do in a census.
        if i % 5 == 3:
            last = columns[f"n{i - 1}"][0]
            codes = np.where(random.random(rows) < 0.8, last % size, codes)
        columns[f"n{i}"] = (codes, [f"{_WORDS[i % len(_WORDS)]} {j}" for j in range(size)])
    frame: dict[str, Any] = {}
    for i, (name, (codes, values)) in enumerate(columns.items()):
        cells = np.array(values, dtype=object)[codes]
        if i in (1, 6, 16, 26, 27):
            cells[random.random(rows) < (0.02, 0.5)[i > 20]] = None
        frame[name] = cells
    age = random.integers(0, 91, rows)
    weeks = np.where(random.random(rows) < 0.45, 0, random.integers(1, 53, rows))
    gains = np.where(random.random(rows) < 0.96, 0, np.round(random.lognormal(8, 1, rows)))
    losses = np.where(random.random(rows) < 0.98, 0, np.round(random.lognormal(7, 0.4, rows)))
    dividends = np.where(random.random(rows) < 0.9, 0, np.round(random.lognormal(5, 2, rows)))
    wage = np.where(random.random(rows) < 0.94, 0, random.integers(100, 4000, rows))
    weight = np.round(random.gamma(3, 580, rows), 2)
    employer = random.integers(0, 7, rows)
    score += (
        (age > 25) * 1.5 - np.abs(age - 48) / 20 + weeks / 26 + (gains > 3000) * 3 + (dividends > 500) * 1.2
    )
    numbers = {"age": age, "wage": wage, "gains": gains, "losses": losses, "dividends": dividends}
    numbers |= {"weight": weight, "employer": employer, "weeks": weeks}
    for name, cells in numbers.items():
        frame[name] = cells.astype(np.float64)
        if name in ("wage", "dividends", "employer"):
            frame[name][random.random(rows) < 0.03] = np.nan
    score += random.logistic(size=rows) * 0.7
    high = score > np.quantile(score, 0.938)
    frame[CENSUS_TARGET] = np.where(high, "high", "low").astype(object)
    return pd.DataFrame(frame)


_WORDS = ("work", "trade", "branch", "school", "home", "state", "kin", "union", "full-time", "tax", "region")
