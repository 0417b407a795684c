"""The condition of a branch set in lines; of very many values some are named and the rest counted."""

from __future__ import annotations

from typing import Final

from clearwood.draw.lettering import isolated_line, wrapped_text
from clearwood.draw.tree_words import BranchWords

LABEL: Final = 12.0  # the size of its letters
LEADING: Final = 1.25
_WIDEST: Final = 150.0
_MOST_LINES: Final = 6


def label_lines(branch: BranchWords) -> tuple[str, ...]:
    """One value is set in full, however long it is; the full condition is always in the node's title."""
    for named in range(len(branch.parts), 0, -1):
        left = len(branch.parts) - named
        text = ", ".join((*branch.parts[:named], *((f"… {left} more",) if left else ())))
        lines = wrapped_text(f"{isolated_line(text)} {branch.tail}" if branch.tail else text, _WIDEST, LABEL)
        if len(lines) <= _MOST_LINES:
            break
    return lines
