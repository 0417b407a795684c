# Naive Bayes and logistic regression.

from typing import Any

from clearwood.arrays import Floats, Ints, Longs
from clearwood.table.table import Column

_Terms = list[tuple[str, Column, Floats | None]]

def bayes_joint(terms: _Terms, log_priors: Floats, rows: int) -> Floats: ...
def bayes_shares(terms: _Terms, log_priors: Floats, rows: int) -> tuple[Floats, Longs]: ...
def bayes_codes(terms: _Terms, log_priors: Floats, rows: int) -> tuple[Ints, Longs]: ...
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
def lasso(
    matrix: Floats, right: Floats, penalty: Floats, start: Floats, tolerance: float, most_rounds: int
) -> Floats: ...
