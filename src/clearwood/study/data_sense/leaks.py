"""Leaks: a column that alone predicts almost every answer is often known only after the answer is.

Each column is tried alone, as a stump is: the classes behind each of its values, behind ranges of its numbers
(the cut that separates the classes best among them), behind zero and behind empty cells, counted in four
fifths of the rows and tried on the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood._native import object_codes, row_hashes
from clearwood.arrays import Floats, Longs, distinct
from clearwood.errors import Advice, Sentence
from clearwood.mixing import mixed_all
from clearwood.records import dataclass, json_of
from clearwood.study.data_sense import Finding
from clearwood.table.attributes import Attribute, Numeric, Text
from clearwood.table.table import Column, Table, empty_cells
from clearwood.words.numbers import percent_to

SAMPLE: Final = 10_000  # rows: what predicts almost all of them predicts almost all
_FEWEST: Final = 50  # rows
_MISTAKES: Final = 10  # that the commonest class makes: with fewer, a column may predict them by accident
_LEAK: Final = 0.98  # the AUC from which a column alone is a leak;
_STANDS_OUT: Final = 0.95  # less, if the best other column falls short of 1 by so many times as much
_TIMES: Final = 5.0
_OF_CLASSES: Final = 0.95  # of the mistakes of the commonest class that a leak avoids;
_WITH_GAPS: Final = 0.9  # fewer, if many cells are empty: such a column is filled in only for some answers
_GAPS: Final = 0.2  # of the cells
_OF_NUMBERS: Final = 0.98  # of the variance
_MUCH: Final = 0.8  # AUC: of less skill a column may well be all there is
_TOLD_TO: Final = 0.025  # the standard error of AUC up to which rows tell whether other columns add anything
_RANGES: Final = 32  # of the numbers of a column
_SAME: Final = 0.01  # of AUC: zero, or emptiness, says what the values say

Aspect: TypeAlias = Literal["values", "zero", "emptiness"]


@dataclass(frozen=True, slots=True)
class ColumnSkill:
    """What a column alone predicts of rows that were not counted: its AUC (of several classes the mean of
    each against the rest), the part that it predicts correctly, and that of the commonest class."""

    auc: float
    accuracy: float
    baseline: float

    @property
    def avoided(self) -> float:
        """The part of the mistakes of the commonest class that it avoids."""
        return (self.accuracy - self.baseline) / (1 - self.baseline)


def skill_beyond_chance(skills: Mapping[str, ColumnSkill], name: str) -> float:
    """By how much the AUC of a column alone is above chance; 0 where it is not known."""
    return max(skills[name].auc - 0.5, 0.0) if name in skills else 0.0


def leaks(
    table: Table, sample: SampledRows, skills: Mapping[str, ColumnSkill], auc: float | None = None
) -> list[Finding]:
    """The columns that alone predict almost every answer, by some of the rows; and where a model's `auc` on
    rows that it was not learned from is known, a column that alone has as much."""
    if isinstance(table.schema.target, Numeric):
        return _of_numbers(table, sample)
    if not skills:
        return []
    found = _of_classes(table, sample, skills)
    return found or ([] if auc is None else _all_that_is_learned(table, sample, skills, auc))


def _all_that_is_learned(
    table: Table, sample: SampledRows, skills: Mapping[str, ColumnSkill], auc: float
) -> list[Finding]:
    """The best column, where no model of all columns does better than it alone: of a model that has learned
    much itself, by rows enough to tell."""
    best = max(skills, key=lambda name: skills[name].auc)
    own = skills[best].auc
    if own < auc or auc < _MUCH or len(skills) < 2:
        return []
    classes = table.target[sample.rows].astype(np.int64)
    *others, commonest = np.sort(np.bincount(classes[classes >= 0])).astype(np.float64)
    if own * (1 - own) > _TOLD_TO**2 * min(float(sum(others)), float(commonest)):
        return []
    sentence = leave_out(
        f"Column '{best}' alone has an AUC of {own:.3f}; the model of all columns has {auc:.3f}, both on "
        f"rows that were not learned from. If '{best}' is known only once the class is, it is a leak; leave "
        "it out: ",
        best,
        ". Else a model of this column does as well.",
    )
    return [Finding("leak", (best,), sentence, True, {**json_of(skills[best]), "model": auc}, 1 + own)]


def column_skills(table: Table, sample: SampledRows) -> dict[str, ColumnSkill]:
    """By column what it alone predicts of the class; empty where the rows are too few to say it."""
    target = table.schema.target
    if target is None or isinstance(target, Numeric) or target.name not in table.columns:
        return {}
    rows = _Rows.of(table, sample)
    if rows is None:
        return {}
    return {
        attribute.name: _skill(*_counts(column[rows.places], rows, "values"))
        for attribute, column in given_inputs(table)
    }


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The rows whose class is known: where they stand, their class and their fold."""

    places: Longs
    classes: Longs
    fold: Longs
    width: int  # how many classes there are

    @classmethod
    def of(cls, table: Table, sample: SampledRows) -> _Rows | None:
        """None where they are too few to say what a column predicts."""
        classes = table.target[sample.rows].astype(np.int64)
        known = classes >= 0
        rows = cls(sample.rows[known], classes[known], sample.fold[known], len(table.schema.classes))
        if len(rows.classes) < _FEWEST or len(rows.classes) - np.bincount(rows.classes).max() < _MISTAKES:
            return None
        return rows


