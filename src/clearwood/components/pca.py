"""PCA: the directions in which standardised numbers spread most, and the columns that make up each.

A component is a weighted sum of the columns in standard deviations; the first has the largest variance that
such a sum can have, each further one the largest of those that are uncorrelated with all before it (Pearson
1901, Hotelling 1933).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.arrays import Floats
from clearwood.bounds import whole
from clearwood.components.checking import check_dense, few_rows
from clearwood.errors import ColumnError, LearningError
from clearwood.table.attributes import Numeric, kind_of
from clearwood.table.table import Table
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
        return {
            "kind": "pca",
            "columns": list(self.columns),
            "means": list(self.means),
            "deviations": list(self.deviations),
            "components": [
                {
                    "variance": variance,
                    "share": share,
                    "weights": list(weights),
                    "correlations": list(with_it),
                }
                for variance, share, weights, with_it in zip(
                    self.variances, self.shares, self.weights, self.correlations, strict=True
                )
            ],
            "rows": self.rows,
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        few = min(len(self), 5)
        head = (
            f"{many(len(self), 'component')} of {many(len(self.columns), 'column')}, {many(self.rows, 'row')}"
        )
        lines = [["", *(f"component {k + 1}" for k in range(few))]]
        lines.append(["share of variance", *(percent_to(share, 1) for share in self.shares[:few])])
        together = np.cumsum(self.shares)[:few].tolist()
        lines.append(["all so far", *(percent_to(share, 1) for share in together)])
        lines.append(["correlation with"])
        for place, name in enumerate(self.columns):
            lines.append([f"  {name}", *(_signed(each[place]) for each in self.correlations[:few])])
        return "\n".join([head, *in_columns(lines, "figures"), *self.notes])


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
    signs = np.sign(vectors[np.arange(len(vectors)), np.abs(vectors).argmax(axis=1)])
    vectors = vectors * signs[:, None]
    most = len(kept) if components is None else min(whole("components", components, 1), len(kept))
    return PrincipalComponents(
        tuple(kept),
        tuple(means),
        tuple(deviations),
        tuple(values[:most].tolist()),
        tuple((values / values.sum())[:most].tolist()),
        tuple(map(tuple, vectors[:most].tolist())),
        len(table),
        tuple(notes),
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
            kind = kind_of(table.schema[name])
            raise ColumnError(f"Column '{name}' is {kind} here; the components are of its numbers.")
        cells = np.asarray(table.columns[name], dtype=np.float64)
        scaled[:, place] = np.where(np.isfinite(cells), (cells - means[place]) / deviations[place], 0.0)
    return scaled


def _signed(correlation: float) -> str:
    """In two digits, with a real minus; none before 0."""
    text = f"{correlation:+.2f}".replace("-", "−")
    return "0.00" if text[1:] == "0.00" else text
