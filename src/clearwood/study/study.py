"""A Study: a table, the model of it, the rows that each was made and judged with, and how good it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clearwood.arrays import Longs
from clearwood.learners.trees.pruning.ledger import Ledger
from clearwood.models.model import Model
from clearwood.scoring.evaluation import Evaluation, evaluate
from clearwood.scoring.predictions import Predictions, predictions_of
from clearwood.study.cross_validation import CrossValidation
from clearwood.study.deciding.rows_that_chose import chosen_in_learning
from clearwood.study.designs import Design
from clearwood.study.learned import PruningRound
from clearwood.table.table import Table

if TYPE_CHECKING:
    from clearwood.study.behaviour.of_study import Behaviours
    from clearwood.study.fairness.fairness_of_study import Fairness


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Study:
    """What `fit` prints and a report shows. Every number in it is of the one `model`.

    `learned_from` are the rows the model was made of, None where a saved model's are not at hand. It grew
    on `grown_on`, which are all of them but those `kept_back` for pruning, and then went through the
    `rounds` of pruning. It is judged on `held_out` rows, or its recipe by `folds`, or an ensemble
    by its rows `out_of_bag`; where none can be,
    `unjudged` says why.
    """

    name: str  # of the table, as its reader knows it; may be empty
    table: Table
    model: Model
    learned_from: Table | None
    grown_on: Table | None = None
    kept_back: Table | None = None
    rounds: tuple[PruningRound, ...] = ()
    held_out: Table | None = None
    held_together: Longs | None = None  # [held-out row] which of them belong together; None: none
    training: Evaluation | None = None  # on the rows it grew on
    pruning: Evaluation | None = None  # on those kept back to prune with
    judged: Evaluation | None = None  # on the held-out rows, or on those of all folds together
    folds: CrossValidation | None = None
    out_of_bag: Predictions | None = None  # of rows learned from, each by members that did not draw it
    unjudged: str = ""
    design: Design | None = None  # by which it is judged; None of a saved model
    seed: int = 0
    saved: bool = False  # the model was learned before the table was read
    fairness: Fairness | None = None  # of protected columns
    behaviours: Behaviours = field(default_factory=dict)  # of its learner, by name, as asked
    how: str = ""  # the command that makes the report again
    positive: str = ""  # the class that recall, AUC and lift are about; "": guessed of two classes

    @property
    def target(self) -> str:
        """The name of the column that is predicted."""
        assert self.model.schema.target is not None
        return self.model.schema.target.name

    @property
    def rows(self) -> Table:
        """The rows whose columns are shown: those learned from, or else all there are."""
        return self.table if self.learned_from is None else self.learned_from

    @property
    def seen(self) -> Evaluation | None:
        """On all rows it was made of, those kept back for pruning among them."""
        if self.learned_from is None or self.kept_back is None:
            return self.training
        return evaluate(self.model, self.learned_from)

    @property
    def predictions(self) -> Predictions:
        """What each row that judges got, from a model that had not seen it."""
        if self.folds is not None:
            return self.folds.predictions
        if self.out_of_bag is not None:
            return self.out_of_bag
        assert self.held_out is not None
        held = self.held_out
        return predictions_of(self.model, held, places=held.places, units=self.held_together)

    @property
    def chosen(self) -> tuple[str, ...]:
        """What the rows that it grew on chose beside it; scores on them are the better for it."""
        return chosen_in_learning(self.model.origin)

    @property
    def ledgers(self) -> tuple[Ledger, ...]:
        """What each round of pruning cut."""
        return tuple(each.ledger for each in self.rounds)