def _of_classes(table: Table, sample: SampledRows, skills: Mapping[str, ColumnSkill]) -> list[Finding]:
    rows = _Rows.of(table, sample)
    if rows is None:
        return []
    cells = {name: table.columns[name][rows.places] for name in skills}
    found = set()
    for name, each in skills.items():
        avoided = _WITH_GAPS if float(np.mean(empty_cells(cells[name]))) > _GAPS else _OF_CLASSES
        if each.auc >= _LEAK or each.avoided >= avoided:
            found.add(name)
    others = {name: each.auc for name, each in skills.items() if name not in found}
    best, *more = sorted(others, key=lambda name: -others[name]) or [""]
    if more and others[best] >= _STANDS_OUT and 1 - others[more[0]] >= _TIMES * (1 - others[best]):
        found.add(best)
        best = more[0]
    beside = f"; the best other column, '{best}', has {others[best]:.3f}" if others else ""
    if best in found:
        beside = ""
    common = table.schema.classes[int(np.bincount(rows.classes).argmax())]
    findings = []
    for name in sorted(found, key=lambda name: -skills[name].auc):
        skill = skills[name]
        sentence = leave_out(
            f"Column '{name}' alone{_by(cells[name], rows, skill)} predicts the class of "
            f"{percent_to(skill.accuracy)} of the rows (always {common}: {percent_to(skill.baseline)}), with "
            f"an AUC of {skill.auc:.3f}{beside}. If it is known only once the class is, it is a leak; leave "
            "it out: ",
            name,
        )
        numbers = {"accuracy": skill.accuracy, "baseline": skill.baseline, "auc": skill.auc}
        findings.append(Finding("leak", (name,), sentence, True, numbers, 2 + skill.auc))
    return findings


def _by(cells: Column, rows: _Rows, skill: ColumnSkill) -> str:
    """By what a column says it, where that is less than its values."""

    def says_as_much(asked: Aspect) -> bool:
        return _skill(*_counts(cells, rows, asked)).auc >= skill.auc - _SAME

    if empty_cells(cells).any() and says_as_much("emptiness"):
        return ", by whether it is empty,"
    has_zero = cells.dtype in (np.float32, np.float64) and (cells == 0).any()
    return ", by whether it is 0," if has_zero and says_as_much("zero") else ""


def _counts(cells: Column, rows: _Rows, asked: Aspect) -> tuple[Floats, Floats]:
    """[fold, part, class] how many rows of the fold, and of all other folds, are in each part of a column."""
    if asked == "values" and cells.dtype in (np.float32, np.float64):
        return _counts_of_numbers(cells, rows)
    if asked == "zero":
        parts = np.where(np.isnan(cells), 0, 1 + (cells == 0))
    elif asked == "emptiness" or cells.dtype == np.object_:
        parts = empty_cells(cells)
    else:
        parts = cells + 2  # an unseen value, then an empty cell, come first
    parts = np.asarray(parts, dtype=np.int64)
    width = int(parts.max()) + 1
    at = (rows.fold * width + parts) * rows.width + rows.classes
    own = np.bincount(at, minlength=FOLDS * width * rows.width).reshape(FOLDS, width, rows.width)
    return own.astype(np.float64), (own.sum(axis=0) - own).astype(np.float64)


