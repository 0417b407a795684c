"""Light and dark themes: a picture is drawn once in light colours, and its SVG maps them to dark ones.

Every colour is a plain `fill="#1f2328"`, which every viewer understands. In dark mode a browser replaces it
by a style rule; a picture that is always dark has the dark colour written in.
"""

from __future__ import annotations

import re
from dataclasses import astuple
from typing import Final, Literal, TypeAlias, get_args

from clearwood.draw.palette import DARK, LIGHT
from clearwood.errors import SettingError, no_such

ThemeName: TypeAlias = Literal["auto", "light", "dark"]

_AT_NIGHT: Final = dict(zip(astuple(LIGHT), astuple(DARK), strict=True))
_PAINTED: Final = re.compile(r'\b(fill|stroke)="(#[0-9a-f]{6})"')


def check_theme(theme: str) -> None:
    """Refuse an unknown theme."""
    if theme not in get_args(ThemeName):
        raise SettingError(no_such("theme called", str(theme), get_args(ThemeName)))


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
