"""What a notebook or a terminal shows of a derivation by itself: its first steps."""

from __future__ import annotations

from typing import Final

from clearwood.draw.derivations.style import STYLE
from clearwood.draw.derivations.writing import write_derivation
from clearwood.working.derivation import Derivation

_MOST_STEPS: Final = 40


def as_text(derivation: Derivation) -> str:
    """For `print`: a line for each figure."""
    return write_derivation(_excerpt(derivation), detail="short").rstrip("\n")


def as_html(derivation: Derivation) -> str:
    """For a notebook: in full, with its looks."""
    return f"<style>\n{STYLE}</style>\n{write_derivation(_excerpt(derivation), format='html')}"


def as_markdown(derivation: Derivation) -> str:
    return write_derivation(_excerpt(derivation), format="markdown")


def as_latex(derivation: Derivation) -> str:
    return write_derivation(_excerpt(derivation), format="latex")


def _excerpt(derivation: Derivation) -> Derivation:
    """A tree of a thousand leaves has thousands of steps: the title says that there are more."""
    steps = len(derivation)
    if steps <= _MOST_STEPS:
        return derivation
    title = f"{derivation.title} (steps 1 to {_MOST_STEPS} of {steps:,}; write_derivation writes all)"
    return Derivation(title, derivation.steps[:_MOST_STEPS])
