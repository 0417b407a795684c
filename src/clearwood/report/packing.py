"""Data as elements of a page: JSON that nothing in it can break out of, compressed where it is large."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable
from typing import Any, Final

_LARGE: Final = 20_000  # characters
_CHUNK: Final = 400_000


def data_element(name: str, value: Any) -> str:
    """A script element that is never run, whose JSON the page reads by its name.

    >>> data_element("model", {"class": "</script>"})
    '<script type="application/json" id="data-model">{"class":"\\\\u003c/script>"}</script>'
    """
    return _element(name, json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")))


def chunked_elements(name: str, entries: Iterable[Any]) -> str:
    """Entries that the page unpacks one by one as they are asked for: an index, then chunks of them.

    The index lists the place of the first entry of each chunk, and how many entries there are.
    """
    elements: list[str] = []
    firsts: list[int] = []
    waiting: list[str] = []
    size = count = 0
    for entry in entries:
        if not waiting:
            firsts.append(count)
        text = json.dumps(entry, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        waiting.append(text)
        size, count = size + len(text), count + 1
        if size > _CHUNK:
            elements.append(_element(f"{name}-{len(elements)}", f"[{','.join(waiting)}]"))
            waiting, size = [], 0
    if waiting:
        elements.append(_element(f"{name}-{len(elements)}", f"[{','.join(waiting)}]"))
    return "\n".join([data_element(name, {"firsts": firsts, "count": count}), *elements])


def _element(name: str, text: str) -> str:
    if len(text) <= _LARGE:
        # The only character that ends a script element, or begins a comment in it.
        escaped = text.replace("<", "\\u003c")
        return f'<script type="application/json" id="data-{name}">{escaped}</script>'
    packed = base64.b64encode(gzip.compress(text.encode("utf-8"), 9, mtime=0)).decode("ascii")
    return f'<script type="text/plain" id="data-{name}" data-packed="gzip">{packed}</script>'
