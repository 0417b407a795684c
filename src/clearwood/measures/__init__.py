"""Measures: counts in, numbers out. A new one is a file here and a line in a registry below.

from clearwood.measures import IMPURITIES
IMPURITIES["gini"](np.array([9, 5]))
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias

from clearwood.measures.contingency import TableTest, Verdict
from clearwood.measures.counts import Counts, Floats, Impurity
from clearwood.measures.gain import gain
from clearwood.measures.gain_ratio import gain_ratio
from clearwood.measures.split_information import split_information
from clearwood.measures.wilson import wilson

ErrorOf: TypeAlias = Callable[
    [Floats, Counts], tuple[Floats, Floats]
]  # values, weights of each → centre, error


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

__all__ = [
    "ERRORS",
    "IMPURITIES",
    "TESTS",
    "Counts",
    "ErrorOf",
    "Floats",
    "Impurity",
    "TableTest",
    "Verdict",
    "gain",
    "gain_ratio",
    "split_information",
    "wilson",
]
