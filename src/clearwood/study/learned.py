"""What learning and pruning made: the model, the rows it grew from, and each round of pruning after it."""

from __future__ import annotations

from clearwood.learners.trees.pruning.ledger import Ledger
from clearwood.models.model import Model
from clearwood.models.tree import Tree
from clearwood.records import dataclass
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class PruningRound:
    """One pruning: the tree before it, what it did, and the rows at hand for it."""

    before: Tree
    ledger: Ledger
    rows: Table


@dataclass(frozen=True, slots=True)
class Learned:
    """A model, the rounds of pruning that it went through, and the rows each came from."""

    model: Model
    rounds: tuple[PruningRound, ...]
    grown_on: Table
    kept_back: Table | None  # from learning, for a pruner that needs fresh rows

    @property
    def ledgers(self) -> tuple[Ledger, ...]:
        return tuple(each.ledger for each in self.rounds)
