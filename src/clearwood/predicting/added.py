"""What the terms of an account add to each class for many rows at once, by arrays."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final, assert_never

import numpy as np

from clearwood import _native
from clearwood.arrays import Floats, Ints
from clearwood.counting.coding import interval_codes
from clearwood.models.account.account import (
    AccountTerm,
    ByWord,
    ColumnPlaces,
    KernelDensity,
    NormalDensity,
    PerCount,
    Places,
    Presence,
    Slope,
)
from clearwood.predicting.columns import column_for
from clearwood.table.schema import Schema
from clearwood.table.table import Column, Table
from clearwood.table.text import words_of

_MOST_AT_ONCE: Final = 1 << 22  # numbers of a kernel's matrix


def added_by(schema: Schema, term: AccountTerm, table: Table) -> Floats:
    """[row, class] what the term adds."""
    return added(term, term_cells(schema, term, table))


def term_cells(schema: Schema, term: AccountTerm, table: Table) -> Column:
    """A term's cells: places, numbers, or texts."""
    if not isinstance(term, Places):
        return column_for(schema[term.name], table)
    place = np.zeros(len(table), dtype=np.int64)
    for side in term.sides:
        codes = side_codes(schema, side, table)
        place = place * side.places + np.where(codes < 0, side.known - 1 - codes, codes)
    return place


def side_codes(schema: Schema, side: ColumnPlaces, table: Table) -> Ints:
    """[row] the interval or value; −1 of a missing cell, −2 of an unseen one."""
    column = column_for(schema[side.name], table)
    return interval_codes(column, side.cuts) if side.values is None else column


def added(term: AccountTerm, cells: Column) -> Floats:
    """[row, class] what the term adds for each of its cells."""
    match term:
        case Places():
            return term.added[cells]
        case Slope():
            known = cells.astype(np.float64)[:, None] * term.weights + 0.0  # never −0
            return np.where(np.isnan(known), term.missing, known)
        case NormalDensity(_, constants, means, precisions):
            away = cells.astype(np.float64)[:, None] - means
            with np.errstate(over="ignore"):
                return np.where(np.isnan(away), 0.0, constants - away * away * precisions)
        case KernelDensity():
            return _kernel_density(term, cells)
        case PerCount(_, logs, _):
            with np.errstate(invalid="ignore"):
                return np.where(cells[:, None] > 0, cells[:, None] * logs, 0.0)
        case Presence(_, present, absent, _):
            known = np.where(cells[:, None] > 0, present, absent)
            return np.where(np.isnan(cells)[:, None], 0.0, known)
        case ByWord():
            return words_added(term, cells)
        case _:
            assert_never(term)


def _kernel_density(term: KernelDensity, cells: Column) -> Floats:
    met, place = np.unique(cells.astype(np.float64), return_inverse=True)
    logs = np.zeros((len(met), len(term.points)))
    for c, (points, shares, width) in enumerate(zip(term.points, term.shares, term.widths, strict=True)):
        step = max(1, _MOST_AT_ONCE // len(points))
        for first in range(0, len(met), step):
            with np.errstate(over="ignore"):
                away = (met[first : first + step, None] - points) / width
                heights = shares - 0.5 * away * away
            most = heights.max(axis=1, keepdims=True)
            with np.errstate(invalid="ignore"):
                summed = most[:, 0] + np.log(np.exp(heights - most).sum(axis=1))
            logs[first : first + step, c] = np.where(np.isneginf(most[:, 0]), -np.inf, summed)
        logs[:, c] -= np.log(width * np.sqrt(2 * np.pi))
    logs[np.isnan(met)] = 0.0
    return logs[place.reshape(-1)]


_FEW: Final = 8  # texts


def words_added(term: ByWord, texts: Column) -> Floats:
    """[row, class] what each text adds."""
    if len(texts) <= _FEW:  # no table of the whole vocabulary for a handful of texts
        return np.array([_one_added(term, text) for text in texts]).reshape(-1, len(term.base))
    reading = term.reading
    return _native.add_words(
        texts.tolist(),
        list(term.words),
        term.logs,
        term.base,
        term.once,
        reading.lower,
        reading.ngrams,
        list(reading.stop_words),
    )


def _one_added(term: ByWord, text: str | None) -> Floats:
    """[class] what one text adds, in the order in which the native sum adds."""
    if text is None:
        return np.zeros_like(term.base)
    logs, words = term.base.copy(), words_of(text, term.reading)
    for word in dict.fromkeys(words) if term.once else words:
        place = bisect_left(term.words, word)
        if place < len(term.words) and term.words[place] == word:
            logs += term.logs[place]
    return logs
