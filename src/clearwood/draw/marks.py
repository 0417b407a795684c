"""Marks: what a picture is made of, in the light theme's colours, before it is written in any format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, assert_never

from clearwood.draw.escaping import escape_xml
from clearwood.draw.lettering import isolated_line, text_width, wrapped_text
from clearwood.draw.palette import LIGHT

Anchor: TypeAlias = Literal["start", "middle", "end"]


@dataclass(slots=True)
class Rectangle:
    x: float
    y: float
    width: float
    height: float
    fill: str = "none"
    stroke: str = "none"
    thickness: float = 1.0
    radius: float = 0.0
    dashed: bool = False


@dataclass(slots=True)
class Curve:
    """A line along one axis that bends over to its end within a stretch of that axis."""

    start: tuple[float, float]
    end: tuple[float, float]
    axis: Literal["x", "y"]
    bend: tuple[float, float]
    stroke: str = LIGHT.muted
    thickness: float = 1.0
    dashed: bool = False


@dataclass(slots=True)
class TextLine:
    """One line of text; `y` is where its letters stand."""

    x: float
    y: float
    text: str
    size: float = 13.0
    fill: str = LIGHT.ink
    bold: bool = False
    anchor: Anchor = "start"


@dataclass(slots=True)
class Group:
    """Marks that belong together; `title` says in full, in lines, what they show."""

    marks: list[Mark]
    title: Sequence[str] = ()
    kind: str = ""  # the name of the group for a page's style and scripts: node, edge
    number: int | None = None  # which one
    opacity: float = 1.0


Mark: TypeAlias = Rectangle | Curve | TextLine | Group


LEADING: Final = 1.25


def set_lines(
    lines: Iterable[str], x: float, y: float, size: float, rise: float, **look: Any
) -> tuple[list[Mark], float]:
    """Lines of text from y down, whose letters stand `rise` above where the next line begins; and where they
    end."""
    marks: list[Mark] = []
    for line in lines:
        y += size * LEADING
        marks.append(TextLine(x, y - rise, line, size, **look))
    return marks, y


# What stands above and below a picture: its title, the colours of the classes, notes in lines.


_TITLE: Final = 16.0
_SIZE: Final = 12.0
_LINE: Final = 18.0
_SQUARE: Final = 10.0


def legend_marks(
    title: str, colours: Mapping[str, str], notes: Sequence[str], x: float, y: float, width: float
) -> tuple[list[Mark], float]:
    """The title, a square and a name for every class, and notes; and where what follows may begin."""
    marks, y = set_lines(wrapped_text(title, width, _TITLE, bold=True), x, y, _TITLE, 4, bold=True)
    at = x
    for name, colour in colours.items():
        lines = wrapped_text(name, width - _SQUARE - 6, _SIZE)
        room = _SQUARE + 6 + max(text_width(line, _SIZE) for line in lines) + 18
        if at == x or at + room > x + width + 18:
            at, y = x, y + _LINE
        marks.append(Rectangle(at, y - 4 - _SQUARE + 1, _SQUARE, _SQUARE, colour, LIGHT.ink, 0.5, 2))
        for k, line in enumerate(lines):
            y += _LINE * bool(k)
            marks.append(TextLine(at + _SQUARE + 6, y - 4, line, _SIZE))
        at += room
    written, y = caption_marks(notes, x, y, width, LIGHT.ink)
    return [*marks, *written], y + 16


def caption_marks(
    notes: Sequence[str], x: float, y: float, width: float, fill: str = LIGHT.muted
) -> tuple[list[Mark], float]:
    """Notes in lines, and where they end."""
    marks: list[Mark] = []
    for note in notes:
        for line in wrapped_text(note, width, _SIZE):
            y += _LINE
            marks.append(TextLine(x, y - 4, line, _SIZE, fill))
    return marks, y


# The bar in a node: its counts by class side by side, or where its number stands among those of the tree.


BAR: Final = 7.0  # how high
_NEEDLE: Final = 4.0


@dataclass(frozen=True, slots=True)
class ColourScale:
    """A colour for each class; or, of a numeric tree, its smallest and largest."""

    colours: Sequence[str]
    low: float = 0.0
    high: float = 0.0


def bar_marks(counts: Sequence[float], x: float, y: float, width: float, scale: ColourScale) -> list[Mark]:
    """The bar of these counts (by class, or weight, value and error); a dashed frame where there are none."""
    marks: list[Mark] = []
    if scale.colours:
        total = sum(counts)
        if total <= 0:
            return [Rectangle(x, y, width, BAR, stroke=LIGHT.line, dashed=True)]
        for count, colour in zip(counts, scale.colours, strict=True):
            if count > 0:
                part = width * count / total
                marks.append(Rectangle(x, y, part, BAR, colour, LIGHT.ink, 0.5))
                x += part
        return marks
    weight, value, _ = counts
    marks.append(Rectangle(x, y + BAR / 2 - 0.75, width, 1.5, LIGHT.muted))
    if weight > 0:
        span = scale.high - scale.low
        at = (value - scale.low) / span if span > 0 else 0.5
        marks.append(Rectangle(x + (width - _NEEDLE) * at, y, _NEEDLE, BAR, LIGHT.ink, radius=1))
    return marks


# Marks written as SVG: every text escaped, every number short.


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
            fill = "" if mark.fill == LIGHT.ink else f' fill="{mark.fill}"'
            bold = ' font-weight="bold"' if mark.bold else ""
            anchor = "" if mark.anchor == "start" else f' text-anchor="{mark.anchor}"'
            look = f'font-size="{mark.size:g}"{bold}{anchor}{fill}'
            text = escape_xml(isolated_line(mark.text))
            return f'<text x="{_short(mark.x)}" y="{_short(mark.y)}" {look}>{text}</text>'
        case Group():
            kind = f' class="{mark.kind}"' if mark.kind else ""
            number = "" if mark.number is None else f' data-{mark.kind}="{mark.number}"'
            opacity = "" if mark.opacity == 1.0 else f' opacity="{mark.opacity:g}"'
            lines = "\n".join(escape_xml(isolated_line(line)) for line in mark.title)
            title = f"<title>{lines}</title>" if lines else ""
            return f"<g{kind}{number}{opacity}>{title}{written_as_svg(mark.marks)}</g>"
        case _:
            assert_never(mark)


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
    return f"{value:.1f}".removesuffix(".0")
