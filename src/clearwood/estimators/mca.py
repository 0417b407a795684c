"""MCA as a step of a pipeline: values in, the rows' places on a few axes out."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from clearwood.arrays import Floats
from clearwood.components import Correspondence, mca
from clearwood.table import encode, read_table
from clearwood.table.schema import Schema


class MCATransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Multiple correspondence analysis under scikit-learn's contract: every column is taken as nominal.

    `axes_` is the analysis as plain data (`clearwood.mca`), to be printed and drawn. Values that were not
    there in `fit` count as the centre.

    >>> import numpy as np
    >>> X = np.array([["a", "x"], ["a", "x"], ["b", "y"], ["b", "x"]], dtype=object)
    >>> MCATransformer(n_components=1).fit_transform(X).round(2).ravel().tolist()
    [-0.79, -0.79, 1.37, 0.21]
    """

    axes_: Correspondence

    def __init__(self, n_components: int | None = 2) -> None:
        self.n_components = n_components

    def fit(self, X: Any, y: Any = None) -> MCATransformer:  # noqa: ARG002, N803 (scikit-learn's names)
        validate_data(self, X, reset=True, skip_check_array=True)
        cells = self._cells(X)
        table = read_table(cells, kinds=dict.fromkeys(cells, "nominal"))
        self._schema: Schema = table.schema
        self.axes_ = mca(table, components=self.n_components)
        return self

    def transform(self, X: Any) -> Floats:  # noqa: N803
        check_is_fitted(self)
        validate_data(self, X, reset=False, skip_check_array=True)
        return self.axes_.scores(encode(self._cells(X), self._schema))

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:  # noqa: ARG002
        check_is_fitted(self)
        return np.array([f"axis {k + 1}" for k in range(len(self.axes_))], dtype=object)

    def _cells(self, X: Any) -> dict[str, list[str | None]]:  # noqa: N803
        """By column the cells as text, None where they are missing."""
        names = getattr(self, "feature_names_in_", None)
        rows = np.asarray(X, dtype=object)
        called = [f"x{place}" for place in range(rows.shape[1])] if names is None else list(names)
        return {name: [_text(cell) for cell in rows[:, place]] for place, name in enumerate(called)}


def _text(cell: Any) -> str | None:
    missing = cell is None or cell != cell or str(cell) in ("", "<NA>", "nan", "NaT")
    return None if missing else str(cell)
