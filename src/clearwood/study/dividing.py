"""Dividing a table's rows by a design: which are learned from and which judge, the same on every machine."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import starmap
from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Floats, Longs, distinct
from clearwood.bounds import whole
from clearwood.counting.chance import chance_key, drawn_with_replacement
from clearwood.errors import Advice, SchemaError, SettingError
from clearwood.learners.parts import RowPart
from clearwood.study.designs import (
    Bootstrap,
    ByTime,
    Design,
    Folds,
    GivenFolds,
    HoldOut,
    LeaveOneOut,
    TrainingRows,
    columns_for_dividing,
)
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.folding import (
    column_to_divide_by,
    dealt_groups,
    first_times,
    groups_in,
    hold_out,
    rows_by_content,
    rows_that_stay_together,
    shuffled,
    shuffled_rows,
)
from clearwood.table.folding import folds as plain_folds
from clearwood.table.raw import days_of
from clearwood.table.table import Table, set_aside

_BOOTSTRAP: Final = 0x632  # what its draws are for


def parts_by_design(design: Design, table: Table) -> tuple[RowPart, ...]:
    """The parts of a design in order; none where no rows judge. One seed, one design: the same rows always.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> [len(part.judge) for part in parts_by_design(Folds(4, repeats=2), days)]
    [4, 4, 3, 3, 4, 4, 3, 3]
    """
    match design:
        case HoldOut():
            return (_held_out(design, table),)
        case Folds(folds, seed):
            repeats = whole("repeats", design.repeats, 1)
            return tuple(
                replace(each, repeat=repeat)
                for repeat in range(repeats)
                for each in _folds(design, table, folds, seed_of_repeat(seed, repeat))
            )
        case LeaveOneOut(None):
            rows = np.arange(len(table), dtype=np.int64)
            if len(table) < 2:
                raise SettingError("To leave one row out, at least two are needed.")
            return tuple(RowPart(np.delete(rows, row), rows[row : row + 1]) for row in rows)
        case LeaveOneOut(group):
            assert group is not None
            groups = groups_in(table, group)
            if groups.count < 2:
                raise _too_few_groups(group, groups.count, 2)
            return tuple(_one_after_another(groups.of, groups.count))
        case ByTime():
            return tuple(_by_time(design, table))
        case Bootstrap():
            return tuple(_bootstrap(design, table))
        case GivenFolds(column):
            groups = groups_in(table, column)
            if groups.count < 2:
                raise SchemaError(f"Column '{column}' has one value; given folds need at least two.")
            return tuple(_one_after_another(groups.of, groups.count))
        case TrainingRows():
            return ()
        case _:
            assert_never(design)


def _one_after_another(place: Longs, count: int) -> list[RowPart]:
    """The rows of each place in turn judge."""
    return [RowPart(np.flatnonzero(place != each), np.flatnonzero(place == each)) for each in range(count)]


def judged_to_learned(parts: Sequence[RowPart]) -> float:
    """Rows that judge to different rows learned from, in the average part: copies tell a model nothing new.
    By it Nadeau and Bengio (2003) correct a standard error over parts whose training rows overlap.

    >>> judged_to_learned([RowPart(np.array([0, 0, 1, 2]), np.array([3]))])
    0.3333333333333333
    """
    return float(np.mean([len(part.judge) / len(distinct(part.learn)) for part in parts]))


def rows_to_learn(design: Design, table: Table, but: Collection[str] = ()) -> Table:
    """The table without the columns that are for dividing alone; its rows stay together by them, or are
    divided by time, wherever they are divided again. `but` are columns by which the learner itself divides
    rows: it sets them aside."""
    columns = [name for name in columns_for_dividing(design) if name not in but]
    rows = set_aside(table, columns, "rows are divided by it")
    if not columns or rows is table:
        return rows
    if isinstance(design, ByTime):
        return replace(rows, times=times_in(table, design.column), checked=True)
    return replace(rows, together=groups_in(table, columns[0]).of, checked=True)


def units_of(design: Design, table: Table) -> Longs | None:
    """[row] which rows a design keeps together; None where each row is by itself."""
    group: str | None = getattr(design, "group", None)
    return None if group is None else groups_in(table, group).of


def seed_of_repeat(seed: int, repeat: int) -> int:
    """Each repeat deals by a seed of its own; the first by the design's."""
    return seed if repeat == 0 else chance_key(seed, repeat) >> 1


