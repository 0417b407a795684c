"""To calibrate: a model whose shares come true as often as they say, by rows it has not learned from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from clearwood.bounds import choice, whole
from clearwood.errors import SettingError
from clearwood.models.decision import Calibrator, Decision
from clearwood.models.kinds import check_kind
from clearwood.models.lineage import Calibrated, RowsUsed
from clearwood.models.model import Model
from clearwood.scoring.calibration import calibration_of
from clearwood.scoring.predictions import Judged, check_judged, judged
from clearwood.scoring.recalibration import METHODS, Method, calibrator_of, cross_calibrated
from clearwood.study.deciding.fresh_rows import fresh_rows, with_rows_known


def calibrate(model: Model, table: Any, method: Method = "platt", *, folds: int = 5, seed: int = 0) -> Model:
    """The model with calibrated shares: by Platt's curve, which a hundred rows can fit, or by isotonic steps,
    which take any rising shape and want a thousand.

    The rows must be new to the model. The lineage keeps log loss and Brier score before and after, in `folds`
    of the rows: each row is judged by a calibration that was fitted to the others. Calibration takes the
    place of a prevalence, since the rows have their own; one that was there before is replaced.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3] * 20, "y": list("aabbba") * 10}, target="y")
    >>> tree = cw.C45(min_rows=1, prune=False).learn(table.take(range(3)))
    >>> cw.shares(tree, table.take(range(2))).tolist()
    [[1.0, 0.0], [1.0, 0.0]]
    >>> cw.shares(calibrate(tree, table), table.take(range(2))).round(2).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    check_kind("calibrate", model)
    if model.is_numeric:
        raise SettingError("This model predicts numbers, which have no probabilities to calibrate.")
    choice("method", method, METHODS)
    folds = whole("folds", folds, 2)
    rows, mark = fresh_rows(model, table, "the calibration")
    shares = judged(uncalibrated(model), rows)
    chosen_by: dict[str, Any] = {"by": "fresh", "rows": len(rows), "mark": mark}
    done = with_calibration(model, method, shares, **chosen_by, folds=folds, seed=seed)
    return with_rows_known(done, model, rows)


def uncalibrated(model: Model) -> Model:
    """The model with its shares as they are before any adjustment."""
    bare = replace(model.decision, calibration=None, prevalence=(), trained_at=())
    return replace(model, decision=bare)


def with_calibration(
    model: Model, method: Method, shares: Judged, *, by: RowsUsed, rows: int, mark: str, folds: int, seed: int
) -> Model:
    """The model with the calibration that these rows' shares before any adjustment ask for."""
    check_judged(shares)
    calibrator: Calibrator = calibrator_of(method, shares)
    classes = model.schema.classes
    before = calibration_of(classes, shares)
    after = calibration_of(classes, cross_calibrated(method, shares, folds, seed))
    decision: Decision = replace(model.decision, calibration=calibrator, prevalence=(), trained_at=())
    done = Calibrated(
        method,
        rows,
        mark,
        by,
        (before.log_loss, after.log_loss),
        (before.brier, after.brier),
    )
    return replace(model, decision=decision, origin=model.origin.then(done))
