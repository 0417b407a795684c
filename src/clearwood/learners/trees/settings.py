"""Settings that tree learners share, each declared once with its bound and its meaning."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from clearwood.bounds import Least, OneWord, Whole, Within
from clearwood.measures import IMPURITIES
from clearwood.measures.pessimistic import ConfidenceTable
from clearwood.registry import Letter

ImpurityName: TypeAlias = Annotated[str, OneWord(lambda: tuple(IMPURITIES)), "What makes a node impure."]
MaxDepth: TypeAlias = Annotated[
    int | None, Whole(0), Letter("max_depth"), "Most splits from the root to a leaf; none: no limit."
]
MinRows: TypeAlias = Annotated[
    float, Least(0), Letter("min_rows"), "Least weight of the rows of a node that is split."
]
MinLeaf: TypeAlias = Annotated[float, Least(0), Letter("min_leaf"), "Least weight of rows in a leaf."]
Confidence: TypeAlias = Annotated[
    float, Within(0, 1), Letter("CF"), "Smaller prunes more: the confidence in the training errors."
]
QuantileTable: TypeAlias = Annotated[
    ConfidenceTable, "normal: exact quantiles; quinlan: the table of his program."
]
RaiseSubtrees: TypeAlias = Annotated[bool, "In pruning, a branch may replace its parent."]
GroupValues: TypeAlias = Annotated[bool, "Let a branch have several values of a nominal column."]
OrdinalAs: TypeAlias = Annotated[
    Literal["values", "cut"], "values: a branch for each; cut: two branches, low and high."
]
