from typing import Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from clearwood.models.nodes import Nodes
from clearwood.predict.matching import CompiledRules
from clearwood.table.table import Column

_Floats = npt.NDArray[np.float64]
_Ints = npt.NDArray[np.int32]
_Longs = npt.NDArray[np.int64]
_Bools = npt.NDArray[np.bool_]
_Cells = list[Column | None]

class TooManyValuesError(ValueError):
    column: int

class TooManyCombinationsError(ValueError):
    cls: int
    size: int
    left: int

class TooManyConditionsError(ValueError):
    conditions: int

def thread_count() -> int: ...
def set_thread_count(threads: int) -> None: ...
@overload
def chi2_sf(statistic: float, df: float) -> float: ...
@overload
def chi2_sf(statistic: _Floats, df: _Floats) -> _Floats: ...
@overload
def f_sf(statistic: float, df: float, rest: float) -> float: ...
@overload
def f_sf(statistic: _Floats, df: _Floats, rest: _Floats) -> _Floats: ...
def chi2_log_sf(statistic: _Floats, df: _Floats) -> _Floats: ...
def f_log_sf(statistic: _Floats, df: _Floats, rest: _Floats) -> _Floats: ...
@overload
def normal_quantile(p: float) -> float: ...
@overload
def normal_quantile(p: _Floats) -> _Floats: ...
@overload
def fisher_p(a: float, b: float, c: float, d: float) -> float: ...
@overload
def fisher_p(a: _Floats, b: _Floats, c: _Floats, d: _Floats) -> _Floats: ...
def leaves(nodes: Nodes, cells: _Cells, values: _Ints, rows: int) -> _Ints: ...
def averages(nodes: Nodes, cells: _Cells, values: _Ints, rows: int, answers: _Floats) -> _Floats: ...
def codes(
    nodes: Nodes,
    cells: _Cells,
    values: _Ints,
    rows: int,
    node_codes: _Ints,
    shares: _Floats,
    costs: _Floats | None,
) -> _Ints: ...
def count_classes(
    nodes: Nodes, cells: _Cells, values: _Ints, target: _Ints, weights: _Floats | None, classes: int
) -> _Floats: ...
def count_numbers(
    nodes: Nodes, cells: _Cells, values: _Ints, target: _Floats, weights: _Floats | None
) -> _Floats: ...
def csv_rows(
    text: npt.NDArray[np.uint8], delimiter: str, begin: int, limit: int
) -> tuple[list[list[bytes]], list[int]]: ...
def csv_columns(
    text: npt.NDArray[np.uint8],
    delimiter: str,
    decimal: str,
    missing: list[str],
    begin: int,
    width: int,
    only: int = -1,
    with_spans: bool = False,
) -> tuple[str, int, int, list[tuple[Any, ...] | None], _Longs | None]: ...

_LineColumn = _Floats | tuple[_Ints, tuple[str, ...]]

def lines_of_text(
    text: npt.NDArray[np.uint8],
    spans: _Longs,
    delimiter: str,
    answers: list[_LineColumn],
    separator: str,
    picked: _Longs | None,
) -> npt.NDArray[np.uint8]: ...
def lines_of_columns(
    columns: list[_LineColumn],
    rows: int,
    answers: list[_LineColumn],
    separator: str,
    picked: _Longs | None,
) -> npt.NDArray[np.uint8]: ...
def arrow_strings(
    streams: list[object],
) -> list[tuple[npt.NDArray[np.int32], tuple[str, ...], bool] | None]: ...
def object_codes(array: npt.NDArray[np.object_]) -> tuple[npt.NDArray[np.int32], list[Any]]: ...
def number_codes(values: npt.NDArray[np.float32] | _Floats) -> tuple[_Ints, _Floats]: ...
def survey(
    values: npt.NDArray[np.float32] | npt.NDArray[np.float64],
) -> tuple[int, int, list[bool]]: ...
def error_based(
    nodes: Nodes,
    cells: _Cells,
    values: _Ints,
    target: _Ints,
    weights: _Floats | None,
    counts: _Floats,
    factors: _Floats | None,
    costs: _Floats | None,
    confidence: float,
    z: float,
    quinlan: bool,
) -> tuple[_Bools, _Bools, _Ints, _Floats, _Floats, _Ints, _Ints, _Floats, _Floats]: ...
def error_based_judgements(
    nodes: Nodes,
    cells: _Cells,
    values: _Ints,
    target: _Ints,
    weights: _Floats | None,
    counts: _Floats,
    factors: _Floats | None,
    costs: _Floats | None,
    confidence: float,
    z: float,
    quinlan: bool,
) -> tuple[
    _Bools,
    _Bools,
    _Ints,
    _Floats,
    _Floats,
    _Ints,
    _Ints,
    _Ints,
    _Floats,
    _Floats,
    _Floats,
    _Floats,
    _Longs,
    _Longs,
    _Ints,
    _Ints,
    _Floats,
    _Floats,
]: ...
def expected_errors(
    counts: _Floats,
    factors: _Floats | None,
    costs: _Floats | None,
    confidence: float,
    z: float,
    quinlan: bool,
) -> _Floats: ...
def count_by_condition(
    satisfied: npt.NDArray[np.uint64],
    starts: _Ints,
    members: _Ints,
    target: _Ints,
    weights: _Floats | None,
    classes: int,
) -> _Floats: ...

