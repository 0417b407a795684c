"""Components: PCA of standardised numbers, MCA of values; the axes along which rows differ most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.bounds import whole
from clearwood.errors import ColumnError, LearningError
from clearwood.records import json_of
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import SparseColumns, Table
from clearwood.words.columns import in_columns
from clearwood.words.numbers import many, percent_to


@dataclass(frozen=True, slots=True)
class PrincipalComponents:
    """The components, the largest variance first.

    A row's score on component k is Σ `weights`[k][column] · (cell − mean) ÷ deviation; an empty cell counts
    as the mean. `variances` are of these scores, and `shares` their parts of all variance. `correlations`[k]
    are those of each column with the component: weight · √variance. The signs are such that the largest
    weight of each component is positive.
    """

    columns: tuple[str, ...]
    means: tuple[float, ...]
    deviations: tuple[float, ...]
    variances: tuple[float, ...]
    shares: tuple[float, ...]
    weights: tuple[tuple[float, ...], ...]  # [component][column]
    rows: int
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.variances)

    @property
    def correlations(self) -> tuple[tuple[float, ...], ...]:
        """[component][column]"""
        return tuple(
            tuple(weight * variance**0.5 for weight in weights)
            for weights, variance in zip(self.weights, self.variances, strict=True)
        )

    def scores(self, table: Table) -> Floats:
        """[row, component] where the rows of a table with these columns lie."""
        scaled = _standardised(table, self.columns, self.means, self.deviations)
        scores: Floats = scaled @ np.array(self.weights).T
        return scores

    def to_json(self) -> dict[str, Any]:
        """As plain values, ready for `json.dumps`."""
        parts = {"weights": self.weights, "correlations": self.correlations}
        components = _by_axis(variance=self.variances, share=self.shares, **parts)
        without = ("variances", "shares", "weights", "rows", "notes")
        after = {"components": components, "rows": self.rows, "notes": self.notes}
        return {"kind": "pca", **json_of(self, *without, **after)}

    def __str__(self) -> str:
        few = min(len(self), 5)
        columns, rows = many(len(self.columns), "column"), many(self.rows, "row")
        lines = [
            ["", *(f"component {k + 1}" for k in range(few))],
            ["share of variance", *(percent_to(share, 1) for share in self.shares[:few])],
            ["all so far", *(percent_to(share, 1) for share in np.cumsum(self.shares)[:few].tolist())],
            ["correlation with"],
        ]
        for place, name in enumerate(self.columns):
            # In two digits, with a real minus; none before 0.
            signed = [f"{each[place]:+.2f}".replace("-", "−") for each in self.correlations[:few]]
            lines.append([f"  {name}", *("0.00" if each[1:] == "0.00" else each for each in signed)])
        head = f"{many(len(self), 'component')} of {columns}, {rows}"
        return "\n".join([head, *in_columns(lines, "figures"), *self.notes])


def _by_axis(**figures: Sequence[Any]) -> list[dict[str, Any]]:
    """The figures of each axis by their names."""
    return [dict(zip(figures, each, strict=True)) for each in zip(*figures.values(), strict=True)]


def pca(table: Table, *, components: int | None = None) -> PrincipalComponents:
    """The principal components of the numeric columns, standardised, by the rows' weights.

    Columns that are constant or empty are left out, and the target is not among them. Empty cells are filled
    with the mean.

    >>> import clearwood as cw
    >>> numbers = {"x": [1.5, 2.5, 3.5, 4.5], "y": [2.1, 4.1, 6.1, 8.1], "z": [0.1, 0.2, 0.2, 0.1]}
    >>> table = cw.read_table(numbers)
    >>> [round(each, 3) for each in pca(table).shares]
    [0.667, 0.333, 0.0]
    """
    check_dense(table, "pca")
    numeric = [each.name for each in table.schema.inputs if isinstance(each, Numeric)]
    weights = np.ones(len(table)) if table.weights is None else table.weights
    kept, means, deviations, notes = [], [], [], []
    filled = 0
    for name in numeric:
        cells = np.asarray(table.columns[name], dtype=np.float64)
        known = np.isfinite(cells) & (weights > 0)
        mean, deviation = _mean_and_deviation(cells[known], weights[known])
        if deviation > 0:
            filled += int((~np.isfinite(cells)).sum())
            kept.append(name)
            means.append(mean)
            deviations.append(deviation)
    if len(kept) < 2:
        raise LearningError(
            "Principal components are of two or more numeric columns that vary, and this table has "
            f"{len(kept)}. For nominal columns use mca."
        )
    if left := [name for name in numeric if name not in kept]:
        notes.append(f"Left out, since they do not vary: {', '.join(left)}.")
    if filled:
        notes.append(f"{many(filled, 'empty cell')} counted as the column's mean.")
    notes += few_rows(table, len(kept))
    scaled = _standardised(table, tuple(kept), tuple(means), tuple(deviations))
    spread = (scaled * weights[:, None]).T @ scaled / weights.sum()
    values, vectors = np.linalg.eigh(spread)
    values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1].T
    signs = np.sign(vectors[np.arange(len(vectors)), without_last_digits(np.abs(vectors)).argmax(axis=1)])
    most = len(kept) if components is None else min(whole("components", components, 1), len(kept))
    return PrincipalComponents(
        *(tuple(kept), tuple(means), tuple(deviations)),
        variances=tuple(values[:most].tolist()),
        shares=tuple((values / values.sum())[:most].tolist()),
        weights=tuple(map(tuple, (vectors * signs[:, None])[:most].tolist())),
        rows=len(table),
        notes=tuple(notes),
    )


def _mean_and_deviation(cells: Floats, weights: Floats) -> tuple[float, float]:
    total = float(weights.sum())
    if not total > 0 or cells.min() == cells.max():
        return 0.0, 0.0
    unit = float(np.abs(cells).max())  # so that squares of large numbers do not overflow
    scaled = cells / unit
    mean = float(scaled @ weights / total)
    return mean * unit, float(np.sqrt((scaled - mean) ** 2 @ weights / total)) * unit


def _standardised(
    table: Table, columns: tuple[str, ...], means: tuple[float, ...], deviations: tuple[float, ...]
) -> Floats:
    scaled = np.empty((len(table), len(columns)))
    for place, name in enumerate(columns):
        if not isinstance(table.schema[name], Numeric) or name not in table.columns:
            kind = table.schema[name].kind
            raise ColumnError(f"Column '{name}' is {kind} here; the components are of its numbers.")
        cells = np.asarray(table.columns[name], dtype=np.float64)
        scaled[:, place] = np.where(np.isfinite(cells), (cells - means[place]) / deviations[place], 0.0)
    return scaled


MISSING_VALUE: Final = "(missing)"
_MOST: Final = 3000  # values: their table of counts has so many rows and columns
_LEAST: Final = 1e-12  # an axis of less inertia is rounding


def without_last_digits(parts: Floats) -> Floats:
    """Parts of 1 without the last digits, which differ from processor to processor: ties stay ties."""
    return np.round(parts, 9)


@dataclass(frozen=True, slots=True)
class ValueOnAxes:
    """A value of a column: the part of the rows that have it, where it lies, and what each axis has of it."""

    column: str
    value: str
    part: float
    at: tuple[float, ...]  # [axis]
    contributions: tuple[float, ...]  # [axis], over all values 1


@dataclass(frozen=True, slots=True)
class Correspondence:
    """The axes, the largest inertia first.

    `inertias` are those of the table of zeros and ones, `shares` their parts of all of it, which are small by
    nature; `adjusted` are Greenacre's shares, which leave out what a column tells about itself (0 for axes of
    less than average inertia). `ratios`[axis][column] are squared correlation ratios: the part of the axis's
    variance that lies between the column's values.
    """

    columns: tuple[str, ...]
    values: tuple[ValueOnAxes, ...]
    inertias: tuple[float, ...]
    shares: tuple[float, ...]
    adjusted: tuple[float, ...]
    ratios: tuple[tuple[float, ...], ...]
    rows: int
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.inertias)

    def scores(self, table: Table) -> Floats:
        """[row, axis] where the rows of a table with these columns lie: the mean of their values' places, by
        the root of the inertia. A value that was not there counts as the centre."""
        places = np.array([each.at for each in self.values]) / np.sqrt(self.inertias)
        summed = np.zeros((len(table), len(self)))
        for name in self.columns:
            own = {each.value: place for place, each in enumerate(self.values) if each.column == name}
            attribute = table.schema[name]
            if not isinstance(attribute, Nominal | Ordinal) or name not in table.columns:
                raise ColumnError(f"Column '{name}' is {attribute.kind} here; the axes are of its values.")
            # The last two of the lookup are the codes −2, unseen, and −1, missing.
            lookup = [own.get(value, -1) for value in attribute.values] + [-1, own.get(MISSING_VALUE, -1)]
            at = np.array(lookup)[table.columns[name]]
            summed += np.where(at[:, None] >= 0, places[at], 0.0)
        return summed / len(self.columns)

    def to_json(self) -> dict[str, Any]:
        """As plain values, ready for `json.dumps`."""
        shares = {"share": self.shares, "adjusted": self.adjusted}
        axes = _by_axis(inertia=self.inertias, **shares, ratios=self.ratios)
        after = {"values": self.values, "rows": self.rows, "notes": self.notes}
        without = ("inertias", "shares", "adjusted", "ratios", *after)
        return {"kind": "mca", **json_of(self, *without, axes=axes, **after)}

    def __str__(self) -> str:
        few = min(len(self), 4)
        columns, rows = many(len(self.columns), "column"), many(self.rows, "row")
        lines = [
            ["", *(f"axis {k + 1}" for k in range(few))],
            ["share of inertia", *(percent_to(share, 1) for share in self.shares[:few])],
            ["adjusted", *(percent_to(share, 1) for share in self.adjusted[:few])],
            ["correlation ratio of"],
        ]
        for place, name in enumerate(self.columns):
            lines.append([f"  {name}", *(f"{each[place]:.2f}" for each in self.ratios[:few])])
        made = [_made_of(self, axis) for axis in range(min(few, 2))]
        head = f"{many(len(self), 'axis', 'axes')} of {columns}, {rows}"
        return "\n".join([head, *in_columns(lines, "figures"), *made, *self.notes])


def mca(table: Table, *, components: int | None = None) -> Correspondence:
    """The axes of the nominal and ordinal columns, by the rows' weights; the target is not among them.

    A missing cell is a value of its own. Columns of one value are left out.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> axes = mca(days)
    >>> len(axes), [round(each, 3) for each in axes.inertias[:2]]
    (6, [0.446, 0.341])
    """
    check_dense(table, "mca")
    weights = np.ones(len(table)) if table.weights is None else table.weights
    discrete = [each for each in table.schema.inputs if isinstance(each, Nominal | Ordinal)]
    columns, names, codes, sizes, left = [], [], [], [], []
    for attribute in discrete:
        cells = table.columns[attribute.name]
        own = np.where(cells < 0, len(attribute.values), cells)
        used = np.flatnonzero(np.bincount(own, weights, len(attribute.values) + 1) > 0)
        if len(used) < 2:
            left.append(attribute.name)
            continue
        columns.append(attribute.name)
        texts = (*attribute.values, MISSING_VALUE)
        place = np.zeros(len(attribute.values) + 1, dtype=np.int64)  # rows without weight count nowhere
        place[used] = np.arange(len(used))
        names += [(attribute.name, texts[code]) for code in used.tolist()]
        codes.append(place[own])
        sizes.append(len(used))
    if len(columns) < 2:
        raise LearningError(
            "Correspondence analysis is of two or more nominal columns that vary, and this table has "
            f"{len(columns)}. For numbers use pca."
        )
    if len(names) > _MOST:
        raise LearningError(
            f"The columns have {len(names):,} values together, and all pairs of them are counted: the "
            f"limit is {_MOST:,}. Leave out the columns of many values."
        )
    notes = [f"Left out, since they do not vary: {', '.join(left)}."] if left else []
    notes += few_rows(table, len(columns))
    inertias, vectors, parts = _axes(codes, sizes, weights)
    most = len(inertias) if components is None else min(whole("components", components, 1), len(inertias))
    places = (vectors * np.sqrt(inertias / (parts[:, None] / len(columns))))[:, :most]
    kept = vectors[:, :most]
    of_column = np.array([columns.index(name) for name, _ in names])
    ratios = np.array([(kept[of_column == q] ** 2).sum(axis=0) for q in range(len(columns))])
    ratios = ratios.T * inertias[:most, None] * len(columns)
    total = len(names) / len(columns) - 1
    return Correspondence(
        tuple(columns),
        tuple(
            ValueOnAxes(*names[j], float(parts[j]), tuple(places[j].tolist()), tuple((kept[j] ** 2).tolist()))
            for j in range(len(names))
        ),
        tuple(inertias[:most].tolist()),
        tuple((inertias / total)[:most].tolist()),
        _adjusted(inertias, len(columns), len(names))[:most],
        tuple(map(tuple, ratios.tolist())),
        len(table),
        tuple(notes),
    )


def _axes(codes: list[Longs], sizes: list[int], weights: Floats) -> tuple[Floats, Floats, Floats]:
    """[axis] inertias, [value, axis] vectors of length 1, [value] the part of the rows that have it."""
    counts = np.zeros((sum(sizes), sum(sizes)))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    for one in range(len(codes)):
        for other in range(one + 1):
            places = codes[one] * sizes[other] + codes[other]
            pairs = np.bincount(places, weights, sizes[one] * sizes[other]).reshape(sizes[one], sizes[other])
            here, there = slice(*starts[one : one + 2]), slice(*starts[other : other + 2])
            counts[here, there], counts[there, here] = pairs, pairs.T
    total = float(weights.sum())
    parts = counts.diagonal() / total
    masses = parts / len(codes)
    spread = counts / (total * len(codes) ** 2) - np.outer(masses, masses)
    root = np.sqrt(masses)
    inertias, vectors = np.linalg.eigh(spread / np.outer(root, root))
    inertias, vectors = inertias[::-1], vectors[:, ::-1]
    some = inertias > _LEAST
    inertias, vectors = inertias[some], vectors[:, some]
    largest = without_last_digits(np.abs(vectors)).argmax(axis=0)
    return inertias, vectors * np.sign(vectors[largest, np.arange(len(inertias))]), parts


def _adjusted(inertias: Floats, columns: int, values: int) -> tuple[float, ...]:
    """Greenacre's shares of the inertia between columns."""
    above = np.maximum(inertias - 1 / columns, 0.0)
    own = (columns / (columns - 1) * above) ** 2
    between = columns / (columns - 1) * (float((inertias**2).sum()) - (values - columns) / columns**2)
    return tuple((own / between).tolist()) if between > _LEAST else tuple(np.zeros(len(own)).tolist())


