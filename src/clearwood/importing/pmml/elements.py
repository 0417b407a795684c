"""XML as plain elements, read safely: no document type, so no entities; bounded in depth and number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from clearwood.errors import ModelFileError
from clearwood.importing.importer import Content

_MOST_ELEMENTS: Final = 20_000_000
_DEEPEST: Final = 5_000


@dataclass(slots=True, eq=False)
class Element:
    """An element without its namespace, and the line where it begins."""

    name: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, *names: str) -> list[Element]:
        """The children of these names."""
        return [child for child in self.children if child.name in names]

    def first(self, *names: str) -> Element | None:
        """The first child of these names."""
        return next(iter(self.all(*names)), None)

    def below(self) -> Iterator[Element]:
        """The element and everything in it, from outside in."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children))

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    @property
    def where(self) -> str:
        return f"line {self.line}, {self.name}"

    def number(self, name: str, default: float | None = None) -> float | None:
        """An attribute that is a finite number."""
        if name not in self.attributes:
            return default
        return as_number(self.attributes[name], f"{self.where}: {name}")


def as_number(text: str, where: str, *, infinite: bool = False) -> float:
    """The number that a text says, as XML Schema writes numbers: 1_000 and ٣ are none; a finite one, unless
    it may be `infinite`.

    >>> as_number(" 1.5e3 ", "here")
    1500.0
    """
    try:
        if not text.isascii() or "_" in text:
            raise ValueError
        value = float(text)
    except ValueError:
        raise ModelFileError(f"{where} must be a number, not '{text}'.") from None
    if infinite and value == value:
        return value
    if value != value or value in (float("inf"), float("-inf")):
        raise ModelFileError(f"{where} must be a finite number, not '{text}'.")
    return value


def elements_in(content: Content) -> Element:
    """The root of the document."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    top = Element("", {}, 0)
    open_elements = [top]
    count = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > _MOST_ELEMENTS or len(open_elements) > _DEEPEST:
            raise ModelFileError(
                f"{content.where}: more than {_MOST_ELEMENTS:,} elements, or nested deeper than {_DEEPEST:,}."
            )
        element = Element(_local(name), attributes, parser.CurrentLineNumber)
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(_: str) -> None:
        open_elements.pop()

    def characters(text: str) -> None:
        open_elements[-1].text += text

    def no_doctype(*_: object) -> None:
        raise ModelFileError(
            f"{content.where}: the file has a document type, which could define entities. Such files are "
            "not read."
        )

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = no_doctype
    parser.buffer_text = True
    try:
        parser.Parse(content.data, True)
    except expat.ExpatError as error:
        raise ModelFileError(
            f"{content.where}: line {error.lineno}, column {error.offset}: no XML: "
            f"{expat.ErrorString(error.code)}. Is it cut off? Save the model again."
        ) from None
    except ModelFileError:  # a ValueError too
        raise
    except (LookupError, ValueError):
        raise ModelFileError(f"{content.where}: its encoding is not known. Save it as UTF-8.") from None
    return top.children[0]


def _local(name: str) -> str:
    return name.rpartition(" ")[2]
