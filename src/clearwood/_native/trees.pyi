# Growing one tree, pruning it, and sending rows down it.

from typing import Any

from clearwood.arrays import Bools, Floats, Ints, Longs
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.table.table import Column

_Cells = list[Column | None]

class TooManyValuesError(ValueError):
    column: int

def leaves(nodes: Nodes, cells: _Cells, values: Ints, rows: int) -> Ints: ...
def averages(nodes: Nodes, cells: _Cells, values: Ints, rows: int, answers: Floats) -> Floats: ...
def codes(
    nodes: Nodes,
    cells: _Cells,
    values: Ints,
    rows: int,
    node_codes: Ints,
    shares: Floats,
    costs: Floats | None,
) -> Ints: ...
def count_classes(
    nodes: Nodes, cells: _Cells, values: Ints, target: Ints, weights: Floats | None, classes: int
) -> Floats: ...
def count_numbers(
    nodes: Nodes, cells: _Cells, values: Ints, target: Floats, weights: Floats | None
) -> Floats: ...
def error_based(
    nodes: Nodes,
    cells: _Cells,
    values: Ints,
    target: Ints,
    weights: Floats | None,
    counts: Floats,
    factors: Floats | None,
    costs: Floats | None,
    confidence: float,
    z: float,
    quinlan: bool,
) -> tuple[Bools, Bools, Ints, Floats, Floats, Ints, Ints, Floats, Floats]: ...
def error_based_judgements(
    nodes: Nodes,
    cells: _Cells,
    values: Ints,
    target: Ints,
    weights: Floats | None,
    counts: Floats,
    factors: Floats | None,
    costs: Floats | None,
    confidence: float,
    z: float,
    quinlan: bool,
) -> tuple[
    Bools,
    Bools,
    Ints,
    Floats,
    Floats,
    Ints,
    Ints,
    Ints,
    Floats,
    Floats,
    Floats,
    Floats,
    Longs,
    Longs,
    Ints,
    Ints,
    Floats,
    Floats,
]: ...
def expected_errors(
    counts: Floats, factors: Floats | None, costs: Floats | None, confidence: float, z: float, quinlan: bool
) -> Floats: ...

CHAID_MOST_VALUES: int

def grow_chaid(
    columns: list[Column],
    values: list[int],
    ordered: list[bool],
    classes: int,
    target: Column,
    weights: Floats | None,
    *,
    test: str,
    alpha_merge: float,
    alpha_split: float,
    alpha_resplit: float,
    exhaustive: bool,
    bonferroni: bool,
    max_depth: int,
    min_rows: float,
    min_leaf: float,
    threads: int = 0,
) -> dict[str, Any]: ...
def grow_cart(
    columns: list[Column],
    values: list[int],
    classes: int,
    target: Column,
    weights: Floats | None,
    factors: list[float],
    *,
    measure: str,
    max_depth: int,
    min_rows: float,
    min_leaf: float,
    min_decrease: float,
    missing_by_direction: bool,
    surrogates: int,
    min_value: float,
    signs: list[int] = ...,
    margin: float = 0.0,
    threads: int = 0,
) -> dict[str, Any]: ...
def grow_c45(
    columns: list[Column],
    values: list[int],
    classes: int,
    target: Column,
    weights: Floats | None,
    factors: list[float],
    *,
    min_rows: float,
    max_depth: int,
    group_values: bool,
    threshold_from_data: bool,
    min_gap: float,
    signs: list[int] = ...,
    margin: float = 0.0,
    threads: int = 0,
) -> dict[str, Any]: ...
def grow_id3(
    columns: list[Column],
    values: list[int],
    classes: int,
    target: Column,
    weights: Floats | None,
    factors: list[float],
    *,
    measure: str,
    max_depth: int,
    min_rows: float,
    min_leaf: float,
    min_gain: float,
    threads: int = 0,
) -> dict[str, Any]: ...
def mdl_cuts(
    columns: list[Column], target: Ints, weights: Floats | None, classes: int, threads: int = 0
) -> list[Floats]: ...
