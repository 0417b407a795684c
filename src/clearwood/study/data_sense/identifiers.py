"""Identifiers: a column that numbers or names the rows says nothing of new ones."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from clearwood.advice import Advice, Sentence
from clearwood.arrays import Bools, Floats, Longs, distinct
from clearwood.records import dataclass
from clearwood.study.data_sense.finding import Finding
from clearwood.study.data_sense.leaks import as_hashed
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.table import Column, Table
from clearwood.words.numbers import amount, many, percent_to

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


# Repeated rows: the same row again, and the same row with another answer.


_MANY: Final = 0.05  # of the rows: more repeats are severe
_LOST: Final = 0.05  # of the accuracy, or of the spread
_DIFFERENT: Final = 10  # rows: where none of so many stands alone, the table was copied
_RARE: Final = 1 / 3  # different values for each row: in such a column two rows are hardly equal by chance


def repeated_rows(table: Table, hashes: npt.NDArray[np.uint64], again: Longs) -> list[Finding]:
    """By the rows' `input_hashes`, `again` being those with twins: how many rows repeat another, and what is
    the best that any model can do where equal rows differ in their answer; a row's weight counts it, not what
    makes it another."""
    if len(table) < 2 or not any(each.name in table.columns for each in table.schema.inputs):
        return []
    if not again.size:
        return []
    _, group = np.unique(hashes[again], return_inverse=True)
    rows = _Repeated(again, group.astype(np.int64))
    findings = []
    if table.schema.target is not None:
        findings += _contradictions(table, rows)
    return [*findings, *_duplicates(table, rows)]


@dataclass(frozen=True, slots=True, eq=False)
class _Repeated:
    """The rows whose inputs some other row has too, and which of them are equal."""

    rows: Longs
    group: Longs  # [row] from 0


def rows_with_twins(hashes: npt.NDArray[np.uint64]) -> Longs:
    """The rows whose hash another row has. Rows that share no bucket are told apart before any is sorted."""
    bits = max(len(hashes).bit_length() + 2, 8)
    bucket = (hashes >> np.uint64(64 - bits)).astype(np.int64)
    shared = np.flatnonzero(np.bincount(bucket, minlength=1 << bits)[bucket] > 1)
    order = shared[np.argsort(hashes[shared], kind="stable")]
    same = hashes[order[1:]] == hashes[order[:-1]]
    twin = np.zeros(len(order), dtype=np.bool_)
    twin[1:] |= same
    twin[:-1] |= same
    return np.sort(order[twin])


def _duplicates(table: Table, rows: _Repeated) -> list[Finding]:
    """Rows that are equal in every column, the answer included."""
    key = rows.group
    if table.schema.target is not None:
        answer = np.unique(table.target[rows.rows], return_inverse=True)[1]
        key = rows.group * (int(answer.max()) + 1) + answer
    times = np.unique(key, return_counts=True)[1]
    count = len(key) - len(times)
    if not count:
        return []
    part = count / len(table)
    none_alone = len(key) == len(table) and len(times) >= _DIFFERENT and bool((times > 1).all())
    copies = none_alone or _rarely_equal(table)
    severe = part >= _MANY and copies
    repeat = "row repeats" if count == 1 else "rows repeat"
    sentence = f"{count:,} {repeat} another in every column ({percent_to(part)} of {len(table):,})."
    if none_alone:
        each = f"each {times[0]:,} times" if (times == times[0]).all() else "none of them once"
        sentence = f"The {len(table):,} rows are {len(times):,} different ones, {each}."
    elif not copies:
        sentence += " No column has so many values that this must be more than chance."
    sentence += " If they are copies, drop them: scores on a copy of what was learned are too good."
    return [Finding("duplicates", (), sentence, severe, {"rows": count, "part": part}, severe + part)]


def _rarely_equal(table: Table) -> bool:
    """Has some column so many values that two rows hardly share one by chance?"""
    for attribute in table.schema.inputs:
        column = table.columns.get(attribute.name)
        if column is None:
            continue
        cells = as_hashed(column)
        known = cells[~np.isnan(cells)] if isinstance(attribute, Numeric) else cells[cells >= 0]
        if len(known) > 1 and len(distinct(known)) > _RARE * len(table):
            return True
    return False


def _contradictions(table: Table, rows: _Repeated) -> list[Finding]:
    weights = np.ones(len(table)) if table.weights is None else table.weights
    if isinstance(table.schema.target, Numeric):
        return _of_numbers(table, rows, weights)
    codes = table.target[rows.rows].astype(np.int64)
    known = codes >= 0
    group, codes, own = rows.group[known], codes[known], weights[rows.rows][known]
    classes = len(table.schema.classes)
    groups = int(rows.group.max()) + 1
    counts = np.bincount(group * classes + codes, own, minlength=groups * classes).reshape(groups, classes)
    lost = float((counts.sum(axis=1) - counts.max(axis=1)).sum())
    if not lost > 0:
        return []
    total = float(weights[table.target >= 0].sum())
    mixed = (counts > 0).sum(axis=1) > 1
    concerned = int(mixed[group].sum())
    best = 1 - lost / total
    sentence = (
        f"{many(concerned, 'row')} are equal to another in every input but of another class: on these rows "
        f"no model of these columns can have an accuracy above {percent_to(best, 2)}. Look for a column that "
        "distinguishes them, or for mistakes in the classes."
    )
    numbers = {"rows": float(concerned), "best_accuracy": best}
    return [Finding("contradictions", (), sentence, 1 - best >= _LOST, numbers, 1 - best)]


def _of_numbers(table: Table, rows: _Repeated, weights: Floats) -> list[Finding]:
    """Equal rows with different numbers: what is left of the spread within them."""
    numbers = table.target.astype(np.float64)
    known = ~np.isnan(numbers)
    own = ~np.isnan(numbers[rows.rows])
    group, y, w = rows.group[own], numbers[rows.rows][own], weights[rows.rows][own]
    groups = int(rows.group.max()) + 1
    weight, total = (np.bincount(group, each, minlength=groups) for each in (w, w * y))
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(weight > 0, total / weight, 0.0)
    within = float((w * (y - mean[group]) ** 2).sum())
    whole = float(weights[known].sum())
    centre = float((weights[known] * numbers[known]).sum()) / whole if whole else 0.0
    spread = float((weights[known] * (numbers[known] - centre) ** 2).sum())
    if not within > 1e-12 * spread:
        return []
    differ = np.abs(y - mean[group]) > 0
    concerned = int(np.isin(group, group[differ]).sum())
    best = 1 - within / spread
    error = float(np.sqrt(within / whole))
    sentence = (
        f"{many(concerned, 'row')} are equal to another in every input but have another number: on these "
        f"rows no model of these columns can have an RMSE below {amount(error)} (R² {best:.4f}). Look for a "
        "column that distinguishes them, or for mistakes in the target."
    )
    figures = {"rows": float(concerned), "best_rmse": error, "best_r2": best}
    return [Finding("contradictions", (), sentence, 1 - best >= _LOST, figures, 1 - best)]
