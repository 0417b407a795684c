from typing import Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools, Floats, Ints, Longs
from clearwood.models.nodes import Nodes
from clearwood.predict.matching import CompiledRules
from clearwood.table.table import Column

_Cells = list[Column | None]
_Bits = npt.NDArray[np.uint64]
_Bytes = npt.NDArray[np.uint8]

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
def chi2_sf(statistic: Floats, df: Floats) -> Floats: ...
@overload
def f_sf(statistic: float, df: float, rest: float) -> float: ...
@overload
def f_sf(statistic: Floats, df: Floats, rest: Floats) -> Floats: ...
def chi2_log_sf(statistic: Floats, df: Floats) -> Floats: ...
def f_log_sf(statistic: Floats, df: Floats, rest: Floats) -> Floats: ...
@overload
def normal_quantile(p: float) -> float: ...
@overload
def normal_quantile(p: Floats) -> Floats: ...
@overload
def fisher_p(a: float, b: float, c: float, d: float) -> float: ...
@overload
def fisher_p(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats: ...
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
def csv_rows(text: _Bytes, delimiter: str, begin: int, limit: int) -> tuple[list[list[bytes]], list[int]]: ...
def csv_columns(
    text: _Bytes,
    delimiter: str,
    decimal: str,
    missing: list[str],
    begin: int,
    width: int,
    only: int = -1,
    with_spans: bool = False,
) -> tuple[str, int, int, list[tuple[Any, ...] | None], Longs | None]: ...

_LineColumn = Floats | tuple[Ints, tuple[str, ...]]

def lines_of_text(
    text: _Bytes,
    spans: Longs,
    delimiter: str,
    answers: list[_LineColumn],
    separator: str,
    picked: Longs | None,
) -> _Bytes: ...
def lines_of_columns(
    columns: list[_LineColumn], rows: int, answers: list[_LineColumn], separator: str, picked: Longs | None
) -> _Bytes: ...
def arrow_strings(streams: list[object]) -> list[tuple[Ints, tuple[str, ...], bool] | None]: ...
def object_codes(array: npt.NDArray[np.object_]) -> tuple[Ints, list[Any]]: ...
def number_codes(values: npt.NDArray[np.float32] | Floats) -> tuple[Ints, Floats]: ...
def survey(values: npt.NDArray[np.float32] | Floats) -> tuple[int, int, list[bool]]: ...
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
def count_by_condition(
    satisfied: _Bits,
    starts: Ints,
    members: Ints,
    target: Ints,
    weights: Floats | None,
    classes: int,
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
def fingerprint(columns: list[Column], weights: Floats | None) -> str: ...
def row_marks(columns: list[Column], target: Column) -> list[int]: ...
def mdl_cuts(
    columns: list[Column], target: Ints, weights: Floats | None, classes: int, threads: int = 0
) -> list[Floats]: ...
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

MOMENTS_EXPONENTS: tuple[int, int]

def tally(
    columns: list[Column], values: list[int], target: Column, classes: int, weights: Floats | None
) -> tuple[_Bits, int]: ...
def moments(
    columns: list[Column], target: Column, classes: int, weights: Floats | None
) -> tuple[_Bits, _Bits, _Bits, Longs, int]: ...

_Terms = list[tuple[str, Column, Floats | None]]

def bayes_joint(terms: _Terms, log_priors: Floats, rows: int) -> Floats: ...
def bayes_shares(terms: _Terms, log_priors: Floats, rows: int) -> tuple[Floats, Longs]: ...
def bayes_codes(terms: _Terms, log_priors: Floats, rows: int) -> tuple[Ints, Longs]: ...
def ripper(
    columns: list[Column],
    values: list[int],
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
def logistic_sums(
    columns: list[tuple[Any, ...]],
    target: Ints,
    weights: Floats | None,
    classes: int,
    theta: Floats,
    with_curvature: bool,
) -> tuple[float, Floats, Floats]: ...
def logistic_curve(
    columns: list[tuple[Any, ...]],
    target: Ints,
    weights: Floats | None,
    classes: int,
    theta: Floats,
    direction: Floats,
    spreads: Floats | None,
) -> Floats: ...
def logistic_spreads(
    columns: list[tuple[Any, ...]], target: Ints, weights: Floats | None, classes: int, theta: Floats
) -> Floats: ...
def logistic_leads(
    columns: list[tuple[Any, ...]],
    target: Ints,
    weights: Floats | None,
    classes: int,
    theta: Floats,
    direction: Floats,
    still: float,
) -> tuple[float, float, float, float]: ...
def linear_scores(columns: list[tuple[Any, ...]], rows: int, weights: Floats) -> Floats: ...
def linear_codes(
    columns: list[tuple[Any, ...]],
    rows: int,
    weights: Floats,
    vectors: list[int],
    starts: list[float],
    codes: list[int],
) -> tuple[Ints, int]: ...
def number_spreads(columns: list[Column], rows: int, weights: Floats | None) -> Floats: ...
def solve_symmetric(matrix: Floats, right: Floats, least: float) -> Floats | None: ...
def invert_symmetric(matrix: Floats, least: float) -> Floats | None: ...
def dependence(gram: Floats, least: float) -> tuple[list[bool], Floats]: ...
def lasso(
    matrix: Floats, right: Floats, penalty: Floats, start: Floats, tolerance: float, most_rounds: int
) -> Floats: ...
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
    columns: list[Column],
    values: list[int],
    stepped: list[bool],
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
    columns: list[Column],
    values: list[int],
    classes: int,
    target: Ints,
    weights: Floats | None,
    *,
    threads: int = 0,
) -> dict[str, Any]: ...
def count_words(
    texts: list[str | None],
    target: Column,
    classes: int,
    weights: Floats | None,
    lower: bool,
    ngrams: tuple[int, int],
    stop_words: list[str],
) -> tuple[tuple[str, ...], _Bits, _Bits, _Bits, int]: ...
def add_words(
    texts: list[str | None],
    words: list[str],
    logs: Floats,
    base: Floats,
    once: bool,
    lower: bool,
    ngrams: tuple[int, int],
    stop_words: list[str],
) -> Floats: ...
def words_of(
    text: list[str | None], lower: bool, ngrams: tuple[int, int], stop_words: list[str]
) -> tuple[str, ...]: ...
def letter_runs() -> list[tuple[int, int]]: ...
def case_pairs() -> list[tuple[int, int]]: ...
def column_cuts(
    columns: list[Column], rows: int, weights: Floats | None, most: int, threads: int = 0
) -> list[Floats]: ...
def column_codes(
    columns: list[Column], values: list[int], cuts: list[Floats], rows: int, threads: int = 0
) -> list[npt.NDArray[Any]]: ...
def grow_forest(
    columns: list[Column],
    values: list[int],
    levels: list[int],
    cuts: list[list[float]],
    classes: int,
    target: Column,
    weights: Floats | None,
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
    seed: int,
    out_of_bag: bool,
    by_votes: bool,
    priors: list[float],
    costs: list[float],
    sums_before: Floats | None,
    size_before: Ints | None,
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
) -> tuple[Any, Any, list[list[float]]]: ...
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
def boost_round(
    columns: list[npt.NDArray[Any]],
    known: list[int],
    ordered: list[bool],
    cuts: list[Floats | None],
    lines: npt.NDArray[np.uint8] | None,
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
def code_lines(columns: list[npt.NDArray[Any]], rows: int) -> npt.NDArray[np.uint8]: ...
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
def forest_row_order(
    columns: list[Column], values: list[int], classes: int, target: Column
) -> npt.NDArray[np.uint32]: ...
def forest_draws(
    order: npt.NDArray[np.uint32], weights: Floats | None, *, part: float, seed: int, tree: int
) -> npt.NDArray[np.uint32]: ...
