"""Charts as SVG, and SVG as PNG or PDF, without browser or network: the one place that needs vl-convert."""

from __future__ import annotations

import math
import re
from typing import Any, Final

from clearwood.advice import Advice
from clearwood.errors import MissingExtraError, SettingError

_SCALE: Final = 2.0  # pixels for a unit: sharp on the screens people have
_MOST_PIXELS: Final = 120e6
_LONGEST_PAGE: Final = 14_400  # points, by Adobe's PDF reference
_SIZE: Final = re.compile('width="[^"]*" height="[^"]*"')  # of the whole picture, which comes first
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
    sized = _SIZE.sub(f'width="{width * scale:g}" height="{height * scale:g}"', svg, count=1)
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
