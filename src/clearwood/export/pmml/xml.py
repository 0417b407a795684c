"""Elements of XML and their text, which a reader gives back letter by letter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Readers make blanks of line breaks and tabs unless they are written by their numbers.
_ESCAPED: Final = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\n": "&#10;",
    "\r": "&#13;",
    "\t": "&#9;",
}
_TO_ESCAPE: Final = re.compile('[&<>"\n\r\t]')


@dataclass(frozen=True, slots=True)
class XmlElement:
    """An element: its attributes in order, and either text or elements within."""

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()
    within: tuple[XmlElement, ...] = ()
    text: str = ""


def element(tag: str, *within: XmlElement, text: str = "", **attributes: str | None) -> XmlElement:
    """An element by its attributes; those that are None are left out.

    >>> print("".join(xml_lines(element("Value", value='5" < x'))))
    <Value value="5&quot; &lt; x"/>
    """
    given = tuple((name, value) for name, value in attributes.items() if value is not None)
    return XmlElement(tag, given, within, text)


def xml_lines(root: XmlElement) -> Iterator[str]:
    """The lines of an element. What is open is kept in a list: elements may lie deep."""
    open_elements: list[XmlElement | str] = [root]
    depth = 0
    while open_elements:
        current = open_elements.pop()
        if isinstance(current, str):
            depth -= 1
            yield f"{' ' * depth}</{current}>"
            continue
        told = "".join(f' {name}="{_escaped(value)}"' for name, value in current.attributes)
        if current.within:
            yield f"{' ' * depth}<{current.tag}{told}>"
            open_elements.append(current.tag)
            open_elements.extend(reversed(current.within))
            depth += 1
        elif current.text:
            yield f"{' ' * depth}<{current.tag}{told}>{_escaped(current.text)}</{current.tag}>"
        else:
            yield f"{' ' * depth}<{current.tag}{told}/>"


def is_xml(text: str) -> bool:
    """Can XML hold these letters?"""
    return _FORBIDDEN.search(text) is None


def _escaped(text: str) -> str:
    return _TO_ESCAPE.sub(lambda met: _ESCAPED[met[0]], text)
