"""MCA: the axes along which rows differ most in their values, and the values that make up each.

Multiple correspondence analysis (Benzécri 1979; Greenacre 2007) of the table in which every value is a column
of zeros and ones. Values that rows have together lie near each other, rare ones far out.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.bounds import whole
from clearwood.components.checking import check_dense, few_rows
from clearwood.errors import ColumnError, LearningError
from clearwood.table.attributes import Nominal, Ordinal, kind_of
from clearwood.table.table import Table
from clearwood.words.columns import in_columns
from clearwood.words.numbers import many, percent_to

MISSING_VALUE: Final = "(missing)"
_MOST: Final = 3000  # values: their table of counts has so many rows and columns
_LEAST: Final = 1e-12  # an axis of less inertia is rounding


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
                raise ColumnError(
                    f"Column '{name}' is {kind_of(attribute)} here; the axes are of its values."
                )
            # The last two of the lookup are the codes −2, unseen, and −1, missing.
            lookup = [own.get(value, -1) for value in attribute.values] + [-1, own.get(MISSING_VALUE, -1)]
            at = np.array(lookup)[table.columns[name]]
            summed += np.where(at[:, None] >= 0, places[at], 0.0)
        return summed / len(self.columns)

    def to_json(self) -> dict[str, Any]:
        """As plain values, ready for `json.dumps`."""
        return {
            "kind": "mca",
            "columns": list(self.columns),
            "axes": [
                {"inertia": inertia, "share": share, "adjusted": adjusted, "ratios": list(ratios)}
                for inertia, share, adjusted, ratios in zip(
                    self.inertias, self.shares, self.adjusted, self.ratios, strict=True
                )
            ],
            "values": [asdict(each) for each in self.values],
            "rows": self.rows,
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        few = min(len(self), 4)
        columns, rows = many(len(self.columns), "column"), many(self.rows, "row")
        head = f"{many(len(self), 'axis', 'axes')} of {columns}, {rows}"
        lines = [["", *(f"axis {k + 1}" for k in range(few))]]
        lines.append(["share of inertia", *(percent_to(share, 1) for share in self.shares[:few])])
        lines.append(["adjusted", *(percent_to(share, 1) for share in self.adjusted[:few])])
        lines.append(["correlation ratio of"])
        for place, name in enumerate(self.columns):
            lines.append([f"  {name}", *(f"{each[place]:.2f}" for each in self.ratios[:few])])
        made = [_made_of(self, axis) for axis in range(min(few, 2))]
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
    largest = np.abs(vectors).argmax(axis=0)
    return inertias, vectors * np.sign(vectors[largest, np.arange(len(inertias))]), parts


def _adjusted(inertias: Floats, columns: int, values: int) -> tuple[float, ...]:
    """Greenacre's shares of the inertia between columns."""
    above = np.maximum(inertias - 1 / columns, 0.0)
    own = (columns / (columns - 1) * above) ** 2
    between = columns / (columns - 1) * (float((inertias**2).sum()) - (values - columns) / columns**2)
    return tuple((own / between).tolist()) if between > _LEAST else tuple(np.zeros(len(own)).tolist())


def _made_of(axes: Correspondence, axis: int) -> str:
    """The values that contribute most to an axis, at its two ends."""
    strongest = sorted(axes.values, key=lambda each: -each.contributions[axis])[:6]
    ends = []
    for sign, word in ((1, "above"), (-1, "below")):
        there = [f"{each.column} = {each.value}" for each in strongest if sign * each.at[axis] > 0]
        if there:
            ends.append(f"{word} 0 {', '.join(there)}")
    return f"axis {axis + 1}: {'; '.join(ends)}"
