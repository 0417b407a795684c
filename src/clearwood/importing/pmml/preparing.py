"""What a document does to the cells of a column before its model sees them: some count as empty, others as
another number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

from clearwood.errors import ModelFileError
from clearwood.importing.pmml.cells import HalfOpen, intersection_of, joined_intervals, without
from clearwood.importing.pmml.elements import Element, as_number
from clearwood.importing.pmml.limits import limits, margins

MovedCells: TypeAlias = tuple[tuple[HalfOpen, ...], float]  # numbers, and the number that they count as
_ALL: Final[tuple[HalfOpen, ...]] = ((-math.inf, math.inf),)
_SAME_AS_EMPTY: Final = ("", "nan")  # of a number: no other cell is spelled so
_CLOSURES: Final = {"open", "closed"}


@dataclass(frozen=True, slots=True)
class PreparedNumbers:
    """The numbers of a column that count as an empty cell, and those that count as others."""

    empty: tuple[HalfOpen, ...] = ()
    moved: tuple[MovedCells, ...] = ()


def prepared_numbers(data: Element, mining: Element) -> PreparedNumbers:
    """What the DataField and the MiningField of a continuous column say of its numbers."""
    is_single = data.get("dataType") == "float"
    valid = [_interval(each, is_single=is_single) for each in data.all("Interval")]
    points: dict[str, list[HalfOpen]] = {"valid": [], "invalid": [], "missing": []}
    for each in data.all("Value"):
        kind, text = each.get("property", "valid"), each.get("value")
        if kind == "missing" and text.strip().lower() in _SAME_AS_EMPTY:
            continue
        if kind not in points:
            raise ModelFileError(f"{each.where}: the property '{kind}' is not known.")
        upto, before = limits(as_number(text, f"{each.where}: value"), (), is_single=is_single)
        points[kind].append((before, upto))
    empty = joined_intervals(tuple(points["missing"]))
    known = joined_intervals((*valid, *points["valid"])) or _ALL
    usual = without(without(known, tuple(points["invalid"])), empty)
    invalid = without(without(_ALL, usual), empty)
    moved: list[MovedCells] = []
    treatment = mining.get("invalidValueTreatment", "returnInvalid")
    if treatment == "asMissing":
        empty = joined_intervals((*empty, *invalid))
    elif treatment == "asValue" and invalid:
        replaced = as_number(mining.get("invalidValueReplacement"), f"{mining.where}: the replacement")
        moved.append((invalid, replaced))
    outliers = mining.get("outliers", "asIs")
    if outliers == "asIs":
        return PreparedNumbers(empty, tuple(moved))
    low, high = mining.number("lowValue"), mining.number("highValue")
    if outliers not in ("asMissingValues", "asExtremeValues") or low is None or high is None:
        raise ModelFileError(f"{mining.where}: outliers '{outliers}' cannot be said here.")
    below = intersection_of(usual, ((-math.inf, margins(low, is_single=is_single)[1]),))
    above = intersection_of(usual, ((margins(high, is_single=is_single)[0], math.inf),))
    if outliers == "asMissingValues":
        return PreparedNumbers(joined_intervals((*empty, *below, *above)), tuple(moved))
    moved += [(cells, number) for cells, number in ((below, low), (above, high)) if cells]
    return PreparedNumbers(empty, tuple(moved))


def _interval(element: Element, *, is_single: bool) -> HalfOpen:
    """The numbers of a column that lie in an Interval."""
    closure = element.get("closure")
    left, right = next(
        ((a, b) for a in _CLOSURES for b in _CLOSURES if closure == a + b.capitalize()), ("", "")
    )
    if not left:
        raise ModelFileError(f"{element.where}: the closure '{closure}' is not known.")
    low, high = -math.inf, math.inf
    if (margin := element.number("leftMargin")) is not None:
        upto, before = margins(margin, is_single=is_single)
        low = before if left == "closed" else upto
    if (margin := element.number("rightMargin")) is not None:
        upto, before = margins(margin, is_single=is_single)
        high = upto if right == "closed" else before
    return (low, max(low, high))
