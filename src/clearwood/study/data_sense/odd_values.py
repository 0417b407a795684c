"""Odd values: numbers that stand for no number, such as −999, and spellings that mean one value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import numpy as np

from clearwood.advice import Advice, Sentence
from clearwood.arrays import Floats, Longs
from clearwood.study.data_sense.finding import Finding
from clearwood.study.data_sense.leaks import ColumnSkill, SampledRows
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.read_as import number_in
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


_BETWEEN: Final = re.compile(r"(?<=\w)[\s_\-]+(?=\w)")
_FEW: Final = 12  # values among which a letter stands for a word
_NAMED: Final = 4  # in a sentence


def spellings(table: Table, skills: Mapping[str, ColumnSkill]) -> list[Finding]:
    """The columns, the target among them, in which values differ only in case, blanks or marks, or of which
    one is the first letter of the other."""
    target = table.schema.target
    found = []
    for attribute in (*table.schema.inputs, *(() if target is None else (target,))):
        if not isinstance(attribute, Nominal | Ordinal) or attribute.name not in table.columns:
            continue
        column = table.columns[attribute.name]
        counts = np.bincount(column[column >= 0], minlength=len(attribute.values))
        rows = {
            value: int(count) for value, count in zip(attribute.values, counts.tolist(), strict=True) if count
        }
        merged = same_values(rows)
        if not merged:
            continue
        part = sum(rows[value] for value in merged) / len(table)
        listed = [f"'{old}' and '{new}'" for old, new in merged.items()]
        more = ", …" if len(listed) > _NAMED else ""
        sentence = Sentence(
            f"Column '{attribute.name}' has values that look like one: {', '.join(listed[:_NAMED])}{more} "
            f"({percent_to(part, 1)} of the rows). If they are: ",
            Advice("recode", {attribute.name: merged}),
            ".",
        )
        is_target = attribute is target
        skill = skills[attribute.name].auc - 0.5 if attribute.name in skills else 0.0
        harm = 1.0 if is_target else min(part, 0.5) * (0.5 + max(skill, 0.0))
        found.append(
            Finding(
                "spelling",
                (attribute.name,),
                sentence,
                is_target,
                {"values": len(merged), "part": part},
                harm,
            )
        )
    return found


def same_values(rows: Mapping[str, int]) -> dict[str, str]:
    """By value the one that it should be written as: the commonest of its spellings, or the word that it is
    the first letter of.

    >>> same_values({"Y": 5, "y": 2, "no": 4})
    {'y': 'Y'}
    >>> same_values({"M": 5, "male": 2, "female": 9, "F": 1, "Male": 1})
    {'Male': 'male', 'M': 'male', 'F': 'female'}
    """
    groups: dict[str, list[str]] = {}
    for value in rows:
        groups.setdefault(_plain(value), []).append(value)
    merged: dict[str, str] = {}
    chosen: dict[str, str] = {}
    for plain, values in groups.items():
        best = max(values, key=lambda value: (rows[value], value == value.strip(), value))
        chosen[plain] = best
        merged |= {value: best for value in values if value != best}
    if len(groups) <= _FEW:
        for letter in [plain for plain in groups if len(plain) == 1 and plain.isalpha()]:
            words = [each for each in groups if _is_word(each) and each.startswith(letter)]
            if len(words) == 1:
                merged |= dict.fromkeys(groups[letter], chosen[words[0]])
    return merged


def _is_word(plain: str) -> bool:
    return plain.isalpha() and (len(plain) > 2 or plain == "no")


def _plain(value: str) -> str:
    if number_in(value) is not None:
        return value
    plain = _BETWEEN.sub(" ", value.casefold().strip()).rstrip(".")
    return plain or value
