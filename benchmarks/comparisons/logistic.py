"""Logistic regression beside scikit-learn's solvers: numbers, and nominal columns of a thousand values."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from benchmarks.comparison import OURS, Comparison, Contestant, Entrant, Goal, Size, entrant, faster
from benchmarks.tables import codes_table, linear_table, nominal_table
from clearwood.learners.linear.logistic import Logistic
from clearwood.predicting import shares
from clearwood.table import learn_table

ROWS = 1_000_000
NOMINAL_ROWS, NOMINAL_COLUMNS, VALUES = 200_000, 5, 1_000
SOLVERS = ("newton-cholesky", "lbfgs")


def _numbers(size: Size) -> Sequence[Entrant]:
    x, y = linear_table(size.rows(ROWS))
    loss = _loss(y)
    return [
        Contestant(OURS, lambda: Logistic().learn(learn_table(x, y)), lambda model: loss(shares(model, x))),
        *(
            entrant(
                f"scikit-learn {solver}",
                "sklearn.linear_model",
                partial(_scikit_learn, x, y, solver),
                lambda model: loss(model.predict_proba(x)),
            )
            for solver in SOLVERS
        ),
    ]


def _values(size: Size) -> Sequence[Entrant]:
    """The same penalised problem for both: the first value of each column has no weight of its own.

    lbfgs is what LogisticRegression does by itself; newton-cg is quicker and stops further from the best.
    """
    codes, y = codes_table(size.rows(NOMINAL_ROWS), NOMINAL_COLUMNS, VALUES)
    table = nominal_table(codes, y, VALUES)
    ours = Logistic(penalty="l2", reference={f"x{i}": "v0" for i in range(NOMINAL_COLUMNS)})
    loss = _loss(y)
    return [
        Contestant(OURS, lambda: ours.learn(table), lambda model: loss(shares(model, table), model.weights)),
        *(
            entrant(
                f"scikit-learn {solver}",
                "sklearn.linear_model",
                partial(_one_hot, codes, y, solver),
                lambda model: loss(model.predict_proba(codes), model[-1].coef_),
            )
            for solver in ("lbfgs", "newton-cg")
        ),
    ]


def _scikit_learn(x: Any, y: Any, solver: str) -> Any:
    from sklearn.linear_model import LogisticRegression

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # lbfgs may say that a hundred steps were too few
        return LogisticRegression(solver=solver, C=np.inf).fit(x, y)


def _one_hot(codes: Any, y: Any, solver: str) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return make_pipeline(OneHotEncoder(drop="first"), LogisticRegression(solver=solver)).fit(codes, y)


def _loss(y: Any) -> Callable[..., str]:
    """How near the best each one came, since they stop by rules of their own; with the penalty's part."""

    def described(model: Any, weights: Any = 0) -> str:
        penalty = np.square(weights).sum() / 2
        return f"loss {(penalty - np.log(model[np.arange(len(y)), y]).sum()) / len(y):.7f} a row"

    return described


_NO_SLOWER = Goal(
    "1 × as fast as scikit-learn's fastest solver",
    lambda medians: min(medians[f"scikit-learn {solver}"] for solver in SOLVERS) / medians[OURS],
    1,
)


COMPARISONS = (
    Comparison(
        "logistic",
        "Logistic regression without a penalty, 1,000,000 × 20 float64, two classes, from NumPy arrays; ours"
        " with standard errors and tests",
        _numbers,
        (_NO_SLOWER,),
    ),
    Comparison(
        "logistic-nominal",
        "The same with an L2 penalty on 200,000 rows of five nominal columns of 1,000 values each: codes to"
        " model, scikit-learn by a sparse OneHotEncoder",
        _values,
        (faster("scikit-learn lbfgs", 1),),
    ),
)
