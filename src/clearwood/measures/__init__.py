"""Measures: counts in, numbers out. A new one is a file here and a line in a registry below.

from clearwood.measures import IMPURITIES
IMPURITIES["gini"](np.array([9, 5]))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from clearwood.measures.absolute_error import absolute_error
from clearwood.measures.chi_square import chi_square
from clearwood.measures.contingency import TableTest, Verdict
from clearwood.measures.counts import Counts, Floats, Impurity
from clearwood.measures.entropy import entropy
from clearwood.measures.fisher import fisher
from clearwood.measures.gain import gain
from clearwood.measures.gain_ratio import gain_ratio
from clearwood.measures.gini import gini
from clearwood.measures.likelihood_ratio import likelihood_ratio
from clearwood.measures.misclassification import misclassification
from clearwood.measures.split_information import split_information
from clearwood.measures.squared_error import squared_error
from clearwood.measures.wilson import wilson
from clearwood.measures.yates import yates

ErrorOf: TypeAlias = Callable[
    [Floats, Counts], tuple[Floats, Floats]
]  # values, weights of each → centre, error

IMPURITIES: dict[str, Impurity] = {"entropy": entropy, "gini": gini, "error": misclassification}
ERRORS: dict[str, ErrorOf] = {"squared": squared_error, "absolute": absolute_error}
TESTS: dict[str, TableTest] = {
    "chi_square": chi_square,
    "yates": yates,
    "fisher": fisher,
    "likelihood_ratio": likelihood_ratio,
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
