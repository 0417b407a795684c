"""Sheets as LaTeX: a fragment to put into a paper, or a whole document that compiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from clearwood.draw.derivations import boxes
from clearwood.draw.derivations.boxes import Style, arranged, broken
from clearwood.draw.derivations.sheet import (
    Blank,
    Equation,
    Escape,
    WrittenFigure,
    WrittenGrid,
    WrittenStep,
    beside_each_other,
)
from clearwood.draw.escaping import escape_latex
from clearwood.formulas.expressions import Symbol
from clearwood.words.columns import display_width

_DEEPEST: Final = 3  # LaTeX nests no more than four lists
_LINE: Final = 64  # characters of a calculation, or of a table
_LONGEST_NAME: Final = 32  # a calculation after a longer name begins on the next line
_WITH_NAME: Final = 82  # characters of a name and of the calculation beside it
_SMALL_LINE: Final = 108  # of a table in smaller type
_BLANK: Final = 13  # characters that a blank is as wide as
_MOST_ROWS: Final = 40  # of a table that stands on one page

# What pdfLaTeX has no character for is written by its number; the other engines have fonts for it.
_PREAMBLE: Final = r"""\documentclass[11pt]{article}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[utf8]{inputenc}
  \usepackage[T1]{fontenc}
  \IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
LETTERS\else
  \usepackage{fontspec}
