"""Rules by hand: read from text, edited, joined with others, and scored again."""

from clearwood.editing.counting import recounted
from clearwood.editing.edited import EditedRules, compare_scores
from clearwood.editing.edits import add_rule, change_rule, delete_rules, move_rule, with_otherwise
from clearwood.editing.joining import joined
from clearwood.editing.loading import load_model_or_rules
from clearwood.editing.reading import read_rules

__all__ = [
    "EditedRules",
    "add_rule",
    "change_rule",
    "compare_scores",
    "delete_rules",
    "joined",
    "load_model_or_rules",
    "move_rule",
    "read_rules",
    "recounted",
    "with_otherwise",
]
