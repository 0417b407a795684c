"""ARFF, WEKA's format: attributes are declared, then rows follow.

The declarations become the schema: `{a, b}` nominal with its values in this order; `numeric`, `real` and
`integer` numeric; `string` text; `date` left out. WEKA predicts the last attribute unless told otherwise,
and so the last one is the target here unless another is named.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from clearwood.errors import SourceError
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Text
from clearwood.table.coding import as_strings, code_column
from clearwood.table.describe import excerpt, listed
from clearwood.table.raw import Raw, RawColumn, RawNumbers, RawStrings
from clearwood.table.schema import Schema, unused_name
from clearwood.table.sources.csv import read_csv
from clearwood.table.sources.decoding import read_text
from clearwood.table.sources.opening import SizeLimit


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
        weight = unused_name("weight", names)
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


# The rows of an ARFF file: dense or sparse, weighted or not.
#
# Plain rows go through the native reader of separated text. Where there are ARFF's own quotes, comments,
# braces, blanks for commas or a fault, the rows are read one by one, so that a fault is named with its
# line. A row is read as WEKA reads it; where that gives another number of cells, commas alone separate, so
# that values may have blanks in them.


ArffRow: TypeAlias = list[str | None]  # None: missing

_TOKEN = re.compile(r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^,\t'"]+)|([,\t])""")
_WEIGHT = re.compile(r"[,\s]\s*\{([^{}]*)\}[,\s]*$")


def read_rows(
    data: str, attributes: list[Attribute], where: str, lines_before: int
) -> tuple[list[RawColumn], RawNumbers | None]:
    """A column for each attribute, and the weights if any row has one."""
    plain = _plain_columns(data, attributes)
    if plain is not None:
        return plain, None
    rows: list[tuple[str, ArffRow]] = []
    weights: list[float] = []
    for number, line in enumerate(data.split("\n"), lines_before + 1):
        text = line.strip()
        if text and not text.startswith("%"):
            place = f"{where}, line {number}"
            text, weight = _without_weight(text, place)
            row = (
                _sparse(text, attributes, place) if text.startswith("{") else _dense(text, attributes, place)
            )
            rows.append((place, row))
            weights.append(weight)
    if not rows:
        raise SourceError(f"{where} declares attributes but has no rows after @data.")
    columns = [_column(attribute, i, rows) for i, attribute in enumerate(attributes)]
    return columns, RawNumbers(np.array(weights), whole=False) if any(w != 1 for w in weights) else None


def split_cells(text: str, where: str) -> ArffRow:
    """Cells between commas or tabs, out of their quotes; a bare `?` is missing.

    >>> split_cells("'a, b', ?, \\"it's\\"", "here")
    ['a, b', None, "it's"]
    """
    return [_cell(part.strip(), where) for part in _split(text, where)]


def _plain_columns(data: str, attributes: list[Attribute]) -> list[RawColumn] | None:
    """The columns by the native reader; None where it would not understand the rows as ARFF does."""
    if any(mark in data for mark in "'\"\\{%\t") or not data.strip():
        return None
    try:
        raw = read_csv(
            BytesIO(data.encode()), header=False, delimiter=",", decimal=".", thousands="none", missing="?"
        )
    except SourceError:
        return None
    if len(raw.columns) != len(attributes):
        return None
    columns: list[RawColumn] = []
    for attribute, column in zip(attributes, raw.columns, strict=True):
        if isinstance(attribute, Numeric):
            if isinstance(column, RawStrings):
                if column.values:
                    return None
                column = RawNumbers(np.full(len(column), np.nan), whole=False)
        else:
            column = as_strings(column)
            if isinstance(attribute, Nominal):
                if not set(column.values) <= set(attribute.values):
                    return None
                column = RawStrings(code_column(column, attribute), attribute.values, declared=True)
        columns.append(column)
    return columns


def _without_weight(text: str, where: str) -> tuple[str, float]:
    """`…, {2.5}` ends a row that counts 2.5 times."""
    match = _WEIGHT.search(text)
    if match is None:
        return text, 1.0
    try:
        return text[: match.start()].rstrip(), float(match[1])
    except ValueError:
        raise SourceError(f"{where}: the weight {{{match[1]}}} is not a number.") from None


def _dense(text: str, attributes: list[Attribute], where: str) -> ArffRow:
    try:
        values = tokens(text, where)
    except SourceError:
        values = []
    if len(values) == len(attributes) and not any(token.brace for token in values):
        return [token.cell for token in values]
    cells = split_cells(text, where)
    if len(cells) != len(attributes):
        raise SourceError(f"{where} has {len(cells)} cells where {len(attributes)} attributes are declared.")
    return cells


