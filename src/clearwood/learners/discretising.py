"""Cuts: a numeric column as a few intervals, for learners that ask about values only."""

import math
import warnings
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats
from clearwood.counting.coding import interval_codes
from clearwood.errors import Advice, ClearwoodWarning, Sentence
from clearwood.formulas.conditions import Condition, interval
from clearwood.table.attributes import Ignored, Numeric, Ordinal
from clearwood.table.raw import Codes
from clearwood.table.table import Column, Table, Weights
from clearwood.words.numbers import number

CutMethod: TypeAlias = Literal["mdl", "width", "frequency"]
# By column where it is cut, ascending; a value x ≤ cut is below.
CutsByColumn: TypeAlias = Mapping[str, tuple[float, ...]]


def mdl_cuts(column: Column, target: Column, weights: Weights | None = None) -> tuple[float, ...]:
    """Where the classes change most, as long as the gain pays for encoding the cut (Fayyad and Irani 1993).

    The cut of the largest information gain is taken, halfway between two values, first of equals; it stays if
    gain > (log2(N − 1) + log2(3^k − 2) − (k·H − k1·H1 − k2·H2)) ÷ N, with N the weight, k the classes present
    and H the entropy here and on the two sides; then each side is cut likewise. Empty cells and rows without
    class (codes below 0) or weight are absent.

    >>> mdl_cuts(np.array([1.0, 2, 3, 7, 8, 9]), np.array([0, 0, 0, 1, 1, 1], np.int32))
    (5.0,)
    """
    classes = int(target.max(initial=-1)) + 1
    limits = _native.mdl_cuts([column], np.ascontiguousarray(target), weights, classes)[0]
    return tuple(limits.tolist())


def equal_width_cuts(column: Column, bins: int = 10) -> tuple[float, ...]:
    """Intervals of one width from the smallest to the largest value; none where all values are equal.

    >>> equal_width_cuts(np.array([0.0, 1, 2, 10, np.nan]), 4)
    (2.5, 5.0, 7.5)
    """
    known = column[np.isfinite(column)]
    if not len(known):
        return ()
    low, high = float(known.min()), float(known.max())
    ends = [low + (high / bins - low / bins) * part for part in range(1, bins)]
    return tuple(sorted({end for end in ends if low <= end < high}))


def equal_frequency_cuts(column: Column, weights: Weights | None = None, bins: int = 10) -> tuple[float, ...]:
    """Intervals of about equal weight; equal values stay together.

    >>> equal_frequency_cuts(np.array([1.0, 2, 3, 4, 5, 5, 5, 9]), bins=4)
    (2.0, 4.0, 5.0)
    """
    known = ~np.isnan(column)
    if weights is not None:
        known &= weights > 0
    ends = quantile_ends(column[known], None if weights is None else weights[known], bins)
    return tuple(ends.tolist())


def cuts_for(table: Table, method: CutMethod = "mdl", bins: int = 10) -> dict[str, tuple[float, ...]]:
    """Each numeric column's cuts, the schema's own where it gives any; () where none is worth making."""
    numeric = [attribute for attribute in table.schema.attributes if isinstance(attribute, Numeric)]
    cuts = {attribute.name: attribute.cuts for attribute in numeric}
    free = [attribute.name for attribute in numeric if not attribute.cuts]
    match method:
        case "mdl" if free:
            columns = [table.columns[name] for name in free]
            target = np.ascontiguousarray(table.target)
            limits = _native.mdl_cuts(columns, target, table.weights, len(table.schema.classes))
            cuts |= {name: tuple(each.tolist()) for name, each in zip(free, limits, strict=True)}
        case "width":
            known = slice(None) if table.weights is None else table.weights > 0
            cuts |= {name: equal_width_cuts(table.columns[name][known], bins) for name in free}
        case "frequency":
            cuts |= {name: equal_frequency_cuts(table.columns[name], table.weights, bins) for name in free}
    return cuts


