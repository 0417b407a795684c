"""Sheets as HTML without a script: mathematics as MathML; steps, and figures under a figure, are folded."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from string import Template
from typing import Final

from clearwood.draw.derivations import boxes
from clearwood.draw.derivations.boxes import Style, arranged, broken
from clearwood.draw.derivations.sheet import Blank, Equation, WrittenFigure, WrittenGrid, WrittenStep, circled
from clearwood.draw.escaping import escape_xml
from clearwood.draw.palette import DARK, LIGHT, Theme
from clearwood.files import text_beside
from clearwood.formulas.expressions import Symbol

_LINE: Final = 48  # characters; a longer calculation may be broken where the page is narrow
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
            yield f'<h2 id="{chapters[step.number]}">{escape_xml(step.heading)}</h2>'
        deep = f' style="margin-inline-start:{min(step.depth, _DEEPEST)}rem"' if folded and step.depth else ""
        yield f"<section{deep}>"
        head = f"<h3>{step.number}. {escape_xml(step.title)}</h3>"
        decided = _filled(step.decision)
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
        yield f'<li><a href="#{chapters[step.number]}">{escape_xml(step.heading)}</a>: {which}</li>'
    yield "</ul></nav>"


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

    def letter(symbol: Symbol) -> str:
        return f"<math>{mathml(arranged(symbol, style))}</math>"

    for remark in figure.said_of_it(escape_xml, letter):
        yield f'<p class="cw-remark">{remark}</p>'
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
            return _filled(blank)
        case expression:
            parts = broken(arranged(expression, style), _LINE)
            return (
                "".join(f'<math displaystyle="true">{mathml(part)}</math> ' for part in parts).rstrip() + unit
            )


def _filled(place: str | Blank) -> str:
    """A text, or the place where it is to be filled in."""
    if not isinstance(place, Blank):
        return escape_xml(place)
    kind, label = "cw-blank cw-broad" if place.broad else "cw-blank", f"blank {place.number}"
    return f'{circled(place.number)} <span class="{kind}" role="img" aria-label="{label}"></span>'


def _grid(grid: WrittenGrid) -> Iterator[str]:
    yield '<div class="cw-grid"><table>'
    if grid.title:
        yield f"<caption>{escape_xml(grid.title)}</caption>"
    sides = [' class="cw-number"' if right else "" for right in grid.numeric]
    heads = (
        f'<th scope="col"{side}>{escape_xml(name)}</th>'
        for name, side in zip(grid.columns, sides, strict=True)
    )
    yield f"<thead><tr>{''.join(heads)}</tr></thead><tbody>"
    more = f'<tr class="cw-more"><td colspan="{len(grid.columns)}">… {{:,}} more</td></tr>'
    if grid.before:
        yield more.format(grid.before)
    for place, row in enumerate(grid.rows):
        chosen = ' class="cw-chosen"' if place == grid.chosen else ""
        first, *others = (f"{side}>{_filled(cell)}" for cell, side in zip(row, sides, strict=True))
        yield f'<tr{chosen}><th scope="row"{first}</th>{"".join(f"<td{each}</td>" for each in others)}</tr>'
    if grid.after:
        yield more.format(grid.after)
    yield "</tbody></table></div>"


# Boxes as MathML, which browsers set and screen readers read.


_RANGING: Final = {"Σ": "∑", "Π": "∏", "argmax": "arg max", "argmin": "arg min"}


def mathml(box: boxes.Box) -> str:
    """The element for a box.

    >>> mathml(boxes.Stacked(boxes.Atom("9", "number"), boxes.Atom("14", "number")))
    '<mfrac><mn>9</mn><mn>14</mn></mfrac>'
    """
    match box:
        case boxes.Atom(text, "sign"):
            # A line may begin with it, and it must keep its space there.
            return f'<mo form="infix">{escape_xml(text)}</mo>'
        case boxes.Atom(" ", "mark"):
            return '<mspace width="0.17em"/>'
        case boxes.Atom("−", "mark"):
            return '<mo form="prefix">−</mo>'
        case boxes.Atom(text, "mark"):
            return f"<mo>{escape_xml(text.strip())}</mo>"
        case boxes.Atom(text, "number"):
            return f"<mn>{escape_xml(text)}</mn>"
        case boxes.Atom(text, "word"):
            return f"<mtext>{escape_xml(text)}</mtext>"
        case boxes.Atom(text, _):
            return f"<mi>{escape_xml(text)}</mi>"
        case boxes.Line(of):
            return f"<mrow>{''.join(map(mathml, of))}</mrow>"
        case boxes.Fenced(of):
            return _fenced(mathml(of))
        case boxes.Stacked(top, bottom):
            return f"<mfrac>{mathml(top)}{mathml(bottom)}</mfrac>"
        case boxes.Superscript(base, up):
            return f"<msup>{mathml(base)}{mathml(up)}</msup>"
        case boxes.Subscript(base, down):
            return f"<msub>{mathml(base)}{mathml(down)}</msub>"
        case boxes.Rooted(of):
            return f"<msqrt>{mathml(of)}</msqrt>"
        case boxes.BinomialBox(of, taken):
            return _fenced(f'<mfrac linethickness="0">{mathml(of)}{mathml(taken)}</mfrac>')
        case boxes.Ranging(sign, index, of):
            below = (
                f"<mi>{escape_xml(index)}</mi>" if len(index) == 1 else f"<mtext>{escape_xml(index)}</mtext>"
            )
            return f"<mrow><munder><mo>{_RANGING.get(sign, sign)}</mo>{below}</munder>{mathml(of)}</mrow>"


def _fenced(inside: str) -> str:
    """Brackets grow with what is tall; around anything else, browsers would set those that grow too wide."""
    tall = any(f"<{mark}" in inside for mark in ("mfrac", "munder"))
    grows = "" if tall else ' stretchy="false"'
    return f'<mrow><mo form="prefix"{grows}>(</mo>{inside}<mo form="postfix"{grows}>)</mo></mrow>'


# How a derivation looks in a browser: the palette's colours in the light and dark themes, and in print.


def _colours(theme: Theme) -> str:
    return "".join(f"--{field.name}:{getattr(theme, field.name)};" for field in fields(theme))


STYLE: Final = Template(text_beside(__file__, "derivation.css.in")).substitute(
    day=_colours(LIGHT), night=_colours(DARK), dark=DARK.paper
)
