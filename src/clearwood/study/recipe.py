"""A recipe: a learner, what is done to its rows before and to its model after; it learns as learners do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from itertools import starmap
from typing import TYPE_CHECKING, Any, Final, Protocol

from clearwood.balancing import BALANCERS
from clearwood.balancing.balance_rows import at_true_prevalence, balance_rows, complete_settings
from clearwood.bounds import whole
from clearwood.catalogue import entry_of
from clearwood.errors import SettingError
from clearwood.learners.learner import Learner
from clearwood.learners.parts import PartNotes, RowPart, TakenPart, over_parts, threads_for
from clearwood.learners.training import fingerprint
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import Balanced, Selected
from clearwood.models.model import Model
from clearwood.records import dataclass
from clearwood.scoring.predictions import Predictions, predictions_of, predictions_together
from clearwood.table.attributes import Ignored
from clearwood.table.folding import folds as fold_rows
from clearwood.table.folding import hold_out
from clearwood.table.table import Table, set_aside

if TYPE_CHECKING:
    from clearwood.learners.trees.pruning.pruner import Ledger, PrunedTree, Pruner

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


def threads_that_pay(table: Table, *learners: object) -> int:
    """On how many threads these learn from parts of the table."""
    return threads_for(table) if all(map(bears_threads, learners)) else 1


def predicted_by_folds(
    learner: Learner[Model],
    table: Table,
    folds: int,
    seed: int,
    *,
    notes: PartNotes | None = None,
    bare: Callable[[Model], Model] = lambda model: model,
) -> Predictions:
    """The rows, each with what a model gives it that was learned without it; made `bare` before it answers.
    With `notes`, warnings are passed on with their folds."""

    def given(part: TakenPart) -> Predictions:
        model = bare(learner.learn(part.learn))
        return predictions_of(model, part.held_out, places=part.part.judge, part=part.place)

    parts = starmap(RowPart, fold_rows(table, folds, seed))
    predicted = over_parts(table, parts, given, notes=notes, threads=threads_that_pay(table, learner))
    if notes is not None:
        notes.warn(len(predicted))
    return predictions_together(predicted)


def bears_threads(learner: object) -> bool:
    """May it learn from several parts at once, each on its own thread? Learners of ours may, which takes less
    time than all threads on each part. Steps that learn in folds, and tuning, have threads of their own, and
    of learners and steps by others nobody knows."""
    if isinstance(learner, Recipe):
        plain = not learner.before and all(getattr(each, "by_rows", True) is False for each in learner.after)
        learner = learner.learner if plain else None
    return entry_of(learner) is not None


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


# Steps of a recipe beside the learning: what is done to the training rows before it, to the model after it.
#
# They are done wherever the recipe learns, and so in every fold anew, with no row that judges.


@dataclass(frozen=True, slots=True, eq=False)
class PreparedRows:
    """The rows as the learner gets them, and what was done to them, as the model's lineage will say."""

    table: Table
    done: Selected | Balanced


class Preparation(Protocol):
    """Frozen data that changes training rows or columns before a learner sees them."""

    def prepare(self, table: Table) -> PreparedRows:
        """The rows to learn from, made of these."""


class Finishing(Protocol):
    """Frozen data that changes a model once it is learned: its calibration, its cutoff."""

    def finish(self, model: Model, recipe: Recipe, table: Table) -> Model:
        """The model with one entry more in its lineage; `recipe` made it of these rows, without this step or
        those after it, and can make others of parts of them."""


# What learning and pruning made: the model, the rows it grew from, and each round of pruning after it.


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


# A pruning after learning: a pruner with its settings.


@dataclass(frozen=True, slots=True)
class Pruning:
    """A pruner of the catalogue under its name there, and its settings."""

    name: str
    pruner: Pruner = field(repr=False)
    settings: Mapping[str, Any]

    @property
    def needs_fresh_rows(self) -> bool:
        return self.pruner.needs == "fresh"

    def __call__(self, tree: Tree, rows: Table) -> PrunedTree:
        """Prune with these rows: fresh ones where it needs them, else those the tree was grown on."""
        return self.pruner(tree, rows, **self.settings)


# Balance: the classes of the training rows are balanced before a recipe learns from them.


@dataclass(frozen=True, slots=True)
class Balance:
    """A way to balance under its name in the catalogue's list, its settings, and a seed.

    As a step of a recipe it is done to training rows alone: in every fold anew, and never to rows that judge.
    The model's lineage keeps it, and its shares are those of the classes as they came.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> model = cw.Recipe(cw.ID3(max_depth=1), before=(cw.Balance("over", {"ratio": 1.0}),)).learn(table)
    >>> model.origin.rows, model.origin.after[0].before, model.origin.after[0].after
    (14, (5.0, 9.0), (9.0, 9.0))
    """

    by: str = "weights"
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.by, str):
            raise SettingError(f"Balance takes the name of a way, such as 'weights', not {self.by!r}.")
        object.__setattr__(self, "settings", complete_settings(self.by, self.settings))
        object.__setattr__(self, "by", self.by.lower())
        object.__setattr__(self, "seed", whole("seed", self.seed, 0))

    @property
    def draws(self) -> bool:
        """Does the seed matter?"""
        return BALANCERS[self.by].draws

    def prepare(self, table: Table) -> PreparedRows:
        """The balanced rows, and what was done."""
        return PreparedRows(*balance_rows(table, self.by, self.seed, self.settings))
