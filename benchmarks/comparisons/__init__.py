"""Every comparison, in the order of the report."""

from __future__ import annotations

from benchmarks.comparison import Comparison
from benchmarks.comparisons import (
    bayes,
    census,
    chaid,
    files,
    gam,
    logistic,
    memory,
    one_tree,
    pages,
    prediction,
    rule_learners,
    scaling,
    scored_files,
    showing,
    start_up,
    text,
    tree_rules,
)

FAMILIES = (
    *(one_tree, census, chaid, files, scored_files, prediction, memory, start_up, scaling),
    *(rule_learners, tree_rules),
    *(bayes, text, logistic, gam),
    *(showing, pages),
)

COMPARISONS: dict[str, Comparison] = {
    comparison.name: comparison for family in FAMILIES for comparison in family.COMPARISONS
}
