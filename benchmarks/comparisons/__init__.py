"""Every comparison, in the order of the report."""

from __future__ import annotations

from benchmarks.comparison import Comparison
from benchmarks.comparisons import (
    bayes,
    boosting,
    census,
    chaid,
    files,
    forests,
    gam,
    logistic,
    memory,
    one_tree,
    pages,
    prediction,
    rule_learners,
    scaling,
    scored_files,
    shap_values,
    showing,
    start_up,
    text,
    tree_rules,
    tuning,
)

FAMILIES = (
    *(one_tree, census, chaid, files, scored_files, prediction, shap_values, memory, start_up, scaling),
    *(forests,),
    *(rule_learners, tree_rules),
    *(bayes, text, logistic, gam),
    boosting,
    tuning,
    *(showing, pages),
)

COMPARISONS: dict[str, Comparison] = {
    comparison.name: comparison for family in FAMILIES for comparison in family.COMPARISONS
}
