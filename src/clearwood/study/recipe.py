"""A recipe: a learner, what is done to its rows before and to its model after; it learns as learners do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from clearwood.balancing.correcting import at_true_prevalence
from clearwood.catalogue import entry_of
from clearwood.errors import SettingError
from clearwood.learners.fingerprint import fingerprint
from clearwood.learners.learner import Learner
from clearwood.models.lineage import Balanced
from clearwood.models.model import Model
from clearwood.models.tree import Tree
from clearwood.study.learned import Learned, PruningRound
from clearwood.study.pruning import Pruning
from clearwood.study.recipe_steps import Finishing, Preparation, PreparedRows
from clearwood.table.attributes import Ignored
from clearwood.table.folding import hold_out
from clearwood.table.sparse_columns import set_aside
from clearwood.table.table import Table

KEPT_BACK: Final = 1 / 3  # of the rows, for a pruner that must see fresh ones


@dataclass(frozen=True, slots=True)
class Recipe:
    """Prepare the rows, learn, prune with each in turn, finish; where a pruner needs fresh rows, a third is
    kept back for it, as they are."""

    learner: Learner[Model]
    prunings: tuple[Pruning, ...] = ()
    seed: int = 0
    before: tuple[Preparation, ...] = ()
    after: tuple[Finishing, ...] = ()

    def learn(self, table: Table) -> Model:
        """The model alone, as any learner gives it."""
        return self.carry_out(table).model

    def carry_out(self, table: Table) -> Learned:
        """The model, each round of pruning, and the rows that each came from."""
        grown, fresh = table, None
        if any(pruning.needs_fresh_rows for pruning in self.prunings):
            learned, back = hold_out(table, KEPT_BACK, self.seed)
            grown, fresh = table.take(learned), table.take(back)
        prepared: list[PreparedRows] = []
        for step in self.before:
            prepared.append(step.prepare(prepared[-1].table if prepared else grown))
        rows = prepared[-1].table if prepared else grown
        _check_weights_count(self.learner, prepared)
        model = self.learner.learn(rows)
        rounds: list[PruningRound] = []
        for pruning in self.prunings:
            assert isinstance(model, Tree)
            pruned_by = fresh if fresh is not None and pruning.needs_fresh_rows else rows
            pruned = pruning(model, pruned_by)
            rounds.append(PruningRound(model, pruned.ledger, pruned_by))
            model = pruned.tree
        if prepared:  # after pruning, which counts the rows as they were learned from
            model = _of_unprepared(model, grown, prepared)
        for place, finishing in enumerate(self.after):
            model = finishing.finish(model, replace(self, after=self.after[:place]), table)
        return Learned(model, tuple(rounds), grown, fresh)


def recipe_of(learner: Learner[Model] | Recipe) -> Recipe:
    """A learner as a recipe of nothing but itself."""
    return learner if isinstance(learner, Recipe) else Recipe(learner)


def _check_weights_count(learner: Learner[Model], prepared: Sequence[PreparedRows]) -> None:
    """Refuse class weights for a learner that they cannot move."""
    entry = entry_of(learner)
    weighed = any(isinstance(each.done, Balanced) and each.done.by == "weights" for each in prepared)
    if weighed and entry is not None and entry.pure_rules:
        raise SettingError(
            f"{entry.name} covers every class by rules without errors, so that weights of classes change "
            "nothing. Balance by under or over, or take another learner, such as ripper."
        )


def _of_unprepared(model: Model, table: Table, prepared: list[PreparedRows]) -> Model:
    """The model with the origin that it has: the rows before they were prepared, and what was done to
    them. Its shares are those of the classes before."""
    origin = replace(
        model.origin,
        fingerprint=fingerprint(as_seen(table, model)),
        rows=len(table),
        weights_are=table.weights_are,
        after=(*(each.done for each in prepared), *model.origin.after),
    )
    model = replace(model, origin=origin)
    for each in prepared:
        if isinstance(each.done, Balanced):
            model = at_true_prevalence(model, each.done)
    return model


def as_seen(table: Table, model: Model) -> Table:
    """The rows before they were prepared, in the columns that the learner saw."""
    hidden = [each for each in model.schema.attributes if isinstance(each, Ignored)]
    return set_aside(
        table, [each.name for each in hidden if each.name in table.columns], "it was not selected"
    )
