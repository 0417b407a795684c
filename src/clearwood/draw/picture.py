"""A Picture: SVG that stands alone, describes itself in words, and saves as SVG, PNG or PDF."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from clearwood.draw.escaping import escape_xml
from clearwood.draw.lettering import with_lengths
from clearwood.draw.palette import LIGHT, ThemeName, check_theme, darkened, night_rules
from clearwood.errors import SettingError
from clearwood.files import write_whole

# Arial, Helvetica and Liberation Sans are equally wide, letter by letter; in any other font a text is drawn
# at the length that was measured for these (`with_lengths`).
FONT: Final = "Arial, Helvetica, 'Liberation Sans', sans-serif"
_SIZE: Final = 13.0
PICTURE_SUFFIXES: Final = (".svg", ".png", ".pdf")


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing: its SVG, a sentence that describes it, and the Vega-Lite `spec` of a chart.

    >>> picture = framed('<circle r="9" cx="10" cy="10"/>', 20, 20, title="A dot", alt="One black dot.")
    >>> picture
    <Picture 20 × 20: One black dot.>
    """

    svg: str = field(repr=False)
    alt: str
    width: float
    height: float
    spec: Mapping[str, Any] | None = field(default=None, repr=False)

    def save(self, path: str | Path) -> Path:
        """Write it in the form that the name's ending asks for: .svg, .png (at twice the size) or .pdf."""
        place = Path(path)
        match place.suffix.lower():
            case ".svg":
                content = f'<?xml version="1.0" encoding="UTF-8"?>\n{self.svg}\n'.encode()
            case ".png":
                from clearwood.draw.raster import png

                content = png(self.svg, self.width, self.height)
            case ".pdf":
                from clearwood.draw.raster import pdf

                content = pdf(self.svg, self.width, self.height)
            case other:
                ending = f"'{other}'" if other else "no ending"
                raise SettingError(
                    f"Pictures are saved as {', '.join(PICTURE_SUFFIXES)}, but {place} has {ending}."
                )
        return write_whole(place, content)

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x:auto">{self.svg}</div>'

    def __repr__(self) -> str:
        return f"<Picture {self.width:.0f} × {self.height:.0f}: {self.alt}>"


def framed(
    body: str,
    width: float,
    height: float,
    *,
    title: str,
    alt: str,
    theme: ThemeName = "auto",
    spec: Mapping[str, Any] | None = None,
) -> Picture:
    """A picture of SVG elements drawn in the LIGHT theme's colours: on paper, named, by day and by night.

    `title` names the picture in a few words, `alt` describes it in a sentence.
    """
    check_theme(theme)
    body = with_lengths(body, _SIZE)
    # Two pictures in one page must not share the names that refer to their labels.
    name = f"cw{zlib.crc32(f'{title}{alt}{body}'.encode()):08x}"
    style, kind = "", "clearwood"
    if theme == "auto":
        # A class of its own: a picture in the same page that is always light must stay so.
        kind = "clearwood auto"
        rules = night_rules("svg.clearwood.auto")
        style = f"<style>@media screen and (prefers-color-scheme:dark){{\n{rules}\n}}</style>"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" '
        f'width="{width:.9g}" height="{height:.9g}" viewBox="0 0 {width:.9g} {height:.9g}" '
        f'role="img" aria-labelledby="{name}-title {name}-desc" font-family="{FONT}" font-size="{_SIZE:g}">'
        f'<title id="{name}-title">{escape_xml(title)}</title>'
        f'<desc id="{name}-desc">{escape_xml(alt)}</desc>{style}'
        f'<rect width="100%" height="100%" fill="{LIGHT.paper}"/>'
        f'<g fill="{LIGHT.ink}">{body}</g></svg>'
    )
    return Picture(darkened(svg) if theme == "dark" else svg, alt, width, height, spec)
