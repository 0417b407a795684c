"""X, y and sample_weight as scikit-learn's users give them, checked; rows that weigh nothing are gone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d, validate_data

from clearwood._native import survey
from clearwood.errors import LearningError, SchemaError, SourceError
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.coding import check_weights
from clearwood.table.encoding import code_labels, encode, learn_table
from clearwood.table.raw import Codes, Raw
from clearwood.table.schema import Schema, WeightsAre, check_meaning, unused_name
from clearwood.table.sources import read_raw
from clearwood.table.sources.frames import is_frame
from clearwood.table.sources.recoded import with_dates_as_numbers
from clearwood.table.table import SparseColumns, Table, Weights

T = TypeVar("T")
_MOST_BYTES: Final = 2 << 30  # of what is made dense for a learner that cannot do otherwise
_CELLS_OF_A_BLOCK: Final = 1 << 24  # 128 MB, were they all made dense
_FLOATS: Final = (np.dtype(np.float32), np.dtype(np.float64))
_WHOLE: Final = 1 << 53  # up to here every whole number is a float

Labels = npt.NDArray[Any]  # [row]


def inputs_to_learn(
    estimator: BaseEstimator,
    X: Any,  # noqa: N803 (scikit-learn's name)
    y: Any,
    sample_weight: Any,
    *,
    reset: bool = True,
) -> tuple[Any, Labels, Weights | None]:
    """The columns (a `Raw`, or sparse X column by column), the target and the weights; a row of weight 0 is
    as if it were not there.

    `reset` remembers the columns; without it they must be those remembered.
    """
    rows = checked_sparse(estimator, X) if is_sparse(X) else _rows(X)
    validate_data(estimator, rows, y, reset=reset, skip_check_array=True)
    labels = column_or_1d(y, warn=True)
    check_consistent_length(rows, labels, sample_weight)
    if reset:
        estimator._date_columns = None  # those of an earlier fit
    read = _as_it_is if is_sparse(rows) else _read
    if sample_weight is None:
        return read(estimator, rows), labels, None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim != 1:
        raise SchemaError(f"sample_weight has the shape {weights.shape}. Give one number a row.")
    kept = check_weights(weights, "sample_weight") > 0
    if kept.all():
        return read(estimator, rows), labels, weights
    return read(estimator, _take(rows, kept)), labels[kept], weights[kept]


def sparse_inputs_to_answer(estimator: BaseEstimator, X: Any) -> Any:  # noqa: N803
    """Sparse X column by column, of as many columns as were learned from."""
    rows = checked_sparse(estimator, X)
    validate_data(estimator, rows, reset=False, skip_check_array=True)
    return rows


def _as_it_is(_: BaseEstimator, rows: Any) -> Any:
    return rows


def training_table(
    estimator: Any,
    columns: Any,
    codes: Codes,
    *,
    classes: Labels,
    weights: Weights | None,
    weights_are: WeightsAre | None = None,
    kinds: Mapping[str, str] | None = None,
    ordered: Mapping[str, Sequence[str]] | None = None,
) -> Table:
    """A classifier's rows, the columns as `inputs_to_learn` gave them and their kinds, unless given, as the
    estimator says."""
    if is_sparse(columns):
        return sparse_table(
            columns,
            tuple(getattr(estimator, "feature_names_in_", map("x{}".format, range(columns.shape[1])))),
            codes,
            classes=classes,
            weights=weights,
            weights_are=weights_are,
            dense=estimator._needs_dense(),
        )
    return learn_table(
        columns,
        codes,
        weights=weights,
        kinds=by_column(estimator.kinds, columns.names) if kinds is None else kinds,
        ordered=by_column(estimator.ordered, columns.names) if ordered is None else ordered,
        classes=classes,
        weights_are=weights_are,
    )


def meaning_of_weights(estimator: Any, weights: Weights | None) -> WeightsAre | None:
    """What the rows' weights mean; factors of classes alone are counts."""
    meaning = check_meaning(estimator.weights_are)
    return None if weights is None else meaning


