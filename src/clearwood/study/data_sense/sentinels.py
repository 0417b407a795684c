"""Sentinels: numbers that stand for no number, such as −999, 9999 or the 0 of a blood pressure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import numpy as np

from clearwood.advice import Advice, Sentence
from clearwood.arrays import Floats, Longs
from clearwood.study.data_sense.finding import Finding
from clearwood.study.data_sense.leaks import ColumnSkill
from clearwood.study.data_sense.sampled_rows import SampledRows
from clearwood.table.attributes import Numeric
from clearwood.table.table import Column, Table
from clearwood.words.numbers import number, percent_to

_FEWEST: Final = 3  # cells
_VALUES: Final = 8  # different numbers beside it: codes of a few values are none
_APART: Final = 0.5  # of the range of the other numbers, from which 9999 lies outside
_MANY: Final = 0.05  # of the rows: more are severe
_MOST: Final = 0.5  # of the rows: where most are 0, that is the usual amount
_LEAST: Final = 0.1  # of the middle number: measurements that begin there do not reach 0
_STEPS: Final = 5  # of the usual step between numbers, which lie between 0 and the next
_WIDE: Final = 1.0  # the deviation in means from which numbers are amounts, whose 0 is one
_SPIKE: Final = 50  # times as many rows as a usual number has

Lies: TypeAlias = Literal["below", "above", "among"]  # where to the other numbers


def sentinels(table: Table, sample: SampledRows, skills: Mapping[str, ColumnSkill]) -> list[Finding]:
    """Numbers of inputs that are codes for missing cells, by all that their columns show."""
    found = []
    for attribute in table.schema.inputs:
        column = table.columns.get(attribute.name)
        if column is None or not isinstance(attribute, Numeric):
            continue
        drawn = np.asarray(column[sample.rows], dtype=np.float64)
        codes = _sentinels_in(drawn[np.isfinite(drawn)])
        if not codes:
            continue
        others = column[np.isfinite(column) & ~np.isin(column, [value for value, _ in codes])]
        for value, lies in codes:
            because = _because(value, lies, others)
            if because:
                rows = int(np.count_nonzero(column == value))
                found.append(_finding(attribute.name, value, rows, len(table), because, skills))
    return found


def _because(value: float, lies: Lies, others: Column) -> str:
    """Why it is one, by all rows; empty where the rows that were not drawn know better."""
    if lies == "among":
        return "far more often than any number near it"
    if not len(others):
        return ""
    nearest = float(others.min() if lies == "below" else others.max())
    if not (value < nearest if lies == "below" else value > nearest):
        return ""
    side = "below" if lies == "below" else "above"
    return f"while none of the others lies {side} {number(nearest)}"


def _finding(
    name: str, value: float, rows: int, whole: int, because: str, skills: Mapping[str, ColumnSkill]
) -> Finding:
    part = rows / whole
    written = number(value)
    sentence = Sentence(
        f"Column '{name}' has {written} in {rows:,} rows ({percent_to(part)}), {because}. If it stands for a "
        "missing cell: ",
        Advice("missing", {name: written}),
        ".",
    )
    skill = skills[name].auc - 0.5 if name in skills else 0.0
    harm = part * (0.5 + max(skill, 0.0))
    return Finding(
        "sentinel", (name,), sentence, part >= _MANY, {"value": value, "rows": rows, "part": part}, harm
    )


def _sentinels_in(cells: Floats) -> list[tuple[float, Lies]]:
    """Each with where it lies to the other numbers."""
    found: list[tuple[float, Lies]] = []
    values, found_counts = np.unique(cells, return_counts=True)
    counts = found_counts.astype(np.int64)
    for end in (0, -1):
        if len(values) <= _VALUES or counts[end] < _FEWEST:
            continue
        value, rest = float(values[end]), np.delete(values, end)
        if _is_code(value) and _lies_apart(value, rest):
            found.append((value, "below" if end == 0 else "above"))
            values, counts = rest, np.delete(counts, end)
    if len(values) > _VALUES and values[0] == 0 and _is_no_measurement(values, counts):
        found.append((0.0, "below"))
    return [*found, *((value, "among") for value in _spikes(values, counts))]


def _is_code(value: float) -> bool:
    """−1, −9, 99, −999, 9999, 88888 and the like, which people choose for codes."""
    digits = f"{abs(value):.0f}" if value == int(value) else ""
    if value < 0 and digits in ("1", "7", "8", "9"):
        return True
    return len(digits) >= 2 and digits[0] in "789" and len(set(digits)) == 1


def _lies_apart(value: float, rest: Floats) -> bool:
    """Outside the other numbers, by much; or the only negative one."""
    low, high = float(rest[0]), float(rest[-1])
    if value < 0 <= low:
        return True
    return (low - value if value < low else value - high) > _APART * (high - low)


def _is_no_measurement(values: Floats, counts: Longs) -> bool:
    """Is 0 impossible? The other numbers are positive, begin well above it, and are not amounts, of which
    none is 0 by nature."""
    if counts[0] < _FEWEST or counts[0] > _MOST * counts.sum():
        return False
    rest, weights = values[1:], counts[1:]
    step = float(np.median(np.diff(rest)))
    mean = float(rest @ weights / weights.sum())
    deviation = float(np.sqrt((rest - mean) ** 2 @ weights / weights.sum()))
    middle = float(rest[np.searchsorted(np.cumsum(weights), weights.sum() / 2)])
    return rest[0] >= _STEPS * step and rest[0] >= _LEAST * middle and deviation < _WIDE * mean


def _spikes(values: Floats, counts: Longs) -> list[float]:
    """Codes among the other numbers, each of which hardly repeats."""
    if len(values) < 2 * _SPIKE:
        return []
    usual = max(float(np.median(counts)), float(counts.mean()) / 2)
    found = values[(counts >= _SPIKE * usual) & (np.abs(values) >= 99)]
    return [value for value in found.tolist() if _is_code(value)]
