"""The input space of an additive model: the cuts of its curves, and of its tables of two columns."""

from __future__ import annotations

from collections.abc import Iterator

from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.space.model_space import ColumnLimits, PairCuts
from clearwood.records import dataclass


@dataclass(frozen=True, slots=True)
class AdditiveSpace:
    """Points are the same between two cuts: answers turn at cuts only."""

    model: AdditiveModel

    def limits(self) -> Iterator[ColumnLimits]:
        yield from ((shape.name, shape.cuts) for shape in self.model.shapes)
        for names, cuts in self.pairs():
            yield from zip(names, cuts, strict=True)

    def spans(self) -> dict[str, tuple[float, float]]:
        return {}

    def columns(self) -> tuple[str, ...]:
        return self.model.columns

    def pairs(self) -> Iterator[PairCuts]:
        return ((pair.names, pair.cuts) for pair in self.model.pairs)
