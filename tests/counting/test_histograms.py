"""Sums and counts by region and code are the same for any batches and threads, packed or not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clearwood import _native
from tests.counting.native_histograms import class_counts, gradient_sums
from tests.definitions.histograms import counts_by_definition, sums_by_definition


def batch(seed: int, rows: int, most: int) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    known = [3, 200, 300, 70_000]
    kinds = (np.uint8, np.uint8, np.uint16, np.uint32)
    return {
        "columns": [random.integers(0, k + 1, rows).astype(t) for k, t in zip(known, kinds, strict=True)],
        "known": known,
        "region": random.integers(-1, 3, rows).astype(np.int32),
        "g": random.integers(-most, most + 1, rows),
        "h": random.integers(0, most + 1, rows),
        "target": random.integers(0, 3, rows).astype(np.int32),
        "units": random.integers(0, 9, rows),
    }


def part(given: dict[str, Any], begin: int, end: int) -> dict[str, Any]:
    cut = {name: value[begin:end] for name, value in given.items() if name not in ("columns", "known")}
    return {**cut, "known": given["known"], "columns": [each[begin:end] for each in given["columns"]]}


def sums(given: dict[str, Any], threads: int = 0) -> list[Any]:
    return gradient_sums(
        given["columns"], given["known"], given["region"], 3, given["g"], given["h"], threads
    )


def counts(given: dict[str, Any], threads: int = 0) -> list[Any]:
    columns, known, region = given["columns"], given["known"], given["region"]
    return class_counts(columns, known, region, 3, given["target"], 3, given["units"], threads)


def equal(one: list[Any], other: list[Any]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@given(
    st.integers(0, 1000), st.sampled_from([1, 50, 600]), st.sampled_from([5, 2**17, 2**40]), st.floats(0, 1)
)
def test_native_is_the_definition_for_any_division_into_batches_and_threads(
    seed: int, rows: int, most: int, at: float
) -> None:
    whole = batch(seed, rows, most)
    first, second = part(whole, 0, int(at * rows)), part(whole, int(at * rows), rows)
    assert equal(sums(whole, 1), sums_by_definition(whole, 3))
    assert equal([a + b for a, b in zip(sums(first, 2), sums(second, 3), strict=True)], sums(whole))
    assert equal(counts(whole, 1), counts_by_definition(whole, 3, 3))
    assert equal([a + b for a, b in zip(counts(first, 2), counts(second, 3), strict=True)], counts(whole))


def test_the_largest_packed_numbers_of_many_rows_do_not_overflow() -> None:
    rows = 100_000
    given = batch(0, rows, 2**17)
    given["g"], given["h"] = np.full(rows, -(2**17)), np.full(rows, 2**17)
    given["region"] = np.zeros(rows, dtype=np.int32)
    for column in sums(given):
        assert column[0].sum(axis=0).tolist() == [-(2**17) * rows, 2**17 * rows]


def test_a_code_beyond_the_last_is_refused() -> None:
    given = batch(0, 50, 5)
    given["columns"][0][7] = 9
    with pytest.raises(ValueError, match="beyond its last"):
        _native.region_sums(given["columns"], given["known"], given["region"], 3, given["g"], given["h"])
