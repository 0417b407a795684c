"""Recalibration: shares before and after a calibration that was fitted to other rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias, assert_never

import numpy as np

from clearwood.arrays import Bools, Floats, Ints
from clearwood.bounds import choice, whole
from clearwood.errors import SchemaError, SettingError
from clearwood.models.decision import Calibrator, Decision, Isotonic, Platt, adjusted, held_log_odds
from clearwood.models.model import Model, check_kind
from clearwood.records import JsonRecord
from clearwood.scoring.calibration import Calibration, calibration_of
from clearwood.scoring.predictions import Judged, check_judged, judged
from clearwood.table.folding import shuffled
from clearwood.words.columns import in_columns
from clearwood.words.numbers import with_noun

Method: TypeAlias = Literal["platt", "isotonic"]
METHODS: Final[tuple[Method, ...]] = ("platt", "isotonic")
NAMES: Final[dict[Method, str]] = {"platt": "Platt's curve", "isotonic": "isotonic steps"}


@dataclass(frozen=True, slots=True)
class Recalibration(JsonRecord):
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
    bins = whole("bins", bins, 1)
    by = choice("by", by, ("width", "rows"))
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
    return platt_of(shares, own, weights) if method == "platt" else isotonic_of(shares, own, weights)


# Isotonic calibration: the steps that rise with a class's shares and lie nearest to what came true.


def isotonic_of(shares: Floats, own: Bools, weights: Floats) -> Isotonic:
    """The steps for shares and what came true, both [row, class]: each class against the rest.

    Least squares under the condition that they rise, by pooling adjacent violators (Ayer et al. 1955; for
    calibration Zadrozny and Elkan 2002). Of a level stretch its two ends are kept; between stretches lies a
    straight line. A class without rows, or without others, keeps its shares.

    >>> share = np.array([0.1, 0.2, 0.4, 0.6, 0.9])
    >>> true = np.array([False, True, False, True, True])
    >>> steps = isotonic_of(share[:, None], true[:, None], np.ones(5))
    >>> steps.at, steps.share
    (((0.1, 0.2, 0.4, 0.6, 0.9),), ((0.0, 0.5, 0.5, 1.0, 1.0),))
    """
    steps = [_steps(shares[:, c], own[:, c], weights) for c in range(shares.shape[1])]
    return Isotonic(tuple(at for at, _ in steps), tuple(share for _, share in steps))


def rising(values: Floats, weights: Floats) -> tuple[Floats, Ints]:
    """[pool] the means of the pools of adjacent violators, and how many values each pool has."""
    means: list[float] = []
    masses: list[float] = []
    sizes: list[int] = []
    for mean, mass in zip(values.tolist(), weights.tolist(), strict=True):
        size = 1
        while means and means[-1] >= mean:
            before = masses.pop()
            mean = (means.pop() * before + mean * mass) / (before + mass)
            mass += before
            size += sizes.pop()
        means.append(mean)
        masses.append(mass)
        sizes.append(size)
    return np.array(means), np.array(sizes, dtype=np.int32)


def _steps(share: Floats, own: Bools, weights: Floats) -> tuple[tuple[float, ...], tuple[float, ...]]:
    known = weights > 0
    share, own, weights = share[known], own[known], weights[known]
    if own.all() or not own.any():
        return (0.0, 1.0), (0.0, 1.0)
    at, place = np.unique(share, return_inverse=True)
    mass: Floats = np.bincount(place, weights).astype(np.float64)
    means, sizes = rising(np.bincount(place, weights * own) / mass, mass)
    last = np.cumsum(sizes) - 1
    first = last - sizes + 1
    kept = np.unique(np.concatenate([first, last]))
    level = np.repeat(np.minimum(means, 1.0), sizes)  # a mean of ones may round to a little more
    return tuple(at[kept].tolist()), tuple(level[kept].tolist())


# Platt's calibration: a logistic curve over the log odds of a class's shares, one class against the rest.


_MOST_STEPS: Final = 100
_FLAT: Final = 1e-10  # a slope of the loss per row that is level


def platt_of(shares: Floats, own: Bools, weights: Floats) -> Platt:
    """The curves for shares and what came true, both [row, class], fitted by Newton's method.

    Targets are Platt's (1999): of n₊ rows of the class each is (n₊ + 1) ÷ (n₊ + 2) true, of n₋ others
    1 ÷ (n₋ + 2). A share is held as far from 0 and 1 as the target of n rows of one kind would be,
    1 ÷ (n + 2), so that pure leaves do not bend the curve for all the others. A class without rows, or
    without others, keeps its shares.

    >>> shares = np.repeat([[0.9, 0.1], [0.1, 0.9]], 10, axis=0)
    >>> truth = np.array(([True] * 7 + [False] * 3) + ([False] * 7 + [True] * 3))
    >>> curve = platt_of(shares, np.stack([truth, ~truth], axis=1), np.ones(20))
    >>> [round(each, 3) for each in curve.slopes]  # 0.9 becomes 2 ⁄ 3: (7 · 11 ⁄ 12 + 3 · 1 ⁄ 12) ÷ 10
    [0.315, 0.315]
    """
    total = float(weights.sum())
    least = 1.0 / (total + 2.0)
    odds = held_log_odds(shares, least)
    pairs = [_curve(odds[:, c], own[:, c], weights) for c in range(shares.shape[1])]
    return Platt(tuple(slope for slope, _ in pairs), tuple(start for _, start in pairs), least)


def _curve(odds: Floats, own: Bools, weights: Floats) -> tuple[float, float]:
    """Slope and intercept of least cross entropy with the targets."""
    positive, negative = float(weights[own].sum()), float(weights[~own].sum())
    if not (positive > 0 and negative > 0):
        return 1.0, 0.0
    targets = np.where(own, (positive + 1) / (positive + 2), 1 / (negative + 2))
    total = positive + negative
    weights = weights / total
    middle = float(weights @ odds)
    spread = float(np.sqrt(weights @ (odds - middle) ** 2))
    mean = float(weights @ targets)
    level = float(np.log(mean) - np.log1p(-mean))
    if not spread > 1e-12 * (1 + abs(middle)):
        return 0.0, level  # one share for all: it becomes how often the class comes true
    scaled = (odds - middle) / spread  # so that both directions curve alike
    at = np.array([0.0, level])
    loss = _loss(at, scaled, targets, weights)
    for _ in range(_MOST_STEPS):
        with np.errstate(over="ignore"):
            share = 1.0 / (1.0 + np.exp(-(at[0] * scaled + at[1])))
        off = weights * (share - targets)
        slope = np.array([off @ scaled, off.sum()])
        if np.abs(slope).max() <= _FLAT:
            break
        curve = weights * share * (1.0 - share)
        mixed = float(curve @ scaled)
        # Far out the loss is as good as straight: a little more curvature keeps the step finite.
        bend = np.array([[float(curve @ scaled**2) + 1e-12, mixed], [mixed, float(curve.sum()) + 1e-12]])
        step = np.linalg.solve(bend, slope)
        part = 1.0
        while part > 1e-10:
            tried = at - part * step
            lower = _loss(tried, scaled, targets, weights)
            if lower <= loss - 1e-4 * part * float(slope @ step):
                break
            part /= 2
        else:
            break  # rounding: no step lowers the loss
        at, loss = tried, lower
    steep = float(at[0]) / spread
    return steep, float(at[1]) - steep * middle


def _loss(at: Floats, odds: Floats, targets: Floats, weights: Floats) -> float:
    line = at[0] * odds + at[1]
    return float(weights @ (np.logaddexp(0.0, line) - targets * line))
