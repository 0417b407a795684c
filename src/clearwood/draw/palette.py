"""Colours: each class keeps its own in every picture, chart and page, safe for colour-blind readers.

The first eight are Okabe and Ito's (2008), with a brown for their black. Colour is never the only sign: a
name or a number always stands beside it, and what is filled with one of them is outlined in ink, for yellow
is faint on paper.
"""

import colorsys
import re
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Final, Literal, TypeAlias, get_args

from clearwood.errors import check_known


@dataclass(frozen=True, slots=True)
class Theme:
    """What is not a class: ink on paper, in the light or the dark theme."""

    paper: str
    panel: str  # behind a box
    ink: str
    muted: str  # ink of less weight
    line: str  # for ornament; what must be seen, as the edges of a tree, is drawn in muted ink
    accent: str  # what is chosen or pointed at
    good: str
    bad: str


LIGHT: Final = Theme("#ffffff", "#f6f4f0", "#1f2328", "#5c636b", "#c9c5bd", "#8a4b08", "#00735a", "#a83a00")
DARK: Final = Theme("#16181b", "#202327", "#e8e6e3", "#a2a8ae", "#444a50", "#f0a04b", "#3fc79a", "#ff8f5c")

_CLASSES: Final = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#7a6a5a", "#f0e442",
)  # fmt: skip


def class_colours(classes: Sequence[str]) -> dict[str, str]:
    """A colour for each class by its place in the schema, the same in both themes.

    >>> class_colours(("No", "Yes"))
    {'No': '#0072b2', 'Yes': '#e69f00'}
    """
    return {name: _colour(place) for place, name in enumerate(classes)}


def ink_on(colour: str) -> str:
    """Black or white, whichever reads better on a colour.

    By name: `theming` exchanges the colours of a theme at night, paper's #ffffff among them, but not these.

    >>> ink_on("#0072b2"), ink_on("#f0e442")
    ('white', 'black')
    """
    red, green, blue = (_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "black" if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "white"


def _colour(place: int) -> str:
    if place < len(_CLASSES):
        return _CLASSES[place]
    # Beyond eight, hues a golden angle apart in two shades: names must tell them apart, colours only help.
    hue = (place * 0.61803398875) % 1.0
    lightness, saturation = ((0.42, 0.55), (0.62, 0.5))[place % 2]
    return "#" + "".join(f"{round(c * 255):02x}" for c in colorsys.hls_to_rgb(hue, lightness, saturation))


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


# Light and dark themes: a picture is drawn once in light colours, and its SVG maps them to dark ones.
#
# Every colour is a plain `fill="#1f2328"`, which every viewer understands. In dark mode a browser replaces it
# by a style rule; a picture that is always dark has the dark colour written in.


ThemeName: TypeAlias = Literal["auto", "light", "dark"]

_AT_NIGHT: Final = dict(zip(astuple(LIGHT), astuple(DARK), strict=True))
_PAINTED: Final = re.compile(r'\b(fill|stroke)="(#[0-9a-f]{6})"')


def check_theme(theme: str) -> None:
    """Refuse an unknown theme."""
    check_known("theme called", theme, get_args(ThemeName))


def darkened(svg: str) -> str:
    """The SVG with each light colour replaced by the dark one; the classes keep theirs.

    >>> darkened('<path fill="#0072b2" stroke="#1f2328"/>')
    '<path fill="#0072b2" stroke="#e8e6e3"/>'
    """
    return _PAINTED.sub(lambda painted: f'{painted[1]}="{_AT_NIGHT.get(painted[2], painted[2])}"', svg)


def night_rules(within: str) -> str:
    """Style rules that do the same within a selector.

    >>> print(night_rules("svg.clearwood").splitlines()[0])
    svg.clearwood [fill="#ffffff"]{fill:#16181b}
    """
    return "\n".join(
        f'{within} [{paint}="{day}"]{{{paint}:{night}}}'
        for day, night in _AT_NIGHT.items()
        for paint in ("fill", "stroke")
    )
