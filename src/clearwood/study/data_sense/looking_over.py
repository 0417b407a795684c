"""Looking a table over: what stands out in it, before anything is learned, as a list of findings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from clearwood.advice import Advice, Sentence
from clearwood.arrays import Bools, Floats, Longs, distinct
from clearwood.counting.coding import interval_codes
from clearwood.errors import SchemaError, SettingError
from clearwood.measures.stability_index import stability_index, stability_index_p
from clearwood.records import dataclass
from clearwood.scoring.predictions import ClassPredictions, Predictions
from clearwood.scoring.rank_scores import auc
from clearwood.scoring.score import Stakes
from clearwood.study.data_sense.finding import Finding
from clearwood.study.data_sense.identifiers import identifiers, repeated_rows, rows_with_twins
from clearwood.study.data_sense.leaks import (
    SAMPLE,
    ColumnSkill,
    SampledRows,
    column_skills,
    input_hashes,
    leaks,
    sampled_rows,
)
from clearwood.study.data_sense.odd_values import sentinels, spellings
from clearwood.study.dividing import times_in
from clearwood.study.drift_since_training import BY_CHANCE, CHANGED, MUCH
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.sparse_columns import SparseColumns
from clearwood.table.table import Column, Table
from clearwood.words.numbers import many, number, percent_to

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
    severe = [
        each for each in _findings(table, _QUICK_SAMPLE, auc=_auc_of(judged), everything=False) if each.severe
    ]
    return sorted(severe, key=lambda each: -each.harm)


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


# Drift: columns whose values changed between the early rows and the late ones.


_PARTS: Final = 10


def drift(table: Table, time: str) -> list[Finding]:
    """The columns, the target among them, whose stability index between the earlier and the later half of the
    rows is 0.1 or more, and more than chance would give; rows of one time stay in one half."""
    times = times_in(table, time)
    middle = float(np.median(times))
    late = times > middle
    if not late.any():  # most rows are of the last time
        late = times == times.max()
    if late.all():
        raise SettingError(f"Every row has the same time in '{time}': nothing can have changed.")
    target = table.schema.target
    changed = []
    for attribute in (*table.schema.inputs, *(() if target is None else (target,))):
        if attribute.name == time or attribute.name not in table.columns:
            continue
        cells = _cells(attribute, table, ~late)
        if cells is None:
            continue
        width = int(cells.max()) + 1
        before, after = (np.bincount(cells[rows], minlength=width) for rows in (~late, late))
        index = stability_index(before, after)
        filled = int(((before + after) > 0).sum())
        p = stability_index_p(index, float((~late).sum()), float(late.sum()), filled)
        if index >= CHANGED and p < BY_CHANCE:
            changed.append(_finding(attribute, index, time, is_target=attribute is target))
    return sorted(changed, key=lambda each: -each.numbers["psi"])


def _cells(attribute: Attribute, table: Table, early: Bools) -> Longs | None:
    """[row] the value's place, or one of ten parts by quantiles of the early rows; empty cells have one of
    their own."""
    column = table.columns[attribute.name]
    if isinstance(attribute, Nominal | Ordinal):
        return column.astype(np.int64) + 2
    if not isinstance(attribute, Numeric):
        return None
    known = column[early & ~np.isnan(column)]
    if not len(known):
        return np.isnan(column).astype(np.int64)
    cuts = np.unique(np.quantile(known, np.arange(1, _PARTS) / _PARTS))
    return interval_codes(column, cuts, missing=len(cuts) + 1).astype(np.int64)


def _finding(attribute: Attribute, index: float, time: str, *, is_target: bool) -> Finding:
    name = f"The target '{attribute.name}'" if is_target else f"Column '{attribute.name}'"
    much = "much " if index >= MUCH else ""
    sentence = (
        f"{name} changed {much}between the earlier and the later half of the rows by '{time}' (stability "
        f"index {index:.2f}; from 0.25 on it is much). Evaluate by time, not on rows drawn from both halves."
    )
    return Finding("drift", (attribute.name,), sentence, index >= MUCH, {"psi": index})


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
        each.name: table.columns[each.name]
        for each in table.schema.inputs
        if each.name in table.columns and isinstance(each, Nominal | Ordinal | Numeric)
    }
    pairs: dict[tuple[str, str], tuple[float, str]] = {}
    if len(rows) >= _FEWEST:
        pairs |= _linear(
            {name: each[rows] for name, each in columns.items() if each.dtype in (np.float32, np.float64)},
            columns,
        )
        pairs |= {pair: found for pair, found in _one_to_one(columns, rows).items() if pair not in pairs}
    names = list(columns)
    place = {name: at for at, name in enumerate(names)}
    findings, told = [], set[str]()
    for (first, second), (part, how) in sorted(pairs.items(), key=lambda each: place[each[0][1]]):
        if second in told:  # a copy of a copy
            continue
        told.add(second)
        sentence = Sentence(
            f"Column '{second}' {how} '{first}'{_in_name(first, second)}. It adds nothing, and linear models "
            "and Bayes count it twice; leave one out: ",
            Advice("ignore", [second]),
            ".",
        )
        skill = skills[second].auc - 0.5 if second in skills else 0.0
        findings.append(
            Finding("copy", (second, first), sentence, False, {"part": part}, 0.1 + max(skill, 0))
        )
    return [*findings, *_alike_names(names, pairs)]


def _in_name(first: str, second: str) -> str:
    return ", whose name differs only in case or blanks" if _plain(first) == _plain(second) else ""


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


def _linear(
    drawn: Mapping[str, Column], columns: Mapping[str, Column]
) -> dict[tuple[str, str], tuple[float, str]]:
    """Numbers that are equal, or a line through others, with the same cells empty."""
    names = list(drawn)[:_MOST]
    cells = np.array([drawn[name] for name in names], dtype=np.float64)
    if len(names) < 2:
        return {}
    empty = ~np.isfinite(cells)
    cells = np.where(empty, np.nan, cells)
    with np.errstate(invalid="ignore", divide="ignore"):
        middle = np.nan_to_num(_mean(cells))
        scaled = np.where(empty, 0.0, cells - middle[:, None])
        length = np.sqrt((scaled**2).sum(axis=1))
        scaled = np.where(length[:, None] > 0, scaled / length[:, None], 0.0)
    found = {}
    for i, j in np.argwhere(np.triu(np.abs(scaled @ scaled.T) > np.sqrt(_ALIKE), 1)).tolist():
        if (empty[i] != empty[j]).mean() > 1 - _ALIKE or len(np.unique(cells[i][~empty[i]])) < 3:
            continue
        first, second = names[i], names[j]
        same = float(
            np.mean((columns[first] == columns[second]) | _both_empty(columns[first], columns[second]))
        )
        if same == 1:
            found[first, second] = 1.0, "is a copy of"
        elif same >= _ALIKE:
            found[first, second] = same, f"has in {percent_to(same, 2)} of the rows the number of"
        elif _is_line(cells[i], cells[j]):
            found[first, second] = 1.0, "is, in another unit, the same as"
    return found


def _mean(cells: Floats) -> Floats:
    known = np.isfinite(cells)
    means: Floats = np.where(known, cells, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    return means


def _both_empty(first: Column, second: Column) -> object:
    return np.isnan(first) & np.isnan(second)


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
            if part == 1:
                found[first, second] = part, _words(columns[first], columns[second])
            else:
                found[first, second] = part, f"says in {percent_to(part, 2)} of the rows what is said by"
    return found


def _words(first: Column, second: Column) -> str:
    if first.dtype == second.dtype and np.array_equal(first, second):
        return "has in every row the value of"
    return "has one value for each value of"


def _by_rank(codes: Longs) -> Longs:
    """The values renamed: the commonest is 0; of equally common ones that comes first which does so here."""
    count, first = np.bincount(codes), np.full(int(codes.max()) + 1, len(codes))
    np.minimum.at(first, codes, np.arange(len(codes)))
    rank = np.empty(len(count), dtype=np.int64)
    rank[np.lexsort((first, -count))] = np.arange(len(count))
    return rank[codes]