def predicted_column(table: Table) -> Nominal | Ordinal | Numeric:
    """The predicted column; a sentence where none is named."""
    if table.schema.target is None:
        raise SchemaError("Which column is predicted? Name it: ", Advice("target"), ".")
    return table.schema.target


def _held_out(design: HoldOut, table: Table) -> RowPart:
    if design.group is None:
        if _by_size(design.stratified, table):
            return _numbers_held_out(table, design)
        return RowPart(*hold_out(table, design.part, design.seed, stratified=design.stratified))
    if not 0 < design.part < 1:
        raise SettingError(f"part must be between 0 and 1, not {design.part!r}.")
    groups = groups_in(table, design.group)
    if groups.count < 2:
        raise _too_few_groups(design.group, groups.count, 2)
    capacities = np.array([1 - design.part, design.part])
    place = dealt_groups(table, groups, capacities, design.seed, stratified=design.stratified)
    return _one_after_another(place, 2)[1]


def _folds(design: Folds, table: Table, folds: int, seed: int) -> list[RowPart]:
    if design.group is not None:
        groups = groups_in(table, design.group)
        if not 2 <= whole("folds", folds, 0) <= groups.count:
            raise _too_few_groups(design.group, groups.count, folds)
        place = dealt_groups(table, groups, np.full(folds, 1 / folds), seed, stratified=design.stratified)
        return _one_after_another(place, folds)
    if _by_size(design.stratified, table) and 2 <= folds <= len(table):
        return _one_after_another(_numbers_dealt(table, folds, seed), folds)
    dealt = plain_folds(table, whole("folds", folds, 0), seed, stratified=design.stratified)
    return list(starmap(RowPart, dealt))


def _rows_by_size(table: Table, seed: int) -> Longs:
    """From the smallest number to the largest, equal ones by chance."""
    by_chance = shuffled_rows(table, seed)
    return by_chance[np.argsort(np.asarray(table.target, dtype=np.float64)[by_chance], kind="stable")]


def _by_size(stratified: bool, table: Table) -> bool:
    """Are numbers dealt by size? Groups that stay together are dealt as groups."""
    numbers = stratified and isinstance(table.schema.target, Numeric)
    return numbers and table.times is None and rows_that_stay_together(table) is None


