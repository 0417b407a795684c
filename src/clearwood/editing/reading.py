"""`read_rules`: a text, or a file of it, as rules over a schema, counted on a table's rows if given one."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from clearwood.editing.counting import recounted
from clearwood.errors import SchemaError, SourceError
from clearwood.models.rule_columns import columns_in
from clearwood.models.rule_list import RuleList
from clearwood.models.rule_reading import parse_rules
from clearwood.table.schema import Schema
from clearwood.table.table import Table

_MOST_BYTES: Final = 1 << 28
_BEGINNING: Final = re.compile(r"\s*(?:(?:if|always|otherwise|else|rules\s+vote)(?!\w)|#)", re.IGNORECASE)


def read_rules(source: str | os.PathLike[str], of: Schema | Table | None = None) -> RuleList:
    """Rules as `write_rules` prints them, or as people type them; see `clearwood.models.rule_reading`.

    `source` is the text itself, or the path of a file of it. With a schema the rules have met no rows; with
    a table they are counted on its rows; without either the text must say what its columns are, as one that
    `clearwood edit --save` wrote does. What cannot be read is refused with its line and column.

    >>> from clearwood import Nominal, Numeric
    >>> schema = Schema((Numeric("Humidity"),), Nominal("Play", ("Yes", "No")))
    >>> print(read_rules("IF Humidity <= 75 THEN Play = Yes", schema))
    IF Humidity ≤ 75 THEN Play = Yes
    OTHERWISE nothing
    """
    text, name = (
        (source, "")
        if isinstance(source, str) and is_rule_text(source)
        else (rule_text_in(source), os.fspath(source))
    )
    schema = columns_in(text, name) if of is None else of.schema if isinstance(of, Table) else of
    if schema is None:
        raise SchemaError(
            f"{name or 'This text'} does not say what the columns of its rules are."
            " Give a table or a schema: read_rules(text, of)."
        )
    rules = parse_rules(text, schema, name)
    return recounted(rules, of) if isinstance(of, Table) else rules


def is_rule_text(source: str) -> bool:
    """Is this rules, rather than the name of a file of them? A file that is there is a file.

    >>> is_rule_text("IF a = 1 THEN b"), is_rule_text("rules of mine.txt")
    (True, False)
    """
    words = source.split(maxsplit=1)
    if not words or "\n" in source:
        return True
    return len(words) > 1 and _BEGINNING.match(source) is not None and not _is_there(source)


def _is_there(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long, or with letters that no path has
        return False


def begins_a_rule(text: str) -> bool:
    """Does the first line that is neither empty nor a comment begin a rule?"""
    return _BEGINNING.match(_first_line(text)) is not None


def _first_line(text: str) -> str:
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    return next(lines, "")


def check_begins(text: str, place: object) -> None:
    """Refuse a file whose first line, but for empty ones and comments, begins no rule."""
    first = _first_line(text)
    if not _BEGINNING.match(first):
        holds = f"begins with '{first.strip()[:40]}'" if first else "is empty"
        raise SourceError(
            f"There is no rule here: {place} {holds}. Write one per line, IF … THEN …;"
            " a table is given beside the rules."
        )


def rule_text_in(path: str | os.PathLike[str]) -> str:
    """The text of a file."""
    place = Path(path)
    try:
        with place.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SourceError(
            f"Cannot read '{str(place)[:200]}': {reason}."
            " Rules given as text begin with IF, ALWAYS or OTHERWISE."
        ) from None
    if len(content) > _MOST_BYTES:
        raise SourceError(f"{place}: more than {_MOST_BYTES >> 20} MB; that is too big for a file of rules.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{place}: not rules; it is not UTF-8 text (byte {error.start + 1}). Save it as UTF-8."
        ) from None
    if "\0" in text:
        raise SourceError(f"{place}: not rules; it holds bytes that no text has.")
    return text
