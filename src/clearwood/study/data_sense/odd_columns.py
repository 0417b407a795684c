"""Odd columns: identifiers, constants, numbers that stand for no number, spellings that mean one value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.errors import Advice, Sentence
from clearwood.study.data_sense import Finding
from clearwood.study.data_sense.leaks import (
    ColumnSkill,
    SampledRows,
    filled_cells,
    given_inputs,
    leave_out,
    skill_beyond_chance,
)
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import number_in
from clearwood.table.table import Column, SparseColumns, Table
from clearwood.words.numbers import number, percent_to

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
    for attribute, cells in given_inputs(table):
        name, because = attribute.name, None
        if isinstance(attribute, Numeric):
            because = _why_numbers(cells, copied) or _why_named(attribute, cells)
        elif isinstance(attribute, Nominal):
            because = _why_names(attribute, cells) or _why_named(attribute, cells)
        if because is None:
            continue
        text, part = because
        sentence = leave_out(
            f"Column '{name}' looks like an identifier: {text}. What is learned from it says nothing of new "
            "rows; leave it out: ",
            name,
        )
        found.append(Finding("identifier", (name,), sentence, True, {"different": part}, 1 + part))
    return found


def _why_numbers(cells: Column, copied: Bools) -> tuple[str, float] | None:
    """Whole numbers, hardly one of them twice, that are packed as a count is, or as long as account numbers.

    Most columns are cleared by their first cells.
    """
    if len(cells) < _FEWEST or not _hardly_repeat(cells[:_SAMPLE], copied[:_SAMPLE]):
        return None
    part = _hardly_repeat(cells, copied)
    known = cells[~np.isnan(cells) & ~copied]
    if not part or len(known) < _FEWEST:
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


def _hardly_repeat(cells: Column, copied: Bools) -> float:
    """The part that are different, of whole numbers that hardly ever repeat; 0 of others."""
    known = cells[~np.isnan(cells) & ~copied]
    if not len(known) or not (np.isfinite(known).all() and (known == np.floor(known)).all()):
        return 0.0
    part = len(np.unique(known)) / len(known)
    return part if part >= _UNIQUE else 0.0


def _why_named(attribute: Nominal | Numeric, cells: Column) -> tuple[str, float] | None:
    """A name such as customer_no, over numbers without fractions or values of which hardly two rows share
    one."""
    if not _NAME.search(attribute.name):
        return None
    known = filled_cells(attribute, cells)
    if len(known) < _FEWEST or not (known == np.floor(known)).all():
        return None
    different = len(np.unique(known))
    if different < _FEWEST or different * _SHARED < len(known):
        return None
    rows = len(known) / different
    return f"it is named like one, and {different:,} values are shared by {rows:.1f} rows each", 1 / rows


def _why_names(attribute: Nominal, cells: Column) -> tuple[str, float] | None:
    """Values of which more than half are of one row alone, or almost."""
    rows = int(np.count_nonzero(cells >= 0))
    if rows < _FEWEST_NAMES or len(attribute.values) <= _NAMES * rows:  # most columns have few values
        return None
    known = filled_cells(attribute, cells)
    different = int(np.count_nonzero(np.bincount(known)))
    if different <= _NAMES * len(known):
        return None
    return f"it has {different:,} different values in {len(known):,} rows", different / len(known)


# Constants: columns that say the same in every row.


def constants(table: Table) -> list[Finding]:
    """Columns that say the same in every row, or in every row that says something."""
    if isinstance(table.columns, SparseColumns) or len(table) < 2:
        return []
    found = []
    for attribute, column in given_inputs(table):
        if not isinstance(attribute, Nominal | Ordinal | Numeric):
            continue
        known = filled_cells(attribute, column)
        if len(known) and (known != known[0]).any():
            continue
        name, value = attribute.name, "nothing"
        if len(known):
            first = known[0]
            value = number(float(first)) if isinstance(attribute, Numeric) else attribute.values[int(first)]
        if 0 < len(known) < len(table):
            sentence = Sentence(
                f"Column '{name}' has {value} or nothing: only its empty cells distinguish rows."
            )
        else:
            why = f"Every row has {value} in '{name}': it distinguishes no rows. Leave it out: "
            sentence = leave_out(why, name)
        found.append(Finding("constant", (name,), sentence, False, {"rows": float(len(known))}))
    return found


# Odd values: numbers that stand for no number, such as −999, and spellings that mean one value.


_FEWEST_CELLS: Final = 3  # cells
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
    for attribute, column in given_inputs(table):
        if not isinstance(attribute, Numeric):
            continue
        drawn = np.asarray(column[sample.rows], dtype=np.float64)
        codes = _sentinels_in(drawn[np.isfinite(drawn)])
        others = column[np.isfinite(column) & ~np.isin(column, [value for value, _ in codes])]
        for value, lies in codes:
            if because := _because(value, lies, others):
                rows = int(np.count_nonzero(column == value))
                found.append(_sentinel(attribute.name, value, rows, len(table), because, skills))
    return found


def _because(value: float, lies: Lies, others: Column) -> str:
    """Why it is one, by all rows; empty where the rows that were not drawn know better."""
    if lies == "among":
        return "far more often than any number near it"
    if not len(others):
        return ""
    nearest = float(others.min() if lies == "below" else others.max())
    apart = value < nearest if lies == "below" else value > nearest
    return f"while none of the others lies {lies} {number(nearest)}" if apart else ""


def _sentinel(
    name: str, value: float, rows: int, whole: int, because: str, skills: Mapping[str, ColumnSkill]
) -> Finding:
    part, written = rows / whole, number(value)
    sentence = Sentence(
        f"Column '{name}' has {written} in {rows:,} rows ({percent_to(part)}), {because}. If it stands for a "
        "missing cell: ",
        Advice("missing", {name: written}),
        ".",
    )
    numbers = {"value": value, "rows": rows, "part": part}
    harm = part * (0.5 + skill_beyond_chance(skills, name))
    return Finding("sentinel", (name,), sentence, part >= _MANY, numbers, harm)


def _sentinels_in(cells: Floats) -> list[tuple[float, Lies]]:
    """Each with where it lies to the other numbers."""
    found: list[tuple[float, Lies]] = []
    values, found_counts = np.unique(cells, return_counts=True)
    counts = found_counts.astype(np.int64)
    for end in (0, -1):
        if len(values) <= _VALUES or counts[end] < _FEWEST_CELLS:
            continue
        value, rest = float(values[end]), np.delete(values, end)
        if _is_code(value) and _lies_apart(value, rest):
            found.append((value, "below" if end == 0 else "above"))
            values, counts = rest, np.delete(counts, end)
    if len(values) > _VALUES and values[0] == 0 and _is_no_measurement(values, counts):
        found.append((0.0, "below"))
    if len(values) >= 2 * _SPIKE:  # codes among the other numbers, each of which hardly repeats
        usual = max(float(np.median(counts)), float(counts.mean()) / 2)
        spikes = values[(counts >= _SPIKE * usual) & (np.abs(values) >= 99)].tolist()
        found += [(value, "among") for value in spikes if _is_code(value)]
    return found


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
    if counts[0] < _FEWEST_CELLS or counts[0] > _MOST * counts.sum():
        return False
    rest, weights = values[1:], counts[1:]
    step = float(np.median(np.diff(rest)))
    mean = float(rest @ weights / weights.sum())
    deviation = float(np.sqrt((rest - mean) ** 2 @ weights / weights.sum()))
    middle = float(rest[np.searchsorted(np.cumsum(weights), weights.sum() / 2)])
    return rest[0] >= _STEPS * step and rest[0] >= _LEAST * middle and deviation < _WIDE * mean


_BETWEEN: Final = re.compile(r"(?<=\w)[\s_\-]+(?=\w)")
_FEW: Final = 12  # values among which a letter stands for a word
_NAMED: Final = 4  # in a sentence


def spellings(table: Table, skills: Mapping[str, ColumnSkill]) -> list[Finding]:
    """The columns, the target among them, in which values differ only in case, blanks or marks, or of which
    one is the first letter of the other."""
    target = table.schema.target
    found = []
    for attribute in (*table.schema.inputs, *(() if target is None else (target,))):
        name = attribute.name
        if not isinstance(attribute, Nominal | Ordinal) or name not in table.columns:
            continue
        known = filled_cells(attribute, table.columns[name])
        counts = np.bincount(known, minlength=len(attribute.values)).tolist()
        rows = {value: count for value, count in zip(attribute.values, counts, strict=True) if count}
        merged = same_values(rows)
        if not merged:
            continue
        part = sum(rows[value] for value in merged) / len(table)
        listed = [f"'{old}' and '{new}'" for old, new in merged.items()]
        more = ", …" if len(listed) > _NAMED else ""
        sentence = Sentence(
            f"Column '{name}' has values that look like one: {', '.join(listed[:_NAMED])}{more} "
            f"({percent_to(part, 1)} of the rows). If they are: ",
            Advice("recode", {name: merged}),
            ".",
        )
        is_target = attribute is target
        harm = 1.0 if is_target else min(part, 0.5) * (0.5 + skill_beyond_chance(skills, name))
        numbers = {"values": len(merged), "part": part}
        found.append(Finding("spelling", (name,), sentence, is_target, numbers, harm))
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
        plain = (
            value if number_in(value) is not None else _BETWEEN.sub(" ", value.casefold().strip()).rstrip(".")
        )
        groups.setdefault(plain or value, []).append(value)
    merged: dict[str, str] = {}
    chosen: dict[str, str] = {}
    for plain, values in groups.items():
        best = max(values, key=lambda value: (rows[value], value == value.strip(), value))
        chosen[plain] = best
        merged |= {value: best for value in values if value != best}
    if len(groups) <= _FEW:
        words = [each for each in groups if each.isalpha() and (len(each) > 2 or each == "no")]
        for letter in [plain for plain in groups if len(plain) == 1 and plain.isalpha()]:
            meant = [each for each in words if each.startswith(letter)]
            if len(meant) == 1:
                merged |= dict.fromkeys(groups[letter], chosen[meant[0]])
    return merged
