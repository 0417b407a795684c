"""A profile of rows: what each column held, to be kept with a model and compared with later rows."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.files import write_whole
from clearwood.models.kept import check_kind
from clearwood.models.model import Model
from clearwood.models.profile import (
    QUANTILES,
    ColumnProfile,
    NumbersProfile,
    Profile,
    TextProfile,
    ValuesProfile,
)
from clearwood.scoring.predictions import ClassPredictions, Predictions
from clearwood.study.row_marks import row_marks_of, written_marks
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.row_keys import order_of_sums
from clearwood.table.table import UNSEEN, Column, Table

M = TypeVar("M", bound=Model)


def profile_of(table: Table, whole: Table | None = None) -> Profile:
    """Each column of the table, the target among them; ignored ones are left out. `whole` is the table of
    which these rows are a part, so that it is known again as well.

    Rows count by their weights, and the order in which they stand changes nothing, not even a last digit.

    >>> import clearwood as cw
    >>> profile = profile_of(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    >>> profile.rows, profile.columns["Wind"]
    (14, ValuesProfile(counts=(6.0, 8.0), missing=0.0))
    """
    given, table = table, order_of_sums(table)
    schema = table.schema
    weights = table.weights
    attributes = (*schema.attributes, *([] if schema.target is None else [schema.target]))
    columns = {
        each.name: _of_column(each, table.columns[each.name], weights)
        for each in attributes
        if not isinstance(each, Ignored) and each.name in table.columns
    }
    weight = float(len(table)) if weights is None else float(weights.sum())
    profile = Profile(len(table), weight, columns, written_marks(row_marks_of(given)))
    if whole is None or len(whole) == len(table):
        return profile
    return replace(profile, whole_rows=len(whole), whole_marks=written_marks(row_marks_of(whole)))


def with_profile(model: M, table: Table) -> M:
    """The model with a profile of the rows that it was learned from, as one that `clearwood fit` saves has;
    odds ratios per standard deviation and the best row of a linear model ask for it.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    >>> model = with_profile(cw.Logistic().learn(table), table)
    >>> round(cw.estimates(model, per="sd")[1].odds_ratio, 2)
    7.95
    """
    from clearwood.deriving.deriving import check_same_table  # late: learning needs no derivation

    check_kind("with_profile", model)
    return replace(model, profile=profile_of(check_same_table(model, table)))


def _of_column(attribute: Attribute, cells: Column, weights: Floats | None) -> ColumnProfile:
    match attribute:
        case Nominal(_, values) | Ordinal(_, values):
            _, missing, *counts = np.bincount(cells - UNSEEN, weights, len(values) - UNSEEN).tolist()
            return ValuesProfile(tuple(map(float, counts)), float(missing))
        case Numeric():
            return _of_numbers(np.asarray(cells, dtype=np.float64), weights)
        case Text():
            weights = np.ones(len(cells)) if weights is None else weights
            known = np.array([cell is not None for cell in cells], dtype=np.bool_)
            words = np.array([0 if cell is None else len(cell.split()) for cell in cells], dtype=np.float64)
            weight = float(weights[known].sum())
            mean = float(words @ weights / weight) if weight > 0 else 0.0
            return TextProfile(weight, mean, float(weights[~known].sum()))
        case Ignored():
            raise AssertionError("ignored columns have no profile")
        case _:
            assert_never(attribute)


def _of_numbers(cells: Floats, weights: Floats | None) -> NumbersProfile:
    """An infinite number is no number that a model file could hold: it counts as missing."""
    known = np.isfinite(cells)
    if weights is None:
        values = np.sort(cells[known])
        parts, missing = np.ones(len(values)), float(len(cells) - len(values))
    else:
        used = known & (weights > 0)
        missing = float(weights[~known].sum())
        values, parts = _ascending(cells[used], weights[used])
    weight = float(parts.sum())
    if not weight > 0:
        return NumbersProfile(None, None, (), 0.0, missing)
    # In units of a power of two near the largest, so that squares of large numbers do not overflow.
    unit = math.ldexp(1.0, math.frexp(float(np.abs(values).max()))[1] - 1)
    scaled = values / unit
    mean = float((scaled * parts).sum() / weight)
    deviation = float(np.sqrt((np.square(scaled - mean) * parts).sum() / weight))
    return NumbersProfile(mean * unit, deviation * unit, _quantiles(values, parts), weight, missing)


def _ascending(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Numbers in ascending order with their weights: one order, however the rows stand."""
    if len(weights) and (weights == weights[0]).all():
        return np.sort(values), weights
    order = np.lexsort((weights, values))
    return values[order], weights[order]


def _quantiles(ascending: Floats, weights: Floats) -> tuple[float, ...]:
    """The smallest number that at least 0, 5, … 100 % of the weight does not exceed."""
    below = np.cumsum(weights)
    at = np.searchsorted(below, below[-1] * (np.arange(QUANTILES) / (QUANTILES - 1)))
    quantiles = ascending[np.minimum(at, len(ascending) - 1)]
    quantiles[0], quantiles[-1] = ascending[0], ascending[-1]
    return tuple(quantiles.tolist())


# Predictions of judged rows as a table for other programs: a line for each row and model that judged it.


def predictions_csv(predictions: Predictions) -> str:
    """The row in the table (from 1), the part of the design that judged it (from 1), what came true, what was
    answered, the weight, and of classes the share of each; nothing where there is none.

    >>> import clearwood as cw
    >>> from clearwood.scoring.predictions import predictions_of
    >>> table = cw.read_table({"x": [1, 1, 2, 2], "y": list("aabb")}, target="y")
    >>> print(predictions_csv(predictions_of(cw.ID3().learn(table), table)).splitlines()[:2])
    ['row,part,true,predicted,weight,share of a,share of b', '1,1,a,a,1.0,1.0,0.0']
    """
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerows(_rows(predictions))
    return written.getvalue()


def _rows(predictions: Predictions) -> Iterator[list[Any]]:
    heading = ["row", "part", "true", "predicted", "weight"]
    places = (predictions.places + 1).tolist()
    parts, weights = (predictions.part + 1).tolist(), predictions.weights.tolist()
    if not isinstance(predictions, ClassPredictions):
        yield heading
        for place, part, true, answer, weight in zip(
            places, parts, predictions.truth.tolist(), predictions.answers.tolist(), weights, strict=True
        ):
            yield [place, part, true, "" if answer != answer else answer, weight]
        return
    classes = predictions.classes
    yield [*heading, *(f"share of {name}" for name in classes)]
    for place, part, true, answer, weight, row in zip(
        places,
        parts,
        predictions.truth.tolist(),
        predictions.answers.tolist(),
        weights,
        predictions.shares.tolist(),
        strict=True,
    ):
        named = [classes[code] if code >= 0 else "" for code in (true, answer)]
        yield [place, part, *named, weight, *row]


# The predictions of all contenders in one file: a line for each contender, row and model that judged it.


def contenders_csv(predictions: Mapping[str, Predictions]) -> str:
    """The contender's name before what `predictions_csv` writes; reference models may lack shares."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    for place, (name, each) in enumerate(predictions.items()):
        heading, *lines = csv.reader(io.StringIO(predictions_csv(each)))
        if place == 0:
            writer.writerow(["contender", *heading])
        writer.writerows([name, *line] for line in lines)
    return written.getvalue()


def write_predictions(path: str | PathLike[str], predictions: Mapping[str, Predictions]) -> Path:
    """Write them, whole or not at all."""
    return write_whole(Path(path), contenders_csv(predictions).encode("utf-8"))
