"""Leaks: a column that alone predicts almost every answer is often known only after the answer is."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.advice import Advice, Sentence
from clearwood.arrays import Floats, Longs
from clearwood.counting.chance import below_all, chance_key
from clearwood.study.data_sense.finding import Finding
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.folding import shuffled
from clearwood.table.table import Column, Table
from clearwood.words.numbers import percent_to

_LEAKS: Final = 0x1EAC  # what the rows are drawn for
_SAMPLE: Final = 10_000  # rows, drawn by chance: what predicts almost all of them predicts almost all
_FEWEST: Final = 50  # rows
_MISTAKES: Final = 10  # that the commonest class makes: with fewer, a column may predict them by accident
_OF_CLASSES: Final = 0.95  # of the mistakes of the commonest class that a leak avoids;
_WITH_GAPS: Final = 0.9  # fewer, if many cells are empty: such a column is filled in only for some answers
_GAPS: Final = 0.2  # of the cells
_OF_NUMBERS: Final = 0.98  # of the variance


def leaks(table: Table) -> list[Finding]:
    """The columns that alone predict almost every answer. Each row is predicted by the others: those of its
    own value or, in a column of many numbers, its two neighbours."""
    target = table.schema.target
    if target is None or target.name not in table.columns:
        return []
    rows = _drawn(len(table))
    answers = table.target[rows]
    known = ~np.isnan(answers) if isinstance(target, Numeric) else answers >= 0
    rows, answers = rows[known], answers[known]
    if len(rows) < _FEWEST:
        return []
    if isinstance(target, Numeric):
        return _of_numbers(table, rows, answers.astype(np.float64))
    return _of_classes(table, rows, answers.astype(np.int64))


def _drawn(rows: int) -> Longs:
    """Some rows, or all of few, in an order of chance: neighbours of equal numbers must not be those that
    stood together in the file."""
    if rows <= 2 * _SAMPLE:
        return shuffled(rows, 0)[:_SAMPLE]
    drawn = below_all(chance_key(0, _LEAKS), _SAMPLE, rows)
    return drawn[np.sort(np.unique(drawn, return_index=True)[1])]


def _of_classes(table: Table, rows: Longs, answers: Longs) -> list[Finding]:
    classes = table.schema.classes
    counts = np.bincount(answers, minlength=len(classes))
    common = int(counts.argmax())
    baseline = counts[common] / len(answers)
    if len(answers) - counts[common] < _MISTAKES:
        return []
    found = []
    for attribute in table.schema.inputs:
        cells = _cells(table, attribute.name, rows)
        if cells is None:
            continue
        right = _right_by_column(cells, answers, common, len(classes))
        avoided = (right - baseline) / (1 - baseline)
        if avoided < (_WITH_GAPS if _empty(cells) > _GAPS else _OF_CLASSES):
            continue
        sentence = Sentence(
            f"Column '{attribute.name}' alone predicts the class of {percent_to(right)} of the rows (always "
            f"{classes[common]}: {percent_to(baseline)}). If it is known only once the class is, it is a "
            "leak; leave it out: ",
            Advice("ignore", [attribute.name]),
            ".",
        )
        numbers = {"accuracy": right, "baseline": float(baseline)}
        found.append(Finding("leak", (attribute.name,), sentence, True, numbers))
    return found


def _of_numbers(table: Table, rows: Longs, answers: Floats) -> list[Finding]:
    if not answers.std() > 0:
        return []
    assert table.schema.target is not None
    found = []
    for attribute in table.schema.inputs:
        cells = _cells(table, attribute.name, rows)
        if cells is None:
            continue
        explained = _explained_by_column(cells, answers)
        if explained < _OF_NUMBERS:
            continue
        sentence = Sentence(
            f"Column '{attribute.name}' alone explains {percent_to(explained)} of the variance of "
            f"'{table.schema.target.name}'. If it is made of the target, or known only once that is, it is a "
            "leak; leave it out: ",
            Advice("ignore", [attribute.name]),
            ".",
        )
        found.append(Finding("leak", (attribute.name,), sentence, True, {"r2": explained}))
    return found


def _cells(table: Table, name: str, rows: Longs) -> Column | None:
    """The column's cells in these rows; None of texts, which hardly ever repeat."""
    if name not in table.columns or not isinstance(table.schema[name], Nominal | Ordinal | Numeric):
        return None
    return table.columns[name][rows]


def _empty(cells: Column) -> float:
    """The part of the cells that are."""
    return float(np.mean(cells < 0 if cells.dtype == np.int32 else np.isnan(cells)))


def _right_by_column(cells: Column, answers: Longs, common: int, classes: int) -> float:
    """The part of the rows whose class the others of the same value, or both neighbours, predict."""
    values, codes, repeats = _values(cells)
    if not repeats:
        order = np.argsort(cells, kind="stable")
        own = answers[order]
        before, after = np.r_[own[1:2], own[:-1]], np.r_[own[1:], own[-2:-1]]
        return float((np.where(before == after, before, common) == own).mean())
    counts = np.bincount(codes * classes + answers, minlength=values * classes).reshape(values, classes)
    others = counts[codes]
    others[np.arange(len(codes)), answers] -= 1
    commonest = others.argmax(axis=1)
    alone = others.sum(axis=1) == 0
    return float((np.where(alone, common, commonest) == answers).mean())


def _explained_by_column(cells: Column, answers: Floats) -> float:
    """The part of the variance that the mean of the others of the same value explains, or the line between
    both neighbours, which the first and the last number lack."""
    _, codes, repeats = _values(cells)
    if not repeats:
        known = ~np.isnan(cells)
        order = np.argsort(cells[known], kind="stable")
        x, y = cells[known][order].astype(np.float64), answers[known][order]
        if len(y) < _FEWEST:
            return 0.0
        width = x[2:] - x[:-2]
        with np.errstate(invalid="ignore", divide="ignore"):
            part = np.where(width > 0, (x[1:-1] - x[:-2]) / width, 0.5)
        predicted, true = y[:-2] + part * (y[2:] - y[:-2]), y[1:-1]
        empty = answers[~known]
        missed = true - predicted
        if len(empty):
            true, missed = np.r_[true, empty], np.r_[missed, empty - empty.mean()]
        spread = float(((true - true.mean()) ** 2).sum())
        return 1 - float((missed**2).sum()) / spread if spread > 0 else 0.0
    count, total = np.bincount(codes), np.bincount(codes, answers)
    others = count[codes] - 1
    mean = np.where(others > 0, (total[codes] - answers) / np.maximum(others, 1), answers.mean())
    return 1 - float(((answers - mean) ** 2).sum() / ((answers - answers.mean()) ** 2).sum())


def _values(cells: Column) -> tuple[int, Longs, bool]:
    """How many different values there are, each row's (an empty cell is one), and whether most repeat."""
    if cells.dtype == np.int32:
        codes = cells.astype(np.int64) + 2  # an unseen value, then an empty cell, come first
        return int(codes.max()) + 1, codes, True
    values, codes = np.unique(cells, return_inverse=True)
    return len(values), codes.astype(np.int64), 2 * len(values) <= len(cells)
