# Learning rules, and which rows they match.

from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats, Ints, Longs
from clearwood.counting.coding import PackedColumns
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.predicting.of_rules import CompiledRules
from clearwood.table.table import Column

_Cells = list[Column | None]

_Bits = npt.NDArray[np.uint64]

class TooManyCombinationsError(ValueError):
    cls: int
    size: int
    left: int

class TooManyConditionsError(ValueError):
    conditions: int

def count_by_condition(
    satisfied: _Bits, starts: Ints, members: Ints, target: Ints, weights: Floats | None, classes: int
) -> Floats: ...
def c45_rules(
    nodes: Nodes,
    cells: _Cells,
    values: Ints,
    target: Ints,
    weights: Floats | None,
    classes: int,
    answer: Ints,
    bits: Floats,
    *,
    confidence: float,
    z: float,
    quinlan: bool,
    theory_weight: float,
    exhaustive: int,
    drop_harmful: bool,
    most_bytes: float,
) -> dict[str, Any]: ...
def ila(
    columns: list[Ints],
    values: list[int],
    target: Ints,
    units: Longs | None,
    *,
    order: list[int],
    relevant: list[list[int]],
    marked: Longs | None,
    penalty_over: int,
    penalty_under: int,
    fast: bool,
    cautious: bool,
    max_conditions: int,
    most_combinations: int,
    most_work: int,
    most_candidates: int = 0,
    threads: int = 0,
) -> dict[str, npt.NDArray[Any]]: ...
def ripper(
    coded: PackedColumns,
    classes: int,
    target: Column,
    weights: Floats | None,
    *,
    folds: int,
    min_rows: float,
    optimizations: int,
    prune: bool,
    check_error: bool,
    seed: int,
    steps: bool = False,
    threads: int = 0,
) -> tuple[list[tuple[int, list[Any]]], int, Ints, list[tuple[Any, ...]]]: ...
def first_rules(compiled: CompiledRules, cells: _Cells, values: Ints, rows: int) -> Ints: ...
def count_shared(sets: _Bits, rows: int, weights: Floats | None) -> Floats: ...
def condition_bits(compiled: CompiledRules, cells: _Cells, values: Ints, rows: int) -> _Bits: ...
def rule_votes(
    compiled: CompiledRules, cells: _Cells, values: Ints, rows: int, votes: Floats
) -> tuple[Floats, Ints]: ...
def count_rules(
    compiled: CompiledRules, cells: _Cells, values: Ints, target: Ints, weights: Floats | None, classes: int
) -> tuple[Floats, Floats]: ...
def learn_cn2(
    coded: PackedColumns,
    classes: int,
    target: Ints,
    weights: Floats | None,
    *,
    ordered: bool,
    measure: str,
    beam: int,
    max_conditions: int,
    negations: bool,
    min_rows: float,
    critical: float,
    threads: int = 0,
) -> dict[str, Any]: ...
def learn_prism(
    coded: PackedColumns, classes: int, target: Ints, weights: Floats | None, *, threads: int = 0
) -> dict[str, Any]: ...
