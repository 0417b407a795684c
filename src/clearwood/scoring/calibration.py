"""Calibration: do the classes come as often as the model's shares say, and how dear are its surprises?"""

from __future__ import annotations

from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools, Floats, Longs
from clearwood.bounds import choice, whole
from clearwood.measures.inference import wilson
from clearwood.models.model import Model, check_kind
from clearwood.records import dataclass, json_of
from clearwood.scoring import Stakes, WeighedScore
from clearwood.scoring.clustered_rows import rows_in_groups
from clearwood.scoring.positive import guessed_positive, positive_class_of, positive_code
from clearwood.scoring.predictions import (
    ClassPredictions,
    Judged,
    check_judged,
    judged,
    judged_by_content,
    summed_by_weight,
    weights_of_rows,
)
from clearwood.scoring.share_scores import judged_rows
from clearwood.words.columns import in_columns
from clearwood.words.numbers import with_noun

_LEAST: Final = float(
    np.finfo(np.float64).eps
)  # a share of 0 is taken for this: its surprise is not without end


@dataclass(frozen=True, slots=True)
class Bin:
    """The rows whose share of a class lies above `low` up to `high` (the first with `low` itself)."""

    low: float
    high: float
    weight: float
    predicted: float  # the mean share that the model gave them; NaN where there are none
    observed: float  # the share of them that are of the class
    interval: tuple[float, float]  # Wilson's, of the observed share