def _numbers_dealt(table: Table, folds: int, seed: int) -> Longs:
    """[row] its fold: neighbours by size go to different ones, in an order drawn for each run."""
    rows = len(table)
    runs = -(-rows // folds)
    order = np.argsort(shuffled(runs * folds, seed + 1).reshape(runs, folds), axis=1).ravel()[:rows]
    # In the last, shorter run an order beyond its end would leave folds uneven by more than one row.
    last = rows - (runs - 1) * folds
    order[-last:] = np.argsort(order[-last:])
    place = np.empty(rows, dtype=np.int64)
    place[_rows_by_size(table, seed)] = order
    return place


def _numbers_held_out(table: Table, design: HoldOut) -> RowPart:
    """Of each run of neighbours by size the same part."""
    rows, part = len(table), design.part
    count = round(part * rows) if 0 < part < 1 else 0
    if not 0 < count < rows:
        raise SettingError(f"part must leave rows on both sides: {part!r} of {rows} rows does not.")
    # One of each run of neighbours, at a place drawn for it.
    edges = np.arange(count + 1) * rows // count
    places = edges[:-1] + shuffled(rows, design.seed + 1)[:count] % np.diff(edges)
    held = np.zeros(rows, dtype=np.int64)
    held[_rows_by_size(table, design.seed)[places]] = 1
    return _one_after_another(held, 2)[1]


def _bootstrap(design: Bootstrap, table: Table) -> Iterator[RowPart]:
    groups = None if design.group is None else groups_in(table, design.group)
    units = len(table) if groups is None else groups.count
    if units < 2:
        raise SettingError("A bootstrap needs at least two rows, or groups, to draw from.")
    order = rows_by_content(table) if groups is None else np.arange(units)
    for sample in range(whole("samples", design.samples, 1)):
        drawn = np.empty(units, dtype=np.int64)
        drawn[order] = drawn_with_replacement(chance_key(design.seed, _BOOTSTRAP, sample), units, units)
        times = drawn if groups is None else drawn[groups.of]
        learn, judge = np.repeat(np.arange(len(table)), times), np.flatnonzero(times == 0)
        if len(judge):  # of a few rows all may have been drawn
            yield RowPart(learn, judge, sample)


def _by_time(design: ByTime, table: Table) -> Iterator[RowPart]:
    times = times_in(table, design.column)
    folds = whole("folds", design.folds, 1)
    if design.window is not None and not design.window > 0:
        raise SettingError(f"window must be above 0, not {design.window!r}.")
    if not design.gap >= 0:
        raise SettingError(f"gap must be from 0 up, not {design.gap!r}.")
    begins = first_times(times, folds + 1)
    if len(begins) < folds + 1:
        raise SettingError(
            f"Column '{design.column}' has {len(distinct(times))} different times, too few for {folds} "
            "folds by time: each needs rows of its own, and rows before it. Give fewer folds."
        )
    ends = np.append(begins[2:], np.inf)
    for begin, end in zip(begins[1:].tolist(), ends.tolist(), strict=True):
        earlier = times < begin - design.gap if design.gap else times < begin
        if design.window is not None:
            earlier &= times >= begin - design.gap - design.window
        learn, judge = np.flatnonzero(earlier), np.flatnonzero((times >= begin) & (times < end))
        if not len(learn):
            raise SettingError(
                f"No rows lie before {begin:g} in '{design.column}' by this gap and window. Take a smaller "
                "gap, a larger window, or fewer folds."
            )
        yield RowPart(learn, judge)


def _too_few_groups(column: str, groups: int, asked: int) -> SettingError:
    has = "one value" if groups == 1 else f"{groups} values"
    return SettingError(
        f"Column '{column}' has {has}, too few for {asked} folds of groups: each fold holds out at least "
        "one. Give fewer folds, or divide by rows."
    )


# When each row is from: a column of numbers, of ordered values, or of dates, as numbers that grow.


def times_in(table: Table, column: str) -> Floats:
    """[row] its time: the number, the place of an ordered value, days since 1970 of a date.

    >>> import clearwood as cw
    >>> rows = {"day": ["2024-03-01", "2024-02-01", "2024-03-01"], "y": [1, 2, 3]}
    >>> times_in(cw.read_table(rows, target="y", kinds={"day": "nominal"}), "day").tolist()
    [19783.0, 19754.0, 19783.0]
    """
    cells = column_to_divide_by(table, column, "numeric")
    attribute = table.schema[column]
    match attribute:
        case Numeric():
            times = np.asarray(cells, dtype=np.float64)
        case Ordinal():
            times = np.where(cells >= 0, cells, np.nan).astype(np.float64)
        case Nominal(_, values):
            days = np.array([*_days(column, values), np.nan])
            times = days[np.where(cells >= 0, cells, len(values))]
        case Text():
            known = [cell for cell in cells.tolist() if cell is not None]
            by_text = dict(zip(known, _days(column, tuple(known)), strict=True))
            times = np.array([by_text.get(cell, np.nan) for cell in cells.tolist()])
        case Ignored():
            raise AssertionError("an ignored column has no cells")
        case _:
            assert_never(attribute)
    lacking = np.flatnonzero(~np.isfinite(times))
    if len(lacking):
        raise SchemaError(
            f"Column '{column}' has no time in row {table.row_number(int(lacking[0]))}"
            f"{f' and {len(lacking) - 1:,} more' if len(lacking) > 1 else ''}: rows cannot be divided by "
            "time. Leave these rows out, or fill them in."
        )
    return times


def _days(column: str, texts: tuple[str, ...]) -> list[float]:
    try:
        return days_of(column, texts)
    except SchemaError:
        raise SchemaError(
            f"Column '{column}' holds neither numbers nor dates nor ordered values, so it has no before and "
            "after. Say its order: ",
            Advice("ordered", {column: list(dict.fromkeys(texts))[:2]}, more=True),
            ".",
        ) from None
