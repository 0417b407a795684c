"""The lines of a decision table, a list of texts each: its head, then its rows; and read back from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from clearwood.errors import SettingError
from clearwood.exporting.exportable import Exportable, inputs_of
from clearwood.formulas.conditions import Condition, holds
from clearwood.models.kinds.rules.rule_list import answer_text
from clearwood.models.kinds.rules.rule_reading import parse_answer, parse_rule
from clearwood.table.attributes import Attribute, Nominal
from clearwood.table.raw import Row
from clearwood.table.schema import Schema
from clearwood.words.numbers import rows as row_words


def head_of(table: DecisionTable) -> list[str]:
    """The names of the columns: the row's number, each attribute, the answer, shares, and the rows behind."""
    target = table.model.schema.predicted
    shares = [f"probability of {name}" for name in table.model.schema.classes]
    return ["#", *(each.name for each in table.inputs), target.name, *shares, "rows"]


def lines_of(table: DecisionTable, share: Callable[[float], str]) -> list[list[str]]:
    """The rows of a table; `share` writes a share."""
    return [
        [
            str(place),
            *(cell_words(row, each.name) for each in table.inputs),
            answer_text(row.answer),
            *map(share, row.shares),
            "" if row.weight is None else row_words(row.weight),
        ]
        for place, row in enumerate(table.rows, 1)
    ]


def table_of_lines(
    model: Exportable, lines: Sequence[Sequence[str]], share: Callable[[str], float] | None
) -> DecisionTable:
    """The table that such lines say; without `share` the shares are not read."""
    inputs = inputs_of(model)
    classes = model.schema.classes
    rows = []
    for _, *cells in lines:
        asked = cells[: len(inputs)]
        conditions = [condition_of_cell(cell, each) for cell, each in zip(asked, inputs, strict=True)]
        answer = parse_answer(cells[len(inputs)], model.schema)
        shown = cells[len(inputs) + 1 : len(inputs) + 1 + len(classes)]
        shares = () if share is None else tuple(map(share, shown))
        when = {each.name: each for each in conditions if each is not None}
        rows.append(DecisionRow(when, frozenset(), answer, shares, None))
    return DecisionTable(model, inputs, tuple(rows), "first")


# The cell of a decision table: a condition in its own words, without the name that heads its column.


ANY_OTHER: Final = "any other"  # what the rows above leave
NOTHING_ASKED: Final = "–"
_SELF: Final = "…"
_SIGNED: Final = re.compile(r"[<≤>≥]|in \{|is (missing|known)")
_BETWEEN: Final = re.compile(rf"\S+ [<≤] {_SELF} [<≤] ")


def cell_words(row: DecisionRow, name: str) -> str:
    """What a row asks of an attribute; nothing: any cell will do.

    >>> from clearwood.formulas.conditions import Between, Equals
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


# A DecisionTable: rows of conditions, one per attribute, of which the first that holds answers.


HitPolicy: TypeAlias = Literal["unique", "first"]


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """If every condition holds, and those of no row above: this answer, with these shares of the classes.

    `rest` names the attributes of which only the rows above say more: any value that they leave. `weight` is
    that of the training rows behind the answer, and `reason` the text of the leaf or rule; both are None
    where the answer is mixed from several leaves.
    """

    when: Mapping[str, Condition]
    rest: frozenset[str]
    answer: str | float | None
    shares: tuple[float, ...]
    weight: float | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class DecisionTable:
    """The attributes asked for, and the rows. Under "unique" exactly one row holds; under "first" several
    may, and the first of them answers."""

    model: Exportable
    inputs: tuple[Attribute, ...]
    rows: tuple[DecisionRow, ...]
    policy: HitPolicy

    @property
    def policy_sentence(self) -> str:
        """How the rows are to be read."""
        if self.policy == "unique":
            return "Hit policy: unique. Exactly one row holds, and it decides."
        return "Hit policy: first. The rows are read from the top, and the first that holds decides."


def hit_of(table: DecisionTable, row: Row) -> int | None:
    """The place of the row of the table that answers; None: there is none."""
    for place, each in enumerate(table.rows):
        if all(holds(condition, row.get(name)) for name, condition in each.when.items()):
            return place
    return None
