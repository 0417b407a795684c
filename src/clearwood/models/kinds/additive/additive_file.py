"""An additive model in a file: one curve per line, its points as packed columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from clearwood.errors import ClearwoodError, ModelFileError
from clearwood.models.files.forms import Finite, Form, refuse, without_point
from clearwood.models.files.heading import Heading
from clearwood.models.files.packed import PackedColumn, packed_column, unpacked
from clearwood.models.kinds.additive.additive_model import (
    AdditiveModel,
    PairShape,
    Shape,
    ShapePoints,
    Spread,
    cells_of_shape,
)
from clearwood.models.kinds.ensemble.ensemble import Link
from clearwood.models.kinds.ensemble.ensemble_file import CurveForm, curves_from_form, curves_to_form


class ShapeForm(Form, frozen=True):
    """A column's curve. The cells of a number are the intervals between its `cuts` (low < x ≤ high), those
    of other columns their values; two more follow, for a missing cell and an unseen value. `points` by score,
    `errors` likewise or none, `rows` the weight of the training rows in each cell, or none."""

    column: str
    cuts: PackedColumn
    cut_count: int
    points: tuple[PackedColumn, ...]
    errors: tuple[PackedColumn, ...]
    rows: PackedColumn | None


class PairForm(Form, frozen=True):
    """A pair's table, row by row: the cells of the first column by those of the second."""

    columns: tuple[str, str]
    cuts: tuple[PackedColumn, PackedColumn]
    cut_counts: tuple[int, int]
    points: tuple[PackedColumn, ...]
    errors: tuple[PackedColumn, ...]
    rows: PackedColumn | None


class AdditiveForm(Form, frozen=True):
    """Scores are `base` plus the points of each curve's and pair's cell, and `link` makes probabilities or a
    number of them. `spread` says what the errors are. `learning` are losses by the number of rounds."""

    link: Link
    spread: Spread
    base: tuple[Finite, ...]
    learning: tuple[CurveForm, ...]
    curves: tuple[ShapeForm, ...]
    pairs: tuple[PairForm, ...]


def additive_to_form(model: AdditiveModel) -> AdditiveForm:
    return AdditiveForm(
        link=model.link,
        spread=model.spread,
        base=tuple(map(without_point, model.base)),
        learning=curves_to_form(model.curves),
        curves=tuple(
            ShapeForm(
                column=shape.name, cuts=_packed(shape.cuts), cut_count=len(shape.cuts), **_tables(shape)
            )
            for shape in model.shapes
        ),
        pairs=tuple(
            PairForm(
                columns=pair.names,
                cuts=(_packed(pair.cuts[0]), _packed(pair.cuts[1])),
                cut_counts=(len(pair.cuts[0]), len(pair.cuts[1])),
                **_tables(pair),
            )
            for pair in model.pairs
        ),
    )


def additive_from_form(form: AdditiveForm, heading: Heading) -> AdditiveModel:
    learning = curves_from_form(form.learning, "body.learning")
    shapes, pairs = [], []
    for i, curve in enumerate(form.curves):
        where = f"body.curves[{i}]"
        cuts = _cuts(curve.cuts, curve.cut_count, f"{where}.cuts")
        cells = _cells(heading, curve.column, cuts, f"{where}.column")
        shapes.append(Shape(curve.column, cuts, *_read_tables(curve, cells, where)))
    for i, pair in enumerate(form.pairs):
        where = f"body.pairs[{i}]"
        first, second = (
            _cuts(cuts, count, f"{where}.cuts[{side}]")
            for side, (cuts, count) in enumerate(zip(pair.cuts, pair.cut_counts, strict=True))
        )
        cells = _cells(heading, pair.columns[0], first, f"{where}.columns[0]")
        cells *= _cells(heading, pair.columns[1], second, f"{where}.columns[1]")
        pairs.append(PairShape(pair.columns, (first, second), *_read_tables(pair, cells, where)))
    return AdditiveModel(
        schema=heading.schema,
        base=tuple(map(float, form.base)),
        shapes=tuple(shapes),
        pairs=tuple(pairs),
        link=form.link,
        spread=form.spread,
        curves=learning,
        decision=heading.decision,
        origin=heading.origin,
        profile=heading.profile,
    )


def _packed(numbers: tuple[float, ...]) -> PackedColumn:
    return packed_column(np.array(numbers, dtype=np.float64))


def _tables(shape: Shape | PairShape) -> dict[str, Any]:
    return {
        "points": tuple(map(_packed, shape.points)),
        "errors": tuple(map(_packed, shape.errors)),
        "rows": _packed(shape.rows) if shape.rows else None,
    }


def _cuts(form: PackedColumn, count: int, where: str) -> tuple[float, ...]:
    if not 0 <= count <= 10_000_000:
        refuse(where, "must have a number of cuts from 0 up", count)
    return tuple(map(float, unpacked(form, count, where).tolist()))


def _cells(heading: Heading, name: str, cuts: tuple[float, ...], where: str) -> int:
    try:
        return cells_of_shape(heading.schema, name, cuts)
    except (ClearwoodError, KeyError) as error:
        raise ModelFileError(f"{where}: {error}") from None


def _read_tables(
    form: ShapeForm | PairForm, cells: int, where: str
) -> tuple[ShapePoints, ShapePoints, tuple[float, ...]]:
    points, errors = (
        tuple(
            tuple(map(float, unpacked(each, cells, f"{where}.{name}[{s}]").tolist()))
            for s, each in enumerate(table)
        )
        for name, table in (("points", form.points), ("errors", form.errors))
    )
    rows = (
        () if form.rows is None else tuple(map(float, unpacked(form.rows, cells, f"{where}.rows").tolist()))
    )
    return points, errors, rows
