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


def cover_like(rows: int) -> tuple[X, Y]:
    """Ten columns of whole numbers, 44 of rare ones, seven classes: the shape of the forest cover data."""
    draw = np.random.default_rng(0)
    x = np.empty((rows, 54), dtype=np.float32)
    x[:, :10] = (300 * draw.normal(size=(rows, 10))).round()
    x[:, 10:] = draw.random((rows, 44)) < 0.05
    scores = x[:, :10] @ draw.normal(size=(10, 7)) / 300 + 1.5 * x[:, 10:] @ draw.normal(size=(44, 7))
    return x, (scores + 0.7 * draw.gumbel(size=(rows, 7))).argmax(axis=1).astype(np.int32)


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
        frame[f"x{i}"] = pd.Categorical.from_codes(np.searchsorted(cuts, x[:, i]).tolist(), pd.Index(names))
    return pd.DataFrame(frame), y


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


def linear_table(rows: int, columns: int = 20) -> tuple[npt.NDArray[np.float64], Y]:
    """Normal float64 columns of different scales; the log-odds of the class is a weighted sum of them."""
    random = np.random.default_rng(6)
    x = random.standard_normal((rows, columns)) * random.uniform(0.5, 5, columns) + random.normal(
        size=columns
    )
    score = (x - x.mean(0)) / x.std(0) @ random.normal(0, 0.4, columns) - 0.5
    return x, (random.logistic(size=rows) < score).astype(np.int64)


def codes_table(rows: int, columns: int = 20, values: int = 10) -> tuple[npt.NDArray[np.int64], Y]:
    """Codes of nominal values, [row, column]; each value leans a little to one of two classes."""
    random = np.random.default_rng(7)
    codes = random.integers(0, values, (rows, columns))
    leaning = random.normal(0, 0.3, (columns, values))
    score = sum(leaning[i][codes[:, i]] for i in range(columns))
    return codes, (random.logistic(size=rows) < score).astype(np.int64)


def nominal_table(codes: npt.NDArray[np.int64], y: Y, values: int = 10) -> Table:
    """The same codes as a coded table, as a reader leaves it."""
    names = [f"x{i}" for i in range(codes.shape[1])]
    inputs = (Nominal(name, tuple(f"v{j}" for j in range(values))) for name in names)
    columns = {name: np.ascontiguousarray(codes[:, i], dtype=np.int32) for i, name in enumerate(names)}
    return Table(Schema(tuple(inputs), Nominal("y", ("no", "yes"))), {**columns, "y": y.astype(np.int32)})


def string_frame(codes: npt.NDArray[np.int64], y: Y) -> pd.DataFrame:
    """The same codes as a frame of strings."""
    import pandas as pd

    words = np.array([f"v{j}" for j in range(int(codes.max()) + 1)], dtype=object)
    frame: dict[str, Any] = {f"x{i}": words[codes[:, i]] for i in range(codes.shape[1])}
    return pd.DataFrame({**frame, "y": np.array(["no", "yes"], dtype=object)[y]})
