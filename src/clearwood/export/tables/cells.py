"""The cell of a decision table: a condition in its own words, without the name that heads its column."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from clearwood.errors import SettingError
from clearwood.export.tables.decision_table import DecisionRow
from clearwood.models.conditions import Condition
from clearwood.models.rule_reading import parse_rule
from clearwood.table.attributes import Attribute, Nominal
from clearwood.table.schema import Schema

ANY_OTHER: Final = "any other"  # what the rows above leave
NOTHING_ASKED: Final = "–"
_SELF: Final = "…"
_SIGNED: Final = re.compile(r"[<≤>≥]|in \{|is (missing|known)")
_BETWEEN: Final = re.compile(rf"\S+ [<≤] {_SELF} [<≤] ")


def cell_words(row: DecisionRow, name: str) -> str:
    """What a row asks of an attribute; nothing: any cell will do.

    >>> from clearwood.models.conditions import Between, Equals
    >>> when = {"Age": Between("Age", 23.0, 31.0), "Sex": Equals("Sex", "F")}
    >>> row = DecisionRow(when, frozenset(), "a", (), 1.0)
    >>> cell_words(row, "Age"), cell_words(row, "Sex"), cell_words(row, "Town")
    ('23 < … ≤ 31', 'F', '')
    """
    if name not in row.when:
        return ANY_OTHER if name in row.rest else ""
    return words_of_condition(row.when[name])


def words_of_condition(condition: Condition) -> str:
    """A condition without the name of its column."""
    # Spreadsheets would take a cell that begins with = for a formula.
    words = str(replace(condition, name=_SELF)).removeprefix(f"{_SELF} ").removeprefix("= ")
    return f'"{words}"' if words in (ANY_OTHER, NOTHING_ASKED) else words


def condition_of_cell(words: str, attribute: Attribute) -> Condition | None:
    """The condition that a cell states; None: it asks nothing."""
    if words in ("", NOTHING_ASKED, ANY_OTHER):
        return None
    if _SIGNED.match(words):
        text = f"{_SELF} {words}"
    else:
        text = words if _BETWEEN.match(words) else f"{_SELF} = {words}"
    rule = parse_rule(f"IF {text} THEN x", _schema_of(attribute), f"the column '{attribute.name}'")
    if len(rule.when) != 1:
        raise SettingError(f"In the column '{attribute.name}' a cell holds one condition, not '{words}'.")
    return replace(rule.when[0], name=attribute.name)


@lru_cache(maxsize=256)
def _schema_of(attribute: Attribute) -> Schema:
    return Schema((replace(attribute, name=_SELF),), Nominal("x", ("x",)))
