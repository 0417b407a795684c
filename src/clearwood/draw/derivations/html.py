"""Sheets as HTML without a script: mathematics as MathML; steps, and figures under a figure, are folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from clearwood.draw.derivations.arranging import Style, arranged
from clearwood.draw.derivations.breaking import broken
from clearwood.draw.derivations.mathml import mathml
from clearwood.draw.derivations.sheet import Blank, Equation, WrittenFigure, WrittenGrid, WrittenStep, circled
from clearwood.draw.derivations.style import STYLE
from clearwood.draw.escaping import escape_xml

_LINE: Final = 48  # letters; a longer calculation may be broken where the page is narrow
_MOST_NAMES: Final = 6
_DEEPEST: Final = 8  # questions by which a step is set to the right


def html_lines(
    title: str, steps: Iterable[WrittenStep], style: Style, *, folded: bool = True
) -> Iterator[str]:
    """The lines of a fragment: one article, whose classes `STYLE` gives their looks.

    `folded`: of each step but the first, its title and what it decided are seen until it is unfolded.
    """
    written = list(steps)
    chapters = {step.number: f"cw-chapter-{step.number}" for step in written if step.chapter}
    yield '<article class="cw-derivation">'
    yield f"<h1>{escape_xml(title)}</h1>"
    if folded and len(chapters) > 1:
        yield from _contents(written, chapters)
    for place, step in enumerate(written):
        if step.chapter:
            yield f'<h2 id="{chapters[step.number]}">{escape_xml(_capital(step.chapter))}</h2>'
        deep = f' style="margin-inline-start:{min(step.depth, _DEEPEST)}rem"' if folded and step.depth else ""
        yield f"<section{deep}>"
        head = f"<h3>{step.number}. {escape_xml(step.title)}</h3>"
        decided = ""
        if step.decision:
            decided = _blank(step.decision) if isinstance(step.decision, Blank) else escape_xml(step.decision)
        if folded:
            opened = "" if place else ' open=""'
            yield f'<details class="cw-step"{opened}><summary>{head}'
            yield f'<span class="cw-decided">{decided}</span></summary>'
        else:
            yield head
        for figure in step.figures:
            yield from _figure(figure, style)
        if decided:
            yield f'<p class="cw-decision"><span aria-hidden="true">→ </span>{decided}</p>'
        yield "</details></section>" if folded else "</section>"
    yield "</article>"


def _contents(steps: Sequence[WrittenStep], chapters: Mapping[int, str]) -> Iterator[str]:
    """The chapters, and which steps each has."""
    firsts = [step for step in steps if step.number in chapters]
    ends = [*(step.number - 1 for step in firsts[1:]), steps[-1].number]
    yield '<nav aria-label="Contents"><ul>'
    for step, last in zip(firsts, ends, strict=True):
        which = f"step {last}" if step.number == last else f"steps {step.number} to {last}"
        name = escape_xml(_capital(step.chapter))
        yield f'<li><a href="#{chapters[step.number]}">{name}</a>: {which}</li>'
    yield "</ul></nav>"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def html_page(title: str, fragment: str) -> str:
    """The fragment in a page of its own."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape_xml(title)}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{fragment}</body>\n</html>\n"
    )


def _figure(figure: WrittenFigure, style: Style) -> Iterator[str]:
    yield '<div class="cw-figure">'
    again = ' <span class="cw-again">(as above)</span>' if figure.again else ""
    yield '<div class="cw-says">'
    name = escape_xml(figure.name)
    yield f'<span class="cw-name" dir="auto">{name}{"" if figure.equations else again}</span>'
    for line in figure.equations:
        sign = "" if line.sign == ":" else line.sign
        value = _value_html(line, style) + again
        yield f'<span class="cw-sign">{sign}</span><span class="cw-value">{value}</span>'
    yield "</div>"
    for remark in figure.remarks:
        yield f'<p class="cw-remark">{escape_xml(remark)}</p>'
    if figure.letters:
        meanings = (
            f"<math>{mathml(arranged(each, style))}</math> is {escape_xml(each.means)}"
            for each in figure.letters
        )
        yield f'<p class="cw-remark">where {", ".join(meanings)}</p>'
    for grid in figure.grids:
        yield from _grid(grid)
    if figure.under:
        # What is to be filled in stands open.
        opened = ' open=""' if any(True for each in figure.under for _ in each.blanks()) else ""
        yield f"<details{opened}><summary>{_names(figure.under)}</summary>"
        for each in figure.under:
            yield from _figure(each, style)
        yield "</details>"
    yield "</div>"


def _names(figures: tuple[WrittenFigure, ...]) -> str:
    names = [escape_xml(each.name) for each in figures[:_MOST_NAMES]]
    if len(figures) > _MOST_NAMES:
        names.append(f"… {len(figures) - _MOST_NAMES} more")
    return f"from {', '.join(names)}"


def _value_html(line: Equation, style: Style) -> str:
    unit = f' <span class="cw-unit">{escape_xml(line.unit)}</span>' if line.unit else ""
    match line.value:
        case str(text):
            return f'<span dir="auto">{escape_xml(text)}</span>'
        case Blank() as blank:
            return _blank(blank)
        case expression:
            parts = broken(arranged(expression, style), _LINE)
            return (
                "".join(f'<math displaystyle="true">{mathml(part)}</math> ' for part in parts).rstrip() + unit
            )


def _blank(blank: Blank) -> str:
    kind = "cw-blank cw-broad" if blank.broad else "cw-blank"
    return (
        f'{circled(blank.number)} <span class="{kind}" role="img" aria-label="blank {blank.number}"></span>'
    )


def _grid(grid: WrittenGrid) -> Iterator[str]:
    yield '<div class="cw-grid"><table>'
    if grid.title:
        yield f"<caption>{escape_xml(grid.title)}</caption>"
    heads = (
        f'<th scope="col"{_side(right)}>{escape_xml(name)}</th>'
        for name, right in zip(grid.columns, grid.numeric, strict=True)
    )
    yield f"<thead><tr>{''.join(heads)}</tr></thead><tbody>"
    more = f'<tr class="cw-more"><td colspan="{len(grid.columns)}">… {{:,}} more</td></tr>'
    if grid.before:
        yield more.format(grid.before)
    for place, row in enumerate(grid.rows):
        chosen = ' class="cw-chosen"' if place == grid.chosen else ""
        yield f"<tr{chosen}>{''.join(_cells(grid, row))}</tr>"
    if grid.after:
        yield more.format(grid.after)
    yield "</tbody></table></div>"


def _cells(grid: WrittenGrid, row: tuple[str | Blank, ...]) -> Iterator[str]:
    for column, (cell, right) in enumerate(zip(row, grid.numeric, strict=True)):
        text = _blank(cell) if isinstance(cell, Blank) else escape_xml(cell)
        yield (
            f'<th scope="row"{_side(right)}>{text}</th>' if column == 0 else f"<td{_side(right)}>{text}</td>"
        )


def _side(right: bool) -> str:
    return ' class="cw-number"' if right else ""
