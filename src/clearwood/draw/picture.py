"""A Picture: SVG that stands alone, describes itself in words, and saves as SVG, PNG or PDF."""

import math
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from clearwood.draw.escaping import escape_xml
from clearwood.draw.lettering import with_lengths
from clearwood.draw.palette import LIGHT, ThemeName, check_theme, darkened, night_rules
from clearwood.errors import Advice, MissingExtraError, SettingError
from clearwood.files import PICTURE_SUFFIXES, write_whole

# Arial, Helvetica and Liberation Sans are equally wide, letter by letter; in any other font a text is drawn
# at the length that was measured for these (`with_lengths`).
FONT: Final = "Arial, Helvetica, 'Liberation Sans', sans-serif"
_SIZE: Final = 13.0


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
                content = png(self.svg, self.width, self.height)
            case ".pdf":
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


# Charts as SVG, and SVG as PNG or PDF, without browser or network: the one place that needs vl-convert.


_SCALE: Final = 2.0  # pixels for a unit: sharp on the screens people have
_MOST_PIXELS: Final = 120e6
_LONGEST_PAGE: Final = 14_400  # points, by Adobe's PDF reference
_SVG_SIZE: Final = re.compile('width="[^"]*" height="[^"]*"')  # of the whole picture, which comes first
_VEGA_LITE: Final = "5.20"  # the same drawing whatever newer ones come along
_SAVING: Final = "To save a picture as PNG or PDF, install {way}. SVG needs nothing."
_DRAWING: Final = "To draw a chart, install {way}."


def png(svg: str, width: float, height: float) -> bytes:
    """The picture in pixels: two per unit, fewer where it is very large."""
    scale = min(_SCALE, math.sqrt(_MOST_PIXELS / (width * height)))
    if scale < 1:
        # The renderer would take all memory there is, and end the program.
        raise SettingError(
            f"The picture is {width:,.0f} × {height:,.0f}, too large for a PNG. Save it as .svg or .pdf, or "
            "draw less of the tree: ",
            Advice("fold", 5),
            ".",
        )
    return bytes(_renderer(_SAVING).svg_to_png(svg, scale=scale))


def pdf(svg: str, width: float, height: float) -> bytes:
    """The picture on a page of its own size, or of the largest that PDF has."""
    scale = min(1.0, _LONGEST_PAGE / max(width, height))
    sized = _SVG_SIZE.sub(f'width="{width * scale:g}" height="{height * scale:g}"', svg, count=1)
    return bytes(_renderer(_SAVING).svg_to_pdf(sized))


def chart_svg(spec: str) -> str:
    """The SVG of a Vega-Lite specification in JSON."""
    # No address is allowed: a chart's data stand in its specification.
    return str(_renderer(_DRAWING).vegalite_to_svg(spec, vl_version=_VEGA_LITE, allowed_base_urls=[]))


def _renderer(refusal: str) -> Any:
    try:
        import vl_convert
    except ImportError:
        way = "vl-convert: pip install 'clearwood[pictures]'"
        raise MissingExtraError(refusal.format(way=way)) from None
    return vl_convert
