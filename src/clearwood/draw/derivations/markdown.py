"""Sheets as Markdown: lists, tables, and blocks of mathematics as GitHub or as Pandoc reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from clearwood.draw.derivations.boxes import Style
from clearwood.draw.derivations.latex import equation_lines
from clearwood.draw.derivations.sheet import Blank, Equation, WrittenFigure, WrittenGrid, WrittenStep, circled
from clearwood.draw.derivations.text import in_line
from clearwood.draw.escaping import escape_markdown, visible


@dataclass(frozen=True, slots=True)
class Fence:
    """What stands before and after a block of mathematics."""

    opens: str
    closes: str


GITHUB: Final = Fence("```math", "```")
PANDOC: Final = Fence("$$", "$$")  # Quarto's and Jupyter's as well


def markdown_lines(
    title: str, steps: Iterable[WrittenStep], style: Style, fence: Fence = GITHUB
) -> Iterator[str]:
    """The lines of the document."""
    yield f"# {escape_markdown(title)}"
    for step in steps:
        yield ""
        if step.chapter:
            yield f"## {escape_markdown(step.chapter[:1].upper() + step.chapter[1:])}"
            yield ""
        yield f"### {step.number}. {escape_markdown(step.title)}"
        yield ""
        for figure in step.figures:
            yield from _figure(figure, style, fence)
        if step.decision:
            yield ""
            yield (
                f"→ {_blank(step.decision)}"
                if isinstance(step.decision, Blank)
                else (f"→ **{escape_markdown(step.decision).strip()}**")
            )


def _figure(figure: WrittenFigure, style: Style, fence: Fence) -> Iterator[str]:
    """An item of a list; what belongs to it stands in by two."""
    again = " (as above)" if figure.again else ""
    name = f"**{escape_markdown(figure.name).strip()}**"
    match figure.equations:
        case ():
            yield f"- {name}{again}"
        case (one,) if not isinstance(one.value, Blank):
            yield f"- {name}{'' if one.sign == ':' else ' '}{one.sign} {_value_text(one, style)}{again}"
        case _:
            yield f"- {name}{again}"
            yield ""
            yield f"  {fence.opens}"
            yield r"  \begin{aligned}"
            stacked = Style(style.digits, stacked=True)
            yield from (f"  {line}" for line in equation_lines(figure, stacked, _in_mathjax))
            yield r"  \end{aligned}"
            yield f"  {fence.closes}"
    for remark in figure.remarks:
        yield ""
        yield f"  {escape_markdown(remark)}"
    if figure.letters:
        meanings = (f"{in_line(each, style)} is {each.means}" for each in figure.letters)
        yield ""
        yield f"  {escape_markdown('where ' + ', '.join(meanings))}"
    for grid in figure.grids:
        yield ""
        yield from (f"  {line}".rstrip() for line in _grid(grid))
    if len(figure.equations) > 1 or figure.remarks or figure.letters or figure.grids:
        yield ""
    for each in figure.under:
        yield from (f"  {line}".rstrip() for line in _figure(each, style, fence))


def _value_text(line: Equation, style: Style) -> str:
    unit = f" {escape_markdown(line.unit)}" if line.unit else ""
    match line.value:
        case str(text):
            return escape_markdown(text)
        case Blank() as blank:
            return _blank(blank)
        case expression:
            return escape_markdown(in_line(expression, style)) + unit


def _blank(blank: Blank) -> str:
    return f"{circled(blank.number)} " + r"\_" * (32 if blank.broad else 8)


_MARKS: Final = {"\\": r"}\backslash\text{", "<": "<{}"}


def _in_mathjax(text: str) -> str:
    r"""Marks stand outside the \text, for inside it MathJax shows their backslash too.

    >>> print(_in_mathjax("a_b"))
    a}\_\text{b

    Nor does a < begin a tag of HTML, for those who read $$ as any other text.
    """
    return "".join(
        _MARKS.get(letter, rf"}}\{letter}\text{{" if letter in "_%#&${}" else letter)
        for letter in visible(text).replace("```", "'''")  # three would end the block
    )


def _grid(grid: WrittenGrid) -> Iterator[str]:
    if grid.title:
        yield f"**{escape_markdown(grid.title).strip()}**"
        yield ""
    yield _row([escape_markdown(each) for each in grid.columns])
    yield _row(["---:" if right else ":---" for right in grid.numeric])
    empty = [""] * (len(grid.columns) - 1)
    if grid.before:
        yield _row([f"… {grid.before:,} more", *empty])
    for place, row in enumerate(grid.rows):
        cells = [_blank(each) if isinstance(each, Blank) else escape_markdown(each) for each in row]
        yield _row([f"→ {cells[0]}" if place == grid.chosen else cells[0], *cells[1:]])
    if grid.after:
        yield _row([f"… {grid.after:,} more", *empty])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
