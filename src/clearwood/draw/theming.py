"""By day and by night: a picture is drawn once in daylight colours, and its SVG told what they are at night.

Every colour stands as a plain `fill="#1f2328"`, which every viewer understands. At night a browser puts the
dark theme's colour in its place by a rule of style; a picture that is dark for good has it written in.
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
    """Refuse a theme that there isn't."""
    if theme not in get_args(ThemeName):
        raise SettingError(no_such("theme called", str(theme), get_args(ThemeName)))


def darkened(svg: str) -> str:
    """The SVG with each daylight colour exchanged for the night's; the classes keep theirs.

    >>> darkened('<path fill="#0072b2" stroke="#1f2328"/>')
    '<path fill="#0072b2" stroke="#e8e6e3"/>'
    """
    return _PAINTED.sub(lambda painted: f'{painted[1]}="{_AT_NIGHT.get(painted[2], painted[2])}"', svg)


def night_rules(within: str) -> str:
    """Rules of style that do the same to what stands within a selector.

    >>> print(night_rules("svg.clearwood").splitlines()[0])
    svg.clearwood [fill="#ffffff"]{fill:#16181b}
    """
    return "\n".join(
        f'{within} [{paint}="{day}"]{{{paint}:{night}}}'
        for day, night in _AT_NIGHT.items()
        for paint in ("fill", "stroke")
    )