def _made_of(axes: Correspondence, axis: int) -> str:
    """The values that contribute most to an axis, at its two ends."""
    counts = without_last_digits(np.array([each.contributions[axis] for each in axes.values]))
    strongest = [axes.values[place] for place in np.argsort(-counts, kind="stable")[:6].tolist()]
    ends = []
    for sign, word in ((1, "above"), (-1, "below")):
        there = [f"{each.column} = {each.value}" for each in strongest if sign * each.at[axis] > 0]
        if there:
            ends.append(f"{word} 0 {', '.join(there)}")
    return f"axis {axis + 1}: {'; '.join(ends)}"


def check_dense(table: Table, verb: str) -> None:
    """Refuse what is no table, a sparse one, or one without rows."""
    if not isinstance(table, Table):
        raise LearningError(
            f"{verb} takes a Table, not {type(table).__name__}. Make one: clearwood.read_table(…)."
        )
    if isinstance(table.columns, SparseColumns):
        raise LearningError(f"{verb} takes no sparse table. Give it as a dense one.")
    if not len(table) or (table.weights is not None and not table.weights.sum() > 0):
        raise LearningError(f"The table has no rows with a weight: {verb} has nothing to go by.")
    if len(table) == 1:
        raise LearningError(f"{verb} is of what differs from row to row, and the table has a single row.")


def few_rows(table: Table, columns: int) -> list[str]:
    """A note where there are hardly more rows than columns: what they have in common may be chance."""
    if len(table) > 2 * columns:
        return []
    rows, of = many(len(table), "row"), many(columns, "column")
    return [f"{rows} for {of}: too few to rely on what the components are made of."]
