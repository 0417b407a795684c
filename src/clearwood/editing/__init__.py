"""Models by hand: rules read from text, edited, joined and scored again; curves edited."""

from clearwood.editing.curves import (
    EditedCurves,
    compare_curves,
    drop_term,
    flatten,
    make_monotone,
    set_points,
    smooth,
)
from clearwood.editing.edits import (
    EditedRules,
    add_rule,
    change_rule,
    compare_scores,
    delete_rules,
    joined,
    move_rule,
    with_otherwise,
)
from clearwood.editing.reading import load_model_or_rules, read_rules, recounted

__all__ = [
    "EditedCurves",
    "EditedRules",
    "add_rule",
    "change_rule",
    "compare_curves",
    "compare_scores",
    "delete_rules",
    "drop_term",
    "flatten",
    "joined",
    "load_model_or_rules",
    "make_monotone",
    "move_rule",
    "read_rules",
    "recounted",
    "set_points",
    "smooth",
    "with_otherwise",
]
