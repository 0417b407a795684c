"""Sparse X: numbers of which most are 0, as scipy holds them, into a table, and out again block by block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.utils.validation import check_array

from clearwood.errors import LearningError, SchemaError
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.raw import Codes
from clearwood.table.schema import Schema
from clearwood.table.sparse_columns import SparseColumns
from clearwood.table.table import Table, Weights
from clearwood.table.weights import WeightsAre

_MOST_BYTES: Final = 2 << 30  # of what is made dense for a learner that cannot do otherwise
_CELLS_OF_A_BLOCK: Final = 1 << 24  # 128 MB, were they all made dense

AnswersArray = TypeVar("AnswersArray", bound=npt.NDArray[Any])


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
    target = "target"
    while target in names:
        target += "_"
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