def cut_table(
    table: Table, method: CutMethod = "mdl", *, bins: int = 10, cuts: CutsByColumn | None = None
) -> Table:
    """The table with every numeric column coded as ordered intervals, by `cuts` or `cuts_for` this table.

    A column without a cut says nothing about the class in these terms: it is left out, with a warning that
    names it, and a note on the table.

    >>> from clearwood.table.attributes import Nominal
    >>> from clearwood.table.schema import Schema
    >>> columns = {"x": np.array([1.0, 2, 3, 7, 8, 9]), "y": np.array([0, 0, 0, 1, 1, 1], np.int32)}
    >>> cut = cut_table(Table(Schema((Numeric("x"),), Nominal("y", ("no", "yes"))), columns))
    >>> cut.schema["x"], cut.columns["x"].tolist()
    (Ordinal(name='x', values=('≤ 5', '> 5')), [0, 0, 0, 1, 1, 1])
    """
    cuts = cuts_for(table, method, bins) if cuts is None else cuts
    attributes = list(table.schema.attributes)
    columns = dict(table.columns)
    without = []
    for position, attribute in enumerate(attributes):
        if not isinstance(attribute, Numeric):
            continue
        name = attribute.name
        if cuts[name]:
            attributes[position] = Ordinal(name, interval_names(cuts[name]))
            columns[name] = interval_codes(columns[name], cuts[name])
        else:
            attributes[position] = Ignored(name, "no cut of it is worth making")
            del columns[name]
            without.append(name)
    notes = table.notes
    if without:
        note = f"No cut is worth making; left out: {', '.join(without)}."
        ways = (Advice("cuts", "width", setting=True), " or ", Advice("cuts", "frequency", setting=True))
        advised = Sentence(note, " Give cuts in the schema, or cut in another way: ", *ways, ".")
        warnings.warn(advised, ClearwoodWarning, stacklevel=2)
        notes = (*notes, note)
    schema = replace(table.schema, attributes=tuple(attributes))
    return replace(table, schema=schema, columns=columns, notes=notes, rows=len(table), checked=True)


def interval_names(cuts: tuple[float, ...]) -> tuple[str, ...]:
    """What the intervals between the cuts are called, from low to high.

    >>> interval_names((23.0, 31.0))
    ('≤ 23', '23 < … ≤ 31', '> 31')
    """
    inner = [f"{number(low)} < … ≤ {number(high)}" for low, high in pairwise(cuts)]
    return (f"≤ {number(cuts[0])}", *inner, f"> {number(cuts[-1])}")


def interval_condition(name: str, cuts: tuple[float, ...], code: int) -> Condition:
    """The condition a row of this interval satisfies, on the number itself.

    >>> str(interval_condition("Age", (23.0, 31.0), 1))
    '23 < Age ≤ 31'
    """
    ends = (-math.inf, *cuts, math.inf)
    return interval(name, ends[code], ends[code + 1])


# Quantile bins, fast: a numeric column as codes of a few ordered steps of about equal weight.


def bin_column(
    attribute: Numeric, column: Column, weights: Weights | None, bins: int
) -> tuple[Codes, Floats]:
    """Each row's bin, and the upper ends of all bins but the last; the schema's own cuts where it has any.

    Bin b takes ends[b − 1] < x ≤ ends[b].

    >>> codes, ends = bin_column(Numeric("x"), np.array([1.0, 9, np.nan, 4, 2]), None, 2)
    >>> codes.tolist(), ends.tolist()
    ([0, 1, -1, 1, 0], [2.0])
    """
    ends = np.asarray(attribute.cuts or equal_frequency_cuts(column, weights, bins), dtype=np.float64)
    return interval_codes(column, ends), ends


def quantile_ends(values: Column, weights: Weights | None, bins: int) -> Floats:
    """The least values with 1, 2, … of `bins` parts of the weight at or below them; not the largest value.

    Equal values stay together, so there may be fewer bins than requested; a weight acts as repeated rows.

    >>> quantile_ends(np.array([1.0, 2, 3, 4, 5, 5, 5, 9]), None, 4).tolist()
    [2.0, 4.0, 5.0]
    """
    rows = len(values)
    if not rows:
        return np.empty(0)
    parts = np.arange(1, bins)
    if weights is None:
        # The k-th part is full at row ⌈k · rows ÷ bins⌉; the order within the parts is not needed.
        places = np.unique(-(-parts * rows // bins) - 1)
        ends = np.partition(values, places)[places]
    else:
        order = np.argsort(values, kind="stable")
        reached = np.cumsum(weights[order])
        weight_below = parts * (reached[-1] / bins)
        # Ten rows of weight 0.1 make one, whatever the rounding of their sum.
        places = np.searchsorted(reached, weight_below - 1e-10 * np.maximum(1.0, weight_below))
        ends = values[order[np.minimum(places, rows - 1)]]
    distinct: Floats = np.unique(ends.astype(np.float64))
    inner: Floats = distinct[distinct < values.max()]
    return inner
