"""Many learnings in one study: whoever watches sees how many are done, and equal notes are passed on once."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from clearwood.arrays import Floats
from clearwood.learners.learner import Learner
from clearwood.learners.progress import Progress, is_enough, watching
from clearwood.models.model import Model
from clearwood.predict import predict, predict_codes
from clearwood.study.fold_notes import FoldNotes
from clearwood.table.recoding import recoded
from clearwood.table.table import Table


@dataclass(slots=True)
class RepeatedLearning:
    """So many models are to be learned, each from a sample or fold, which a refusal names.

    Only whole models are reported: a watcher that has seen enough of one must not cut the others short.
    """

    of: int
    noun: str  # what each is learned from
    done: int = 0
    notes: FoldNotes = field(init=False)

    def __post_init__(self) -> None:
        self.notes = FoldNotes(noun=self.noun)

    def learn(self, learner: Learner[Model], rows: Table, place: int) -> Model:
        """The model of the sample or fold in this place, counted from 1."""
        with self.notes.of(place):
            return self.learn_whole(learner, rows)

    def learn_whole(self, learner: Learner[Model], rows: Table) -> Model:
        """The model of rows that are no sample: what is wrong, and what is noted, is said as it is."""
        with watching(_unheeded):
            model = learner.learn(rows)
        self.done += 1
        is_enough(Progress(self.done, self.of, "model"))
        return model

    def warn(self, count: int) -> None:
        """Pass on what was noted, out of so many samples or folds."""
        self.notes.warn(count)


def answers_as_coded(model: Model, table: Table) -> Floats:
    """[row] the model's numbers (NaN: none), or its classes as the table codes them (−1: no answer)."""
    if model.is_numeric:
        return np.asarray(predict(model, table), dtype=np.float64)
    codes = predict_codes(model, table)
    if model.schema.classes != table.schema.classes:
        codes = recoded(codes, model.schema.classes, table.schema.classes)
    return codes.astype(np.float64)


def _unheeded(_: Progress) -> bool:
    return False