def _sparse(text: str, attributes: list[Attribute], where: str) -> ArffRow:
    """`{1 X, 3 Y}`: what isn't named is 0, which for a nominal attribute is its first value."""
    inside = tokens(text, where)[1:]
    if not inside or inside[-1].text != "}" or not inside.pop().brace:
        raise SourceError(f"{where}: a brace is opened and never closed.")
    row: ArffRow = [a.values[0] if isinstance(a, Nominal) and a.values else "0" for a in attributes]
    for place, cell in zip_longest(inside[::2], inside[1::2]):
        if not place.text.isdecimal() or int(place.text[:9]) >= len(attributes):
            raise SourceError(
                f"{where}: '{place.text}' is not an attribute's number (0 to {len(attributes) - 1})."
            )
        if cell is None:
            raise SourceError(f"{where}: attribute number {place.text} is named without a value.")
        row[int(place.text)] = cell.cell
    return row


def _split(text: str, where: str) -> list[str]:
    parts, start, at = [], 0, 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise SourceError(f"{where}: a quote is opened and never closed.")
        if token[4]:
            parts.append(text[start:at])
            start = token.end()
        at = token.end()
    return [*parts, text[start:]]


def _cell(text: str, where: str) -> str | None:
    if text == "?":
        return None
    if text[:1] not in ("'", '"'):
        return text
    token = _TOKEN.fullmatch(text)
    if token is None:
        raise SourceError(f"{where}: {text[:40]} goes on after its closing quote.")
    return _unquote(token)


def _unquote(token: re.Match[str]) -> str:
    return unescaped(token[1] if token[1] is not None else token[2])


def _column(attribute: Attribute, i: int, rows: list[tuple[str, ArffRow]]) -> RawColumn:
    if isinstance(attribute, Numeric):
        numbers = np.array([_number(row[i], where, attribute.name) for where, row in rows])
        return RawNumbers(numbers, whole=bool(np.all((numbers == np.floor(numbers)) | np.isnan(numbers))))
    declared = isinstance(attribute, Nominal)
    places = (
        {value: code for code, value in enumerate(attribute.values)} if isinstance(attribute, Nominal) else {}
    )
    codes = np.empty(len(rows), np.int32)
    for at, (where, row) in enumerate(rows):
        cell = row[i]
        if declared and cell is not None and cell not in places:
            raise SourceError(
                f"{where}: '{excerpt(cell)}' is not among the values of '{attribute.name}' "
                f"({listed(list(places))})."
            )
        codes[at] = -1 if cell is None else places.setdefault(cell, len(places))
    return RawStrings(codes, tuple(places), declared=declared, dates=isinstance(attribute, Ignored))


def _number(cell: str | None, where: str, name: str) -> float:
    if cell is None:
        return float("nan")
    try:
        number = float(cell.replace("_", "?")) + 0.0  # −0 is 0
    except ValueError:
        raise SourceError(f"{where}: '{excerpt(cell)}' is not a number, and '{name}' is numeric.") from None
    if not np.isfinite(number):
        raise SourceError(f"{where}: '{excerpt(cell)}' in '{name}' is not a finite number.")
    return number


# The words of an ARFF line, as WEKA's tokenizer finds them.
#
# Commas, blanks and tabs all separate, in any number; `%` outside quotes begins a comment; quotes of either
# kind hold anything, with a backslash before what would end them.


_LINE_TOKEN: Final = re.compile(
    r"""[\x00-\x20,]+|%.*|'(?P<single>(?:[^'\\]|\\.)*)'|"(?P<double>(?:[^"\\]|\\.)*)"|"""
    r"""(?P<brace>[{}])|(?P<word>[^\x00-\x20,%'"{}]+)""",
    re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\([0-3]?[0-7]{1,2}|.)", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


class ArffToken(NamedTuple):
    """A word, bare or out of its quotes, or a brace."""

    text: str
    quoted: bool = False
    brace: bool = False

    @property
    def cell(self) -> str | None:
        """What it says as a cell: a bare `?` is missing."""
        return None if self.text == "?" and not self.quoted else self.text


def tokens(line: str, where: str) -> list[ArffToken]:
    """The words and braces of a line.

    >>> [token.text for token in tokens("'a, b' 3,x%y", "here")]
    ['a, b', '3', 'x']
    """
    tokens_read = []
    at = 0
    while at < len(line):
        token = _LINE_TOKEN.match(line, at)
        if token is None:
            raise SourceError(f"{where}: a quote is opened and never closed.")
        at = token.end()
        match token.lastgroup:
            case "single" | "double":
                tokens_read.append(ArffToken(unescaped(token[token.lastgroup]), quoted=True))
            case "word":
                tokens_read.append(ArffToken(token["word"]))
            case "brace":
                tokens_read.append(ArffToken(token["brace"], brace=True))
    return tokens_read


def unescaped(text: str) -> str:
    """What stands between quotes, without its backslashes.

    >>> unescaped(r"it\\'s \\101")
    "it's A"
    """
    return _ESCAPE.sub(lambda match: _letter(match[1]), text)


def _letter(escape: str) -> str:
    return chr(int(escape, 8)) if escape[0] in "01234567" else _ESCAPED.get(escape, escape)
