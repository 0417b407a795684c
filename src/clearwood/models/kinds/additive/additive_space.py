"""The input space of an additive model: the cuts of its curves, and of its tables of two columns."""

from __future__ import annotations

from collections.abc import Iterator

from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.space.model_space import ColumnLimits, PairCuts, all_with_a_place
from clearwood.records import dataclass
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.words.numbers import many, with_and


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

    def asked(self, column: str) -> Iterator[str]:
        pairs = sum(column in pair.names for pair in self.model.pairs)
        curve = ["a curve"] if any(shape.name == column for shape in self.model.shapes) else []
        yield f"in {with_and([*curve, *([many(pairs, 'pair')] if pairs else [])])}"

    def takes_missing(self) -> set[str]:
        return {shape.name for shape in self.model.shapes if any(row[-2] for row in shape.points)}

    def without_a_place(self, attribute: Nominal | Ordinal) -> list[bool]:
        rows = next((shape.rows for shape in self.model.shapes if shape.name == attribute.name), ())
        return [not weight > 0 for weight in rows[:-2]] if rows else all_with_a_place(attribute)

    def unusable(self, _: str) -> str:
        return "such a cell adds as much as the average row's"

    def usual(self, _: str) -> None:
        return None
