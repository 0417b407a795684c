"""The numbers that a cell may become, many at once, against their definition one by one."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from clearwood.explaining.numbers_between import NumberOptions, NumbersBetween
from clearwood.explaining.one_row import Constraints
from clearwood.explaining.trial_rows import of_numbers

_EXACT = 2.0**53

thresholds = st.lists(
    st.one_of(
        st.integers(-50, 50).map(lambda each: each / 2),
        st.integers(-500, 500).map(lambda each: each / 100),
        st.floats(-1e6, 1e6),
        st.sampled_from([1e300, -1e300, 1e-300, 0.1 + 0.2, 1 / 3]),
    ),
    min_size=1,
    max_size=8,
    unique=True,
)
cells = st.one_of(st.none(), st.integers(-60, 60).map(float), st.floats(-1e6, 1e6))


@settings(max_examples=150, deadline=None)
@given(thresholds, cells, st.sampled_from(["free", "up", "down", "range"]))
def test_the_numbers_of_all_intervals_are_those_of_each_by_itself(
    limits: list[float], cell: float | None, kind: str
) -> None:
    named = frozenset(["x"])
    constraints = {
        "free": Constraints(),
        "up": Constraints(only_up=named),
        "down": Constraints(only_down=named),
        "range": Constraints(ranges={"x": (-20.0, 17.5)}),
    }[kind]
    numbers, costs = NumbersBetween.of(limits).options("x", cell, constraints)
    expected = _one_by_one(cell, sorted(limits), constraints)
    assert list(zip(numbers.tolist(), costs.tolist(), strict=True)) == expected


def test_of_numbers_between_the_same_cuts_the_cheapest_stands_for_all() -> None:
    costs = np.array([4.0, 3.0, 5.0, 1.0, 1.0, 2.0])
    options = of_numbers("x", 9.0, NumberOptions(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), costs))
    assert options.standing(np.array([3.0])).tolist() == [3, 1]  # of equals the smaller number
    assert options.standing(np.array([])).tolist() == [3]
    assert options.standing(np.array([0.0, 5.0, 5.0, 7.0])).tolist() == [3, 5]
    assert options.standing(None).tolist() == [3, 4, 5, 1, 0, 2]
    assert options.changed(1).after == 2.0


def _one_by_one(
    cell: float | None, limits: list[float], constraints: Constraints
) -> list[tuple[float, float]]:
    """The definition: interval after interval."""
    decimals = next(
        (
            each
            for each in range(6)
            if (cell is None or _whole(cell * 10.0**each))
            and all(_whole(2 * limit * 10.0**each) for limit in limits)
        ),
        6,
    )
    bottom, top = (constraints.ranges or {}).get("x", (-math.inf, math.inf))
    scale = top - bottom if constraints.ranges else limits[-1] - limits[0]
    scale = min(scale, 1.7976931348623157e308) or abs(limits[0]) or 1.0
    options = []
    for low, high in pairwise([-math.inf, *limits, math.inf]):
        if cell is not None and low < cell <= high:
            continue
        high = min(high, top)
        if cell is None:
            below = high < math.inf
            after = _below(low, high, decimals) if below else _above(low, high, decimals)
        elif high < cell:
            after = _below(low, high, decimals)
        else:
            after = _above(low, high, decimals)
        after = max(after, bottom)
        if low < after <= high and constraints.allows("x", after if cell is None else cell, after):
            cost = 1.0 if cell is None else min(abs(after - cell) / scale, 1e300)
            options.append((after, cost + (not _whole(after * 10.0**decimals))))
    return options


def _above(low: float, high: float, decimals: int) -> float:
    for more in range(decimals, 15):
        unit = 10.0**more
        if abs(low) * unit >= _EXACT:
            break
        value = math.floor(low * unit + 0.5) / unit
        if value <= low:
            value = (math.floor(low * unit + 0.5) + 1) / unit
        if low < value <= high:
            return value
    return math.nextafter(low, math.inf)


def _below(low: float, high: float, decimals: int) -> float:
    for more in range(decimals, 15):
        unit = 10.0**more
        if abs(high) * unit >= _EXACT:
            break
        value = math.floor(high * unit + 0.5) / unit
        if value > high:
            value = (math.floor(high * unit + 0.5) - 1) / unit
        if low < value <= high:
            return value
    return high


def _whole(value: float) -> bool:
    return abs(value) >= _EXACT or abs(value - math.floor(value + 0.5)) < 1e-6
