"""Recalibration: shares before and after a calibration that was fitted to other rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.bounds import choice, whole
from clearwood.errors import SchemaError, SettingError
from clearwood.models.decision import Calibrator, Decision, Isotonic, Platt
from clearwood.models.kinds import check_kind
from clearwood.models.model import Model
from clearwood.predict.deciding import adjusted
from clearwood.scoring.calibration import Calibration, calibration_of
from clearwood.scoring.isotonic import isotonic_of
from clearwood.scoring.judged import Judged, check_judged, judged
from clearwood.scoring.platt import platt_of
from clearwood.table.folding import shuffled
from clearwood.words.columns import in_columns
from clearwood.words.numbers import with_noun

Method: TypeAlias = Literal["platt", "isotonic"]
METHODS: Final[tuple[Method, ...]] = ("platt", "isotonic")
NAMES: Final[dict[Method, str]] = {"platt": "Platt's curve", "isotonic": "isotonic steps"}


@dataclass(frozen=True, slots=True)
class Recalibration:
    """The shares of the same rows before and after; no row had a part in fitting what calibrated it.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 1, 1, 1, 2, 2, 2, 2] * 10, "y": list("aaabbbba") * 10}, target="y")
    >>> tree = cw.C45(min_rows=1, prune=False).learn(table.take([0, 4]))
    >>> print(recalibration(cw.calibrate(tree, table.take(range(40))), table.take(range(40, 80))))
    Platt's curve  log loss  Brier score  mean distance
    before           9.0109       0.2500         0.2500
    after            0.5637       0.1880         0.0227
    40 rows
    """

    method: Method
    before: Calibration
    after: Calibration

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {"method": self.method, "before": self.before.to_json(), "after": self.after.to_json()}

    def __str__(self) -> str:
        rows = [[NAMES[self.method], "log loss", "Brier score", "mean distance"]]
        for name, each in (("before", self.before), ("after", self.after)):
            distance = sum(each.error.values()) / len(each.error)
            rows.append([name, f"{each.log_loss:.4f}", f"{each.brier:.4f}", f"{distance:.4f}"])
        counted = with_noun(f"{self.after.weight:g}", "row")
        if self.after.impossible:
            counted += f", {self.after.impossible:g} of a class called impossible after"
        return "\n".join([*in_columns(rows, "figures"), counted])


def recalibration(
    model: Model, table: Any, *, bins: int = 10, by: Literal["width", "rows"] = "width"
) -> Recalibration:
    """What a model's calibration does to its probabilities on these rows, which should be new to both;
    `table` is a Table, or anything a table can be made of."""
    check_kind("recalibration", model)
    calibrator = model.decision.calibration
    if calibrator is None:
        raise SettingError(
            "This model's probabilities are not calibrated. Calibrate them: calibrate(model, table)."
        )
    bins, by = whole("bins", bins, 1), choice("by", by, ("width", "rows"))  # type: ignore[assignment]
    before = judged(replace(model, decision=replace(model.decision, calibration=None)), table)
    after, classes = judged(model, table), model.schema.classes
    return Recalibration(
        method_of(calibrator),
        calibration_of(classes, before, bins, by),
        calibration_of(classes, after, bins, by),
    )


def method_of(calibrator: Calibrator) -> Method:
    """The name of the method that made it."""
    match calibrator:
        case Platt():
            return "platt"
        case Isotonic():
            return "isotonic"
        case _:
            assert_never(calibrator)


def calibrator_of(method: Method, rows: Judged) -> Calibrator:
    """The calibration that makes the shares of these rows come true."""
    check_judged(rows)
    weights = rows.weights
    met = np.bincount(rows.truth, weights, minlength=rows.shares.shape[1]) > 0
    if int(met.sum()) < 2:
        raise SchemaError("Calibration needs rows of two classes, but these are all of one. Take more rows.")
    return _fitted(method, rows.shares, rows.truth, weights)


def cross_calibrated(method: Method, rows: Judged, folds: int = 5, seed: int = 0) -> Judged:
    """The rows with the shares that each gets from a calibration fitted to the other folds' rows."""
    count = len(rows.truth)
    folds = min(folds, count)
    if folds < 2:
        return rows
    order = shuffled(count, seed)
    fold = np.empty(count, dtype=np.int64)
    fold[order[np.argsort(rows.truth[order], kind="stable")]] = np.arange(count) % folds
    shares = rows.shares.copy()
    for each in range(folds):
        out = fold == each
        others = ~out & (rows.weights > 0)
        if others.any():
            fitted = _fitted(method, rows.shares[others], rows.truth[others], rows.weights[others])
            shares[out] = calibrated_shares(rows.shares[out], fitted)
    return replace(rows, shares=shares)


def calibrated_shares(shares: Floats, calibrator: Calibrator) -> Floats:
    """[row, class] shares as a decision with this calibration has them."""
    return adjusted(shares, Decision(calibration=calibrator))


def _fitted(method: Method, shares: Floats, truth: Any, weights: Floats) -> Calibrator:
    own = truth[:, None] == np.arange(shares.shape[1])
    match method:
        case "platt":
            return platt_of(shares, own, weights)
        case "isotonic":
            return isotonic_of(shares, own, weights)
        case _:
            assert_never(method)
