"""A recipe: a learner and the prunings after it, which learns as a learner does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clearwood.catalogue import learner_called
from clearwood.cli.pruning import KEPT_BACK, Pruning
from clearwood.cli.settings import parse
from clearwood.errors import SettingError
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.models.tree import Tree
from clearwood.registry import settings_of
from clearwood.study.learned import Learned, Round
from clearwood.table.folding import hold_out
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class Recipe:
    """Learn, then prune with each in turn; where one needs fresh rows, a third is kept back for it."""

    learner: Learner[Model]
    prunings: tuple[Pruning, ...] = ()
    seed: int = 0

    def learn(self, table: Table) -> Model:
        return self.learn_and_tell(table).model

    def learn_and_tell(self, table: Table) -> Learned:
        """The model, and how it came about."""
        grown, fresh = table, None
        if any(pruning.needs_fresh_rows for pruning in self.prunings):
            learned, back = hold_out(table, KEPT_BACK, self.seed)
            grown, fresh = table.take(learned), table.take(back)
        model = self.learner.learn(grown)
        rounds: list[Round] = []
        for pruning in self.prunings:
            assert isinstance(model, Tree)
            rows = fresh if fresh is not None and pruning.needs_fresh_rows else grown
            pruned = pruning(model, rows)
            rounds.append(Round(model, pruned.ledger, rows))
            model = pruned.tree
        return Learned(model, tuple(rounds), grown, fresh)


def recipe_of(
    learner: str, settings: Sequence[str] | None, prunings: Sequence[Pruning], seed: int | None
) -> Recipe:
    """The recipe that the options of `fit` describe; a `seed` given is the learner's too unless set apart."""
    entry = learner_called(learner)
    if prunings and entry.makes != "tree":
        raise SettingError(f"--prune is for trees, and {learner} learns none. Leave it out.")
    maker = entry.load()
    seeded = {"seed": seed} if seed is not None and "seed" in settings_of(maker) else {}
    return Recipe(entry.make(**{**seeded, **parse(learner, settings, maker)}), tuple(prunings), seed or 0)
