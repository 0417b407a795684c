"""Logistic regression against statsmodels' MNLogit: weights, standard errors, p-values, likelihoods.

The terms are ours (statsmodels knows no nominal columns and no empty cells), written out here once more.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import statsmodels
import statsmodels.api as sm
from tests.generated_tables import generated_table

from benchmarks.oracles.verdict import Verdict
from clearwood.errors import ClearwoodWarning, LearningError
from clearwood.learners.linear.logistic import Logistic
from clearwood.models.kinds.linear.linear_model import LinearModel, MissingTerm, NumberTerm, ValueTerm
from clearwood.predicting.estimates import estimates
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.table import MISSING, Table

_CLOSE = 1e-6


def compare(tables: int) -> Iterator[Verdict]:
    for flavour, seed, model, theirs in _cases(4 * tables):
        ours = estimates(model)
        pairs = [
            (np.array([each.weight for each in ours], dtype=float), theirs["weights"]),
            (np.array([each.error for each in ours], dtype=float), theirs["errors"]),
            (np.array([each.p for each in ours], dtype=float), theirs["p"]),
        ]
        # A figure of ours that is missing makes it nan, which is not close.
        off = float(np.max([np.max(np.abs(a - b) / (1 + np.abs(b))) for a, b in pairs]))
        yield Verdict(f"{flavour} {seed}", off < _CLOSE, f"off by {off:.2g}")


def figures(tables: int) -> dict[str, object]:
    """For tests: contrast by contrast, the intercept first."""
    cases = [{"flavour": f, "seed": s, **theirs} for f, s, _, theirs in _cases(4 * tables)]
    return {"program": f"statsmodels {statsmodels.__version__}", "fits": cases}


def _cases(tables: int) -> Iterator[tuple[str, int, LinearModel, dict[str, Any]]]:
    """The tables whose classes are not separated: those that are have no figures anywhere."""
    for flavour in ("large", "mixed", "nominal", "numeric", "missing"):
        for seed in range(tables // 4 if flavour == "large" else tables):
            table = generated_table(flavour, seed)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error", ClearwoodWarning)
                    model = Logistic(reference="first").learn(table)
            except (ClearwoodWarning, LearningError):
                continue
            if model.terms:
                yield flavour, seed, model, _theirs(table, model)


def _theirs(table: Table, model: LinearModel) -> dict[str, Any]:
    assert model.against is not None
    order = [model.schema.classes.index(name) for name in (model.against, *model.contrasts)]
    target = np.array([order.index(code) for code in table.target.tolist()])
    rows = _written_out(table, model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = sm.MNLogit(target, rows).fit(disp=0, method="newton", tol=1e-14, maxiter=200)
    numbers = {"weights": fitted.params, "errors": fitted.bse, "p": fitted.pvalues}
    estimates = {key: np.asarray(each).T.ravel().tolist() for key, each in numbers.items()}
    return {**estimates, "log_likelihood": float(fitted.llf), "null": float(fitted.llnull)}


def _written_out(table: Table, model: LinearModel) -> Any:
    columns = [np.ones(len(table))]
    for term in model.terms:
        cells, attribute = table.columns[term.name], table.schema[term.name]
        match term:
            case NumberTerm():
                columns.append(np.where(np.isnan(cells), np.nanmean(cells.astype(np.float64)), cells))
            case MissingTerm():
                nominal = isinstance(attribute, Nominal | Ordinal)
                columns.append(cells == MISSING if nominal else np.isnan(cells))
            case ValueTerm(_, value):
                assert isinstance(attribute, Nominal | Ordinal)
                columns.append(cells == attribute.values.index(value))
    return np.column_stack(columns).astype(np.float64)
