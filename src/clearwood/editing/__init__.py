"""Models by hand: rules read from text, edited, joined and scored again; curves edited."""

from clearwood.editing.counting import recounted
from clearwood.editing.curve_scores import EditedCurves, compare_curves
from clearwood.editing.curves import drop_term, flatten, make_monotone, set_points, smooth
from clearwood.editing.edited import EditedRules, compare_scores
from clearwood.editing.edits import add_rule, change_rule, delete_rules, move_rule, with_otherwise
from clearwood.editing.joining import joined
from clearwood.editing.loading import load_model_or_rules
from clearwood.editing.reading import read_rules

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
