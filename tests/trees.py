"""Trees and tables for tests: the tennis tree, and random ones of every shape the types allow."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from clearwood.formulas.conditions import (
    Above,
    AtMost,
    Condition,
    Equals,
    IsMissing,
    Limit,
    OneOf,
    between_limits,
)
from clearwood.models.decision import Decision
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Node, Split, Surrogate, Tree
from clearwood.models.lineage import Origin
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Table

WEATHER = (
    Nominal("Outlook", ("Sunny", "Overcast", "Rainy")),
    Nominal("Temperature", ("Hot", "Mild", "Cool")),
    Nominal("Humidity", ("High", "Normal")),
    Nominal("Wind", ("Weak", "Strong")),
)
PLAY = Nominal("PlayTennis", ("No", "Yes"))
TENNIS = Schema(WEATHER, PLAY)


def tennis_tree() -> Tree:
    """The tree every textbook prints: Outlook, then Humidity or Wind."""
    sunny = Split(
        (3.0, 2.0),
        {"gain": 0.970950594},
        (
            Branch(Equals("Humidity", "High"), 0.6, Leaf((3.0, 0.0))),
            Branch(Equals("Humidity", "Normal"), 0.4, Leaf((0.0, 2.0))),
        ),
    )
    rainy = Split(
        (2.0, 3.0),
        {"gain": 0.970950594},
        (
            Branch(Equals("Wind", "Weak"), 0.6, Leaf((0.0, 3.0))),
            Branch(Equals("Wind", "Strong"), 0.4, Leaf((2.0, 0.0))),
        ),
    )
    root = Split(
        (5.0, 9.0),
        {"gain": 0.246749819},
        (
            Branch(Equals("Outlook", "Sunny"), 5 / 14, sunny),
            Branch(Equals("Outlook", "Overcast"), 4 / 14, Leaf((0.0, 4.0))),
            Branch(Equals("Outlook", "Rainy"), 5 / 14, rainy),
        ),
    )
    return tree_of(TENNIS, root, origin=Origin("ID3", {"min_rows": 2}, "0.1.0", "", 14))


def tennis_table() -> Table:
    """The fourteen days."""
    days = (
        "Sunny Hot High Weak No,Sunny Hot High Strong No,Overcast Hot High Weak Yes,Rainy Mild High Weak Yes,"
        "Rainy Cool Normal Weak Yes,Rainy Cool Normal Strong No,Overcast Cool Normal Strong Yes,"
        "Sunny Mild High Weak No,Sunny Cool Normal Weak Yes,Rainy Mild Normal Weak Yes,"
        "Sunny Mild Normal Strong Yes,Overcast Mild High Strong Yes,Overcast Hot Normal Weak Yes,"
        "Rainy Mild High Strong No"
    )
    rows = [day.split() for day in days.split(",")]
    columns = {
        a.name: np.array([a.values.index(row[i]) for row in rows], dtype=np.int32)
        for i, a in enumerate((*WEATHER, PLAY))
    }
    return Table(TENNIS, columns)


MIXED: tuple[Attribute, ...] = (
    Numeric("x"),
    Nominal("colour", ("red", "green", "blue", "grey")),
    Ignored("row number"),
    Ordinal("size", ("small", "middle", "large")),
    Numeric("y"),
    Nominal("place", tuple(f"place {i}" for i in range(300))),
)
LIMITS = (-1.5, 0.0, 0.1, 2.0, 3.25)


@st.composite
def trees(draw: st.DrawFn, numeric: bool | None = None, attributes: tuple[Attribute, ...] = MIXED) -> Tree:
    """Random trees: cuts, intervals, sets, missing, surrogates, otherwise, empty leaves, factors, costs."""
    if numeric is None:
        numeric = draw(st.booleans())
    classes = draw(st.integers(1, 4))
    target = Numeric("t") if numeric else Nominal("t", tuple("abcd"[:classes]))
    schema = Schema(attributes, target)
    root = draw(_nodes(schema, draw(st.integers(0, 4))))
    decision = Decision()
    if not numeric:
        each = st.floats(0.25, 4)
        factors = (
            tuple(draw(st.lists(each, min_size=classes, max_size=classes))) if draw(st.booleans()) else ()
        )
        costs: tuple[tuple[float, ...], ...] = ()
        if draw(st.booleans()):
            costs = tuple(
                tuple(0.0 if i == j else draw(st.sampled_from((0.5, 1.0, 3.0))) for j in range(classes))
                for i in range(classes)
            )
        decision = Decision(factors, costs)
    return tree_of(schema, root, score_names=("gain", "gain_ratio"), decision=decision)


@st.composite
def _nodes(draw: st.DrawFn, schema: Schema, depth: int) -> Node:
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        each = st.sampled_from((0.0, 0.0, 1.0, 2.0, 0.3))
        if isinstance(schema.target, Numeric):
            return Leaf(_number_counts(draw, draw(each)))
        return Leaf(tuple(draw(each) for _ in schema.classes))
    conditions = draw(_conditions(schema))
    parts = [draw(st.integers(0, 3)) for _ in conditions]
    parts[draw(st.integers(0, len(parts) - 1))] = 2
    branches = tuple(
        Branch(when, part / sum(parts), draw(_nodes(schema, depth - 1)))
        for when, part in zip(conditions, parts, strict=True)
    )
    sums = tuple(map(sum, zip(*(branch.then.counts for branch in branches), strict=True)))
    counts = _number_counts(draw, sums[0]) if isinstance(schema.target, Numeric) else sums
    surrogates = tuple(draw(st.lists(_surrogates(schema), max_size=2))) if len(branches) == 2 else ()
    otherwise = draw(st.none() | st.integers(0, len(branches) - 1))
    return Split(counts, {"gain": draw(st.floats(0, 1)), "gain_ratio": 0.25}, branches, surrogates, otherwise)


def _number_counts(draw: st.DrawFn, weight: float) -> tuple[float, ...]:
    return (weight, draw(st.floats(-9, 9)), draw(st.floats(0, 9))) if weight else (0.0, 0.0, 0.0)


@st.composite
def _conditions(draw: st.DrawFn, schema: Schema) -> list[Condition]:
    attribute = draw(st.sampled_from(schema.inputs))
    missing_at = draw(st.sampled_from((None, None, "own", 0, 1)))
    conditions: list[Condition]
    if isinstance(attribute, Numeric):
        limits = sorted(draw(st.sets(st.sampled_from(LIMITS), min_size=1, max_size=3)))
        edges, from_low = [-math.inf, *limits, math.inf], draw(st.booleans())
        conditions = [
            between_limits(attribute.name, Limit(low, from_low), Limit(high, not from_low), missing_at == k)
            for k, (low, high) in enumerate(pairwise(edges))
        ]
        if draw(st.booleans()):
            conditions.reverse()
        if len(conditions) > 2 and draw(st.booleans()):
            conditions.pop(draw(st.integers(0, len(conditions) - 1)))
    else:
        listed = values_of(attribute)
        values = draw(st.permutations(listed))[: draw(st.integers(1, min(6, len(listed))))]
        cut = draw(st.integers(1, len(values)))
        groups = [values[:cut], *([value] for value in values[cut:])]
        conditions = [
            OneOf(attribute.name, tuple(group), missing_at == k)
            if len(group) > 1 or missing_at == k
            else Equals(attribute.name, group[0])
            for k, group in enumerate(groups)
        ]
    return [*conditions, IsMissing(attribute.name)] if missing_at == "own" else conditions


@st.composite
def _surrogates(draw: st.DrawFn, schema: Schema) -> Surrogate:
    attribute = draw(st.sampled_from(schema.inputs))
    then, agreement = draw(st.integers(0, 1)), draw(st.floats(0.5, 1))
    if isinstance(attribute, Numeric):
        limit = draw(st.sampled_from(LIMITS))
        return Surrogate(AtMost(attribute.name, limit), then, Above(attribute.name, limit), agreement)
    values = draw(st.permutations(values_of(attribute)))[:4]
    cut = draw(st.integers(1, len(values) - 1))

    def of(group: list[str]) -> Condition:
        return Equals(attribute.name, group[0]) if len(group) == 1 else OneOf(attribute.name, tuple(group))

    return Surrogate(of(values[:cut]), then, of(values[cut:]), agreement)


@st.composite
def tables(draw: st.DrawFn, schema: Schema, rows: int = 40) -> Table:
    """Rows with empty cells, unseen values, and cells on the limits themselves."""
    seed = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    columns: dict[str, np.ndarray] = {}
    for attribute in (*schema.inputs, *([schema.target] if schema.target else [])):
        if isinstance(attribute, Numeric):
            numbers = seed.choice([*LIMITS, -7.0, 0.05, 1.0, 9.0, np.nan], rows)
            columns[attribute.name] = numbers.astype(draw(st.sampled_from((np.float32, np.float64))))
        else:
            codes = seed.integers(0, len(values_of(attribute)), rows)
            codes = np.where(seed.random(rows) < 0.2, seed.choice([MISSING, UNSEEN], rows), codes)
            columns[attribute.name] = codes.astype(np.int32)
    weights = seed.choice([0.5, 1.0, 3.0], rows) if draw(st.booleans()) else None
    return Table(schema, columns, weights)


def values_of(attribute: Attribute) -> tuple[str, ...]:
    """The values of a column that lists them, as every input here does that is no number."""
    assert isinstance(attribute, Nominal | Ordinal)
    return attribute.values
