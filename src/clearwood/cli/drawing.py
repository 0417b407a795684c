"""A tree for this terminal: in its width and colours, and cut short where it would run off the page."""

from __future__ import annotations

import shutil
import sys
from typing import Final

import numpy as np

from clearwood.cli.speaking import colours
from clearwood.draw.text import draw_tree
from clearwood.models.tree import Tree

MOST_LINES: Final = 60


def drawn(tree: Tree, *, depth: int | None = None) -> str:
    """The tree as text, `depth` questions deep."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    return draw_tree(tree, colour=colours(sys.stdout), width=width, max_depth=depth)


def fitting_depth(tree: Tree) -> int | None:
    """The depth at which a page holds the tree; None: it holds all of it."""
    if tree.size <= MOST_LINES:
        return None
    level = np.zeros(tree.size, dtype=np.int64)
    for node, parent in enumerate(tree.nodes.parent.tolist()[1:], 1):
        level[node] = level[parent] + 1
    drawn_by_depth = np.cumsum(np.bincount(level))
    return max(1, int(np.searchsorted(drawn_by_depth, MOST_LINES, side="right")) - 1)
