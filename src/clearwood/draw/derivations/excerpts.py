"""What a notebook or a terminal shows of a derivation by itself: its first steps, within limits."""

from __future__ import annotations

from typing import Final

from clearwood.draw.derivations.style import STYLE
from clearwood.draw.derivations.writing import write_derivation
from clearwood.working.derivation import Derivation

_MOST_STEPS: Final = 40
_MOST_BYTES: Final = 100_000  # of a notebook's cell
_FEW_ROWS: Final = 6  # of a grid, where one step alone is too long


def as_text(derivation: Derivation) -> str:
    """For `print`: a line for each figure."""
    return write_derivation(_excerpt(derivation), detail="short").rstrip("\n")


def as_html(derivation: Derivation) -> str:
    """For a notebook: its looks, and as many steps in full, folded, as a cell holds; at least one."""
    room = _MOST_BYTES - len(STYLE.encode()) - len("<style>\n</style>\n")
    most = min(len(derivation), _MOST_STEPS)
    html = write_derivation(_excerpt(derivation, most), format="html")
    while (size := len(html.encode())) > room and most > 1:
        most = min(most - 1, max(1, most * room // size))
        html = write_derivation(_excerpt(derivation, most), format="html")
    if len(html.encode()) > room:
        html = write_derivation(_excerpt(derivation, 1), format="html", most_rows=_FEW_ROWS)
    if len(html.encode()) > room:
        html = write_derivation(_excerpt(derivation, 1), format="html", detail="short", most_rows=_FEW_ROWS)
    return f"<style>\n{STYLE}</style>\n{html}"


def as_markdown(derivation: Derivation) -> str:
    return write_derivation(_excerpt(derivation), format="markdown")


def as_latex(derivation: Derivation) -> str:
    return write_derivation(_excerpt(derivation), format="latex")


def _excerpt(derivation: Derivation, most: int = _MOST_STEPS) -> Derivation:
    """A tree of a thousand leaves has thousands of steps: the title says that there are more."""
    steps = len(derivation)
    if steps <= most:
        return derivation
    which = "step 1" if most == 1 else f"steps 1 to {most}"
    title = f"{derivation.title} ({which} of {steps:,}; write_derivation writes all)"
    return Derivation(title, derivation.steps[:most])
