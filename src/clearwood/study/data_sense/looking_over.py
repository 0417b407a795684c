"""Looking a table over: what stands out in it, before anything is learned, as a list of findings."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from clearwood.advice import Advice, Sentence
from clearwood.arrays import Bools, Longs, distinct
from clearwood.errors import SchemaError, SettingError
from clearwood.measures.stability_index import stability_index, stability_index_p
from clearwood.records import dataclass
from clearwood.scoring.predictions import ClassPredictions, Predictions
from clearwood.scoring.rank_scores import auc
from clearwood.scoring.score import Stakes
from clearwood.study.data_sense.copied_columns import copied_columns
from clearwood.study.data_sense.finding import Finding
from clearwood.study.data_sense.identifiers import identifiers, repeated_rows, rows_with_twins
from clearwood.study.data_sense.leaks import SAMPLE, column_skills, input_hashes, leaks, sampled_rows
from clearwood.study.data_sense.odd_values import sentinels, spellings
from clearwood.study.dividing import times_in
from clearwood.study.drift_since_training import BY_CHANCE, CHANGED, MUCH
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.sparse_columns import SparseColumns
from clearwood.table.table import Table
from clearwood.words.numbers import many, number

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
    parts = np.searchsorted(cuts, column, side="left")
    return np.where(np.isnan(column), len(cuts) + 1, parts).astype(np.int64)


def _finding(attribute: Attribute, index: float, time: str, *, is_target: bool) -> Finding:
    name = f"The target '{attribute.name}'" if is_target else f"Column '{attribute.name}'"
    much = "much " if index >= MUCH else ""
    sentence = (
        f"{name} changed {much}between the earlier and the later half of the rows by '{time}' (stability "
        f"index {index:.2f}; from 0.25 on it is much). Evaluate by time, not on rows drawn from both halves."
    )
    return Finding("drift", (attribute.name,), sentence, index >= MUCH, {"psi": index})
