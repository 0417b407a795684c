"""Deciding: calibration, cutoff and referring together, as a step of a recipe or of a saved model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clearwood.bounds import choice, whole
from clearwood.errors import SettingError
from clearwood.learners.parts import PartNotes
from clearwood.models.decision import Cutoff, decided
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.model import Model
from clearwood.scoring.coverage import coverage_of, refer_for
from clearwood.scoring.cutoff_aims import CutoffAim
from clearwood.scoring.positive import check_positive
from clearwood.scoring.predictions import ClassPredictions, predictions_of
from clearwood.scoring.recalibration import METHODS, Method, calibrated_shares
from clearwood.study.deciding.decided_anew import (
    Choosing,
    fresh_rows,
    refer_chosen,
    referring,
    uncalibrated,
    with_aim,
    with_calibration,
    with_rows_known,
)
from clearwood.study.recipe import Recipe, predicted_by_folds
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class Deciding:
    """Calibrate the shares, set a cutoff, refer rows in doubt, in this order, as far as each is asked for.

    What rows must choose is chosen by the training rows, each with the shares of a model that was learned
    without it: in so many folds the recipe learns anew. A cutoff is chosen on calibrated shares. `refer` is
    a share; `accuracy` asks for the least one with which the
    answers are so accurate. Rows that judge have no part in any of it.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> careful = cw.Recipe(cw.NaiveBayes(), after=(Deciding(cutoff=cw.ForRecall("No", 0.8)),))
    >>> careful.learn(days).decision.cutoff
    Cutoff(positive='No', at=0.3, costs=())
    """

    calibrate: Method | None = None
    cutoff: CutoffAim | None = None
    refer: float | None = None
    accuracy: float | None = None
    folds: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        if self.calibrate is not None:
            choice("calibrate", self.calibrate, METHODS)
        whole("folds", self.folds, 2)
        if self.refer is not None and self.accuracy is not None:
            raise SettingError("refer is a probability, or accuracy chooses it. Give one of them.")

    @property
    def by_rows(self) -> bool:
        """Must rows choose something?"""
        chosen = self.cutoff is not None and not isinstance(self.cutoff, Cutoff)
        return self.calibrate is not None or chosen or self.accuracy is not None

    def finish(self, model: Model, recipe: Recipe, table: Table) -> Model:
        """The model as it is decided, with an entry in its lineage for each part."""
        self._check(model)  # before models are learned for it
        rows = self._out_of_fold(recipe, table) if self.by_rows else None
        return self._decided(model, rows, Choosing("training", len(table)))

    def on_fresh_rows(self, model: Model, table: Any = None) -> Model:
        """A model that was learned before, decided by rows that it has not learned from; `table` is a Table,
        or anything a table can be made of, None where no row must choose."""
        self._check(model)
        if not self.by_rows:
            return self._decided(model, None, Choosing())
        if table is None:
            raise SettingError("This needs rows that the model has not learned from: they choose.")
        fresh, by = fresh_rows(model, table, "how a model decides")
        rows = predictions_of(model if self.calibrate is None else uncalibrated(model), fresh)
        assert isinstance(rows, ClassPredictions)
        return with_rows_known(self._decided(model, rows, by), model, fresh)

    def _check(self, model: Model) -> None:
        if model.is_numeric:
            raise SettingError(
                "This model predicts numbers: cutoffs, referring and calibration are for classes."
            )
        if self.cutoff is not None:
            check_positive(self.cutoff.positive, model.schema.classes)

    def _decided(self, model: Model, rows: ClassPredictions | None, by: Choosing) -> Model:
        """Each part in its order; `rows` have the shares as they are before it.

        That rows were fitted to the calibration themselves does little: it rises, and so keeps their order.
        Shares by the calibrations of other folds would lie elsewhere, and a cutoff between them on a step of
        this one.
        """
        if self.calibrate is not None and rows is not None:
            model = with_calibration(model, self.calibrate, rows.judged, by, folds=self.folds, seed=self.seed)
            kept = rows.take((rows.truth >= 0) & (rows.shares.sum(axis=1) > 0))
            assert model.decision.calibration is not None
            rows = replace(kept, shares=calibrated_shares(kept.shares, model.decision.calibration))
        if self.refer is not None:
            model = referring(model, self.refer)
        if self.cutoff is not None:
            model = with_aim(model, self.cutoff, None if rows is None else rows.judged, by)
        if self.accuracy is not None and rows is not None:
            # Answers before any is referred: a calibration or a cutoff may have come since.
            decision, answers = replace(model.decision, refer=None), rows.answers
            by_rules = isinstance(model, RuleList) and model.matching == "first"
            if decision.cutoff is not None or not by_rules:
                answers = decided(rows.shares, decision, rows.classes).astype(np.int64)
            curve = coverage_of(rows.truth, answers, rows.shares.max(axis=1), rows.weights)
            model = refer_chosen(model, refer_for(self.accuracy, curve), self.accuracy, by)
        return model

    def _out_of_fold(self, recipe: Recipe, table: Table) -> ClassPredictions:
        """The training rows, each with what a model gives it that was learned without it."""
        if len(table) < 2:
            raise SettingError("A decision by folds needs at least two rows to learn from.")
        bare = {} if self.calibrate is None else {"bare": uncalibrated}
        folds = min(self.folds, len(table))
        rows = predicted_by_folds(recipe, table, folds, self.seed, notes=PartNotes(), **bare)
        assert isinstance(rows, ClassPredictions)
        return rows
