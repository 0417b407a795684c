"""LightGBM's model as its two files have it, in one form.

Nodes are numbered from 0; a leaf k is −1 − k. Missing cells: "None" takes an empty cell for 0, "Zero" sends 0
and an empty cell to the default side, "NaN" an empty cell only. A set holds the categories that go left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

MissingType: TypeAlias = Literal["None", "Zero", "NaN"]


@dataclass(frozen=True, slots=True)
class LightSplit:
    feature: int
    threshold: float | frozenset[int]
    missing: MissingType
    default_left: bool
    left: int
    right: int
    gain: float


@dataclass(frozen=True, slots=True)
class LightLeaf:
    value: float
    count: float


LightTree: TypeAlias = Mapping[int, LightSplit | LightLeaf]


@dataclass(frozen=True, slots=True)
class LightModel:
    """`categorical` are the places of features that are categories, with the codes met, where the file says
    so; `pandas` the names of the categories of pandas' columns, in order."""

    version: str
    objective: str
    names: Sequence[str]
    classes: int
    per_round: int
    averaged: bool
    categorical: Mapping[int, Sequence[int]]
    declared: Sequence[int]
    pandas: Sequence[Sequence[Any]]
    trees: Sequence[LightTree]
