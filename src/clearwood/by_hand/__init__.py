"""Rules by hand: read from text, edited, joined with others, and scored again."""

from clearwood.by_hand.counting import recounted
from clearwood.by_hand.edited import Edited, compare_scores
from clearwood.by_hand.edits import add_rule, change_rule, delete_rules, move_rule, with_otherwise
from clearwood.by_hand.joining import joined
from clearwood.by_hand.reading import read_rules

__all__ = [
    "Edited",
    "add_rule",
    "change_rule",
    "compare_scores",
    "delete_rules",
    "joined",
    "move_rule",
    "read_rules",
    "recounted",
    "with_otherwise",
]
