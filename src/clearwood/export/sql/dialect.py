"""A SqlDialect: what one database's SQL spells in its own way, and how much it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from clearwood.export.sql.name_rules import ANY_NAME, NameRules
from clearwood.export.sql.reserved import OF_ANY

Keeping: TypeAlias = Literal["EXCLUDE", "EXCEPT", "row", "rowid", "list"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlDialect:
    """The spellings of one database.

    `number` writes a literal that is a double, to the last bit; `limit` one beside a double, where it may be
    shorter. `known_number` and `known_text` make of a cell what conditions ask: a double or NULL, a
    text that is compared byte by byte or NULL. `text_cell` is the text where the cell is used as it stands.

    `nan` is the literal where a NaN is above all numbers, so that `>` holds of it; `is_nan` the test of one.
    `guarded`: overflow is an error, so that powers are kept in reach. `mark` ends every text where the
    database would ignore blanks at its end. `in_list` takes the entry at a place from a list of them, where
    there are lists. `fence` keeps a database from copying a step into each place that uses it, where there
    are `fence_from` steps or more. `keeping` is how all columns of the source go along without the helping
    ones.

    `nesting` is how deep CASE may stand within CASE, `columns` how many a SELECT may have, `arguments` a
    function and `terms` a sum. `name_rules` are those of names in quotes, and `name_bytes` is how long
    our own may be. `name_parts` is how many names, of schema and database too, a table has, and `reserved`
    the words that are no name without quotes.
    """

    name: str
    title: str
    number: Callable[[float], str]
    text: Callable[[str], str]
    quote: Callable[[str], str]
    known_number: Callable[[str], str]
    known_text: Callable[[str], str]
    text_cell: Callable[[str], str]
    keeping: Keeping
    limit: Callable[[float], str] | None = None
    nan: str = ""
    is_nan: Callable[[str], str] | None = None
    in_list: Callable[[str, str], str] | None = None
    guarded: bool = True
    largest: str = "GREATEST"
    log: str = "LN"
    mark: str = ""
    fence: str = ""
    fence_from: int = 0
    hint: str = ""
    nesting: int = 14
    columns: int = 10_000
    arguments: int = 200
    terms: int = 300
    name_bytes: int = 120
    name_rules: NameRules = ANY_NAME
    plain_names: bool = False
    ignores_case: bool = True
    name_parts: int = 3
    reserved: frozenset[str] = OF_ANY
    notes: tuple[str, ...] = ()

    def beside(self, value: float) -> str:
        """A literal that a double is compared with."""
        return self.number(value) if self.limit is None else self.limit(value)