def inputs_to_answer(
    estimator: BaseEstimator,
    X: Any,  # noqa: N803
    schema: Schema,
) -> Table:
    """The rows coded under the schema, column by column in its order: scikit-learn has compared the names."""
    numbers = _numbers(estimator, X, schema)
    if numbers is not None:
        return numbers
    rows = _rows(X)
    validate_data(estimator, rows, reset=False, skip_check_array=True)
    names = tuple(attribute.name for attribute in schema.attributes)
    return encode(replace(_read(estimator, rows), names=names), schema)


def _numbers(estimator: BaseEstimator, X: Any, schema: Schema) -> Table | None:  # noqa: N803
    """A plain array, list or pandas frame of finite numbers for a schema of numbers; None where there is more
    to look at.

    The same table as by the long way, whose checks take longer than a row's answer. Floats are not copied.
    """
    named = hasattr(estimator, "feature_names_in_")
    X = _array_of(estimator.feature_names_in_, X) if named else _floats(X)  # noqa: N806
    if (
        type(X) is not np.ndarray
        or X.dtype not in _FLOATS
        or X.ndim != 2
        or not X.flags.aligned
        or not len(X)
    ):
        return None
    if any(stride % X.itemsize for stride in X.strides):
        return None
    if X.shape[1] != estimator.n_features_in_:
        return None
    if not all(type(attribute) is Numeric for attribute in schema.attributes) or survey(X)[0] >= 0:
        return None
    names = (attribute.name for attribute in schema.attributes)
    return Table(schema, dict(zip(names, X.T, strict=True)), rows=len(X), checked=True)


def _floats(X: Any) -> Any:  # noqa: N803
    """Whole numbers that floats can hold, and lists of numbers, as floats; anything else as it is."""
    if type(X) is list and X and type(X[0]) is list:
        try:
            X = np.asarray(X)  # noqa: N806
        except ValueError:  # of several lengths: the long way has the sentence
            return X
    if (
        type(X) is np.ndarray
        and X.dtype.kind in "iu"
        and X.size
        and max(-int(X.min()), int(X.max())) <= _WHOLE
    ):
        return X.astype(np.float64)
    return X


def _array_of(names: Labels, X: Any) -> Any:  # noqa: N803
    """The array of a pandas frame of floats with these columns in this order; None of anything else."""
    if type(X).__module__.partition(".")[0] != "pandas" or not is_frame(X):
        return None
    if not all(isinstance(kind, np.dtype) and kind in _FLOATS for kind in X.dtypes):
        return None
    return X.to_numpy() if X.columns.tolist() == names.tolist() else None


def _rows(X: Any) -> Any:  # noqa: N803
    """A frame as it is (a lazy one collected), else an array of two dimensions; floats are not copied."""
    if is_frame(X):
        return X.collect() if hasattr(X, "collect") else X
    strings = isinstance(X, list | tuple) and np.asarray(X).dtype.kind in "US"
    kind = object if strings else None  # numbers beside strings stay numbers
    return check_array(X, dtype=kind, ensure_all_finite=False)


def _read(estimator: Any, rows: Any) -> Raw:
    raw = read_raw(rows)
    if not len(raw):
        raise SourceError(f"X, {raw.where}, has no rows.")
    if estimator.dates is None:
        return raw
    # Once learned, dates are where they were: a number of a new row may look like one by chance.
    dated = with_dates_as_numbers(raw, estimator.dates, estimator._date_columns)
    if estimator._date_columns is None:
        pairs = zip(raw.names, raw.columns, dated.columns, strict=True)
        estimator._date_columns = tuple(name for name, before, after in pairs if before is not after)
    return dated


def _take(rows: Any, kept: npt.NDArray[np.bool_]) -> Any:
    if isinstance(rows, np.ndarray) or is_sparse(rows):
        return rows[kept]
    import narwhals as nw

    return nw.from_native(rows, eager_only=True).filter(kept.tolist()).to_native()


