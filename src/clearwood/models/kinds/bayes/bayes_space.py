"""The input space of Bayes tables: the cuts of binned columns, and 0 where a word is there or not."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, assert_never

from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import bell_of
from clearwood.models.kinds.bayes.distributions import (
    Bag,
    Categorical,
    Cuts,
    Distribution,
    Gaussian,
    Kernel,
    Words,
)
from clearwood.models.space.model_space import ColumnLimits, all_with_a_place
from clearwood.records import dataclass
from clearwood.table.attributes import Nominal, Ordinal

_WIDTHS: Final = 3.0  # standard deviations to each side of a mean


@dataclass(frozen=True, slots=True)
class BayesSpace:
    """Densities have no limits: with them every number counts differently."""

    tables: BayesTables

    def limits(self) -> Iterator[ColumnLimits]:
        for each in self.tables.distributions:
            match each:
                case Cuts(name, cuts):
                    yield name, cuts
                case Bag(names, "bernoulli"):
                    yield from ((name, (0.0,)) for name in names)
                case Bag() | Categorical() | Gaussian() | Kernel() | Words():
                    pass
                case _:
                    assert_never(each)

    def spans(self) -> dict[str, tuple[float, float]]:
        return {name: span for each in self.tables.distributions for name, span in _spans(each)}

    def columns(self) -> tuple[str, ...]:
        return self.tables.columns

    def pairs(self) -> tuple[()]:
        return ()

    def asked(self, _: str) -> Iterator[str]:
        yield "in a table of its own"

    def takes_missing(self) -> tuple[()]:
        return ()

    def without_a_place(self, attribute: Nominal | Ordinal) -> list[bool]:
        return all_with_a_place(attribute)

    def unusable(self, _: str) -> str:
        return "missing cells are left out of the product, and unseen values count as n = 0"

    def usual(self, _: str) -> None:
        return None


def _spans(distribution: Distribution) -> Iterator[tuple[str, tuple[float, float]]]:
    match distribution:
        case Gaussian(name):
            bells = bell_of(distribution)
            if bells is not None:
                means, variances = bells
                reach = _WIDTHS * variances**0.5
                yield name, (float((means - reach).min()), float((means + reach).max()))
        case Kernel(name):
            points = [value for of_class in distribution.points for value, _ in of_class]
            if points and min(points) < max(points):
                yield name, (min(points), max(points))
        case Bag(names, "multinomial" | "complement"):
            yield from ((name, (0.0, math.inf)) for name in names)
        case Bag() | Categorical() | Cuts() | Words():
            pass
        case _:
            assert_never(distribution)
