"""Names that every object of JavaScript has, such as `constructor`: Vega trips over classes called so.

An invisible joiner behind such a name keeps the two apart while the chart is drawn.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

_JOINER: Final = "\u2060"
_INHERITED: Final = (
    *("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString"),
    *("valueOf", "__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"),
)
# A string of the specification, or one in quotes within an expression.
_AS_A_STRING: Final = re.compile(rf'(\\?")({"|".join(_INHERITED)})\1')


def kept_apart(spec: Mapping[str, Any]) -> Mapping[str, Any]:
    """The specification with a joiner behind every such name; the same one where there is none.

    >>> kept_apart({"values": [{"class": "constructor"}]}) == {"values": [{"class": "constructor\\u2060"}]}
    True
    """
    text = json.dumps(spec, allow_nan=False)
    if not _AS_A_STRING.search(text):
        return spec
    apart: Mapping[str, Any] = json.loads(_AS_A_STRING.sub(r"\1\2\\u2060\1", text))
    return apart


def joined_again(svg: str) -> str:
    """The drawn chart without the joiners."""
    for name in _INHERITED:
        svg = svg.replace(f"{name}{_JOINER}", name)
    return svg
