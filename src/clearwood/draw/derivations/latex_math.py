"""Boxes as LaTeX's mathematics, for papers and for pages that set it with MathJax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from clearwood.draw.derivations import boxes

Escape = Callable[[str], str]  # makes a text safe inside \text{…}

SIGNS: Final = {
    "=": "=", "≈": r"\approx", ":": r"\colon", "+": "+", "−": "-", "<": "<", ">": ">",
    "≤": r"\le", "≥": r"\ge", "≠": r"\ne",
}  # fmt: skip
_MARKS: Final = {"−": "-", "·": r"\cdot ", "×": r"\times ", "/": "/", ", ": r",\ ", " ": r"\,"}
_FUNCTIONS: Final = {name: rf"\{name} " for name in ("log", "ln", "exp", "min", "max")}
_RANGING: Final = {
    "Σ": r"\sum", "Π": r"\prod", "max": r"\max", "min": r"\min",
    "argmax": r"\operatorname*{arg\,max}", "argmin": r"\operatorname*{arg\,min}",
}  # fmt: skip


def latex_math(box: boxes.Box, escape: Escape) -> str:
    r"""What stands between dollars.

    >>> part = boxes.Stacked(boxes.Atom("9", "number"), boxes.Atom("14", "number"))
    >>> latex_math(boxes.Line((part, boxes.Atom("·", "mark"))), str)
    '\\frac{9}{14}\\cdot '
    """
    match box:
        case boxes.Atom(text, "sign"):
            return f" {SIGNS[text]} "
        case boxes.Atom(text, "mark"):
            return _MARKS[text]
        case boxes.Atom(text, "number"):
            return _number(text)
        case boxes.Atom(text, "function"):
            return _FUNCTIONS.get(text) or words(text, escape)
        case boxes.Atom(text, _):
            return words(text, escape)
        case boxes.Line(of):
            return "".join(latex_math(each, escape) for each in of)
        case boxes.Fenced(of):
            inside = latex_math(of, escape)
            tall = any(mark in inside for mark in (r"\frac", r"\binom", r"\sum", r"\prod"))
            return rf"\left({inside}\right)" if tall else f"({inside})"
        case boxes.Stacked(top, bottom):
            return rf"\frac{{{latex_math(top, escape)}}}{{{latex_math(bottom, escape)}}}"
        case boxes.Superscript(base, up):
            return f"{{{latex_math(base, escape)}}}^{{{latex_math(up, escape)}}}"
        case boxes.Subscript(boxes.Atom("log", "function"), down):
            return rf"\log_{{{latex_math(down, escape)}}}"
        case boxes.Subscript(base, down):
            return f"{{{latex_math(base, escape)}}}_{{{latex_math(down, escape)}}}"
        case boxes.Rooted(of):
            return rf"\sqrt{{{latex_math(of, escape)}}}"
        case boxes.BinomialBox(of, taken):
            return rf"\binom{{{latex_math(of, escape)}}}{{{latex_math(taken, escape)}}}"
        case boxes.Ranging(sign, index, of):
            return f"{_RANGING[sign]}_{{{words(index, escape)}}} {latex_math(of, escape)}"


def words(text: str, escape: Escape) -> str:
    """A letter of the alphabet in italics, anything longer upright."""
    return text if len(text) == 1 and text.isascii() and text.isalpha() else rf"\text{{{escape(text)}}}"


def _number(text: str) -> str:
    if not text.strip("−")[:1].isdigit():
        return {"∞": r"\infty", "−∞": r"-\infty"}.get(text, rf"\text{{{text}}}")
    return text.replace(",", "{,}").replace("−", "-")
