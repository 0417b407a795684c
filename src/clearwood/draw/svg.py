"""Marks written as SVG: every text escaped, every number short."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from clearwood.draw.escaping import escape_xml
from clearwood.draw.lettering import isolated_line
from clearwood.draw.marks import Curve, Group, Mark, Rectangle, TextLine
from clearwood.draw.palette import LIGHT

_DASHES = ' stroke-dasharray="4 3"'


def written_as_svg(marks: Iterable[Mark]) -> str:
    """The marks as SVG elements, in their order.

    >>> written_as_svg([TextLine(1, 12, "a < b")])
    '<text x="1" y="12" font-size="13">a &lt; b</text>'
    """
    return "".join(map(_element, marks))


def _element(mark: Mark) -> str:
    match mark:
        case Rectangle():
            radius = f' rx="{_short(mark.radius)}"' if mark.radius else ""
            return (
                f'<rect x="{_short(mark.x)}" y="{_short(mark.y)}" width="{_short(mark.width)}" '
                f'height="{_short(mark.height)}"{radius} fill="{mark.fill}"{_stroke(mark)}/>'
            )
        case Curve():
            return f'<path d="{_way(mark)}" fill="none"{_stroke(mark)}/>'
        case TextLine():
            return _text(mark)
        case Group():
            kind = f' class="{mark.kind}"' if mark.kind else ""
            number = "" if mark.number is None else f' data-{mark.kind}="{mark.number}"'
            opacity = "" if mark.opacity == 1.0 else f' opacity="{mark.opacity:g}"'
            lines = "\n".join(escape_xml(isolated_line(line)) for line in mark.title)
            title = f"<title>{lines}</title>" if lines else ""
            return f"<g{kind}{number}{opacity}>{title}{written_as_svg(mark.marks)}</g>"
        case _:
            assert_never(mark)


def _text(mark: TextLine) -> str:
    fill = "" if mark.fill == LIGHT.ink else f' fill="{mark.fill}"'
    bold = ' font-weight="bold"' if mark.bold else ""
    anchor = "" if mark.anchor == "start" else f' text-anchor="{mark.anchor}"'
    return (
        f'<text x="{_short(mark.x)}" y="{_short(mark.y)}" font-size="{mark.size:g}"{bold}{anchor}{fill}>'
        f"{escape_xml(isolated_line(mark.text))}</text>"
    )


def _stroke(mark: Rectangle | Curve) -> str:
    if mark.stroke == "none":
        return ""
    width = "" if mark.thickness == 1.0 else f' stroke-width="{_short(mark.thickness)}"'
    return f' stroke="{mark.stroke}"{width}{_DASHES if mark.dashed else ""}'


def _way(curve: Curve) -> str:
    (x, y), (to_x, to_y) = curve.start, curve.end
    first, last = curve.bend
    middle = (first + last) / 2
    if curve.axis == "x":
        points = ((x, y), (first, y), (middle, y), (middle, to_y), (last, to_y), (to_x, to_y))
    else:
        points = ((x, y), (x, first), (x, middle), (to_x, middle), (to_x, last), (to_x, to_y))
    start, bends, *turn, end = (f"{_short(a)} {_short(b)}" for a, b in points)
    return f"M{start}L{bends}C{' '.join(turn)}L{end}"


def _short(value: float) -> str:
    """A coordinate to a tenth."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text
