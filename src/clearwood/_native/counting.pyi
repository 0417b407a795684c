# Columns as codes, and what is counted over them.

from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats, Ints, Longs
from clearwood.table.table import Column

_Bits = npt.NDArray[np.uint64]

MOMENTS_EXPONENTS: tuple[int, int]

def tally(
    columns: list[Column], values: list[int], target: Column, classes: int, weights: Floats | None
) -> tuple[_Bits, int]: ...
def moments(
    columns: list[Column], target: Column, classes: int, weights: Floats | None
) -> tuple[_Bits, _Bits, _Bits, Longs, int]: ...
def number_spreads(columns: list[Column], rows: int, weights: Floats | None) -> Floats: ...
def column_cuts(
    columns: list[Column], rows: int, weights: Floats | None, most: int, threads: int = 0
) -> list[Floats]: ...
def column_ladders(
    columns: list[Column], rows: int, weights: Floats | None, threads: int = 0
) -> list[Floats]: ...
def column_codes(
    columns: list[Column], values: list[int], cuts: list[Floats], rows: int, threads: int = 0
) -> list[npt.NDArray[Any]]: ...
def region_sums(
    columns: list[npt.NDArray[Any]],
    known: list[int],
    region: Ints,
    regions: int,
    g: Longs,
    h: Longs,
    threads: int = 0,
) -> Longs: ...
def region_counts(
    columns: list[npt.NDArray[Any]],
    known: list[int],
    region: Ints,
    regions: int,
    target: Ints,
    classes: int,
    units: Longs | None,
    threads: int = 0,
) -> list[Longs]: ...
def relieff(
    columns: list[Ints],
    ordered: list[bool],
    unit: int,
    target: Ints,
    classes: int,
    weights: Floats | None,
    references: int,
    neighbours: float,
    threads: int = 0,
) -> Floats: ...
