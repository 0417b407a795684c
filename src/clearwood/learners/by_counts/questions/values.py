"""One branch per value of a nominal or ordinal attribute."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.learners.by_counts.question import Takes
from clearwood.learners.by_counts.task import Region, Task
from clearwood.measures.counts import Floats
from clearwood.table.attributes import Nominal, Ordinal


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """The counts of every declared value, and of the empty cells."""

    counts: Floats  # [value, level]
    missing: Floats  # [level]

    @property
    def present(self) -> list[int]:
        """The codes that have rows here."""
        return np.flatnonzero(self.counts.sum(axis=1) > 0).tolist()


def count_values(task: Task, attribute: int, region: Region) -> Values:
    """How often each level occurs with each value here."""
    declared = task.schema.attributes[attribute]
    assert isinstance(declared, Nominal | Ordinal)
    codes = task.cells(attribute, region)
    size = len(declared.values)
    counts = task.count(region, np.where(codes < 0, size, codes), size + 1)
    return Values(counts[:size], counts[size])


def one_branch_per_value(values: int) -> tuple[Takes, ...]:
    return tuple(Takes(codes=(code,)) for code in range(values))