\fi
\usepackage{amsmath,booktabs,graphicx}
\usepackage[margin=25mm]{geometry}
\begin{document}
"""


def latex_lines(title: str, steps: Iterable[WrittenStep], style: Style) -> Iterator[str]:
    """The lines of a fragment; it needs amsmath, booktabs and graphicx."""
    yield rf"\section*{{{escape_latex(title)}}}"
    for step in steps:
        if step.chapter:
            yield rf"\subsection*{{{escape_latex(step.heading)}}}"
        yield rf"\subsubsection*{{{step.number}. {escape_latex(step.title)}}}"
        yield from _figures(step.figures, style, 1)
        if step.decision:
            yield rf"\noindent$\rightarrow$ {_filled(step.decision)}"
            yield ""


def latex_document(fragment: str) -> str:
    """The fragment in a document of its own."""
    known = "–—‘’“”†‡•€™"
    strange = sorted({letter for letter in fragment if ord(letter) >= 0x180 and letter not in known})
    letters = "".join(
        rf"  \DeclareUnicodeCharacter{{{ord(each):04X}}}{{\texttt{{U+{ord(each):04X}}}}}" + "\n"
        for each in strange
    )
    return _PREAMBLE.replace("LETTERS", letters) + fragment + "\\end{document}\n"


def equation_lines(figure: WrittenFigure, style: Style, escape: Escape) -> list[str]:
    r"""The name and its equations, aligned at the signs, for an `aligned`."""
    rows = []
    for place, line in enumerate(figure.equations):
        name = rf"\text{{{escape(figure.name)}}} " if place == 0 and figure.name else ""
        sign = (
            r"\colon\;" if line.sign == ":" and place == 0 else "" if line.sign == ":" else SIGNS[line.sign]
        )
        unit = rf"\ \text{{{escape(line.unit)}}}" if line.unit else ""
        width = min(_LINE, _WITH_NAME - display_width(figure.name))
        first, *more = _value_lines(line, style, escape, width)
        rows += [f"{name}&{sign} {first}", *(rf"&\quad {part}" for part in more)]
        rows[-1] += unit
    return [rf"{row} \\" for row in rows[:-1]] + rows[-1:]


def _filled(place: str | Blank) -> str:
    """A text, or the place where it is to be filled in."""
    if isinstance(place, Blank):
        return rf"({place.number})\ \underline{{\hspace{{{5 if place.broad else 1.5}cm}}}}"
    return escape_latex(place)


def _value_lines(line: Equation, style: Style, escape: Escape, width: int) -> list[str]:
    match line.value:
        case str(text):
            return [rf"\text{{{escape(text)}}}"]
        case Blank() as blank:
            return [_filled(blank)]
        case expression:
            return [latex_math(part, escape).strip() for part in broken(arranged(expression, style), width)]


def _figures(figures: tuple[WrittenFigure, ...], style: Style, depth: int) -> Iterator[str]:
    if not figures:
        return
    if depth <= _DEEPEST:
        yield r"\begin{itemize}"
    for figure in figures:
        yield from _figure(figure, style, depth)
    if depth <= _DEEPEST:
        yield r"\end{itemize}"


def _figure(figure: WrittenFigure, style: Style, depth: int) -> Iterator[str]:
    again = " (as above)" if figure.again else ""
    # Brackets at the start of an item would be taken for its label.
    if figure.equations and display_width(figure.name) > _LONGEST_NAME:
        yield rf"\item {{}}{escape_latex(figure.name)}\\"
        yield r"$\displaystyle\begin{aligned}[t]"
        yield from equation_lines(replace(figure, name=""), style, escape_latex)
        yield rf"\end{{aligned}}${again}"
    elif figure.equations:
        yield r"\item $\displaystyle\begin{aligned}[t]"
        yield from equation_lines(figure, style, escape_latex)
        yield rf"\end{{aligned}}${again}"
    else:
        yield rf"\item {{}}{escape_latex(figure.name)}{again}"

    def letter(symbol: Symbol) -> str:
        return f"${latex_math(arranged(symbol, style), escape_latex).strip()}$"

    for remark in figure.said_of_it(escape_latex, letter):
        yield ""
        yield remark
    for grid in figure.grids:
        yield from _grid(grid)
    yield from _figures(figure.under, style, depth + 1)


def _grid(grid: WrittenGrid) -> Iterator[str]:
    """Tables that fit the page: of many columns those without room stand in a second table, after the first
    column again; of many rows each part is a table; and one that is still too wide is made smaller."""
    yield ""
    if grid.title:
        yield rf"{escape_latex(grid.title)}\\[2pt]"
    rows = [grid.columns, *grid.rows]
    widths = [
        max(_BLANK if isinstance(cell, Blank) else display_width(cell) for cell in column)
        for column in zip(*rows, strict=True)
    ]
    small = sum(widths) + 2 * len(widths) > _LINE
    size = r"\footnotesize\setlength{\tabcolsep}{3pt}" if small else ""
    for columns in beside_each_other(widths, _SMALL_LINE if small else _LINE):
        for first in range(0, max(len(grid.rows), 1), _MOST_ROWS):
            yield rf"\sbox0{{{size}%"
            yield from _tabular(grid, columns, range(first, min(first + _MOST_ROWS, len(grid.rows))))
            yield r"}\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi"
            yield ""


def _tabular(grid: WrittenGrid, columns: list[int], places: range) -> Iterator[str]:
    aligned = "".join("r" if grid.numeric[each] else "l" for each in columns)
    yield rf"\begin{{tabular}}{{r@{{\ }}{aligned}}}"
    yield r"\toprule"
    yield rf" & {' & '.join(escape_latex(grid.columns[each]) for each in columns)} \\"
    yield r"\midrule"
    if grid.before and places.start == 0:
        yield rf" & \ldots\ {grid.before:,} more \\"
    for place in places:
        arrow = r"$\rightarrow$" if place == grid.chosen else ""
        yield rf"{arrow} & {' & '.join(_filled(grid.rows[place][each]) for each in columns)} \\"
    if grid.after and places.stop == len(grid.rows):
        yield rf" & \ldots\ {grid.after:,} more \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"


# Boxes as LaTeX's mathematics, for papers and for pages that set it with MathJax.


SIGNS: Final = {
    "=": "=", "≈": r"\approx", ":": r"\colon", "+": "+", "−": "-", "<": "<", ">": ">",
    "≤": r"\le", "≥": r"\ge", "≠": r"\ne",
}  # fmt: skip
_MARKS: Final = {"−": "-", "·": r"\cdot ", "×": r"\times ", "/": "/", ", ": r",\ ", " ": r"\,"}
_FUNCTIONS: Final = {"log": r"\log ", "ln": r"\ln ", "exp": r"\exp ", "min": r"\min ", "max": r"\max "}
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
