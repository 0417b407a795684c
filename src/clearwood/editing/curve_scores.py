"""What edits of curves cost: the ledger of edits, and both models' scores on rows not learned from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clearwood.errors import SettingError
from clearwood.learners.fingerprint import fingerprint
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.kinds import check_kind
from clearwood.models.lineage import CurveEdited
from clearwood.models.lineage_words import in_words
from clearwood.predict.columns import table_for
from clearwood.scoring.calibration import calibration
from clearwood.scoring.evaluation import ClassEvaluation, evaluate
from clearwood.study.row_marks import has_seen
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class CurveScores:
    """How well a model does on held-out rows: the part answered correctly and the log loss of classes, what
    a row costs where costs were given; the root mean squared error of numbers."""

    accuracy: float | None = None
    log_loss: float | None = None
    rmse: float | None = None
    cost: float | None = None

    def __str__(self) -> str:
        if self.rmse is not None:
            return f"off by {self.rmse:.4g}"
        cost = "" if self.cost is None else f"a row costs {self.cost:.4g}, "
        return f"{cost}{100 * (self.accuracy or 0.0):.1f} % correct, log loss {self.log_loss:.4f}"


@dataclass(frozen=True, slots=True)
class EditedCurves:
    """The edits since the model `before`, in order, and the scores of both on rows not learned from."""

    before: AdditiveModel
    after: AdditiveModel
    edits: tuple[CurveEdited, ...]
    held_out: tuple[CurveScores, CurveScores]  # before and after
    training_rows: bool = False  # are the rows those that the model was learned from, in whatever order?

    def __str__(self) -> str:
        lines = [f"{place}. {in_words(each)}" for place, each in enumerate(self.edits, 1)]
        on = "on the rows given"
        if self.training_rows:
            on = "on the rows that it was learned from, which are too kind to what was learned"
        return "\n".join([*lines, f"{on}: {self.held_out[0]} → {self.held_out[1]}"])


def compare_curves(before: AdditiveModel, after: AdditiveModel, rows: Any) -> EditedCurves:
    """What the edits from one model to the other were, and what they cost on rows not learned from; where
    the rows are those learned from, it says so (`training_rows`)."""
    check_kind("compare_curves", before, AdditiveModel)
    check_kind("compare_curves", after, AdditiveModel)
    done = before.origin.after
    if after.origin.after[: len(done)] != done or after.origin.made != before.origin.made:
        raise SettingError("The second model does not come of the first by edits: their histories differ.")
    edits = tuple(each for each in after.origin.after[len(done) :] if isinstance(each, CurveEdited))
    table = table_for(before, rows, with_target=True)
    known = fingerprint(table) == before.origin.fingerprint or has_seen(before, table)
    return EditedCurves(before, after, edits, (_scores(before, table), _scores(after, table)), known)


def _scores(model: AdditiveModel, rows: Table) -> CurveScores:
    evaluation = evaluate(model, rows)
    if not isinstance(evaluation, ClassEvaluation):
        return CurveScores(rmse=evaluation.rmse)
    paid = None if evaluation.cost is None else evaluation.cost.per_row
    return CurveScores(evaluation.accuracy, calibration(model, rows).log_loss, cost=paid)
