# Forests, boosting, additive models, and SHAP values.

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats, Ints, Longs
from clearwood.counting.coding import PackedColumns
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.table.table import Column

_Cells = list[Column | None]

def grow_forest(
    coded: PackedColumns,
    classes: int,
    target: Column,
    weights: Floats | None,
    order: npt.NDArray[np.uint32],
    factors: list[float],
    *,
    first: int,
    trees: int,
    measure: str,
    drawn_columns: int,
    part: float,
    random_cuts: bool,
    max_depth: int,
    min_rows: float,
    min_leaf: float,
    min_value: float,
    seed: int,
    out_of_bag: bool,
    by_votes: bool,
    priors: list[float],
    costs: list[float],
    sums_before: Floats | None,
    size_before: Ints | None,
    watch: Callable[[int, float], bool] | None = None,
    threads: int = 0,
) -> dict[str, Any]: ...
def shap(
    trees: list[Nodes],
    covers: list[Floats],
    answers: list[Floats],
    adds_to: Ints,
    scales: Floats,
    scores: int,
    cells: _Cells,
    values: Ints,
    rows: int,
) -> tuple[Floats, Floats]: ...
def gam_boost(
    rows: tuple[Any, ...],
    bags: tuple[int, int, int],
    curves: tuple[Any, Any, Any],
    start_terms: list[tuple[Any, ...]],
    start_points: Any | None,
    terms: list[tuple[Any, ...]],
    settings: tuple[Any, ...],
    watch: Callable[[int, float], bool] | None = None,
) -> tuple[Any, int, list[float], bool]: ...
def additive_scores(
    terms: list[tuple[list[tuple[Column, int, Floats]], Floats]], base: Floats, rows: int
) -> Floats: ...
def gam_rank(
    rows: tuple[Any, ...], residuals: Any, terms: list[tuple[Any, ...]], places: list[list[int]]
) -> Any: ...

_CompiledTrees: TypeAlias = tuple[npt.NDArray[np.uint32], Ints, Ints, Floats, Longs, Ints]

def compile_trees(nodes: Nodes, start: Longs, values: Ints, unusual: bool) -> _CompiledTrees: ...
def trees_answers(
    nodes: Nodes,
    start: Longs,
    adds_to: Ints,
    cells: _Cells,
    values: Ints,
    rows: int,
    usual: _CompiledTrees,
    unusual: _CompiledTrees | None,
    figures: Floats,
    shares: Floats | None,
    weights: Floats,
    scores: int,
) -> Floats | None: ...
def trees_answer_of_one(
    usual: _CompiledTrees,
    start: Longs,
    adds_to: Ints,
    values: Ints,
    figures: Floats,
    weights: Floats,
    scores: int,
    cells: list[float],
) -> list[float] | None: ...
def tree_shapes(branches: Ints, sizes: Longs) -> tuple[Ints, Ints] | None: ...
def sums_up(parent: Ints, leaves: Floats) -> Floats: ...

class BoostingRoom:
    def __init__(self, columns: list[npt.NDArray[Any]], known: list[int], rows: int) -> None: ...

def boost_round(
    room: BoostingRoom,
    ordered: list[bool],
    cuts: list[Floats | None],
    loss: str,
    codes: Ints | None,
    numbers: Floats | None,
    weights: Floats | None,
    held: npt.NDArray[np.uint8] | None,
    sample: npt.NDArray[np.uint32] | None,
    scores: Floats,
    asked: list[list[int]],
    monotone: list[int],
    together: list[list[int]],
    quantile: float,
    fine: bool,
    rate: float,
    max_depth: int,
    leaves: int,
    min_child: float,
    l2: float,
    l1: float,
    gamma: float,
    min_value: float,
    threads: int = 0,
) -> tuple[list[dict[str, Any]], tuple[float, float, float, float]]: ...
def boosting_losses(
    loss: str,
    codes: Ints | None,
    numbers: Floats | None,
    weights: Floats | None,
    held: npt.NDArray[np.uint8] | None,
    scores: Floats,
    quantile: float,
    threads: int = 0,
) -> tuple[float, float, float, float]: ...
def forest_draws(
    order: npt.NDArray[np.uint32], weights: Floats | None, *, part: float, seed: int, tree: int
) -> npt.NDArray[np.uint32]: ...
