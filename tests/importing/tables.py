"""Imports proven on all reference tables, and the figures for the docs: `python -m tests.importing.tables`.

Models of scikit-learn, LightGBM and XGBoost are fitted to each table, and PMML of a tree is read back and run
by JPMML-Evaluator. The figures of an origin that is run again replace its old ones in
`docs/importing.json`, from which the page is made; origins may be named to run only those.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

import clearwood as cw
from clearwood.errors import ClearwoodError
from clearwood.table.table import Table
from tests.shared_data import NAMES, load_shared

FIGURES: Final = Path(__file__).parents[2] / "docs" / "importing.json"
_MOST_TRAINED: Final = 4000
_GIVEN: Final = 500  # rows of the table itself
_MADE: Final = 1000  # at most, from the model


@cache
def table_of(name: str) -> Table | None:
    """The rows of a table whose target is known, evenly chosen; None of one that is of texts."""
    table = load_shared(name)
    if any(isinstance(each, cw.Text) for each in table.schema.attributes):
        return None
    assert table.schema.target is not None
    target = table.columns[table.schema.target.name]
    known = np.flatnonzero(~np.isnan(target) if target.dtype.kind == "f" else target >= 0)
    step = np.linspace(0, len(known) - 1, min(len(known), _MOST_TRAINED)).astype(int)
    return table.take(known[step])


def frame_of(table: Table) -> tuple[Any, Any, list[str], list[str]]:
    """The columns as pandas has them, the target, and the names of values and of numbers."""
    import pandas as pd

    columns: dict[str, Any] = {}
    for each in (*table.schema.inputs, table.schema.target):
        if isinstance(each, cw.Numeric):
            columns[each.name] = table.columns[each.name]
        elif isinstance(each, cw.Nominal | cw.Ordinal):
            cells = table.columns[each.name]
            values = np.array([*each.values, None], dtype=object)
            columns[each.name] = pd.Series(values[np.where(cells < 0, -1, cells)], dtype=object)
    assert table.schema.target is not None
    target = columns.pop(table.schema.target.name)
    numbers = [each.name for each in table.schema.inputs if isinstance(each, cw.Numeric)]
    frame = pd.DataFrame(columns)
    named = [name for name in columns if name not in numbers]
    frame[named] = frame[named].where(frame[named].notna(), np.nan)
    return frame, np.asarray(target), named, numbers


def _behind(estimator: Any, named: list[str], numbers: list[str], *, filled: bool) -> Any:
    """The estimator behind one column for each value; `filled`: and behind the medians of scaled numbers."""
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    scaled = make_pipeline(SimpleImputer(strategy="median"), StandardScaler()) if filled else "passthrough"
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_pipeline(make_column_transformer((encoder, named), (scaled, numbers)), estimator)


def _scikit(classifier: str, regressor: str, *, filled: bool, **settings: Any) -> Callable[[Table], Any]:
    def fitted(table: Table) -> Any:
        from sklearn import ensemble, linear_model, naive_bayes, tree

        frame, target, named, numbers = frame_of(table)
        kind = regressor if isinstance(table.schema.target, cw.Numeric) else classifier
        if not kind:
            return None
        homes = (ensemble, linear_model, naive_bayes, tree)
        own = next(getattr(home, kind) for home in homes if hasattr(home, kind))(**settings)
        return _behind(own, named, numbers, filled=filled).fit(frame, target), frame

    return fitted


def _bells(table: Table) -> Any:
    from sklearn.naive_bayes import GaussianNB

    frame, target, _, numbers = frame_of(table)
    if not numbers or isinstance(table.schema.target, cw.Numeric):
        return None
    known = frame[numbers].notna().all(axis=1).to_numpy()
    chosen = frame.loc[known, numbers]
    return GaussianNB(var_smoothing=1e-6).fit(chosen, target[known]), chosen


def _boosters(library: str) -> Callable[[Table], Any]:
    def fitted(table: Table) -> Any:
        module = __import__(library)
        frame, target, named, _ = frame_of(table)
        frame = frame.astype(dict.fromkeys(named, "category"))
        numeric = isinstance(table.schema.target, cw.Numeric)
        codes = target if numeric else np.unique(target, return_inverse=True)[1]
        if library == "lightgbm":
            kind = module.LGBMRegressor if numeric else module.LGBMClassifier
            made = kind(n_estimators=8, verbose=-1, n_jobs=1, min_child_samples=5)
        else:
            kind = module.XGBRegressor if numeric else module.XGBClassifier
            made = kind(n_estimators=8, n_jobs=1, enable_categorical=True)
        return made.fit(frame, codes), frame

    return fitted


def _pmml(learner: Any) -> Callable[[Table], Any]:
    def written(table: Table) -> Any:
        exported = cw.export(learner.learn(table), "pmml")
        with tempfile.NamedTemporaryFile(suffix=".pmml", delete=False) as file:
            file.write(exported.data)
        return Path(file.name), table

    return written


ORIGINS: Final[dict[str, Callable[[Table], Any]]] = {
    "scikit-learn, tree": _scikit("DecisionTreeClassifier", "DecisionTreeRegressor", filled=False),
    "scikit-learn, forest": _scikit(
        "RandomForestClassifier", "RandomForestRegressor", filled=False, n_estimators=8, max_depth=8
    ),
    "scikit-learn, bag of trees": _scikit(
        "BaggingClassifier", "BaggingRegressor", filled=False, n_estimators=3, max_samples=0.3
    ),
    "scikit-learn, AdaBoost": _scikit("AdaBoostClassifier", "", filled=True, n_estimators=10),
    "scikit-learn, boosting": _scikit(
        "GradientBoostingClassifier", "GradientBoostingRegressor", filled=True, n_estimators=5
    ),
    "scikit-learn, histograms": _scikit(
        "HistGradientBoostingClassifier", "HistGradientBoostingRegressor", filled=False, max_iter=5
    ),
    "scikit-learn, logistic": _scikit("LogisticRegression", "", filled=True, max_iter=300),
    "scikit-learn, Gaussian Bayes": _bells,
    "LightGBM": _boosters("lightgbm"),
    "XGBoost": _boosters("xgboost"),
    "PMML, tree": _pmml(cw.CART()),
}


def figure_of(origin: str, name: str) -> dict[str, Any] | None:
    """Rows and differences of one proof, or why there is none; None where there is nothing to fit."""
    table = table_of(name)
    try:
        found = None if table is None else ORIGINS[origin](table)
        if found is None:
            return None
        source, frame = found
        model = cw.import_model(source)
        some = np.linspace(0, len(frame) - 1, min(len(frame), _GIVEN)).astype(int)
        given = frame.iloc[some] if hasattr(frame, "iloc") else frame.take(some)
        proof = cw.prove_import(model, source, given, most=_MADE)
    except ImportError as error:
        return {"not run": str(error)}
    except ClearwoodError as error:
        return {"refused": str(error).rpartition(".pmml: ")[2]}  # without the name of a temporary file
    if proof.not_run:
        return {"not run": proof.not_run}
    figure = {"rows": proof.rows, "different": len(proof.different), "largest": proof.largest}
    return figure | {"refused rows": sum(proof.refused.values()), "program": proof.program}


def main(chosen: Sequence[str]) -> int:
    """Prove the origins named, or all, and write the figures."""
    from threadpoolctl import threadpool_limits

    warnings.simplefilter("ignore")
    threadpool_limits(1)  # threads would wait for each other on a busy machine
    known = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}
    wrong: list[str] = []
    for origin in ORIGINS:
        if chosen and origin not in chosen:
            continue
        started = time.perf_counter()
        figures = {name: figure for name in NAMES if (figure := figure_of(origin, name)) is not None}
        programs = {figure.pop("program") for figure in figures.values() if "program" in figure}
        known[origin] = {"program": ", ".join(sorted(programs)), "tables": figures}
        wrong += [f"{origin}, {name}: {each}" for name, each in figures.items() if each.get("different")]
        rows = sum(each.get("rows", 0) for each in figures.values())
        seconds = time.perf_counter() - started
        print(f"{origin}: {seconds:.0f} s, {rows:,} rows, {len(figures)} tables", flush=True)
        FIGURES.write_text(json.dumps(known, indent=0, ensure_ascii=False) + "\n", "utf-8")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
