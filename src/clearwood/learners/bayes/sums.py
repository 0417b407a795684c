"""The exact sums of a Bayes model, by the native counters."""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.counting.coding import interval_codes
from clearwood.errors import Advice, ClearwoodWarning
from clearwood.learners.training import refuse_cell, refuse_where
from clearwood.models.kinds.bayes.distributions import (
    Bag,
    Categorical,
    Cuts,
    Distribution,
    Exact,
    ExactRow,
    Gaussian,
    Kernel,
    Sums,
    Words,
    scaled,
)
from clearwood.models.kinds.bayes.word_terms import kept_words
from clearwood.table.raw import Codes, NumberCells
from clearwood.table.table import MISSING, Column, SparseColumns, Table, Weights

CodedColumn: TypeAlias = tuple[Column, int]  # codes, and how many values they have
Moments: TypeAlias = tuple[ExactRow, ExactRow, ExactRow]  # weight, sum, squares by class


def summed(plan: Sequence[Distribution], rows: Table) -> tuple[tuple[Exact, ...], tuple[Distribution, ...]]:
    """The weight of each class, and the plan filled from rows that all have weight and a class."""
    target = np.ascontiguousarray(rows.target)
    classes = len(rows.schema.classes)
    totals = tuple(row[c] for c, row in enumerate(_tallied(rows, [(target, classes)])[0]))
    asked = [_counted_and_added(each, rows) for each in plan]
    coded = {(i, j): column for i, (columns, _) in enumerate(asked) for j, column in enumerate(columns)}
    tallies = dict(zip(coded, _tallied(rows, list(coded.values())), strict=True))
    numbers = [name for _, names in asked for name in names]
    moments = dict(zip(numbers, _moments(rows, numbers, totals), strict=True))
    filled: list[Distribution] = []
    for i, each in enumerate(plan):
        match each:
            case Categorical() | Cuts():
                filled.append(replace(each, counts=tallies[i, 0]))
            case Gaussian(name):
                weights, once, twice = moments[name]
                filled.append(replace(each, weights=weights, sums=once, squares=twice))
            case Kernel(name):
                values = known_numbers(rows.columns[name])
                points = tuple(
                    tuple((value, weight) for value, weight in zip(values, row, strict=True) if weight)
                    for row in tallies[i, 0]
                )
                filled.append(replace(each, points=points))
            case Bag(names, "bernoulli"):
                if isinstance(rows.columns, SparseColumns):
                    pairs = list(_presence(rows, rows.columns, names, totals))
                else:
                    pairs = [_present_and_known(tallies[i, j]) for j in range(len(names))]
                filled.append(replace(each, counts=_by_class(pairs, 0), known=_by_class(pairs, 1)))
            case Bag(names):
                filled.append(replace(each, counts=_by_class([moments[name] for name in names], 1)))
            case Words():
                filled.append(counted_words(each, rows))
            case _:
                assert_never(each)
    return totals, tuple(filled)


def _present_and_known(absent_and_present: Sums) -> tuple[ExactRow, ExactRow]:
    """[class] the weight of the rows that hold a column, and of those whose cell is known."""
    return tuple(row[1] for row in absent_and_present), tuple(row[0] + row[1] for row in absent_and_present)


def _by_class(columns: Sequence[tuple[ExactRow, ...]], which: int) -> tuple[ExactRow, ...]:
    """[class][column] one of the rows that each column has."""
    return tuple(zip(*(each[which] for each in columns), strict=True))


def known_numbers(column: Column) -> list[float]:
    """The known numbers of a column, ascending; −0 is 0."""
    known = column[~np.isnan(column)].astype(np.float64) + 0.0
    values: list[float] = np.unique(known).tolist()
    return values


def _counted_and_added(distribution: Distribution, rows: Table) -> tuple[list[CodedColumn], tuple[str, ...]]:
    """The columns of codes that a distribution counts, and the names of the numbers that it adds up."""
    match distribution:
        case Categorical(name):
            values = getattr(rows.schema[name], "values", ())
            return [(rows.columns[name], len(values))], ()
        case Cuts(name, cuts):
            check_finite(name, rows)
            return [(interval_codes(rows.columns[name], cuts), len(cuts) + 1)], ()
        case Kernel(name):
            check_near(name, rows)
            column = rows.columns[name]
            numbers = known_numbers(column)
            return [(interval_codes(column, numbers[:-1]), len(numbers))], ()
        case Bag(names, event):
            refuse_negative(names, rows)
            if event != "bernoulli":
                return [], names
            if isinstance(rows.columns, SparseColumns):
                return [], ()  # whose stored cells alone are looked at
            return [(_presence_codes(rows.columns[name]), 2) for name in names], ()
        case Gaussian(name):
            return [], (name,)
        case Words():
            return [], ()
        case _:
            assert_never(distribution)


