"""A model for this terminal: in its width and colours, and cut short where it would run off the page."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from clearwood import shown
from clearwood.cli.output import colours
from clearwood.draw.text import draw_tree
from clearwood.errors import SettingError
from clearwood.models.kinds.kind import kind_of
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model, tree_or_rules
from clearwood.scoring.positive import about_positive
from clearwood.words.columns import NARROWEST

if TYPE_CHECKING:
    from clearwood.predicting.estimates import Per

MOST_LINES: Final = 58  # a page of 70 lines also holds how good the model is
PAGE: Final = 100  # characters, where no terminal says how many


def model_text(
    model: Model, *, depth: int | None = None, per: Per = "unit", positive: str | None = None
) -> str:
    """The model as text; a tree `depth` questions deep, a linear model per unit or deviation. The log odds
    of two classes are those of the positive one, as scorecards, effects and scores are about it."""
    model = about_positive(model, positive)
    if isinstance(model, Tree):
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        return draw_tree(model, colour=colours(sys.stdout), width=width, max_depth=depth)
    if isinstance(model, RuleList) and sys.stdout.isatty():
        # What is not for a person at a terminal reads back: edit and audit take it.
        return _rule_table(model)
    if isinstance(model, LinearModel):
        from clearwood.draw.linear import draw_linear  # late: trees do not need it

        return draw_linear(model, per=per)
    return shown.text(model)


def _rule_table(model: RuleList, **how: Any) -> str:
    from clearwood.draw.rules import draw_rule_table  # late: trees do not need it

    return draw_rule_table(model, width=page_width(), **how)


def page_width() -> int:
    """Characters in a line: the terminal's, or a page's; a narrower terminal breaks lines by itself."""
    return max(shutil.get_terminal_size().columns, NARROWEST) if sys.stdout.isatty() else PAGE


def rules_in(model: Model) -> Tree | RuleList:
    """The model, if it is one that can be read as rules."""
    readable = tree_or_rules(model)
    if readable is None:
        raise SettingError(str(kind_of(model).no_rules))
    return readable


def drawn_to_fit(model: Model, positive: str | None = None) -> list[str]:
    """The model as text and, where a page does not hold it, how much of it was drawn."""
    if isinstance(model, RuleList):
        hint = " (to see them, save and show it)"
        return _rule_table(model, most=MOST_LINES, hint=hint).split("\n")
    depth = _fitting_depth(model) if isinstance(model, Tree) else None
    lines = model_text(model, depth=depth, positive=positive).split("\n")
    if isinstance(model, Tree):
        note = f"Drawn to depth {depth} of {model.depth}. To see all, save and show it."
        return [*lines, *([] if depth is None else [note])]
    if len(lines) <= MOST_LINES:
        return lines
    more = len(lines) - MOST_LINES
    return [*lines[:MOST_LINES], f"… and {more:,} more lines. To see all, save and show it."]


def _fitting_depth(tree: Tree) -> int | None:
    """The depth at which a page holds the tree; None: it holds all of it."""
    if tree.size <= MOST_LINES:
        return None
    level = np.zeros(tree.size, dtype=np.int64)
    for node, parent in enumerate(tree.nodes.parent.tolist()[1:], 1):
        level[node] = level[parent] + 1
    drawn_by_depth = np.cumsum(np.bincount(level))
    return max(1, int(np.searchsorted(drawn_by_depth, MOST_LINES, side="right")) - 1)
