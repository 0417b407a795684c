"""Charts as SVG, and SVG as PNG or PDF, without browser or network: the one place that needs vl-convert."""

from __future__ import annotations

from typing import Any, Final

from clearwood.errors import MissingExtraError

_SCALE: Final = 2.0  # pixels for a unit: sharp on the screens people have
_VEGA_LITE: Final = "5.20"  # the same drawing whatever newer ones come along
_SAVING: Final = "To save a picture as PNG or PDF, install {way}. SVG needs nothing."
_DRAWING: Final = "To draw a chart, install {way}."


def png(svg: str) -> bytes:
    """The picture in pixels."""
    return bytes(_renderer(_SAVING).svg_to_png(svg, scale=_SCALE))


def pdf(svg: str) -> bytes:
    """The picture on a page of its own size."""
    return bytes(_renderer(_SAVING).svg_to_pdf(svg))


def chart_svg(spec: str) -> str:
    """The SVG of a Vega-Lite specification in JSON."""
    # No address is allowed: a chart's data stand in its specification.
    return str(_renderer(_DRAWING).vegalite_to_svg(spec, vl_version=_VEGA_LITE, allowed_base_urls=[]))


def _renderer(wanted: str) -> Any:
    try:
        import vl_convert
    except ImportError:
        way = "vl-convert: pip install 'clearwood[pictures]'"
        raise MissingExtraError(wanted.format(way=way)) from None
    return vl_convert
