"""SVG as PNG or PDF, without a browser: the one place that needs vl-convert's renderer."""

from __future__ import annotations

from typing import Any, Final

from clearwood.errors import MissingExtraError

_SCALE: Final = 2.0  # pixels for a unit: sharp on the screens people have


def png(svg: str) -> bytes:
    """The picture in pixels."""
    return bytes(_renderer().svg_to_png(svg, scale=_SCALE))


def pdf(svg: str) -> bytes:
    """The picture on a page of its own size."""
    return bytes(_renderer().svg_to_pdf(svg))


def _renderer() -> Any:
    try:
        import vl_convert
    except ImportError:
        raise MissingExtraError(
            "To save a picture as PNG or PDF, install vl-convert: pip install 'clearwood[pictures]'. "
            "SVG needs nothing."
        ) from None
    return vl_convert
