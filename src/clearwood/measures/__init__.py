"""Measures: counts in, numbers out. A new one is a file here and a line in a list below.

from clearwood.measures import IMPURITIES
IMPURITIES["gini"](np.array([9, 5]))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy.typing as npt

from clearwood.arrays import Floats
from clearwood.registry import Listed

if TYPE_CHECKING:  # a list names its entries: what they are made of is imported with them
    from clearwood.measures.contingency import TableTest
    from clearwood.measures.impurity import Counts, Impurity

# values, weights of each → centre, error
ErrorOf: TypeAlias = "Callable[[Floats, Counts], tuple[Floats, Floats]]"
Adjustment: TypeAlias = Callable[[npt.ArrayLike], Floats]  # [test] p → [test] adjusted p


IMPURITIES: Final[Listed[Impurity]] = Listed(
    "measure",
    {
        "entropy": f"{__name__}.information:MEASURE",
        "gini": f"{__name__}.gini:MEASURE",
        "error": f"{__name__}.misclassification:MEASURE",
    },
)
ERRORS: Final[Listed[ErrorOf]] = Listed(
    "measure",
    {"squared": f"{__name__}.scatter:squared_error", "absolute": f"{__name__}.scatter:absolute_error"},
)
TESTS: Final[Listed[TableTest]] = Listed(
    "test",
    {
        "chi_square": f"{__name__}.contingency:chi_square",
        "yates": f"{__name__}.contingency:yates",
        "fisher": f"{__name__}.contingency:fisher",
        "likelihood_ratio": f"{__name__}.contingency:likelihood_ratio",
    },
)
ADJUSTMENTS: Final[Listed[Adjustment]] = Listed(
    "adjustment",
    {"holm": f"{__name__}.inference:holm", "benjamini_hochberg": f"{__name__}.inference:benjamini_hochberg"},
)

__all__ = ["ADJUSTMENTS", "ERRORS", "IMPURITIES", "TESTS", "Adjustment", "ErrorOf"]
