"""Names of CHAID's categories and groups, as its derivation writes them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from clearwood.counting.question import Takes, condition
from clearwood.learners.trees.chaid_definition import ChaidCandidate, PreparedChaid
from clearwood.learners.trees.merging_rounds import CategoryGroup
from clearwood.models.words import written
from clearwood.table.attributes import Nominal, Ordinal


class Names:
    """What each category of a candidate is called: a value, a bin of numbers, or missing."""

    def __init__(self, prepared: PreparedChaid, candidate: ChaidCandidate) -> None:
        self._attribute = prepared.task.schema.attributes[candidate.attribute]
        self._steps = candidate.steps
        self._edges = prepared.edges.get(candidate.attribute)

    def group(self, group: CategoryGroup) -> str:
        """Sunny; Sunny or Rainy; 23 < Age ≤ 31; missing."""
        known = [self._steps[each] for each in group if each < len(self._steps)]
        parts = ["missing"] if len(known) < len(group) else []
        if isinstance(self._attribute, Nominal | Ordinal):
            parts[:0] = [written(self._attribute.values[step]) for step in known]
        elif known:
            parts[:0] = [self._stretch(known[0], known[-1])]
        return " or ".join(parts)

    def groups(self, groups: Sequence[CategoryGroup]) -> list[str]:
        return [self.group(each) for each in groups]

    def listed(self, groups: Sequence[CategoryGroup]) -> str:
        """All groups, in one line."""
        return " | ".join(self.groups(groups))

    def _stretch(self, first: int, last: int) -> str:
        """The numbers from one bin to another."""
        assert self._edges is not None
        low = -math.inf if first == 0 else float(self._edges[first - 1])
        high = math.inf if last >= len(self._edges) else float(self._edges[last])
        return str(condition(self._attribute, Takes(low, high)))
