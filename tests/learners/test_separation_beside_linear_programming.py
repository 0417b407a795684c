"""Separation of many classes: named exactly where linear programming finds a direction for it."""

from __future__ import annotations

import warnings

import numpy as np
import numpy.typing as npt
import pytest
from scipy.optimize import linprog
from scipy.sparse import coo_array, eye_array, hstack

import clearwood as cw
from clearwood.errors import ClearwoodWarning

Floats = npt.NDArray[np.float64]


def running_pairs(x: Floats, y: npt.NDArray[np.int64], classes: int) -> int:
    """How many pairs of a row and another class run away: the most leads above 0, none below, by HiGHS."""
    values = np.column_stack([np.ones(len(x)), (x - x.mean(axis=0)) / x.std(axis=0)])
    width = values.shape[1]
    rows: list[int] = []
    columns: list[int] = []
    cells: list[float] = []
    many = 0
    for i, own in enumerate(y.tolist()):
        for other in range(classes):
            if other == own:
                continue
            for c, sign in ((own, 1.0), (other, -1.0)):
                rows += [many] * width
                columns += range(c * width, (c + 1) * width)
                cells += (sign * values[i]).tolist()
            many += 1
    places = np.array(rows), np.array(columns)
    leads = coo_array((np.array(cells), places), shape=(many, classes * width)).tocsr()
    # 0 ≤ t ≤ 1 and t ≤ lead: the leads may be as large as it takes, so that each t is 0 or 1 at the best.
    solution = linprog(
        np.concatenate([np.zeros(classes * width), -np.ones(many)]),
        A_ub=hstack([-leads, eye_array(many)], format="csr"),
        b_ub=np.zeros(many),
        bounds=[(None, None)] * (classes * width) + [(0, 1)] * many,
        method="highs",
    )
    assert solution.status == 0
    assert solution.x is not None
    return int((solution.x[-many:] > 0.5).sum())


def fitted(x: Floats, y: npt.NDArray[np.int64], classes: int) -> cw.LinearModel:
    names = tuple(f"x{j}" for j in range(x.shape[1]))
    schema = cw.Schema(tuple(map(cw.Numeric, names)), cw.Nominal("y", tuple(f"c{c}" for c in range(classes))))
    columns = {name: np.ascontiguousarray(x[:, j]) for j, name in enumerate(names)}
    table = cw.Table(schema, {**columns, "y": y.astype(np.int32)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)
        return cw.Logistic().learn(table)


@pytest.mark.parametrize("seed", range(60))
def test_separation_is_named_where_a_linear_program_finds_it(seed: int) -> None:
    random = np.random.default_rng(seed)
    classes, columns = int(random.integers(2, 8)), int(random.integers(1, 4))
    rows = int(random.integers(8, 20)) * classes
    middles = random.normal(scale=random.choice([0.3, 1.5, 4.0]), size=(classes, columns))
    y = np.arange(rows) % classes
    x = np.round(middles[y] + random.normal(size=(rows, columns)), int(random.integers(0, 3)))
    x = x[:, x.std(axis=0) > 0]
    running = running_pairs(x, y, classes)
    fit = fitted(x, y, classes).fit
    assert fit is not None
    assert (fit.separation is not None) == (running > 0)
    if fit.separation is not None:
        assert fit.separation.complete == (running == rows * (classes - 1))
        assert fit.converged


@pytest.mark.slow
def test_seven_classes_of_which_some_are_apart_in_part_are_named() -> None:
    # As in segment: crooked columns of which one follows almost from two others. Along Newton's step rows
    # that are far ahead fall back a little, so that it is no proof.
    random = np.random.default_rng(58)
    y = np.arange(350) % 7
    x = random.normal(size=(350, 6)) + random.normal(size=(7, 6))[y] * 0.8
    x[:, 0] += 6 * (y == 6)
    x[:, 1] -= 5 * (y == 2)
    x = np.round(np.exp(random.choice([0.5, 1.0, 1.5]) * x), 2)
    x[:, 2] = x[:, 0] + x[:, 1] * 0.5 + np.round(random.normal(size=350) * 0.05, 2)
    assert 0 < running_pairs(x, y, 7) < 350 * 6
    fit = fitted(x, y, 7).fit
    assert fit is not None
    assert fit.separation is not None
    assert not fit.separation.complete