def classes_of(labels: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Codes]:
    """The classes in y, sorted, and each row's position among them; no numbers with fractions."""
    classes, codes = code_labels(labels)
    if classes.dtype.kind == "f" and (classes != np.floor(classes)).any():
        example = classes[classes != np.floor(classes)][0]
        raise SchemaError(
            f"Unknown label type: continuous. y holds numbers such as {example}, which are no classes. "
            "Take CARTRegressor or CHAIDRegressor, or make them text."
        )
    return classes, codes


def is_sparse(X: Any) -> bool:  # noqa: N803 (scikit-learn's name)
    """Is it a matrix or array of scipy.sparse?"""
    return bool(issparse(X))


def checked_sparse(estimator: Any, X: Any) -> Any:  # noqa: N803
    """X column by column in 64-bit floats, each cell stored once and no 0 among them; a sentence where this
    estimator cannot take it."""
    if not estimator.__sklearn_tags__().input_tags.sparse:
        raise SchemaError(
            f"X is sparse, and {type(estimator).__name__} reads dense columns. Give X.toarray(), or take "
            "NaiveBayesClassifier or LogisticClassifier, which read sparse X."
        )
    if estimator.kinds or estimator.ordered:
        raise SchemaError(
            "X is sparse, and so all numbers. Leave kinds and ordered away, or give X.toarray()."
        )
    matrix = check_array(X, accept_sparse="csc", dtype=np.float64, ensure_all_finite="allow-nan", copy=True)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return matrix


def sparse_table(
    matrix: Any,
    names: tuple[str, ...],
    codes: Codes,
    *,
    classes: npt.NDArray[Any],
    weights: Weights | None,
    weights_are: WeightsAre | None,
    dense: bool,
) -> Table:
    """The rows to learn from; `dense` for a learner that needs all of every column at once."""
    target = unused_name("target", names)
    schema = Schema(
        tuple(map(Numeric, names)), Nominal(target, tuple(str(label) for label in classes.tolist()))
    )
    columns: Any = SparseColumns(matrix, names, {target: codes})
    if dense:
        size = matrix.shape[0] * matrix.shape[1] * 8
        if size > _MOST_BYTES:
            raise LearningError(
                f"X is sparse, and all its {matrix.shape[0]:,} × {matrix.shape[1]:,} cells would take "
                f"{size / (1 << 30):,.1f} GB where this learner, which needs them all, stops at "
                f"{_MOST_BYTES / (1 << 30):.3g} GB. Leave columns out, or take "
                "NaiveBayesClassifier(numeric='multinomial'), which counts what is stored."
            )
        columns = {target: codes, **dict(zip(names, matrix.toarray(order="F").T, strict=True))}
    return Table(schema, columns, weights, rows=matrix.shape[0], weights_are=weights_are, checked=True)


def blocks(matrix: Any, schema: Schema) -> Iterator[Table]:
    """The rows to answer, so many at a time that even dense they would take little room."""
    names = tuple(attribute.name for attribute in schema.attributes)
    by_row = matrix.tocsr()
    step = max(1, _CELLS_OF_A_BLOCK // max(1, matrix.shape[1]))
    for first in range(0, matrix.shape[0], step):
        part = by_row[first : first + step].tocsc()
        part.sort_indices()
        yield Table(schema, SparseColumns(part, names), rows=part.shape[0], checked=True)


def by_column(given: Mapping[Any, T] | None, names: Sequence[str]) -> dict[str, T]:
    """What was said of columns, by name; the columns of an array may be given by position.

    >>> by_column({1: "nominal", "x0": "numeric"}, ["x0", "x1"])
    {'x1': 'nominal', 'x0': 'numeric'}
    """
    return {_column(key, names): value for key, value in (given or {}).items()}


def _column(key: Any, names: Sequence[str]) -> str:
    place = isinstance(key, int | np.integer) and str(key) not in names and 0 <= key < len(names)
    return names[int(key)] if place else str(key)
