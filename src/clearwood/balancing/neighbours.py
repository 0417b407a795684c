"""Balancing by neighbours: SMOTE makes rows of rare classes between them, cleaning takes common ones away."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats, Ints, Longs
from clearwood.balancing.balancer import Balancer
from clearwood.balancing.points import (
    RowPoints,
    points_of,
    refuse_text,
    rows_between,
    table_columns,
    without_contradicted,
    without_tomek_links,
)
from clearwood.balancing.sampling import Ratio
from clearwood.bounds import Whole
from clearwood.errors import LearningError
from clearwood.registry import checked
from clearwood.table.attributes import Numeric
from clearwood.table.table import Column, Table
from clearwood.words.numbers import many

Near: TypeAlias = Annotated[int, Whole(1), "How many of the nearest rows of its class a row is joined to."]


@checked
def make_between(table: Table, seed: int = 0, *, ratio: Ratio = 1.0, k: Near = 5) -> Table:
    """Every row, and made ones of each class until it has `ratio` times the rows of the commonest, or more.

    A made row lies at random between a row of the class and one of its `k` nearest; numbers are compared in
    standard deviations. Nominal values are those that most of the nearest have (SMOTE-NC; SMOTE-N where all
    columns are nominal). Ordinal values and numbers that are whole throughout stay whole.
    """
    return _with_made("SMOTE", table, points_of("SMOTE", table, fill=False), seed, ratio, k)


@checked
def make_between_mixed(table: Table, seed: int = 0, *, ratio: Ratio = 1.0, k: Near = 5) -> Table:
    """The same, of a table that must have columns of both kinds."""
    points = points_of("SMOTE-NC", table, fill=False)
    if not points.ordered or not points.nominal:
        only = "numbers" if points.ordered else "nominal columns"
        raise LearningError(
            f"SMOTE-NC is for tables of numbers and nominal columns, and this one has {only} alone. "
            "Balance by smote, which takes any of them."
        )
    return _with_made("SMOTE-NC", table, points, seed, ratio, k)


def _with_made(way: str, table: Table, points: RowPoints, seed: int, ratio: float, k: int) -> Table:
    refuse_text(way, table)
    sizes = np.bincount(table.target, minlength=len(table.schema.classes))
    least = round(float(sizes.max()) * ratio)
    lacking = [code for code, size in enumerate(sizes.tolist()) if 0 < size < least]
    if not lacking:
        return table
    for code in lacking:
        _check_enough(way, table.schema.classes[code], int(sizes[code]), k)
    wanted = {code: least if code in lacking else int(sizes[code]) for code in np.flatnonzero(sizes).tolist()}
    numbers, codes, classes = rows_between(points.numbers, points.codes, table.target, wanted, k, seed)
    return _joined(table, _columns(table, points, numbers, codes, classes))


def _check_enough(way: str, name: str, size: int, k: int) -> None:
    if size > k:
        return
    smaller = f"take k = {size - 1} or less, or " if size > 1 else ""
    raise LearningError(
        f"{way} joins each row to {many(k, 'other')} of its class, and '{name}' has only "
        f"{many(size, 'row')}: {smaller}balance by over or weights."
    )


def _columns(
    table: Table, points: RowPoints, numbers: Floats, codes: npt.NDArray[np.int64], classes: Ints
) -> dict[str, Column]:
    """The made rows as columns of the schema, each with values that it can have."""
    made: dict[str, Column] = {}
    back = numbers * points.scales + points.centres
    for place, attribute in enumerate(points.ordered):
        real = table.columns[attribute.name]
        # Rounding in the scaling must not lead beyond the rows that it lies between.
        cells = np.clip(back[:, place], real.min(), real.max())
        if not isinstance(attribute, Numeric) or _is_whole(real):
            cells = np.rint(cells)
        made[attribute.name] = cells.astype(real.dtype)
    for place, nominal in enumerate(points.nominal):
        made[nominal.name] = codes[:, place].astype(np.int32)
    assert table.schema.target is not None
    made[table.schema.target.name] = classes
    return made


def _is_whole(column: Column) -> bool:
    return bool((column == np.rint(column)).all())


def _joined(table: Table, made: dict[str, Column]) -> Table:
    names = table_columns(table)
    columns = {name: np.concatenate([table.columns[name], made[name]]) for name in names}
    count = len(columns[names[-1]]) - len(table)
    places = np.arange(len(table)) if table.places is None else table.places
    # A made row has no place in the table that was read: they are numbered after its last.
    places = np.concatenate([places, int(places.max()) + 1 + np.arange(count)])
    together = table.together
    if together is not None:  # a made row belongs to no group
        together = np.concatenate([together, int(together.max()) + 1 + np.arange(count)])
    return replace(
        table,
        columns=columns,
        rows=len(places),
        places=places,
        together=together,
        times=None,  # nor is a made row from any time
        checked=True,
    )


SMOTE: Final = Balancer(make_between, "Rows of rare classes are made between near ones.", draws=True)
SMOTE_NC: Final = Balancer(make_between_mixed, "The same, of numbers and nominal columns.", draws=True)


@checked
def clean_links(table: Table, _seed: int = 0) -> Table:
    """Of two rows that are each other's nearest, and of different classes, the one of the commoner class goes
    (Tomek links). A missing number stands at its column's mean while distances are measured."""
    points = points_of("Tomek", table, fill=True).flat
    return _taken("Tomek", table, without_tomek_links(points, table.target))


@checked
def clean_contradicted(
    table: Table,
    _seed: int = 0,
    *,
    k: Annotated[int, Whole(1), "How many of the nearest rows must be of its own class."] = 3,
) -> Table:
    """A row goes if one of its `k` nearest is of another class, unless its own is the rarest (ENN)."""
    if len(table) <= k:
        raise LearningError(f"ENN looks at {k} neighbours of a row, and there are {len(table)} rows in all.")
    points = points_of("ENN", table, fill=True).flat
    return _taken("ENN", table, without_contradicted(points, table.target, k))


def _taken(way: str, table: Table, kept: Longs) -> Table:
    lost = np.setdiff1d(table.target, table.target[kept])
    if len(lost):
        raise LearningError(
            f"{way} would leave no row of the class '{table.schema.classes[int(lost[0])]}': each is near "
            "another class. Balance by weights or over."
        )
    return table.take(kept)


TOMEK: Final = Balancer(clean_links, "Rows of common classes that touch a rarer one go (Tomek links).")
ENN: Final = Balancer(clean_contradicted, "Rows that their neighbours contradict go (edited neighbours).")
