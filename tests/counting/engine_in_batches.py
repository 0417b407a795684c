"""A counting engine in batches of rows: it keeps no row's place, but sends batches down the paths again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.counting.coding import Coding
from clearwood.counting.engine import Cells, Frontier, Path, branches_of
from clearwood.counting.in_memory import InMemory, RowsHere
from clearwood.counting.question import Question
from clearwood.table.schema import Schema


@dataclass(frozen=True)
class InBatches:
    """So many rows at a time of a table, whose coding and unit were found beforehand."""

    every: InMemory
    size: int

    @property
    def schema(self) -> Schema:
        return self.every.schema

    @property
    def coding(self) -> Coding:
        return self.every.coding

    @property
    def numbers(self) -> Floats | None:
        return self.every.numbers

    def scaled(self, factors: Floats) -> InBatches:
        return InBatches(self.every.scaled(factors), self.size)

    def root(self) -> Frontier:
        return Frontier(((),))

    def only(self, frontier: Frontier, regions: Sequence[int]) -> Frontier:
        return Frontier(tuple(frontier.regions[each] for each in regions))

    def divide(self, frontier: Frontier, questions: Mapping[int, Question]) -> Frontier:
        return Frontier(branches_of(frontier, questions))

    def totals(self, frontier: Frontier) -> Cells:
        return self._added(lambda batch: [batch.totals(_located(batch, frontier))])[0]

    def values(self, frontier: Frontier, columns: Sequence[int]) -> list[Cells]:
        return self._added(lambda batch: batch.values(_located(batch, frontier), columns))

    def paired(
        self, frontier: Frontier, questions: Mapping[int, Question], columns: Sequence[int]
    ) -> list[Cells]:
        return self._added(lambda batch: batch.paired(_located(batch, frontier), questions, columns))

    def _added(self, counted: Callable[[InMemory], list[Cells]]) -> list[Cells]:
        """What is counted in every batch, added up."""
        batches = []
        for start in range(0, len(self.every.level), self.size):
            here = slice(start, start + self.size)
            codes = tuple(each[here] for each in self.every.codes)
            batch = replace(
                self.every,
                codes=codes,
                level=self.every.level[here],
                weights=self.every.weights[here],
                units=self.every.units[here],
            )
            batches.append(counted(batch))
        return [_sum_of(cells) for cells in zip(*batches, strict=True)]


def _located(batch: InMemory, frontier: Frontier) -> Frontier:
    """The rows of a batch in the regions of a frontier, from the root down."""
    root = np.flatnonzero(batch.units > 0)
    known: dict[Path, tuple[Longs, Longs]] = {(): (root, batch.units[root])}

    def at(path: Path) -> tuple[Longs, Longs]:
        if path not in known:
            question = path[-1].question
            for branch, rows in enumerate(batch.followers(question, *at(path[:-1]))):
                known[(*path[:-1], replace(path[-1], branch=branch))] = rows
        return known[path]

    found = [at(path) for path in frontier.regions]
    region = np.repeat(np.arange(len(found)), [len(rows) for rows, _ in found])
    row, units = (np.concatenate([each[k] for each in found]) for k in (0, 1))
    return Frontier(frontier.regions, RowsHere(row, units, region))


def _sum_of(cells: Sequence[Cells]) -> Cells:
    places = np.concatenate([np.stack([each.region, each.code, each.level]) for each in cells], axis=1)
    met, inverse = np.unique(places, axis=1, return_inverse=True)
    units = np.zeros(met.shape[1], dtype=np.int64)
    np.add.at(units, inverse.ravel(), np.concatenate([each.units for each in cells]))
    return Cells(met[0], met[1], met[2], units, cells[0].exponent)
