"""ARFF, WEKA's format: attributes are declared, then rows follow.

The declarations become the schema: `{a, b}` nominal with its values in this order; `numeric`, `real` and
`integer` numeric; `string` text; `date` left out. WEKA predicts the last attribute unless told otherwise,
and so the last one is the target here unless another is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from clearwood.errors import SourceError
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Text
from clearwood.table.excerpts import excerpt
from clearwood.table.raw import Raw
from clearwood.table.schema import Schema
from clearwood.table.sources.arff_rows import read_rows, split_cells
from clearwood.table.sources.arff_tokens import tokens
from clearwood.table.sources.opening import SizeLimit
from clearwood.table.sources.text import read_text


def read_arff(path: Path, encoding: str | None = None, max_bytes: SizeLimit = None) -> Raw:
    """The columns of an ARFF file; a fault is named with its line."""
    text, where, notes = read_text(path, encoding, max_bytes)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    attributes, lines_before, data = _declarations(text, where)
    columns, weights = read_rows(data, attributes, where, lines_before)
    names = [attribute.name for attribute in attributes]
    weight = None
    if weights is not None:
        weight = "weight"
        while weight in names:
            weight += "_"
        names.append(weight)
        columns.append(weights)
    *inputs, last = attributes
    if not isinstance(last, Nominal | Numeric):
        return Raw(tuple(names), tuple(columns), where, notes, Schema(tuple(attributes), None, weight))
    note = f"{where}: the last attribute, '{last.name}', is the target unless another is named."
    return Raw(tuple(names), tuple(columns), where, (*notes, note), Schema(tuple(inputs), last, weight))


def _declarations(text: str, where: str) -> tuple[list[Attribute], int, str]:
    """The attributes, how many lines they took, and the text after @data."""
    attributes: list[Attribute] = []
    for number, start, line in _lines(text):
        place, word = f"{where}, line {number}", line.split(None, 1)[0].lower() if line.strip() else "%"
        if word.startswith("%") or word == "@relation":
            continue
        if word.partition("%")[0] == "@data":
            if not attributes:
                raise SourceError(f"{place}: @data comes before any @attribute.")
            return attributes, number, text[start + len(line) + 1 :]
        if word != "@attribute":
            raise SourceError(f"{place}: expected @attribute or @data, found '{line.strip()[:40]}'.")
        attribute = _attribute(line.strip()[len("@attribute") :].strip(), place)
        if any(attribute.name == other.name for other in attributes):
            raise SourceError(f"{place}: attribute '{attribute.name}' is declared twice. Rename one.")
        attributes.append(attribute)
    raise SourceError(f"{where} has no @data line, so it is not a whole ARFF file.")


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Number, offset and text of each line."""
    number, start = 1, 0
    while start < len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        yield number, start, text[start:stop]
        number, start = number + 1, stop + 1


def _attribute(text: str, where: str) -> Attribute:
    parts = tokens(text, where)
    if not parts:
        raise SourceError(f"{where}: @attribute needs a name and a type.")
    name = parts[0].text
    kind = parts[1].text if len(parts) > 1 else ""
    if kind == "{" and parts[1].brace:
        return Nominal(name, _values(text, name, where))
    match kind.lower():
        case "numeric" | "real" | "integer":
            return Numeric(name)
        case "string":
            return Text(name)
        case "date":
            return Ignored(name, "it holds dates")
        case other:
            raise SourceError(
                f"{where}: attribute '{name}' has the type '{excerpt(other)}'. ARFF has numeric, real, "
                "integer, string, date and {value, value}."
            )


def _values(text: str, name: str, where: str) -> tuple[str, ...]:
    """What the braces list. Blanks separate as commas do, unless that lists a value twice."""
    inside = tokens(text, where)[2:]
    closing = next((i for i, token in enumerate(inside) if token.brace and token.text == "}"), None)
    if closing is None:
        hint = " A % begins a comment: put a value with one in quotes." if "%" in text else ""
        raise SourceError(f"{where}: the values of '{name}' are not closed by a brace.{hint}")
    values = tuple(token.text for token in inside[:closing])
    if len(set(values)) != len(values):
        between = text[text.index("{") + 1 : text.rindex("}")]
        values = tuple("?" if cell is None else cell for cell in split_cells(between, where))
    if len(set(values)) != len(values):
        raise SourceError(f"{where}: attribute '{name}' lists a value twice.")
    return values