def _presence_codes(cells: NumberCells) -> Codes:
    """1 where a number is above 0, 0 where not, and missing where there is none."""
    return np.where(np.isnan(cells), np.int32(MISSING), (cells > 0).astype(np.int32))


def _tallied(rows: Table, columns: list[CodedColumn]) -> list[Sums]:
    """[column][class][value] the exact weight of each cell."""
    classes = len(rows.schema.classes)
    halves, exponent = _native.tally(
        [codes for codes, _ in columns],
        [values for _, values in columns],
        np.ascontiguousarray(rows.target),
        classes,
        rows.weights,
    )
    cells = whole_sums(halves, exponent)
    sums, first = [], 0
    for _, values in columns:
        width = values + 2  # the cells of unseen and missing stand first
        starts = range(first, first + classes * width, width)
        sums.append(tuple(tuple(cells[start + 2 : start + width]) for start in starts))
        first += classes * width
    return sums


def _moments(rows: Table, names: list[str], totals: ExactRow) -> Iterator[Moments]:
    """By column."""
    if isinstance(rows.columns, SparseColumns):
        yield from _sparse_moments(rows, rows.columns, names, totals)
    if isinstance(rows.columns, SparseColumns) or not names:
        return
    columns, classes = [rows.columns[name] for name in names], len(rows.schema.classes)
    far, sums = exact_moments(columns, np.ascontiguousarray(rows.target), classes, rows.weights)
    for name, row in zip(names, far, strict=True):
        if row >= 0:
            refuse_cell(rows, name, row, _TOO_LARGE, _LARGER_UNITS)
    yield from _by_column(totals, *sums)


def exact_moments(
    columns: list[NumberCells], target: Codes, classes: int, weights: Weights | None
) -> tuple[list[int], tuple[list[Exact], list[Exact], list[Exact]]]:
    """[column] a row whose number is too large, or −1; and [column and class] the weight of empty cells, the
    sum and the sum of squares of the others."""
    missing, once, twice, far, exponent = _native.moments(columns, target, classes, weights)
    to_once, to_twice = (each + exponent for each in _native.MOMENTS_EXPONENTS)
    sums, squares = (
        [scaled(int.from_bytes(limbs.tobytes(), "little", signed=True), power) for limbs in many]
        for many, power in ((once, to_once), (twice, to_twice))
    )
    return far.tolist(), (whole_sums(missing, exponent), sums, squares)


def _by_column(
    totals: ExactRow, empty: list[Exact], sums: list[Exact], squares: list[Exact]
) -> Iterator[Moments]:
    classes = len(totals)
    for start in range(0, len(sums), classes):
        own = slice(start, start + classes)
        yield _less(totals, empty[own]), tuple(sums[own]), tuple(squares[own])


# Sparse columns, of Gaussians and bags: only the cells that are stored are looked at, for a 0 adds nothing.
#
# Whoever plans anything else makes the columns dense before.


_MOST_AT_ONCE: Final = 1 << 16  # sums of one call: each takes some 700 bytes


