"""Repeated rows: the same row again, and the same row with another answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats, Longs, distinct
from clearwood.study.data_sense.finding import Finding
from clearwood.study.data_sense.sampled_rows import as_hashed
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table
from clearwood.words.numbers import amount, many, percent_to

_MANY: Final = 0.05  # of the rows: more repeats are severe
_LOST: Final = 0.05  # of the accuracy, or of the spread
_DIFFERENT: Final = 10  # rows: where none of so many stands alone, the table was copied
_RARE: Final = 1 / 3  # different values for each row: in such a column two rows are hardly equal by chance


def repeated_rows(table: Table, hashes: npt.NDArray[np.uint64]) -> list[Finding]:
    """By the rows' `input_hashes`: how many rows repeat another, and what is the best that any model can do
    where equal rows differ in their answer; a row's weight counts it, not what makes it another."""
    if len(table) < 2 or not any(each.name in table.columns for each in table.schema.inputs):
        return []
    again = rows_with_twins(hashes)
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
