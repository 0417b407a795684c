"""The input space of an ensemble: wherever the answer of some member can turn."""

from __future__ import annotations

from collections.abc import Iterator

from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.tree.tree_space import columns_of_nodes, limits_of_nodes
from clearwood.models.space.model_space import ColumnLimits, ModelSpace
from clearwood.records import dataclass


@dataclass(frozen=True, slots=True)
class EnsembleSpace:
    """`members` are the spaces of those that are no trees."""

    ensemble: Ensemble
    members: tuple[ModelSpace, ...]

    def limits(self) -> Iterator[ColumnLimits]:
        if self.ensemble.trees is not None:
            yield from limits_of_nodes(self.ensemble.schema, self.ensemble.trees.nodes)
        for member in self.members:
            yield from member.limits()

    def spans(self) -> dict[str, tuple[float, float]]:
        spans: dict[str, tuple[float, float]] = {}
        for member in self.members:
            for name, (low, high) in member.spans().items():
                before = spans.get(name, (low, high))
                spans[name] = (min(low, before[0]), max(high, before[1]))
        return spans

    def columns(self) -> set[str]:
        trees = self.ensemble.trees
        own = set[str]() if trees is None else columns_of_nodes(self.ensemble.schema, trees.nodes)
        return own.union(*(member.columns() for member in self.members))

    def pairs(self) -> tuple[()]:
        return ()
