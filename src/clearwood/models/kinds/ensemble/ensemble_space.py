"""The input space of an ensemble: wherever the answer of some member can turn."""

from __future__ import annotations

from collections.abc import Iterator

from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.kind import kind_of
from clearwood.models.kinds.tree.tree_space import (
    FOLLOWED,
    columns_of_nodes,
    columns_or_missing,
    limits_of_nodes,
)
from clearwood.models.space.model_space import ColumnLimits, ModelSpace, all_with_a_place
from clearwood.records import dataclass
from clearwood.table.attributes import Nominal, Ordinal


@dataclass(frozen=True, slots=True)
class EnsembleSpace:
    """Where some member's answer turns, the whole's can."""

    ensemble: Ensemble

    @property
    def members(self) -> tuple[ModelSpace, ...]:
        """The spaces of those that are no trees."""
        return tuple(kind_of(each).space(each) for each in self.ensemble.models)

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

    def asked(self, _: str) -> Iterator[str]:
        yield "in some of its members"

    def takes_missing(self) -> set[str]:
        trees = self.ensemble.trees
        if trees is not None:
            return columns_or_missing(self.ensemble.schema, trees.nodes)
        return set().union(*(member.takes_missing() for member in self.members))

    def without_a_place(self, attribute: Nominal | Ordinal) -> list[bool]:
        lists = [all_with_a_place(attribute), *(each.without_a_place(attribute) for each in self.members)]
        return [any(lacking) for lacking in zip(*lists, strict=True)]

    def unusable(self, column: str) -> str:
        return FOLLOWED if self.ensemble.trees is not None else self.members[0].unusable(column)

    def usual(self, _: str) -> None:
        return None
