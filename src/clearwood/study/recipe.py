"""A recipe: a learner and the prunings after it, which learns as a learner does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.models.tree import Tree
from clearwood.study.learned import Learned, PruningRound
from clearwood.study.pruning import Pruning
from clearwood.table.folding import hold_out
from clearwood.table.table import Table

KEPT_BACK: Final = 1 / 3  # of the rows, for a pruner that must see fresh ones


@dataclass(frozen=True, slots=True)
class Recipe:
    """Learn, then prune with each in turn; where one needs fresh rows, a third is kept back for it."""

    learner: Learner[Model]
    prunings: tuple[Pruning, ...] = ()
    seed: int = 0

    def learn(self, table: Table) -> Model:
        """The model alone, as any learner gives it."""
        return self.carry_out(table).model

    def carry_out(self, table: Table) -> Learned:
        """The model, each round of pruning, and the rows that each came from."""
        grown, fresh = table, None
        if any(pruning.needs_fresh_rows for pruning in self.prunings):
            learned, back = hold_out(table, KEPT_BACK, self.seed)
            grown, fresh = table.take(learned), table.take(back)
        model = self.learner.learn(grown)
        rounds: list[PruningRound] = []
        for pruning in self.prunings:
            assert isinstance(model, Tree)
            rows = fresh if fresh is not None and pruning.needs_fresh_rows else grown
            pruned = pruning(model, rows)
            rounds.append(PruningRound(model, pruned.ledger, rows))
            model = pruned.tree
        return Learned(model, tuple(rounds), grown, fresh)


def recipe_of(learner: Learner[Model] | Recipe) -> Recipe:
    """A learner as a recipe of nothing but itself."""
    return learner if isinstance(learner, Recipe) else Recipe(learner)
