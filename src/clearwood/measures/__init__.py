"""Measures: counts in, numbers out. A new one is a file here and a line in a registry below.

from clearwood.measures import IMPURITIES
IMPURITIES["gini"](np.array([9, 5]))
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias

import numpy.typing as npt

from clearwood.measures.contingency import TableTest, Verdict
from clearwood.measures.counts import Counts, Floats, Impurity
from clearwood.measures.gain import gain
from clearwood.measures.gain_ratio import gain_ratio
from clearwood.measures.odds_ratio import odds_ratio
from clearwood.measures.phi import phi
from clearwood.measures.split_information import split_information
from clearwood.measures.wilson import wilson

ErrorOf: TypeAlias = Callable[
    [Floats, Counts], tuple[Floats, Floats]
]  # values, weights of each → centre, error
Adjustment: TypeAlias = Callable[[npt.ArrayLike], Floats]  # [test] p → [test] adjusted p


def _of(file: str) -> Any:
    """The measure a file of this folder is named after, so that a new one is the file and one line here."""
    return getattr(import_module(f"{__name__}.{file}"), file)


IMPURITIES: dict[str, Impurity] = {
    "entropy": _of("entropy"),
    "gini": _of("gini"),
    "error": _of("misclassification"),
}
ERRORS: dict[str, ErrorOf] = {
    "squared": _of("squared_error"),
    "absolute": _of("absolute_error"),
}
TESTS: dict[str, TableTest] = {
    "chi_square": _of("chi_square"),
    "yates": _of("yates"),
    "fisher": _of("fisher"),
    "likelihood_ratio": _of("likelihood_ratio"),
}
ADJUSTMENTS: dict[str, Adjustment] = {
    "holm": _of("holm"),
    "benjamini_hochberg": _of("benjamini_hochberg"),
}

__all__ = [
    "ADJUSTMENTS",
    "ERRORS",
    "IMPURITIES",
    "TESTS",
    "Adjustment",
    "Counts",
    "ErrorOf",
    "Floats",
    "Impurity",
    "TableTest",
    "Verdict",
    "gain",
    "gain_ratio",
    "odds_ratio",
    "phi",
    "split_information",
    "wilson",
]
