"""Identifiers: a column that numbers or names the rows says nothing of new ones."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from clearwood.advice import Advice, Sentence
from clearwood.arrays import Bools
from clearwood.study.data_sense.finding import Finding
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.table import Column, Table
from clearwood.words.numbers import percent_to

_FEWEST: Final = 100  # rows: of fewer whole numbers all may differ by chance
_FEWEST_NAMES: Final = 20
_SAMPLE: Final = 1000
_UNIQUE: Final = 0.99  # of the numbers
_NAMES: Final = 0.5  # of the values of a nominal column
_DENSE: Final = 10  # numbers between the least and the largest, for each row: by chance some would repeat
_DIGITS: Final = 8  # of an account number
_SHARED: Final = 5  # rows that share a value of a column that is named like an identifier
_NAME: Final = re.compile(
    r"(^|[\W_])(id|uuid|guid|key|no|nr|num|number|serial|identifier|account|acct|ssn)$|[a-z](Id|ID|No|Nr|Key)$",
    re.ASCII,
)


def identifiers(table: Table, copied: Bools) -> list[Finding]:
    """Columns that reading did not leave out already and that look like the numbers or names of rows, or of
    what rows are about; rows that are `copied` repeat the identifier with all else."""
    found = []
    for attribute in table.schema.inputs:
        if attribute.name not in table.columns:
            continue
        because = None
        cells = table.columns[attribute.name]
        if isinstance(attribute, Numeric):
            because = _why_numbers(cells, copied) or _why_named(attribute.name, cells)
        elif isinstance(attribute, Nominal):
            because = _why_names(cells) or _why_named(attribute.name, cells)
        if because is None:
            continue
        text, part = because
        sentence = Sentence(
            f"Column '{attribute.name}' looks like an identifier: {text}. What is learned from it says "
            "nothing of new rows; leave it out: ",
            Advice("ignore", [attribute.name]),
            ".",
        )
        found.append(Finding("identifier", (attribute.name,), sentence, True, {"different": part}, 1 + part))
    return found


def _why_numbers(cells: Column, copied: Bools) -> tuple[str, float] | None:
    """Whole numbers, hardly one of them twice, that are packed as a count is, or as long as account numbers.

    Most columns are cleared by their first cells.
    """
    head = cells[:_SAMPLE]
    head = head[~np.isnan(head) & ~copied[:_SAMPLE]]
    if len(cells) < _FEWEST or not len(head):
        return None
    if not (np.isfinite(head).all() and (head == np.floor(head)).all()):
        return None
    if len(np.unique(head)) < _UNIQUE * len(head):
        return None
    known = cells[~np.isnan(cells) & ~copied]
    if not (np.isfinite(known).all() and (known == np.floor(known)).all()):
        return None
    part = len(np.unique(known)) / len(known)
    if part < _UNIQUE or len(known) < _FEWEST:
        return None
    share = "all" if part == 1 else f"{percent_to(part)} of"
    low, high = float(known.min()), float(known.max())
    if (np.diff(known) > 0).all():
        return "its whole numbers grow from row to row", part
    if high - low < _DENSE * len(known):
        return f"{share} its whole numbers are different, and few numbers between them are left out", part
    if low > 0 and len(str(int(low))) == len(str(int(high))) >= _DIGITS:
        return f"{share} its whole numbers, of {len(str(int(high)))} digits, are different", part
    return None


def _why_named(name: str, cells: Column) -> tuple[str, float] | None:
    """A name such as customer_no, over numbers without fractions or values of which hardly two rows share
    one."""
    if not _NAME.search(name):
        return None
    known = cells[cells >= 0] if cells.dtype == np.int32 else cells[~np.isnan(cells)]
    if len(known) < _FEWEST or not (known == np.floor(known)).all():
        return None
    different = len(np.unique(known))
    if different < _FEWEST or different * _SHARED < len(known):
        return None
    rows = len(known) / different
    return f"it is named like one, and {different:,} values are shared by {rows:.1f} rows each", 1 / rows


def _why_names(cells: Column) -> tuple[str, float] | None:
    """Values of which more than half are of one row alone, or almost."""
    known = cells[cells >= 0]
    if len(known) < _FEWEST_NAMES:
        return None
    different = int(np.count_nonzero(np.bincount(known)))
    part = different / len(known)
    if part <= _NAMES:
        return None
    return f"it has {different:,} different values in {len(known):,} rows", part
