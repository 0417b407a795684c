"""The input space of Bayes tables: the cuts of binned columns, and 0 where a word is there or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.distributions import Bag, Categorical, Cuts, Gaussian, Kernel, Words
from clearwood.models.space.model_space import ColumnLimits
from clearwood.records import dataclass


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

    def pairs(self) -> tuple[()]:
        return ()
