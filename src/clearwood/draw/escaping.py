"""Text that comes from data, made safe for the place it is written to."""

from __future__ import annotations

import re
from typing import Final

# What XML cannot hold at all: control characters, halves of surrogate pairs, two non-characters.
_UNWRITABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_MARKS: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
_MARKUP: Final = re.compile("[&<>\"']")


def visible(text: str) -> str:
    """The text with line breaks and other control characters spelled out.

    >>> print(visible("two\\nlines"))
    two\\nlines
    """
    return _UNWRITABLE.sub(lambda found: repr(found[0])[1:-1], text)


def xml(text: str) -> str:
    """The text inside an element or an attribute of SVG or HTML.

    >>> xml('<script>"a" & b</script>')
    '&lt;script&gt;&quot;a&quot; &amp; b&lt;/script&gt;'
    """
    return _MARKUP.sub(lambda found: _MARKS[found[0]], visible(text))
