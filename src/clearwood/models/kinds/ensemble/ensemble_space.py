"""The input space of an ensemble: wherever the answer of some member can turn."""

from __future__ import annotations

from collections.abc import Iterator

from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.tree.tree_space import limits_of_nodes
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

    def pairs(self) -> tuple[()]:
        return ()