CHAID_MOST_VALUES: int

def grow_chaid(
    columns: list[Column],
    values: list[int],
    ordered: list[bool],
    classes: int,
    target: Column,
    weights: _Floats | None,
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
    weights: _Floats | None,
    factors: list[float],
    *,
    measure: str,
    max_depth: int,
    min_rows: float,
    min_leaf: float,
    min_decrease: float,
    missing_by_direction: bool,
    surrogates: int,
    threads: int = 0,
) -> dict[str, Any]: ...
def grow_c45(
    columns: list[Column],
    values: list[int],
    classes: int,
    target: Column,
    weights: _Floats | None,
    factors: list[float],
    *,
    min_rows: float,
    max_depth: int,
    group_values: bool,
    threshold_from_data: bool,
    min_gap: float,
    threads: int = 0,
) -> dict[str, Any]: ...
def grow_id3(
    columns: list[Column],
    values: list[int],
    classes: int,
    target: Column,
    weights: _Floats | None,
    factors: list[float],
    *,
    measure: str,
    max_depth: int,
    min_rows: float,
    min_leaf: float,
    min_gain: float,
    threads: int = 0,
) -> dict[str, Any]: ...
def fingerprint(columns: list[Column], weights: _Floats | None) -> str: ...
def mdl_cuts(
    columns: list[Column], target: _Ints, weights: _Floats | None, classes: int, threads: int = 0
) -> list[_Floats]: ...
def c45_rules(
    nodes: Nodes,
    cells: _Cells,
    values: _Ints,
    target: _Ints,
    weights: _Floats | None,
    classes: int,
    answer: _Ints,
    bits: _Floats,
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
    columns: list[_Ints],
    values: list[int],
    target: _Ints,
    units: npt.NDArray[np.int64] | None,
    *,
    order: list[int],
    relevant: list[list[int]],
    marked: npt.NDArray[np.int64] | None,
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

MOMENTS_EXPONENTS: tuple[int, int]

def tally(
    columns: list[Column], values: list[int], target: Column, classes: int, weights: _Floats | None
) -> tuple[npt.NDArray[np.uint64], int]: ...
def moments(
    columns: list[Column], target: Column, classes: int, weights: _Floats | None
) -> tuple[
    npt.NDArray[np.uint64],
    npt.NDArray[np.uint64],
    npt.NDArray[np.uint64],
    npt.NDArray[np.int64],
    int,
]: ...

_Terms = list[tuple[str, Column, _Floats | None]]

def bayes_joint(terms: _Terms, log_priors: _Floats, rows: int) -> _Floats: ...
def bayes_shares(terms: _Terms, log_priors: _Floats, rows: int) -> tuple[_Floats, npt.NDArray[np.int64]]: ...
def bayes_codes(terms: _Terms, log_priors: _Floats, rows: int) -> tuple[_Ints, npt.NDArray[np.int64]]: ...
def ripper(
    columns: list[Column],
    values: list[int],
    classes: int,
    target: Column,
    weights: _Floats | None,
    *,
    folds: int,
    min_rows: float,
    optimizations: int,
    prune: bool,
    check_error: bool,
    seed: int,
    steps: bool = False,
    threads: int = 0,
) -> tuple[list[tuple[int, list[Any]]], int, _Ints, list[tuple[Any, ...]]]: ...
def logistic_sums(
    columns: list[tuple[Any, ...]],
    target: _Ints,
    weights: _Floats | None,
    classes: int,
    theta: _Floats,
    with_curvature: bool,
) -> tuple[float, _Floats, _Floats]: ...
def logistic_curve(
    columns: list[tuple[Any, ...]],
    target: _Ints,
    weights: _Floats | None,
    classes: int,
    theta: _Floats,
    direction: _Floats,
    spreads: _Floats | None,
) -> _Floats: ...
def logistic_spreads(
    columns: list[tuple[Any, ...]],
    target: _Ints,
    weights: _Floats | None,
    classes: int,
    theta: _Floats,
) -> _Floats: ...
def logistic_leads(
    columns: list[tuple[Any, ...]],
    target: _Ints,
    weights: _Floats | None,
    classes: int,
    theta: _Floats,
    direction: _Floats,
    still: float,
) -> tuple[float, float, float, float]: ...
def linear_scores(columns: list[tuple[Any, ...]], rows: int, weights: _Floats) -> _Floats: ...
def linear_codes(
    columns: list[tuple[Any, ...]],
    rows: int,
    weights: _Floats,
    vectors: list[int],
    starts: list[float],
    codes: list[int],
) -> tuple[_Ints, int]: ...
def number_spreads(columns: list[Column], rows: int, weights: _Floats | None) -> _Floats: ...
def solve_symmetric(matrix: _Floats, right: _Floats, least: float) -> _Floats | None: ...
def invert_symmetric(matrix: _Floats, least: float) -> _Floats | None: ...
def dependence(gram: _Floats, least: float) -> tuple[list[bool], _Floats]: ...
def lasso(
    matrix: _Floats,
    right: _Floats,
    penalty: _Floats,
    start: _Floats,
    tolerance: float,
    most_rounds: int,
) -> _Floats: ...
def first_rules(compiled: CompiledRules, cells: _Cells, values: _Ints, rows: int) -> _Ints: ...
def count_shared(sets: npt.NDArray[np.uint64], rows: int, weights: _Floats | None) -> _Floats: ...
def condition_bits(
    compiled: CompiledRules, cells: _Cells, values: _Ints, rows: int
) -> npt.NDArray[np.uint64]: ...
def rule_votes(
    compiled: CompiledRules, cells: _Cells, values: _Ints, rows: int, votes: _Floats
) -> tuple[_Floats, _Ints]: ...
def count_rules(
    compiled: CompiledRules,
    cells: _Cells,
    values: _Ints,
    target: _Ints,
    weights: _Floats | None,
    classes: int,
) -> tuple[_Floats, _Floats]: ...
def learn_cn2(
    columns: list[Column],
    values: list[int],
    stepped: list[bool],
    classes: int,
    target: _Ints,
    weights: _Floats | None,
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
    columns: list[Column],
    values: list[int],
    classes: int,
    target: _Ints,
    weights: _Floats | None,
    *,
    threads: int = 0,
) -> dict[str, Any]: ...
def count_words(
    texts: list[str | None],
    target: Column,
    classes: int,
    weights: _Floats | None,
    lower: bool,
    ngrams: tuple[int, int],
    stop_words: list[str],
) -> tuple[tuple[str, ...], npt.NDArray[np.uint64], npt.NDArray[np.uint64], npt.NDArray[np.uint64], int]: ...
def add_words(
    texts: list[str | None],
    words: list[str],
    logs: _Floats,
    base: _Floats,
    once: bool,
    lower: bool,
    ngrams: tuple[int, int],
    stop_words: list[str],
) -> _Floats: ...
def words_of(
    text: list[str | None], lower: bool, ngrams: tuple[int, int], stop_words: list[str]
) -> tuple[str, ...]: ...
def letter_runs() -> list[tuple[int, int]]: ...
def case_pairs() -> list[tuple[int, int]]: ...
def gam_boost(
    rows: tuple[Any, ...],
    bags: tuple[int, int, int],
    curves: tuple[Any, Any, Any],
    start_terms: list[tuple[Any, ...]],
    start_points: Any | None,
    terms: list[tuple[Any, ...]],
    settings: tuple[Any, ...],
) -> tuple[Any, Any, list[list[float]]]: ...
def additive_scores(
    terms: list[tuple[list[tuple[Column, int, _Floats]], _Floats]], base: _Floats, rows: int
) -> _Floats: ...
def gam_rank(
    rows: tuple[Any, ...], residuals: Any, terms: list[tuple[Any, ...]], places: list[list[int]]
) -> Any: ...

_CompiledTrees: TypeAlias = tuple[npt.NDArray[np.uint32], _Ints, _Ints, _Floats, _Longs, _Ints]

def compile_trees(nodes: Nodes, start: _Longs, values: _Ints, unusual: bool) -> _CompiledTrees: ...
def trees_answers(
    nodes: Nodes,
    start: _Longs,
    adds_to: _Ints,
    cells: _Cells,
    values: _Ints,
    rows: int,
    usual: _CompiledTrees,
    unusual: _CompiledTrees | None,
    figures: _Floats,
    shares: _Floats | None,
    weights: _Floats,
    scores: int,
) -> _Floats | None: ...
def trees_answer_of_one(
    usual: _CompiledTrees,
    start: _Longs,
    adds_to: _Ints,
    values: _Ints,
    figures: _Floats,
    weights: _Floats,
    scores: int,
    cells: list[float],
) -> list[float] | None: ...
def tree_shapes(branches: _Ints, sizes: _Longs) -> tuple[_Ints, _Ints] | None: ...
def sums_up(parent: _Ints, leaves: _Floats) -> _Floats: ...
