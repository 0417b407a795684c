"""A threshold moved for single precision, or undone through a scaler, decides each double as its origin."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood.importing.features import at_most_float32, below_float32, largest_double

DOUBLES = st.floats(allow_nan=False, allow_infinity=False)
SINGLES = st.floats(width=32, allow_nan=False, allow_infinity=False)


def beside(limit: float) -> list[float]:
    near = [limit, math.nextafter(limit, -math.inf), math.nextafter(limit, math.inf)]
    return [each for each in near if math.isfinite(each)]


@given(DOUBLES | SINGLES)
def test_at_most_in_single_precision_is_at_most_the_moved_threshold(threshold: float) -> None:
    limit = float(at_most_float32(np.array([threshold]))[0])
    with np.errstate(over="ignore"):
        for cell in (*beside(limit), *beside(threshold)):
            assert (float(np.float32(cell)) <= threshold) == (cell <= limit)


@given(SINGLES)
def test_below_in_single_precision_is_at_most_the_moved_threshold(threshold: float) -> None:
    limit = float(below_float32(np.array([threshold]))[0])
    with np.errstate(over="ignore"):
        for cell in (*beside(limit), *beside(threshold)):
            assert (np.float32(cell) < np.float32(threshold)) == (cell <= limit)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.floats(-1e3, 1e3))
def test_the_largest_double_behind_a_scaler_is_the_last_that_goes_left(
    mean: float, scale: float, threshold: float
) -> None:
    limit = float(largest_double(lambda x: (x - mean) / scale <= threshold, 1)[0])
    assert (limit - mean) / scale <= threshold
    assert (math.nextafter(limit, math.inf) - mean) / scale > threshold


@pytest.mark.parametrize(("always", "limit"), [(True, math.inf), (False, -math.inf)])
def test_a_question_that_always_or_never_holds_has_no_threshold(always: bool, limit: float) -> None:
    assert largest_double(lambda x: np.full(len(x), always), 2).tolist() == [limit, limit]