def _sparse_moments(
    rows: Table, columns: SparseColumns, names: Sequence[str], totals: ExactRow
) -> Iterator[Moments]:
    """By column."""
    classes = len(totals)
    for some, cells, at, target, weights in _parts(rows, columns, names):
        (far,), sums = exact_moments([cells], target, len(some) * classes, weights)
        if far >= 0:
            refuse_cell(rows, some[int(target[far]) // classes], int(at[far]), _TOO_LARGE, _LARGER_UNITS)
        yield from _by_column(totals, *sums)


def _presence(
    rows: Table, columns: SparseColumns, names: Sequence[str], totals: ExactRow
) -> Iterator[tuple[ExactRow, ExactRow]]:
    """By column the weight of rows that hold it, and of those whose cell is known, by class."""
    classes = len(totals)
    for some, cells, _, target, weights in _parts(rows, columns, names):
        halves, exponent = _native.tally([_presence_codes(cells)], [2], target, len(some) * classes, weights)
        tallied = whole_sums(halves, exponent)  # of each column and class: unseen, missing, absent, present
        for i in range(0, len(tallied), 4 * classes):
            own = slice(i, i + 4 * classes)
            yield tuple(tallied[own][3::4]), _less(totals, tallied[own][1::4])


def _parts(
    rows: Table, columns: SparseColumns, names: Sequence[str]
) -> Iterator[tuple[Sequence[str], NumberCells, npt.NDArray[np.int64], Codes, Weights | None]]:
    """Some columns at a time: their stored cells, the row of each, and its class under its column."""
    classes = len(rows.schema.classes)
    step = max(1, _MOST_AT_ONCE // classes)
    target = np.asarray(rows.target, dtype=np.int32)
    for first in range(0, len(names), step):
        some = names[first : first + step]
        of, at, cells = columns.cells(some)
        weights = None if rows.weights is None else rows.weights[at]
        yield some, cells, at, (of * classes + target[at]).astype(np.int32), weights


def _less(totals: ExactRow, empty: Sequence[Exact]) -> ExactRow:
    return tuple(total - each for total, each in zip(totals, empty, strict=True))


# Exact sums as the native counters hand them over: two halves of 64 bits, in units of a power of two.


Halves: TypeAlias = npt.NDArray[np.uint64]  # [cell, 2]


def whole_sums(halves: Halves, exponent: int) -> list[Exact]:
    """[cell] the sums; whole numbers where they are.

    >>> whole_sums(np.array([[3, 0], [4, 0]], dtype=np.uint64), -1)
    [Fraction(3, 2), 2]
    """
    if exponent == 0 and not halves[:, 1].any():
        lower: list[Exact] = halves[:, 0].tolist()
        return lower
    return [scaled(low + (high << 64), exponent) for low, high in halves.tolist()]


# Numbers that a Bayes model cannot learn from, each refused with its place and the way out.


_FAR: Final = 2.0**498  # as in native/core/counting/moments.hpp
_TOO_LARGE: Final = "is too large to learn from (the limit is 8e149). "
_LARGER_UNITS: Final = "Give the column in larger units, or leave the cell empty."


def refuse_negative(names: Sequence[str], rows: Table) -> None:
    """Refuse a negative number in columns that count things."""
    if isinstance(rows.columns, SparseColumns):
        of, _, cells = rows.columns.cells(names)
        names = [names[place] for place in of[cells < 0][:1]]
    for name in names:
        other = "is no count. Choose another distribution for it, as in "
        advice = Advice("distributions", {name: "gaussian"}, setting=True)
        refuse_where(rows.columns[name] < 0, rows, name, other, advice, ".")


def check_finite(name: str, rows: Table) -> None:
    """Refuse an infinite number."""
    refuse_where(
        np.isinf(rows.columns[name]), rows, name, "is no number to learn from. Leave the cell empty."
    )


def check_near(name: str, rows: Table) -> None:
    """Refuse a number whose square cannot be added up."""
    sizes = np.abs(rows.columns[name].astype(np.float64))
    refuse_where(sizes >= _FAR, rows, name, _TOO_LARGE, _LARGER_UNITS)


# The words of a text column by class, by the native counter.


def counted_words(words: Words, rows: Table) -> Words:
    """The distribution filled from rows that all have weight and a class."""
    counted = _counted(words, rows, rows.weights)
    if rows.weights is None:
        return _with_texts(counted, counted)
    return _with_texts(counted, _counted(words, rows, None))


def _counted(words: Words, rows: Table, weights: npt.NDArray[np.float64] | None) -> Words:
    classes, reading = len(rows.schema.classes), words.reading
    vocabulary, times, documents, known, exponent = _native.count_words(
        rows.columns[words.name].tolist(),
        np.ascontiguousarray(rows.target),
        classes,
        weights,
        reading.lower,
        reading.ngrams,
        list(reading.stop_words),
    )
    width = len(vocabulary)

    def by_class(cells: ExactRow) -> tuple[ExactRow, ...]:
        return tuple(cells[c * width : (c + 1) * width] for c in range(classes))

    return replace(
        words,
        words=vocabulary,
        counts=by_class(tuple(whole_sums(times, exponent))),
        documents=by_class(tuple(whole_sums(documents, exponent))),
        known=tuple(whole_sums(known, exponent)),
    )


def _with_texts(counted: Words, unweighted: Words) -> Words:
    """The sums with the numbers of texts, which are the sums of texts that weigh 1 each."""
    texts = tuple(int(sum(each)) for each in zip(*unweighted.documents, strict=True))
    return replace(counted, texts=texts, read=int(sum(unweighted.known)))


def warn_if_wordless(distributions: Iterable[Distribution]) -> None:
    """Warn of a text column none of whose words is used."""
    for each in distributions:
        if isinstance(each, Words) and not len(kept_words(each)):
            why = "its texts hold no word" + (" beside stop words" if each.reading.stop_words else "")
            if each.words:
                why = "the limits min_documents and max_documents leave none of its words"
            warnings.warn(f"Column '{each.name}' says nothing: {why}.", ClearwoodWarning, stacklevel=3)
