"""Histograms by `np.add.at`: one row after another, the definition of sums and counts by region and code."""

from __future__ import annotations

from typing import Any

import numpy as np

from clearwood.arrays import Longs


def sums_by_definition(given: dict[str, Any], regions: int) -> list[Longs]:
    """[column][region, code, 2] sums of g and h."""
    here = given["region"] >= 0
    made = []
    for column, known in zip(given["columns"], given["known"], strict=True):
        out = np.zeros((regions, known + 1, 2), dtype=np.int64)
        place = (given["region"][here], column[here].astype(np.int64))
        np.add.at(out[..., 0], place, given["g"][here])
        np.add.at(out[..., 1], place, given["h"][here])
        made.append(out)
    return made


def counts_by_definition(given: dict[str, Any], regions: int, classes: int) -> list[Longs]:
    """[column][region, code, class] sums of units."""
    here = given["region"] >= 0
    made = []
    for column, known in zip(given["columns"], given["known"], strict=True):
        out = np.zeros((regions, known + 1, classes), dtype=np.int64)
        place = (given["region"][here], column[here].astype(np.int64), given["target"][here])
        np.add.at(out, place, given["units"][here])
        made.append(out)
    return made
