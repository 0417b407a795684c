"""Looking a table over: what stands out in it, before anything is learned, as a list of findings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats, Longs, distinct
from clearwood.errors import SchemaError
from clearwood.records import dataclass
from clearwood.scoring import Stakes
from clearwood.scoring.predictions import ClassPredictions, Predictions
from clearwood.scoring.share_scores import auc
from clearwood.study.data_sense import Finding
from clearwood.study.data_sense.leaks import (
    SAMPLE,
    ColumnSkill,
    SampledRows,
    as_hashed,
    column_skills,
    filled_cells,
    given_inputs,
    input_hashes,
    leaks,
    leave_out,
    sampled_rows,
    skill_beyond_chance,
)
from clearwood.study.data_sense.odd_columns import constants, identifiers, sentinels, spellings
from clearwood.study.profiling import drift
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Column, SparseColumns, Table
from clearwood.words.numbers import amount, many, percent_to

_QUICK_SAMPLE: Final = 4_000  # rows, where a model is learned and should not wait
LOOKED_FOR: Final = (
    "repeated rows, equal rows with different targets, columns that alone predict the target (by their "
    "values, by 0 or by empty cells), identifiers, numbers that stand for missing cells (−999, 9999, an "
    "impossible 0), values that differ only in case, blanks or as a letter from its word, copied columns, "
    "constants"
)


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
            time = "" if self.time is None else f", columns that change with '{self.time}'"
            return (
                f"Nothing stands out in {many(self.rows, 'row')}. Looked for: {LOOKED_FOR}{time}. Not looked "
                "for: wrong or impossible values within a column's usual range, and whether a column is "
                "known when predictions are made."
            )
        return "\n".join(f"{'!' if each.severe else '·'} {each.sentence}" for each in self.findings)

    def to_json(self) -> dict[str, Any]:
        found = [{**each.to_json(), "sentence": str(each.sentence)} for each in self.findings]
        return {"rows": self.rows, "findings": found}


def look_over(table: Table, *, time: str | None = None) -> Findings:
    """What a careful reader notices before learning: rows that repeat, equal rows with different targets, a
    column that alone predicts almost every answer, identifiers, numbers that stand for missing cells, values
    that look like one, copied columns, constants and, given a `time` column, columns that change between its
    earlier and its later half; the severe first, by what they may do to a model.

    >>> import clearwood as cw
    >>> rows = {"paid": ["no", "yes"] * 40, "age": [20 + i % 37 for i in range(80)]}
    >>> rows["late"] = ["yes", "no"] * 40
    >>> found = look_over(cw.read_table(rows, target="late")).findings[0]
    >>> found.kind, found.columns, found.numbers["accuracy"]
    ('leak', ('paid',), 1.0)
    """
    if not isinstance(table, Table):
        raise SchemaError(f"look_over takes a Table, not {type(table).__name__}. Read one: read_table(…).")
    return all_findings(table, time=time)


def all_findings(table: Table, *, time: str | None = None, judged: Predictions | None = None) -> Findings:
    """The same; `judged` is what models of the table predicted of rows that they were not learned from."""
    found = [*_findings(table, SAMPLE, auc=_auc_of(judged), everything=True), *constants(table)]
    if time is not None:
        found += drift(table, time)
    return Findings(len(table), tuple(sorted(found, key=lambda each: (not each.severe, -each.harm))), time)


def severe_findings(table: Table, judged: Predictions | None = None) -> list[Finding]:
    """What whoever learns from the table should know: leaks, identifiers, contradictions, many copies and
    numbers that stand for missing cells; the worst first. `judged` is what models of it predicted of rows
    that they were not learned from. Fewer rows are asked than by `look_over`."""
    found = _findings(table, _QUICK_SAMPLE, auc=_auc_of(judged), everything=False)
    return sorted((each for each in found if each.severe), key=lambda each: -each.harm)


def _auc_of(judged: Predictions | None) -> float | None:
    if not isinstance(judged, ClassPredictions) or not len(judged):
        return None
    parts = [judged.take(judged.part == each) for each in distinct(judged.part)]
    values = [float(auc(each, Stakes()).of(each.weights[None, :])[0]) for each in parts]
    known = [each for each in values if not np.isnan(each)]
    return float(np.mean(known)) if known else None


def _findings(table: Table, most: int, *, auc: float | None = None, everything: bool) -> list[Finding]:
    """Of a sparse table none: its columns are too many to ask one by one."""
    if isinstance(table.columns, SparseColumns):
        return []
    hashes = input_hashes(table)
    sample = sampled_rows(table, hashes, most)
    skills = column_skills(table, sample)
    copied = np.zeros(len(table), dtype=np.bool_)
    again = rows_with_twins(hashes)
    copied[again] = True
    copied[again[np.unique(hashes[again], return_index=True)[1]]] = False  # the first of each stays
    found = [
        *leaks(table, sample, skills, auc),
        *identifiers(table, copied),
        *repeated_rows(table, hashes, again),
        *sentinels(table, sample, skills),
    ]
    if everything:
        found += [*spellings(table, skills), *copied_columns(table, sample, skills)]
    return found


# Copied columns: the same cells under another name, or other names for the same values.


_FEWEST: Final = 20  # rows: of fewer, columns may be equal by chance
_ROWS: Final = 2000  # that are compared
_MOST: Final = 1000  # columns of a kind that are compared
_ALIKE: Final = 0.99  # of the rows beyond chance, or the correlation's square
_NO_NAME: Final = re.compile(r"[\W_]+")


def copied_columns(table: Table, sample: SampledRows, skills: Mapping[str, ColumnSkill]) -> list[Finding]:
    """Inputs that say what another says, as numbers or as values, and names that are easily confused."""
    rows = sample.rows[:_ROWS]
    columns = {
        each.name: column
        for each, column in given_inputs(table)
        if isinstance(each, Nominal | Ordinal | Numeric)
    }
    pairs: dict[tuple[str, str], tuple[float, str]] = {}
    if len(rows) >= _FEWEST:
        numbers = {name: each for name, each in columns.items() if each.dtype in (np.float32, np.float64)}
        pairs = _linear(numbers, rows)
        for pair, how in _one_to_one(columns, rows).items():
            pairs.setdefault(pair, how)
    names = list(columns)
    findings, told = [], set[str]()
    for (first, second), (part, says) in sorted(pairs.items(), key=lambda each: names.index(each[0][1])):
        if second in told:  # a copy of a copy
            continue
        told.add(second)
        in_name = ", whose name differs only in case or blanks" if _plain(first) == _plain(second) else ""
        sentence = leave_out(
            f"Column '{second}' {says} '{first}'{in_name}. It adds nothing, and linear models and Bayes "
            "count it twice; leave one out: ",
            second,
        )
        harm = 0.1 + skill_beyond_chance(skills, second)
        findings.append(Finding("copy", (second, first), sentence, False, {"part": part}, harm))
    return [*findings, *_alike_names(names, pairs)]


def _plain(name: str) -> str:
    return _NO_NAME.sub("", name.casefold())


def _alike_names(names: list[str], pairs: Mapping[tuple[str, str], object]) -> list[Finding]:
    """Names that differ only in case, blanks and marks, though their cells differ."""
    by_name: dict[str, list[str]] = {}
    for name in names:
        by_name.setdefault(_plain(name), []).append(name)
    found = []
    for plain, alike in by_name.items():
        if not plain or len(alike) < 2 or (alike[0], alike[1]) in pairs:
            continue
        listed = " and ".join(f"'{name}'" for name in alike)
        sentence = f"The columns {listed} differ in their names only by case, blanks or marks. Rename one."
        found.append(Finding("copy", tuple(alike), sentence, False, {}, 0.05))
    return found


def _linear(numbers: Mapping[str, Column], rows: Longs) -> dict[tuple[str, str], tuple[float, str]]:
    """Numbers that are equal, or a line through others, with the same cells empty."""
    names = list(numbers)[:_MOST]
    if len(names) < 2:
        return {}
    cells = np.array([numbers[name][rows] for name in names], dtype=np.float64)
    empty = ~np.isfinite(cells)
    filled = np.where(empty, 0.0, cells)
    middle = filled.sum(axis=1) / np.maximum((~empty).sum(axis=1), 1)
    scaled = np.where(empty, 0.0, filled - middle[:, None])
    length = np.sqrt((scaled**2).sum(axis=1))[:, None]
    scaled = np.divide(scaled, length, out=np.zeros_like(scaled), where=length > 0)
    found = {}
    for i, j in np.argwhere(np.triu(np.abs(scaled @ scaled.T) > np.sqrt(_ALIKE), 1)).tolist():
        if (empty[i] != empty[j]).mean() > 1 - _ALIKE or len(np.unique(cells[i][~empty[i]])) < 3:
            continue
        first, second = numbers[names[i]], numbers[names[j]]
        same = float(np.mean((first == second) | (np.isnan(first) & np.isnan(second))))
        pair = names[i], names[j]
        if same == 1:
            found[pair] = 1.0, "is a copy of"
        elif same >= _ALIKE:
            found[pair] = same, f"has in {percent_to(same, 2)} of the rows the number of"
        elif _is_line(cells[i], cells[j]):
            found[pair] = 1.0, "is, in another unit, the same as"
    return found


def _is_line(first: Floats, second: Floats) -> bool:
    """Is one the other in another unit, but for rounding?"""
    both = np.isfinite(first) & np.isfinite(second)
    x, y = first[both], second[both]
    slope, base = np.polyfit(x, y, 1)
    return bool(np.abs(y - slope * x - base).max() <= 1e-3 * (y.max() - y.min()))


def _one_to_one(columns: Mapping[str, Column], rows: Longs) -> dict[tuple[str, str], tuple[float, str]]:
    """Values that stand for the values of another column, one for each: in all rows, or in almost all beyond
    what chance gives."""
    codes = {}
    for name, column in list(columns.items())[:_MOST]:
        values, own = np.unique(column[rows], return_inverse=True)
        if 2 <= len(values) <= len(rows) / 10:
            codes[name] = _by_rank(own.astype(np.int64))
    found = {}
    names = list(codes)
    if not names:
        return {}
    matrix = np.array([codes[name] for name in names])
    width = int(matrix.max()) + 1
    shares = np.array([np.bincount(each, minlength=width) / len(rows) for each in matrix])
    for i, first in enumerate(names[:-1]):
        same = (matrix[i + 1 :] == matrix[i]).mean(axis=1)
        chance = shares[i + 1 :] @ shares[i]
        for j in np.flatnonzero(same - chance >= _ALIKE * (1 - chance)).tolist():
            second, part = names[i + 1 + j], float(same[j])
            one, other = columns[first], columns[second]
            how = f"says in {percent_to(part, 2)} of the rows what is said by"
            if part == 1:
                how = "has one value for each value of"
                if one.dtype == other.dtype and np.array_equal(one, other):
                    how = "has in every row the value of"
            found[first, second] = part, how
    return found


def _by_rank(codes: Longs) -> Longs:
    """The values renamed: the commonest is 0; of equally common ones that comes first which does so here."""
    count, first = np.bincount(codes), np.full(int(codes.max()) + 1, len(codes))
    np.minimum.at(first, codes, np.arange(len(codes)))
    rank = np.empty(len(count), dtype=np.int64)
    rank[np.lexsort((first, -count))] = np.arange(len(count))
    return rank[codes]


# Repeated rows: the same row again, and the same row with another answer.


_MANY: Final = 0.05  # of the rows: more repeats are severe
_LOST: Final = 0.05  # of the accuracy, or of the spread
_DIFFERENT: Final = 10  # rows: where none of so many stands alone, the table was copied
_RARE: Final = 1 / 3  # different values for each row: in such a column two rows are hardly equal by chance


def repeated_rows(table: Table, hashes: npt.NDArray[np.uint64], again: Longs) -> list[Finding]:
    """By the rows' `input_hashes`, `again` being those with twins: how many rows repeat another, and what is
    the best that any model can do where equal rows differ in their answer; a row's weight counts it, not what
    makes it another."""
    if len(table) < 2 or not again.size or not any(True for _ in given_inputs(table)):
        return []
    group = np.unique(hashes[again], return_inverse=True)[1].astype(np.int64)  # equal rows have one number
    contradictions = [] if table.schema.target is None else _contradictions(table, again, group)
    return [*contradictions, *_duplicates(table, again, group)]


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


def _duplicates(table: Table, rows: Longs, group: Longs) -> list[Finding]:
    """Rows that are equal in every column, the answer included."""
    key = group
    if table.schema.target is not None:
        answer = np.unique(table.target[rows], return_inverse=True)[1]
        key = group * (int(answer.max()) + 1) + answer
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
    for attribute, column in given_inputs(table):
        known = filled_cells(attribute, as_hashed(column))
        if len(known) > 1 and len(distinct(known)) > _RARE * len(table):
            return True
    return False


def _contradictions(table: Table, rows: Longs, group: Longs) -> list[Finding]:
    weights = np.ones(len(table)) if table.weights is None else table.weights
    if isinstance(table.schema.target, Numeric):
        return _contradicted_numbers(table, rows, group, weights)
    codes = table.target[rows].astype(np.int64)
    known = codes >= 0
    groups, classes = int(group.max()) + 1, len(table.schema.classes)
    group, codes, own = group[known], codes[known], weights[rows][known]
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


def _contradicted_numbers(table: Table, rows: Longs, group: Longs, weights: Floats) -> list[Finding]:
    """Equal rows with different numbers: what is left of the spread within them."""
    numbers = table.target.astype(np.float64)
    known = ~np.isnan(numbers)
    own, groups = ~np.isnan(numbers[rows]), int(group.max()) + 1
    group, y, w = group[own], numbers[rows][own], weights[rows][own]
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
