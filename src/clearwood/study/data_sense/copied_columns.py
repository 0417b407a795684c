"""Copied columns: the same cells under another name, or other names for the same values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import numpy as np

from clearwood.advice import Advice, Sentence
from clearwood.arrays import Floats, Longs
from clearwood.study.data_sense.finding import Finding
from clearwood.study.data_sense.leaks import ColumnSkill, SampledRows
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Column, Table
from clearwood.words.numbers import percent_to

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