def _counts_of_numbers(cells: Column, rows: _Rows) -> tuple[Floats, Floats]:
    """The same of numbers: parts are ranges, with zero and empty cells by themselves. In each fold the cut
    between two numbers that separates a class best in the other folds is among their ends."""
    known = np.flatnonzero(~np.isnan(cells))
    order = known[np.argsort(cells[known], kind="stable")]
    x, y, fold = cells[order], rows.classes[order], rows.fold[order]
    empty = np.ones(len(cells), dtype=np.bool_)
    empty[known] = False
    without = np.bincount(
        rows.fold[empty] * rows.width + rows.classes[empty], minlength=FOLDS * rows.width
    ).reshape(FOLDS, 1, rows.width)
    n = len(x)
    if not n:
        return without.astype(np.float64), (without.sum(axis=0) - without).astype(np.float64)
    one_hot = np.zeros((n, rows.width), dtype=np.float64)
    one_hot[np.arange(n), y] = 1
    all_below = _below(one_hot)
    middle = x[(np.arange(1, _RANGES) * n) // _RANGES - 1 if n >= _RANGES else slice(0, 0)]
    ends = np.r_[np.searchsorted(x, distinct(middle), side="right"), np.searchsorted(x, 0.0, side="left")]
    ends = np.r_[0, ends, np.searchsorted(x, 0.0, side="right"), n]
    between = np.flatnonzero(x[1:] > x[:-1]) + 1
    asked = range(rows.width if rows.width > 2 else 1)
    own, others = [], []
    for each in range(FOLDS):
        below = _below(one_hot * (fold == each)[:, None])
        rest = all_below - below
        cuts = [_best_cut(rest, between, place) for place in asked] if len(between) else []
        at = np.unique(np.r_[ends, np.array(cuts, dtype=np.int64)])
        width = _RANGES + 4 + len(asked)
        own.append(_within(below, at, width))
        others.append(_within(rest, at, width))
    beside = without.sum(axis=0) - without
    return (
        np.concatenate([np.array(own), without], axis=1),
        np.concatenate([np.array(others), beside], axis=1),
    )


def _below(counts: Floats) -> Floats:
    """[end, class] how many rows come before each."""
    return np.concatenate([np.zeros((1, counts.shape[1])), np.cumsum(counts, axis=0)])


def _best_cut(below: Floats, between: Longs, place: int) -> int:
    """The end by which the rows of a class and all others differ most (Kolmogorov and Smirnov)."""
    own, total = below[between, place], below[-1]
    others = below[between].sum(axis=1) - own
    all_others = float(total.sum() - total[place])
    gap = np.abs(own / max(float(total[place]), 1.0) - others / max(all_others, 1.0))
    return int(between[gap.argmax()])


def _within(below: Floats, ends: Longs, width: int) -> Floats:
    """[part, class] the rows between ends, and parts without rows up to the width."""
    counts = np.diff(below[ends], axis=0)
    return np.concatenate([counts, np.zeros((width - len(counts), counts.shape[1]))])


def _skill(own: Floats, others: Floats) -> ColumnSkill:
    """How well the classes of the rows in each fold follow from the others of the same part."""
    prior = others.sum(axis=1, keepdims=True)
    prior = prior / np.maximum(prior.sum(axis=-1, keepdims=True), 1)
    shares = (others + prior) / (others.sum(axis=-1, keepdims=True) + 1)
    total = own.sum(axis=(0, 1))
    rows = float(total.sum())
    hit = np.take_along_axis(own, shares.argmax(axis=-1)[..., None], axis=-1).sum() / rows
    present = np.flatnonzero(total)
    asked = present[:1] if len(present) == 2 else present
    aucs = np.array([_auc(shares[..., each], own, int(each)) for each in asked])
    return ColumnSkill(float(aucs.mean()), float(hit), float(total.max() / rows))


def _auc(shares: Floats, own: Floats, place: int) -> float:
    """How often a row of the class has a larger share of it than another of its fold; equal ones count half.
    The mean over the folds that have both, as that of a model over its parts is."""
    folds = [_auc_of_fold(shares[each], own[each], place) for each in range(len(own))]
    known = [each for each in folds if not np.isnan(each)]
    return float(np.mean(known)) if known else 0.5


def _auc_of_fold(shares: Floats, own: Floats, place: int) -> float:
    held = own.sum(axis=-1) > 0
    if not held.any():
        return float("nan")
    score, positive = shares[held], own[held][:, place]
    negative = own[held].sum(axis=-1) - positive
    order = np.argsort(score, kind="stable")
    score, positive, negative = score[order], positive[order], negative[order]
    first = np.flatnonzero(np.r_[True, np.diff(score) > 1e-12])
    positive, negative = np.add.reduceat(positive, first), np.add.reduceat(negative, first)
    below = np.cumsum(negative) - negative / 2
    pairs = float(positive.sum() * negative.sum())
    return float((positive * below).sum()) / pairs if pairs > 0 else float("nan")


def _of_numbers(table: Table, sample: SampledRows) -> list[Finding]:
    """Each row is predicted by the others: those of its own value or, in a column of many numbers, its two
    neighbours. Texts hardly ever repeat."""
    target = table.schema.target
    assert target is not None
    if target.name not in table.columns:
        return []
    answers = table.target[sample.rows].astype(np.float64)
    rows, answers = sample.rows[~np.isnan(answers)], answers[~np.isnan(answers)]
    if len(rows) < _FEWEST or not answers.std() > 0:
        return []
    found = []
    for attribute, column in given_inputs(table):
        explained = 0.0 if isinstance(attribute, Text) else _explained_by_column(column[rows], answers)
        if explained < _OF_NUMBERS:
            continue
        sentence = leave_out(
            f"Column '{attribute.name}' alone explains {percent_to(explained)} of the variance of "
            f"'{target.name}'. If it is made of the target, or known only once that is, it is a "
            "leak; leave it out: ",
            attribute.name,
        )
        found.append(Finding("leak", (attribute.name,), sentence, True, {"r2": explained}, 2 + explained))
    return found


def _explained_by_column(cells: Column, answers: Floats) -> float:
    """The part of the variance that the mean of the others of the same value explains, or the line between
    both neighbours, which the first and the last number lack."""
    if cells.dtype == np.int32:
        codes, repeats = cells.astype(np.int64) + 2, True  # an unseen value, then an empty cell, come first
    else:
        values, found = np.unique(cells, return_inverse=True)
        codes, repeats = found.astype(np.int64), 2 * len(values) <= len(cells)
    if not repeats:
        known = ~np.isnan(cells)
        order = np.argsort(cells[known], kind="stable")
        x, y = cells[known][order].astype(np.float64), answers[known][order]
        if len(y) < _FEWEST:
            return 0.0
        width = x[2:] - x[:-2]
        with np.errstate(invalid="ignore", divide="ignore"):
            part = np.where(width > 0, (x[1:-1] - x[:-2]) / width, 0.5)
        true, empty = y[1:-1], answers[~known]
        missed = true - (y[:-2] + part * (y[2:] - y[:-2]))
        if len(empty):
            true, missed = np.r_[true, empty], np.r_[missed, empty - empty.mean()]
        spread = float(((true - true.mean()) ** 2).sum())
        return 1 - float((missed**2).sum()) / spread if spread > 0 else 0.0
    count, total = np.bincount(codes), np.bincount(codes, answers)
    others = count[codes] - 1
    mean = np.where(others > 0, (total[codes] - answers) / np.maximum(others, 1), answers.mean())
    return 1 - float(((answers - mean) ** 2).sum() / ((answers - answers.mean()) ** 2).sum())


# Rows drawn by what they hold, not by where they stand: the same rows and folds in whatever order.


FOLDS: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class SampledRows:
    """Positions of rows in an order of chance, and the fold of each: equal rows are in one fold, so that no
    row is predicted by its copy."""

    rows: Longs
    fold: Longs  # [row] from 0


def input_hashes(table: Table) -> npt.NDArray[np.uint64]:
    """[row] 64 bits of what the row holds in the columns to learn from."""
    return row_hashes([as_hashed(column) for _, column in given_inputs(table)], len(table))


def sampled_rows(table: Table, hashes: npt.NDArray[np.uint64], most: int) -> SampledRows:
    """At most so many rows of the table, whose `input_hashes` are given."""
    plain = [column for attribute, column in given_inputs(table) if not isinstance(attribute, Text)]
    if plain and any(isinstance(each, Text) for each in table.schema.inputs):
        hashes = row_hashes([as_hashed(column) for column in plain], len(table))  # codes of texts follow rows
    bits = mixed_all(hashes)
    rows = np.arange(len(bits)) if len(bits) <= most else np.argpartition(bits, most)[:most]
    rows = rows[np.argsort(bits[rows], kind="stable")].astype(np.int64)
    return SampledRows(rows, (hashes[rows] % np.uint64(FOLDS)).astype(np.int64))


def as_hashed(column: Column) -> Column:
    """A column as it is hashed; texts by their codes."""
    return object_codes(column)[0] if column.dtype == np.object_ else column


# What all looks at a table share: its columns, the cells that are filled, and the advice to leave one out.


def leave_out(why: str, name: str, after: str = ".") -> Sentence:
    """What stands out in a column, and the advice to leave it out."""
    return Sentence(why, Advice("ignore", [name]), after)


def given_inputs(table: Table) -> Iterator[tuple[Attribute, Column]]:
    """The columns to learn from that the table has."""
    for attribute in table.schema.inputs:
        if attribute.name in table.columns:
            yield attribute, table.columns[attribute.name]


def filled_cells(attribute: Attribute, cells: Column) -> Column:
    """Those of numbers and values that are not empty."""
    return cells[~np.isnan(cells)] if isinstance(attribute, Numeric) else cells[cells >= 0]
