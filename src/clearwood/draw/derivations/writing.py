"""Write a derivation: in short, in full, or as a worksheet with its key; for a terminal or a page."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from clearwood.draw.derivations.boxes import Style
from clearwood.draw.derivations.html import STYLE, html_lines, html_page
from clearwood.draw.derivations.latex import equation_lines, latex_document, latex_lines
from clearwood.draw.derivations.sheet import (
    DIGITS,
    Blank,
    Equation,
    WrittenFigure,
    WrittenGrid,
    WrittenStep,
    circled,
)
from clearwood.draw.derivations.sheets import Detail, key_of, written_steps
from clearwood.draw.derivations.text import in_line, text_lines
from clearwood.draw.escaping import escape_markdown, visible
from clearwood.errors import SettingError, check_known
from clearwood.words.columns import NARROWEST
from clearwood.working.derivation import MOST_ROWS, Derivation

Format: TypeAlias = Literal["text", "markdown", "pandoc", "latex", "html"]

_MOST_DIGITS: Final = 17


def write_derivation(
    derivation: Derivation,
    *,
    format: Format = "text",
    detail: Detail = "full",
    answers: bool = False,
    digits: int = DIGITS,
    most_rows: int | None = MOST_ROWS,
    width: int = 100,
    standalone: bool = False,
    intervals: bool = True,
    chapter: str | None = None,
) -> str:
    """The derivation as text, Markdown, LaTeX or HTML.

    "markdown" has its mathematics in GitHub's blocks, "pandoc" between $$, as Pandoc and Quarto read it.

    `detail` is "short" (a line for each figure), "full" (formula, numbers put in, fraction, value, rows) or
    "worksheet" (numbered blanks for what is to be computed; with `answers`, the key to them instead).
    A worksheet has the table, and leaves out steps that would give away the answer of another: for a tree it
    asks how it grows; its pruning is another `chapter`. `intervals=False` leaves out the intervals of
    predictions. Numbers have so many significant `digits`. Of a grid at most `most_rows` are shown, None for
    all. Lines of text are at most `width` wide. LaTeX and HTML are fragments, `standalone` whole documents.
    """
    _check("format", format, get_args(Format))
    _check("detail", detail, get_args(Detail))
    if answers and detail != "worksheet":
        raise SettingError("answers=True is the key to a worksheet. Give detail='worksheet' with it.")
    if standalone and format not in ("latex", "html"):
        raise SettingError(f"standalone=True is for latex and html; {format} stands alone as it is.")
    if not 1 <= digits <= _MOST_DIGITS:
        raise SettingError(f"digits must lie between 1 and {_MOST_DIGITS}, not {digits}.")
    if most_rows is not None and most_rows < 1:
        raise SettingError(f"most_rows must be 1 or more, or None for all rows, not {most_rows}.")
    if width < NARROWEST:
        raise SettingError(
            f"Lines of {width} characters have no room for a calculation: width must be at least {NARROWEST}."
        )
    if chapter is not None and detail != "worksheet":
        raise SettingError("chapter=… chooses what a worksheet asks. Give detail='worksheet' with it.")
    steps = written_steps(
        derivation, detail, digits=digits, most_rows=most_rows, intervals=intervals, chapter=chapter
    )
    title = f"{derivation.title}: answers" if answers else derivation.title
    if answers:
        steps = key_of(steps)
    match format:
        case "text":
            return _joined(text_lines(title, steps, Style(digits), width))
        case "markdown":
            return _joined(markdown_lines(title, steps, Style(digits)))
        case "pandoc":
            return _joined(markdown_lines(title, steps, Style(digits), PANDOC))
        case "latex":
            fragment = _joined(latex_lines(title, steps, Style(digits, stacked=True)))
            return latex_document(fragment) if standalone else fragment
        case "html":
            folded = detail != "worksheet"
            fragment = _joined(html_lines(title, steps, Style(digits, stacked=True), folded=folded))
            return html_page(title, fragment) if standalone else fragment


def _joined(lines: Iterator[str]) -> str:
    return "\n".join(lines) + "\n"


def _check(kind: str, name: str, known: tuple[str, ...]) -> None:
    check_known(kind, name, known)


# What a notebook or a terminal shows of a derivation by itself: its first steps, within limits.


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


# Sheets as Markdown: lists, tables, and blocks of mathematics as GitHub or as Pandoc reads them.


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
            yield f"## {escape_markdown(step.heading)}"
            yield ""
        yield f"### {step.number}. {escape_markdown(step.title)}"
        yield ""
        for figure in step.figures:
            yield from _figure(figure, style, fence)
        if step.decision:
            yield ""
            decision = _filled(step.decision)
            yield f"→ {decision if isinstance(step.decision, Blank) else f'**{decision.strip()}**'}"


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
    for remark in figure.said_of_it(escape_markdown, lambda letter: escape_markdown(in_line(letter, style))):
        yield ""
        yield f"  {remark}"
    for grid in figure.grids:
        yield ""
        yield from (f"  {line}".rstrip() for line in _grid(grid))
    if len(figure.equations) > 1 or figure.remarks or figure.letters or figure.grids:
        yield ""
    for each in figure.under:
        yield from (f"  {line}".rstrip() for line in _figure(each, style, fence))


def _value_text(line: Equation, style: Style) -> str:
    match line.value:
        case str() | Blank() as place:
            return _filled(place)
        case expression:
            unit = f" {escape_markdown(line.unit)}" if line.unit else ""
            return escape_markdown(in_line(expression, style)) + unit


def _filled(place: str | Blank) -> str:
    """A text, or the place where it is to be filled in."""
    if isinstance(place, Blank):
        return f"{circled(place.number)} " + r"\_" * (32 if place.broad else 8)
    return escape_markdown(place)


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
    yield _row(list(map(escape_markdown, grid.columns)))
    yield _row(["---:" if right else ":---" for right in grid.numeric])
    empty = [""] * (len(grid.columns) - 1)
    if grid.before:
        yield _row([f"… {grid.before:,} more", *empty])
    for place, row in enumerate(grid.rows):
        cells = list(map(_filled, row))
        yield _row([f"→ {cells[0]}" if place == grid.chosen else cells[0], *cells[1:]])
    if grid.after:
        yield _row([f"… {grid.after:,} more", *empty])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
