"""Folding: which rows to learn from and which to hold out, the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias, assert_never
from zlib import adler32, crc32

import numpy as np
import numpy.typing as npt

from clearwood._native import row_hashes
from clearwood.arrays import Floats, Ints, Longs
from clearwood.errors import Advice, NamedOption, SchemaError, SettingError
from clearwood.mixing import GOLDEN, mixed_all
from clearwood.records import dataclass
from clearwood.table.attributes import Attribute, AttributeKind, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Column, SparseColumns, Table, empty_cells

RowPositions: TypeAlias = npt.NDArray[np.int64]  # positions, ascending


def folds(
    table: Table, k: int = 10, seed: int = 0, *, stratified: bool = True
) -> list[tuple[RowPositions, RowPositions]]:
    """k pairs (rows to learn from, rows held out); each row is held out once.

    Which fold a row falls into depends on the seed and on what is in the row, never on where it stands.
    `stratified` deals each class out evenly; rows without a class, and numbers, are dealt as they come. Rows
    that a design keeps together, and copies of one row, stay in one fold, and fewer groups than k are as many
    folds. Where a design is by time, each fold learns from all rows before it: the earliest are not held out,
    and few times have fewer folds.
    """
    rows = len(table)
    if not 2 <= k <= rows:
        raise SettingError(f"folds must be between 2 and the number of rows ({rows}), not {k}.")
    if table.times is not None and (forward := folds_forward(table.times, k)):
        return forward
    groups = rows_that_stay_together(table)
    if groups is not None:
        if groups.count < 2:
            raise SettingError(
                "The rows to fold are of one group, whose rows stay together: nothing can be held out."
            )
        k = min(k, groups.count)
        place = dealt_groups(table, groups, np.full(k, 1 / k), seed, stratified=stratified)
        return [(np.flatnonzero(place != each), np.flatnonzero(place == each)) for each in range(k)]
    fold = np.empty(rows, dtype=np.int64)
    fold[_dealt(table, seed, stratified)] = np.arange(rows) % k
    return [(np.flatnonzero(fold != each), np.flatnonzero(fold == each)) for each in range(k)]


def hold_out(
    table: Table, part: float = 0.3, seed: int = 0, *, stratified: bool = True
) -> tuple[RowPositions, RowPositions]:
    """One pair (training rows, held-out rows); `part` is the share that is held out, rounded to whole rows.

    Each run of neighbours in the dealt order gives its share, so that every class does. Where a design is by
    time, the latest rows are held out.
    """
    rows = len(table)
    count = round(part * rows) if 0 < part < 1 else 0
    if not 0 < count < rows:
        raise SettingError(f"part must leave rows on both sides: {part!r} of {rows} rows does not.")
    if table.times is not None and (latest := latest_held_out(table.times, count)) is not None:
        return latest
    groups = rows_that_stay_together(table)
    if groups is not None and groups.count > 1:
        place = dealt_groups(table, groups, np.array([1 - part, part]), seed, stratified=stratified)
        return np.flatnonzero(place == 0), np.flatnonzero(place == 1)
    taken = np.diff(np.arange(rows + 1) * count // rows) > 0
    held = np.zeros(rows, dtype=np.bool_)
    held[_dealt(table, seed, stratified)] = taken
    return np.flatnonzero(~held), np.flatnonzero(held)


def _dealt(table: Table, seed: int, stratified: bool) -> RowPositions:
    """Rows in the order of dealing: shuffled by their content, then class by class, in the order of names."""
    order = shuffled_rows(table, seed)
    if stratified and table.schema.target is not None and not isinstance(table.schema.target, Numeric):
        order = order[np.argsort(classes_by_name(table)[order], kind="stable")]
    return order


# Dividing by time: later rows judge what was learned from earlier ones; rows of one time stay together.


def folds_forward(times: Floats, folds: int) -> list[tuple[Longs, Longs]]:
    """At most so many pairs (all earlier rows, the rows of a block), of blocks of about as many rows; fewer
    where there are few times, and none where there is one. The first block never judges.

    >>> pairs = folds_forward(np.array([3.0, 1.0, 2.0, 1.0]), 5)
    >>> [(learn.tolist(), judge.tolist()) for learn, judge in pairs]
    [([1, 3], [2]), ([1, 2, 3], [0])]
    """
    begins = first_times(times, min(folds + 1, len(np.unique(times))))
    if len(begins) < 2:
        return []
    ends = np.append(begins[2:], np.inf)
    return [
        (np.flatnonzero(times < begin), np.flatnonzero((times >= begin) & (times < end)))
        for begin, end in zip(begins[1:], ends, strict=True)
    ]


def latest_held_out(times: Floats, count: int) -> tuple[Longs, Longs] | None:
    """The earlier rows, and about so many of the latest; None where all rows are of one time.

    >>> [rows.tolist() for rows in latest_held_out(np.array([1.0, 4.0, 2.0, 3.0]), 2)]
    [[0, 2], [1, 3]]
    """
    distinct, counts = np.unique(times, return_counts=True)
    if len(distinct) < 2:
        return None
    later = np.cumsum(counts[::-1])[::-1][1:]  # [time after the first] the rows from it on
    begin = distinct[1:][int(np.abs(later - count).argmin())]
    return np.flatnonzero(times < begin), np.flatnonzero(times >= begin)


def first_times(times: Floats, blocks: int) -> Floats:
    """The first time of each block of about as many rows; rows of one time are in one block. Of fewer times
    than blocks: those there are."""
    distinct, counts = np.unique(times, return_counts=True)
    if len(distinct) < blocks:
        return distinct
    starts = np.cumsum(counts) - counts
    chosen = [0]
    for block in range(1, blocks):
        at = int(np.searchsorted(starts, block * len(times) / blocks))
        chosen.append(min(max(at, chosen[-1] + 1), len(distinct) - (blocks - block)))
    return np.asarray(distinct[chosen])


# Groups of rows dealt to parts: as evenly as they allow, by rows and by classes.


_MANY: Final = 3_000  # groups: so many small ones are even when dealt in turn


def dealt_groups(
    table: Table, groups: RowGroups, capacities: Floats, seed: int, *, stratified: bool
) -> Longs:
    """[row] the part that its group is dealt to; `capacities` are the parts' shares of the rows.

    Large groups are dealt first, each to the part that then has its classes, and its rows, most evenly: the
    squares of what each part holds beyond its capacity are kept least. Equal groups come in the order that
    the seed draws.
    """
    strata = _strata(table, stratified)
    counts = np.zeros((groups.count, int(strata.max(initial=0)) + 2))
    np.add.at(counts, (groups.of, strata), 1.0)
    counts[:, -1] = counts[:, :-1].sum(axis=1)  # evenly by rows as well
    total = counts.sum(axis=0)
    parts = counts / np.where(total > 0, total, 1.0)
    # A group comes when its first row does: by what is in its rows, never by where they stand.
    _, first = np.unique(groups.of[shuffled_rows(table, seed)], return_index=True)
    by_chance = np.argsort(first)
    order = by_chance[np.argsort(-counts[by_chance, -1], kind="stable")]
    if groups.count > _MANY:
        return _dealt_in_turn(parts, order, capacities)[groups.of]
    held = np.zeros((len(capacities), parts.shape[1]))
    place = np.empty(groups.count, dtype=np.int64)
    rows_held = np.zeros(len(capacities))
    for left, group in zip(range(groups.count, 0, -1), order.tolist(), strict=True):
        mine = parts[group]
        more = ((2 * held + mine) @ mine) / capacities
        empty = np.flatnonzero(rows_held == 0)
        # The last groups go where there is none yet.
        chosen = int(empty[np.argmin(more[empty])]) if len(empty) >= left else int(np.argmin(more))
        place[group] = chosen
        held[chosen] += mine
        rows_held[chosen] += 1
    return place[groups.of]


def _dealt_in_turn(parts: Floats, order: Longs, capacities: Floats) -> Longs:
    """[group] its part: groups of like classes one after another, each part as often as its capacity says."""
    like = order[np.argsort(parts[order, :-1].argmax(axis=1), kind="stable")]
    ends = np.cumsum(capacities) / capacities.sum()
    # Places spread over the parts as evenly as a golden step does, whatever the capacities.
    place = np.empty(len(order), dtype=np.int64)
    place[like] = np.searchsorted(ends, (np.arange(len(order)) * 0.6180339887498949) % 1.0, side="right")
    return np.minimum(place, len(capacities) - 1)


def _strata(table: Table, stratified: bool) -> Longs:
    """[row] what is to be dealt evenly: its class, its fifth by size of a number; 0 for all otherwise."""
    target = table.schema.target
    if not stratified or target is None:
        return np.zeros(len(table), dtype=np.int64)
    cells = table.target
    if isinstance(target, Numeric):
        numbers = np.asarray(cells, dtype=np.float64)
        cuts = np.nanquantile(numbers, (0.2, 0.4, 0.6, 0.8)) if not np.isnan(numbers).all() else np.zeros(0)
        return np.where(np.isnan(numbers), len(cuts) + 1, np.searchsorted(cuts, numbers)).astype(np.int64)
    places = classes_by_name(table)
    return np.where(places >= 0, places, len(target.values)).astype(np.int64)


# RowGroups of rows that stay together: all rows of a customer, a patient, a document.


@dataclass(frozen=True, slots=True, eq=False)
class RowGroups:
    """[row] the number of its group, from 0; a row without one is a group by itself."""

    of: Longs
    count: int


def column_to_divide_by(table: Table, name: str, kind: AttributeKind = "nominal") -> Column:
    """The cells of a column that rows are divided by; refused where the table has none."""
    attribute = table.schema[name]
    if attribute is table.schema.target:
        raise SchemaError(
            f"'{name}' is what is predicted: rows cannot be divided by it. Name another column."
        )
    if isinstance(attribute, Ignored) and attribute.because == Ignored(name).because:
        raise SchemaError(
            f"Rows cannot be divided by the column '{name}', which is left out by hand. What divides rows is "
            "not learned from anyway: do without ",
            NamedOption("ignore", [name]),
            " (or the kind ignored in its schema).",
        )
    if isinstance(attribute, Ignored) or name not in table.columns:
        raise SchemaError(
            f"Column '{name}' was left out when the table was read, so rows cannot be divided by it. "
            "Keep it: ",
            Advice("kinds", {name: kind}),
            ".",
        )
    return table.columns[name]


def groups_in(table: Table, column: str) -> RowGroups:
    """The rows by the values of a column.

    >>> import clearwood as cw
    >>> rows = {"who": ["a", "b", "a", None, None], "y": [1, 2, 3, 4, 5]}
    >>> groups_in(cw.read_table(rows, target="y"), "who").of.tolist()
    [0, 1, 0, 2, 3]
    """
    if table.together is not None and isinstance(table.schema[column], Ignored):
        return groups_of(table.together)  # a design has set the column aside, and kept its groups
    cells = column_to_divide_by(table, column)
    missing = empty_cells(cells)
    of = np.empty(len(cells), dtype=np.int64)
    known = cells[~missing].astype(str) if cells.dtype == np.object_ else cells[~missing]
    values, codes = np.unique(known, return_inverse=True)
    of[~missing] = codes
    of[missing] = len(values) + np.arange(int(missing.sum()))
    return RowGroups(of, len(values) + int(missing.sum()))


def groups_of(together: Longs) -> RowGroups:
    """The rows of equal numbers as groups, counted from 0."""
    values, of = np.unique(together, return_inverse=True)
    return RowGroups(of.astype(np.int64).ravel(), len(values))


def rows_that_stay_together(table: Table) -> RowGroups | None:
    """The groups that no division may part: those a design keeps together, or copies of one row, which would
    else teach a model and judge it. None where every row stands by itself.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> rows_that_stay_together(days), rows_that_stay_together(days.take(np.array([3, 3, 5]))).count
    (None, 2)
    """
    if table.together is not None:
        return groups_of(table.together)
    if table.places is None or (np.diff(table.places) > 0).all():
        return None
    groups = groups_of(table.places)
    return groups if groups.count < len(table) else None


# Shuffling: an order of rows that depends on a seed alone, the same on every machine.


def shuffled(rows: int, seed: int) -> Longs:
    """The positions 0 … rows − 1 in an order that depends on the seed alone (splitmix64 of each position).

    >>> shuffled(6, seed=1).tolist() == shuffled(6, seed=1).tolist()
    True
    """
    with np.errstate(over="ignore"):
        places = np.arange(1, rows + 1, dtype=np.uint64) * np.uint64(GOLDEN)
        bits = mixed_all(places + np.uint64(seed % 2**64) * np.uint64(0xD1342543DE82EF95))
    return np.argsort(bits, kind="stable")


# Keys of rows: 64 bits of what is in a row, so that chance falls on rows by their content.
#
# A table whose rows come in another order, or whose classes or values are listed in another, gives the same
# keys: the same folds, the same bags, the same models. Only inputs, target and weight count, for rows that
# are alike in these teach and judge alike.


def rows_by_content(table: Table) -> Longs:
    """The positions of the rows in an order that only their cells decide; copies stand side by side.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> turned = days.take(np.arange(14)[::-1])
    >>> (rows_by_content(days) == 13 - rows_by_content(turned)).all()
    np.True_
    """
    return _in_order(_keys_of(table), table)


def in_order_of_content(table: Table) -> Table:
    """The table with its rows in that order, for a learner whose sums or draws follow the order of rows."""
    return table.take(rows_by_content(table))


def order_of_sums(table: Table) -> Table:
    """The table in that order where weights or the target's numbers have parts, or squares too large for
    exact sums, whose last digit then depends on the order; otherwise itself."""
    places = places_of_sums(table)
    return table if places is None else table.take(places)


def places_of_sums(table: Table) -> Longs | None:
    """The positions of the rows as `order_of_sums` has them; None where they stay in their own order."""
    weights, target = table.weights, table.schema.target
    numbers = table.target if isinstance(target, Numeric) else None
    exact = _whole(weights) and (numbers is None or (_whole(numbers) and _summed_exactly(numbers, weights)))
    return None if exact else rows_by_content(table)


def _whole(numbers: Column | None) -> bool:
    return numbers is None or bool((numbers == np.floor(numbers)).all())


def _summed_exactly(numbers: Column, weights: Floats | None) -> bool:
    """Is the sum of the squares of whole numbers one that doubles hold, however it is added up?"""
    squares = np.square(numbers, dtype=np.float64)
    return bool((squares.sum() if weights is None else (squares * weights).sum()) < 2.0**53)


def shuffled_rows(table: Table, seed: int) -> Longs:
    """The positions of the rows in an order that the seed and their cells decide, on every machine; copies of
    one row are dealt out as any other rows are.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> shuffled_rows(days, 1).tolist() != shuffled_rows(days, 2).tolist()
    True
    """
    keys = _keys_of(table)
    order = _in_order(keys, table)
    keys = keys[order]
    places = np.arange(len(order), dtype=np.uint64)
    begins = np.concatenate([np.ones(min(len(keys), 1), dtype=np.bool_), keys[1:] != keys[:-1]])
    copy = places - np.maximum.accumulate(np.where(begins, places, np.uint64(0)))
    with np.errstate(over="ignore"):
        bits = mixed_all(keys + np.uint64(seed % 2**64) * np.uint64(0xD1342543DE82EF95))
        bits = mixed_all(bits + copy * np.uint64(GOLDEN))
    return order[stable_order(bits)]


def places_by_name(names: Sequence[str]) -> Ints:
    """[name] its place when they are put in order: what tells classes apart however they are declared.

    >>> places_by_name(("yes", "maybe", "no")).tolist()
    [2, 0, 1]
    """
    places = np.empty(len(names), dtype=np.int32)
    places[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names), dtype=np.int32)
    return places


def classes_by_name(table: Table) -> Ints:
    """[row] the place of its class in the order of names; −1 without one."""
    places = places_by_name(table.schema.classes)
    return np.where(table.target >= 0, places[table.target], -1) if len(places) else table.target


def _in_order(keys: npt.NDArray[np.uint64], table: Table) -> Longs:
    return stable_order(keys) if table.weights is None else np.lexsort((table.weights, keys))


def stable_order(keys: npt.NDArray[np.uint64]) -> Longs:
    """The positions in the order of their keys, equal ones as they stand. Few keys are equal: all are sorted
    by the quickest way, and those alone are put right.

    >>> stable_order(np.array([7, 3, 7, 1, 3], dtype=np.uint64)).tolist()
    [3, 1, 4, 0, 2]
    """
    order = np.argsort(keys)
    in_order = keys[order]
    equal = in_order[1:] == in_order[:-1]
    if equal.any():
        apart = np.flatnonzero(np.r_[equal, False] | np.r_[False, equal])
        copies = order[apart]
        order[apart] = copies[np.lexsort((copies, keys[copies]))]
    return order


def _keys_of(table: Table) -> npt.NDArray[np.uint64]:
    """[row] its key, which the table keeps for the next that asks, as the parts that are taken of it do."""
    if table.keys is None:
        object.__setattr__(table, "keys", _keys(table))
    assert table.keys is not None
    return table.keys


def _keys(table: Table) -> npt.NDArray[np.uint64]:
    target = table.schema.target
    attributes = [*table.schema.inputs, *([] if target is None else [target])]
    sparse = table.columns if isinstance(table.columns, SparseColumns) else None
    dense = [each for each in attributes if each.name in (table.columns if sparse is None else sparse.dense)]
    keys = row_hashes([_told_apart(each, table.columns[each.name]) for each in dense], len(table))
    if sparse is not None:
        with np.errstate(over="ignore"):
            keys = mixed_all(keys + sparse_keys(sparse, len(table)))
    return keys


def sparse_keys(columns: SparseColumns, rows: int) -> npt.NDArray[np.uint64]:
    """[row] 64 bits of what is stored of it in the sparse columns."""
    keys = np.zeros(rows, dtype=np.uint64)
    of, row, numbers = columns.cells([name for name in columns if name not in columns.dense])
    with np.errstate(over="ignore"):
        places = (of.astype(np.uint64) + np.uint64(1)) * np.uint64(GOLDEN)
        cells = np.where(np.isnan(numbers), np.nan, numbers + 0.0).view(np.uint64)
        np.add.at(keys, row, mixed_all(mixed_all(cells) + places))
    return keys


def texts_as_numbers(texts: Column) -> Column:
    """[row] a number that is equal for equal texts, and for hardly any others."""
    return np.array([_of_text(text) for text in texts.tolist()], dtype=np.float64)


def _told_apart(attribute: Attribute, column: Column) -> Column:
    """The cells as numbers that depend on what they say: values by their names, texts by their characters."""
    match attribute:
        case Nominal(_, values) | Ordinal(_, values):
            # The last two are found by the codes −2 and −1.
            names = np.array([*map(_of_text, values), 1.0, 2.0])
            return names[column]
        case Text():
            return texts_as_numbers(column)
        case Numeric() | Ignored():
            return column
        case _:
            assert_never(attribute)


def _of_text(text: str | None) -> float:
    if text is None:
        return 2.0
    encoded = text.encode("utf-8", "surrogatepass")
    return float(crc32(encoded)) + 2.0**32 * (adler32(encoded) % 2**20)
