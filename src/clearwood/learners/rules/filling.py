"""Filling: an empty cell stands for its column's most common value or mean, and the rules learned show it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias, assert_never

import numpy as np

from clearwood.learners.rules.ila_coding import or_missing
from clearwood.models.conditions import holds
from clearwood.models.rule_list import Rule
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import MISSING, Column, Table, Weights

Fillings: TypeAlias = dict[str, str | float]  # what the empty cells of a column stand for


def filled(rows: Table) -> tuple[Table, Fillings]:
    """The table without empty cells, and what was put there. A column that is empty throughout stays so."""
    columns, fillings = dict(rows.columns), Fillings()
    for attribute in rows.schema.inputs:
        match attribute:
            case Nominal(name, values) | Ordinal(name, values):
                cells = columns[name]
                empty, known = cells == MISSING, cells >= 0
                if empty.any() and known.any():
                    code = _most_common(cells[known], _of(rows.weights, known))
                    fillings[name] = values[code]
                    columns[name] = np.where(empty, np.int32(code), cells).astype(np.int32)
            case Numeric(name):
                cells = columns[name]
                known = np.isfinite(cells)
                empty = np.isnan(cells)
                if empty.any() and known.any():
                    numbers = cells[known].astype(np.float64)
                    mean = np.average(numbers, weights=_of(rows.weights, known))
                    # Rounding can put a mean beside the number that it is.
                    nearest = numbers[np.abs(numbers - mean).argmin()]
                    mean = cells.dtype.type(nearest if math.isclose(nearest, mean, rel_tol=1e-12) else mean)
                    fillings[name] = float(mean)
                    columns[name] = np.where(empty, mean, cells)
            case Text() | Ignored():
                continue
            case _:
                assert_never(attribute)
    return replace(rows, columns=columns), fillings


def with_or_missing(rules: Iterable[Rule], fillings: Mapping[str, str | float]) -> list[Rule]:
    """The rules, with `or missing` wherever what an empty cell stands for satisfies a condition.

    >>> from clearwood.models.conditions import AtMost, Equals
    >>> rule = Rule((Equals("Wind", "Weak"), AtMost("Humidity", 75.0)), "Yes", (0.0, 5.0))
    >>> print(with_or_missing([rule], {"Wind": "Weak", "Humidity": 80.0})[0])
    IF (Wind = Weak or missing) AND Humidity ≤ 75 THEN Yes
    """
    return [
        replace(
            rule,
            when=tuple(
                or_missing(each) if each.name in fillings and holds(each, fillings[each.name]) else each
                for each in rule.when
            ),
        )
        for rule in rules
    ]


def _most_common(codes: Column, weights: Weights | None) -> int:
    """Of equals the first."""
    counts = np.bincount(codes, weights)
    return int(np.argmax(counts >= counts.max() * (1 - 1e-10)))


def _of(weights: Weights | None, rows: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Weights | None:
    return None if weights is None else weights[rows]
