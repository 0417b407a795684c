"""Every comparison, in the order of the report."""

from __future__ import annotations

from benchmarks.comparison import Comparison
from benchmarks.comparisons import (
    census,
    chaid,
    files,
    memory,
    one_tree,
    prediction,
    scaling,
    start_up,
    tree_rules,
)

COMPARISONS: dict[str, Comparison] = {
    comparison.name: comparison
    for family in (one_tree, census, chaid, files, prediction, memory, start_up, scaling, tree_rules)
    for comparison in family.COMPARISONS
}