@dataclass(frozen=True, slots=True)
class Calibration:
    """Log loss in natural logarithms, the Brier score, and for each class its rows by the share they got.

    Of two classes only the positive one is shown: the other mirrors it. `impossible` is the weight of rows
    whose own class had share 0, which the log loss takes for 2.2e-16. `left_out` counts the rows that have no
    true class or one the model doesn't know, and those of which it says nothing. The intervals are by the
    effective rows of weights that are no counts, and by groups where rows belong together (`by_groups`).
    """

    classes: tuple[str, ...]
    weight: float
    log_loss: float
    brier: float
    reliability: dict[str, tuple[Bin, ...]]
    impossible: float = 0.0
    left_out: int = 0
    by_groups: bool = False

    @property
    def error(self) -> dict[str, float]:
        """By class: how far observed shares lie from predicted ones, on the average row."""
        return {
            name: sum(b.weight * abs(b.observed - b.predicted) for b in bins if b.weight) / self.weight
            for name, bins in self.reliability.items()
        }

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`; a bin without rows has null for its shares."""
        return json_of(self, error=self.error)

    def __str__(self) -> str:
        weight = with_noun(f"{self.weight:g}", "row")
        heading = f"log loss {self.log_loss:.4f}, Brier score {self.brier:.4f}, {weight}"
        if self.impossible:
            heading += f", {self.impossible:g} of a class called impossible"
        if self.left_out:
            heading += f", {self.left_out:,} left out"
        if self.by_groups:
            heading += "; intervals by groups of rows"
        lines = [heading]
        for name, bins in self.reliability.items():
            rows = [[f"probability of {name}", "rows", "predicted", "observed", "95 % interval"]]
            for each in bins:
                if each.weight:
                    low, high = each.interval
                    figures = [f"{each.weight:g}", f"{each.predicted:.4f}", f"{each.observed:.4f}"]
                    rows.append([f"{each.low:.3g} to {each.high:.3g}", *figures, f"{low:.4f} to {high:.4f}"])
            lines += ["", *in_columns(rows, "figures"), f"mean distance {self.error[name]:.4f}"]
        return "\n".join(lines)


def calibration(
    model: Model,
    table: Any,
    *,
    bins: int = 10,
    by: Literal["width", "rows"] = "width",
    positive: str | None = None,
) -> Calibration:
    """Compare a model's probabilities with the truth; `table` is a Table, or anything a table can be made of.
    Of two classes `positive` is shown, or the one that is guessed.

    `bins` of equal width, or by="rows" of about equal weight. The Brier score is the mean square of share −
    truth: of one class where there are two, summed over the classes where there are more.

    >>> from clearwood.learners.trees.c45 import C45
    >>> from clearwood.table import read_table
    >>> table = read_table({"x": [1, 1, 1, 2, 2, 2], "y": list("aabbbb")}, target="y")
    >>> print(calibration(C45(min_rows=1, prune=False).learn(table), table))
    log loss 0.3183, Brier score 0.1111, 6 rows
    <BLANKLINE>
    probability of b  rows  predicted  observed     95 % interval
    0.3 to 0.4           3     0.3333    0.3333  0.0615 to 0.7923
    0.9 to 1             3     1.0000    1.0000  0.4385 to 1.0000
    mean distance 0.0000
    """
    check_kind("calibration", model)
    bins = whole("bins", bins, 1)
    by = choice("by", by, ("width", "rows"))
    classes = model.schema.classes
    shown = positive_class_of(model, positive)[0] if len(classes) == 2 or positive else ""
    return calibration_of(classes, judged(model, table), bins, by, positive=shown)


def calibration_of(
    classes: tuple[str, ...],
    rows: Judged,
    bins: int = 10,
    by: Literal["width", "rows"] = "width",
    *,
    positive: str = "",
) -> Calibration:
    """Shares beside what came true, whichever models gave them; of two classes the positive one, which these
    rows make a guess where none is named."""
    check_judged(rows)
    rows = judged_by_content(rows)
    shares, truth, weights = rows.shares, rows.truth, rows.weights
    total = float(weights.sum())
    own = shares[np.arange(len(truth)), truth]
    surprise = -np.log(np.clip(own, _LEAST, 1.0 - _LEAST))
    off = shares - (truth[:, None] == np.arange(len(classes)))
    square = off[:, -1] ** 2 if len(classes) == 2 else (off**2).sum(axis=1)
    shown = classes
    if len(classes) == 2:
        met = np.bincount(truth, weights, minlength=2).astype(np.float64)
        shown = (positive or guessed_positive(classes, met)[0],)
    elif positive:
        shown = (positive,)
    return Calibration(
        classes=classes,
        weight=total,
        log_loss=float((weights * surprise).sum() / total),
        brier=float((weights * square).sum() / total),
        reliability={
            name: _bins(shares[:, code], truth == code, rows, bins, by)
            for code, name in enumerate(classes)
            if name in shown
        },
        impossible=float(weights[own == 0].sum()),
        left_out=rows.left_out,
        by_groups=rows.units is not None,
    )


def _bins(share: Floats, true: npt.NDArray[np.bool_], rows: Judged, bins: int, by: str) -> tuple[Bin, ...]:
    weights = rows.weights
    edges = np.linspace(0.0, 1.0, bins + 1)
    if by == "rows":
        order = np.argsort(share, kind="stable")
        reached = np.cumsum(weights[order])
        inner = np.searchsorted(reached, np.arange(1, bins) / bins * reached[-1])
        # Rows of one share stay together: edges are shares that occur.
        edges = np.unique(np.concatenate([[0.0], share[order][inner], [1.0]]))
    place = np.clip(np.searchsorted(edges, share, side="left") - 1, 0, len(edges) - 2)
    size = len(edges) - 1
    weight = np.bincount(place, weights, minlength=size)
    right = np.bincount(place, weights * true, minlength=size)
    with np.errstate(invalid="ignore"):
        predicted = np.bincount(place, weights * share, minlength=size) / weight
        observed = right / weight
    speak = np.array([_rows_of(rows, true, place == each) for each in range(size)])
    low, high = wilson(np.nan_to_num(observed) * speak, speak)
    columns = (edges[:-1], edges[1:], weight, predicted, observed, low, high)
    return tuple(
        Bin(low, high, weight, predicted, observed, (least, most))
        for low, high, weight, predicted, observed, least, most in zip(
            *(column.tolist() for column in columns), strict=True
        )
    )


def _rows_of(rows: Judged, true: npt.NDArray[np.bool_], inside: npt.NDArray[np.bool_]) -> float:
    """The rows that the observed share of those `inside` speaks for."""
    if rows.units is None or not inside.any():
        return rows.rows_of(rows.weights[inside])
    return rows_in_groups(rows.weights[inside], true[inside].astype(np.float64), rows.units[inside])


# The calibration line: by which slope and intercept would the log odds of the shares be right?


_LEAST_PROBABILITY: Final = (
    1e-6  # shares of 0 and 1 have no log odds: they are taken for this, and for 1 less it
)
_CERTAIN: Final = float(np.log((1 - _LEAST_PROBABILITY) / _LEAST_PROBABILITY)) - 1e-9
_STEPS: Final = 60
_AGAIN: Final = 8  # steps from the line of all rows to that of a resample
_MANY: Final = 2_000  # rows
_NEAR: Final = 1e-7
_STEEPEST: Final = (
    250.0  # so many steps, of 5 at most, come no farther than 300: beyond, the slope is not found
)
_SEPARATED: Final = "the probabilities separate the classes, so that no slope is steep enough"


def calibration_slope(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """The slope of a logistic regression of the positive class on the log odds of its share (Cox 1958): 1
    where the shares are right, less where they are too extreme, more where too timid."""
    return _line(predictions, stakes, "slope")


def calibration_intercept(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """What must be added to all log odds, with a slope of 1, so that the class comes as often as the shares
    say: below 0 the shares are too large, above 0 too small."""
    return _line(predictions, stakes, "intercept")


def slope_and_error(
    predictions: ClassPredictions, stakes: Stakes, *, by_rows: bool = False
) -> tuple[float, float]:
    """The slope with its standard error by the curvature of the likelihood; NaN where rows cannot tell.

    `by_rows`, the error is by how much each row, or group of rows that belong together, moves the slope
    (Huber 1967): near to what rows drawn anew say, also where the log odds are no line, as where
    probabilities are 0 and 1.

    >>> import clearwood as cw
    >>> from clearwood.scoring.predictions import predictions_of
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> given = predictions_of(cw.NaiveBayes().learn(days), days)
    >>> [round(each, 2) for each in slope_and_error(given, Stakes("Yes"))]
    [2.38, 1.25]
    """
    positive = positive_code(predictions, stakes)
    if positive is None or calibration_slope(predictions, stakes).why:
        return np.nan, np.nan
    rows, own, odds, start = _odds_of(predictions, positive)
    weights = predictions.weights[rows][None]
    found = _newton(np.array([[start, 0.0]]), odds, own, weights, _STEPS, True)
    _, _, h_00, h_01, h_11 = (float(each[0]) for each in _sums(found, odds, own.astype(np.float64), weights))
    within = h_00 * h_11 - h_01**2
    if not within > 0:
        return float(found[0, 1]), np.nan
    if not by_rows:
        return float(found[0, 1]), float(np.sqrt(h_00 / within))
    error = own - 1 / (1 + np.exp(-(found[0, 0] + found[0, 1] * odds)))
    moved = (h_00 * odds - h_01) * error / within
    if predictions.units is not None:
        together = np.unique(predictions.units[rows], return_inverse=True)[1]
        squares = np.bincount(together, weights[0] * moved) ** 2
    else:
        squares = weights[0] * moved**2 * (weights[0] if predictions.weighs else 1.0)
    return float(found[0, 1]), float(np.sqrt(squares.sum()))


def _odds_of(predictions: ClassPredictions, positive: int) -> tuple[Longs, Bools, Floats, float]:
    """The rows that can be judged, which of them are of the class, the log odds of its share, and those of
    how often it comes among them."""
    rows = judged_rows(predictions)
    own, weights = predictions.truth[rows] == positive, predictions.weights[rows]
    share = np.clip(predictions.shares[rows, positive], _LEAST_PROBABILITY, 1 - _LEAST_PROBABILITY)
    base = float(weights @ own) / float(weights.sum())
    return rows, own, np.log(share / (1 - share)), float(np.log(base / (1 - base)))


def _line(predictions: ClassPredictions, stakes: Stakes, part: Literal["slope", "intercept"]) -> WeighedScore:
    positive = positive_code(predictions, stakes)
    if positive is None:
        return _untold("of more than two classes it is about one: name the positive class")
    met = predictions.truth[judged_rows(predictions)] == positive
    if not met.any() or met.all():
        return _untold("the rows whose probabilities can be evaluated are all of one class")
    rows, own, odds, base = _odds_of(predictions, positive)
    sloped = part == "slope"
    if sloped and not np.ptp(odds) > 0:
        return _untold("all rows have the same probability")
    start = np.array([[base, 0.0] if sloped else [0.0, 1.0]])
    weighed = predictions.weights[rows][None]
    if _separated(odds, own, weighed)[0]:
        if sloped:
            return _untold(_SEPARATED)
        if np.abs(odds).min() >= _CERTAIN:
            return _untold(
                "all probabilities are 0 or 1 and right, which nothing added to their log odds changes"
            )
    begin = _newton(start, odds, own, weighed, _STEPS, sloped)
    if not np.isfinite(begin).all() or abs(begin[0, 1]) > _STEEPEST:
        return _untold(_SEPARATED)
    again = _AGAIN if len(rows) < _MANY else 2  # each step squares an error of the order of 1/√rows

    def of(weights: Floats) -> Floats:
        those = weights_of_rows(weights, rows)
        lines = _newton(begin, odds, own, those, again, sloped)
        steep = np.abs(lines[:, 1]) > _STEEPEST
        if sloped:
            steep |= _separated(odds, own, those)
        return np.where(steep, np.nan, lines[:, 1 if sloped else 0])

    return WeighedScore(of)


def _separated(odds: Floats, own: Bools, weights: Floats) -> Bools:
    """[draw] Do all rows of the class have log odds at least as high as all others, or at least as low? Then
    the likelihood rises with the slope without end (Albert and Anderson 1984)."""
    low, high = np.where(weights > 0, odds, np.inf), np.where(weights > 0, odds, -np.inf)
    least, most = low[:, own].min(axis=1, initial=np.inf), high[:, own].max(axis=1, initial=-np.inf)
    under, over = low[:, ~own].min(axis=1, initial=np.inf), high[:, ~own].max(axis=1, initial=-np.inf)
    return np.asarray((over <= least) | (most <= under))


def _newton(line: Floats, odds: Floats, own: Bools, weights: Floats, steps: int, sloped: bool) -> Floats:
    """Newton's steps from one line to the likeliest intercept and slope [draw, 2] under each weighting."""
    target = own.astype(np.float64)
    with np.errstate(all="ignore"):
        for _ in range(steps):
            error, tilt, h_00, h_01, h_11 = _sums(line, odds, target, weights)
            if sloped:
                det = h_00 * h_11 - h_01**2
                step = np.stack([h_11 * error - h_01 * tilt, h_00 * tilt - h_01 * error], 1) / det[:, None]
            else:
                step = np.stack([error / h_00, np.zeros(len(weights))], 1)
            line = line + np.clip(step, -5.0, 5.0)
            if not np.nanmax(np.abs(step), initial=0.0) > _NEAR:
                break
    return line


def _sums(line: Floats, odds: Floats, target: Floats, weights: Floats) -> list[Floats]:
    """The sums over the rows [draw] that a step needs: gradient and curvature of the log likelihood."""
    share = 1 / (1 + np.exp(-(line[:, :1] + line[:, 1:] * odds)))
    if len(line) == 1:  # the same line for all draws: their weights are all that differs
        error, curve = target - share[0], share[0] * (1 - share[0])
        parts = np.stack([error, error * odds, curve, curve * odds, curve * odds**2], 1)
        return [summed_by_weight(weights, parts[:, k]) for k in range(5)]
    curve = weights * (share - share * share)
    error = weights * (target - share)
    tilted = curve * odds
    return [
        error.sum(axis=1),
        summed_by_weight(error, odds),
        curve.sum(axis=1),
        tilted.sum(axis=1),
        summed_by_weight(tilted, odds),
    ]


def _untold(why: str) -> WeighedScore:
    return WeighedScore(lambda weights: np.full(len(weights), np.nan), why)
