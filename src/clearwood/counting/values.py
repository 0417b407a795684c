"""One branch per value of a nominal or ordinal attribute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.question import Takes
from clearwood.counting.task import Region, Task, count_rows, counts_rows, repeated
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


def count_values(task: Task, attributes: Sequence[int], region: Region) -> list[Values]:
    """How often each level occurs with each value here, of several attributes at once."""
    if not attributes:
        return []
    sizes = [_size(task, each) for each in attributes]
    if counts_rows(task, region):
        columns = [column for each in attributes if (column := task.columns[each]) is not None]
        counted = count_rows(task, columns, sizes, region)
        return [Values(each[:-1], each[-1]) for each in counted]
    starts = np.cumsum([0, *(size + 1 for size in sizes)])
    codes = np.stack([task.cells(each, region) for each in attributes])
    codes = np.where(codes < 0, np.array(sizes)[:, None], codes) + starts[:-1, None]
    counts = task.tally(codes.ravel(), *repeated(region, len(sizes)), int(starts[-1]))
    return [
        Values(counts[start : start + size], counts[start + size])
        for start, size in zip(starts.tolist(), sizes, strict=False)
    ]


def _size(task: Task, attribute: int) -> int:
    declared = task.schema.attributes[attribute]
    assert isinstance(declared, Nominal | Ordinal)
    return len(declared.values)


def one_branch_per_value(values: int) -> tuple[Takes, ...]:
    return tuple(Takes(codes=(code,)) for code in range(values))
