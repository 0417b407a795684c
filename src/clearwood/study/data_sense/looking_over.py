"""Looking a table over: what stands out in it, before anything is learned, as a list of findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.advice import Advice, Sentence
from clearwood.errors import SchemaError
from clearwood.study.data_sense.drift import drift
from clearwood.study.data_sense.finding import Finding
from clearwood.study.data_sense.identifiers import identifiers
from clearwood.study.data_sense.leaks import leaks
from clearwood.study.data_sense.repeated_rows import repeated_rows
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.sparse_columns import SparseColumns
from clearwood.table.table import Table
from clearwood.words.numbers import many, number


@dataclass(frozen=True, slots=True)
class Findings:
    """What stands out in a table of so many rows, the severe first."""

    rows: int
    findings: tuple[Finding, ...]
    time: str | None = None

    @property
    def severe(self) -> tuple[Finding, ...]:
        """Those by which scores may be too good, or none can be good."""
        return tuple(each for each in self.findings if each.severe)

    def __len__(self) -> int:
        return len(self.findings)

    def __str__(self) -> str:
        if not self.findings:
            time = "" if self.time is None else f", no column that changes with '{self.time}'"
            return (
                f"Nothing stands out in {many(self.rows, 'row')}: no repeated row, no equal rows with "
                "different answers, no column that predicts every answer or names the rows, no "
                f"constant{time}."
            )
        return "\n".join(f"{'!' if each.severe else '·'} {each.sentence}" for each in self.findings)

    def to_json(self) -> dict[str, Any]:
        found = [{**each.to_json(), "sentence": str(each.sentence)} for each in self.findings]
        return {"rows": self.rows, "findings": found}


def look_over(table: Table, *, time: str | None = None) -> Findings:
    """What a careful reader notices before learning: rows that repeat, equal rows with different answers, a
    column that alone predicts almost every answer, identifiers, constants and, given a `time` column, columns
    that change between its earlier and its later half.

    >>> import clearwood as cw
    >>> rows = {"paid": ["no", "yes"] * 40, "age": [20 + i % 37 for i in range(80)]}
    >>> rows["late"] = ["yes", "no"] * 40
    >>> found = look_over(cw.read_table(rows, target="late")).findings[0]
    >>> found.kind, found.columns, found.numbers["accuracy"]
    ('leak', ('paid',), 1.0)
    """
    if not isinstance(table, Table):
        raise SchemaError(f"look_over takes a Table, not {type(table).__name__}. Read one: read_table(…).")
    found = [*_without_constants(table), *constants(table)]
    if time is not None:
        found += drift(table, time)
    return Findings(len(table), tuple(sorted(found, key=lambda each: not each.severe)), time)


def severe_findings(table: Table) -> list[Finding]:
    """What whoever learns from the table should know: leaks, identifiers, contradictions and many copies."""
    return [each for each in _without_constants(table) if each.severe]


def _without_constants(table: Table) -> list[Finding]:
    """Of a sparse table none: its columns are too many to ask one by one."""
    if isinstance(table.columns, SparseColumns):
        return []
    return [*leaks(table), *identifiers(table), *repeated_rows(table)]


def constants(table: Table) -> list[Finding]:
    """Columns that say the same in every row, or in every row that says something."""
    if isinstance(table.columns, SparseColumns):
        return []
    found = []
    for attribute in table.schema.inputs:
        column = table.columns.get(attribute.name)
        if column is None or len(table) < 2 or not isinstance(attribute, Nominal | Ordinal | Numeric):
            continue
        known = column[~np.isnan(column)] if isinstance(attribute, Numeric) else column[column >= 0]
        if len(known) and (known != known[0]).any():
            continue
        value = "nothing"
        if len(known):
            first = known[0]
            value = number(float(first)) if isinstance(attribute, Numeric) else attribute.values[int(first)]
        where = "Every row" if len(known) in (0, len(table)) else "Every row that says anything"
        sentence = Sentence(
            f"{where} has {value} in '{attribute.name}': it distinguishes no rows. Leave it out: ",
            Advice("ignore", [attribute.name]),
            ".",
        )
        if 0 < len(known) < len(table):
            sentence = Sentence(
                f"Column '{attribute.name}' has {value} or nothing: only its empty cells distinguish rows."
            )
        found.append(Finding("constant", (attribute.name,), sentence, False, {"rows": float(len(known))}))
    return found
