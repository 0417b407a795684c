"""Tables of the shape of well-known ones, made by rule, for where those are not at hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.tables import CENSUS_TARGET, census_like
from clearwood.table import read_table
from clearwood.table.attributes import Nominal, Text
from clearwood.table.schema import Schema
from clearwood.table.table import Column, Table


def adult_like() -> Table:
    """32,561 rows of the census-like table."""
    return read_table(census_like(32_561), target=CENSUS_TARGET)


def whole_adult_like() -> Table:
    """48,842 rows of 14 columns of the census-like table, eight of names and six of numbers."""
    names = [f"n{i}" for i in (0, 1, 3, 4, 5, 8, 12, 16)]
    numbers = ["age", "wage", "gains", "losses", "dividends", "weeks"]
    return read_table(census_like(48_842)[[*names, *numbers, CENSUS_TARGET]], target=CENSUS_TARGET)


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
    return _nominal(codes, sizes, target, 5)


def car_like() -> Table:
    """Every combination of 4·4·4·3·3·3 values, 1,728 rows as in car; four classes, most rows refused."""
    sizes = (4, 4, 4, 3, 3, 3)
    codes = np.indices(sizes).reshape(len(sizes), -1).astype(np.int32)
    buying, upkeep, doors, persons, boot, safety = codes
    worth = 6 - buying - upkeep + doors // 2 + boot + 2 * safety
    target = np.select([(persons == 0) | (safety == 0) | (worth < 6), worth < 9, worth < 10], range(3), 3)
    return _nominal(codes, sizes, target, 4)


def mushroom_like() -> Table:
    """8,124 rows of 22 nominal columns as in mushroom: 23 species, each with a few values of every column.

    Every species is eaten or not, and a fifth of the cells of the eleventh column is empty.
    """
    random = np.random.default_rng(4)
    sizes = (6, 4, 10, 2, 9, 4, 3, 2, 12, 2, 6, 4, 4, 9, 9, 2, 4, 3, 8, 9, 6, 7)
    species = random.integers(0, 23, 8_124)
    codes = []
    for size in sizes:
        may_be = [random.permutation(size)[: random.integers(1, min(size, 4) + 1)] for _ in range(23)]
        counts = np.array([len(values) for values in may_be])
        table = np.array([np.resize(values, 4) for values in may_be])
        codes.append(table[species, random.integers(0, counts[species])].astype(np.int32))
    codes[10][random.random(len(species)) < 0.2] = -1
    return _nominal(codes, sizes, (species % 2).astype(np.int32), 2)


def sms_like() -> Table:
    """5,574 messages of 3 to 30 words, an eighth of them spam, which takes its words from further down."""
    random = np.random.default_rng(5)
    spam = random.random(5_574) < 0.134
    letters = np.array(list("etaoinshrdlu"))
    words = np.array(["".join(random.choice(letters, random.integers(2, 9))) for _ in range(9_000)])
    lengths = random.integers(3, 31, len(spam))
    # Zipf's law: the r-th word is r times rarer than the first.
    ranks = np.minimum(np.exp(random.random(lengths.sum()) * np.log(4_500)).astype(int), 4_499)
    ranks += 300 * np.repeat(spam, lengths) * (random.random(len(ranks)) < 0.5)
    parts = np.split(words[ranks], np.cumsum(lengths)[:-1])
    texts = np.array([" ".join(part).capitalize() + "." for part in parts], dtype=object)
    schema = Schema((Text("message"),), Nominal("label", ("ham", "spam")))
    return Table(schema, {"message": texts, "label": spam.astype(np.int32)})


def _nominal(codes: Sequence[Column] | Column, sizes: Sequence[int], target: Column, classes: int) -> Table:
    names = [f"a{i}" for i in range(len(sizes))]
    inputs = (Nominal(name, tuple(f"v{j}" for j in range(k))) for name, k in zip(names, sizes, strict=True))
    schema = Schema(tuple(inputs), Nominal("y", tuple(f"c{i}" for i in range(classes))))
    return Table(schema, {**dict(zip(names, codes, strict=True)), "y": target.astype(np.int32)})
