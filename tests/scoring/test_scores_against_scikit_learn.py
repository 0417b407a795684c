"""Every score in the list is the one that scikit-learn computes, with and without weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from sklearn import metrics
from sklearn.linear_model import LogisticRegression

import clearwood as cw
from clearwood.errors import SettingError
from clearwood.scoring import SCORES, Stakes
from clearwood.scoring.calibration import calibration_slope, slope_and_error
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions
from clearwood.scoring.scores import score_by_name, score_called
from clearwood.scoring.share_scores import judged_rows

Array = npt.NDArray[Any]


def two_classes(
    rows: int = 300, *, weighted: bool = True, ties: bool = True, seed: int = 0
) -> ClassPredictions:
    chance = np.random.default_rng(seed)
    share = chance.beta(1.2, 2.5, rows)
    if ties:
        share = np.round(share, 1).clip(0.05, 0.95)
    truth = (chance.random(rows) < share**1.3).astype(np.int64)
    return predictions_from(("good", "bad"), truth, np.column_stack([1 - share, share]), weighted, chance)


def three_classes(rows: int = 300, *, weighted: bool = True, seed: int = 1) -> ClassPredictions:
    chance = np.random.default_rng(seed)
    shares = chance.dirichlet([1.0, 2.0, 0.7], rows)
    truth = np.array([chance.choice(3, p=row) for row in shares])
    return predictions_from(("a", "b", "c"), truth, shares, weighted, chance)


def predictions_from(
    classes: tuple[str, ...], truth: Array, shares: Array, weighted: bool, chance: np.random.Generator
) -> ClassPredictions:
    rows = len(truth)
    return ClassPredictions(
        classes=classes,
        truth=truth.astype(np.int64),
        answers=shares.argmax(axis=1).astype(np.int64),
        shares=shares,
        weights=chance.uniform(0.2, 3.0, rows) if weighted else np.ones(rows),
        places=np.arange(rows),
        part=np.zeros(rows, dtype=np.int64),
    )


def numbers(weighted: bool = True, quantile: float | None = None) -> NumberPredictions:
    chance = np.random.default_rng(2)
    truth = chance.normal(20, 5, 200)
    return NumberPredictions(
        target="y",
        truth=truth,
        answers=truth + chance.normal(0.5, 2, 200),
        weights=chance.uniform(0.2, 3.0, 200) if weighted else np.ones(200),
        places=np.arange(200),
        part=np.zeros(200, dtype=np.int64),
        quantile=quantile,
    )


OfTwo = Callable[[ClassPredictions], float]
BAD = Stakes("bad", {("bad", "good"): 5.0}, 2.0)


def _expected_cost(p: ClassPredictions) -> float:
    matrix = metrics.confusion_matrix(p.truth, p.answers, sample_weight=p.weights)
    return float((matrix * np.array([[0, 1], [5, 0]])).sum() / matrix.sum())


def _largest_lead(p: ClassPredictions) -> float:
    false, true, _ = metrics.roc_curve(
        p.truth, p.shares[:, 1], sample_weight=p.weights, drop_intermediate=False
    )
    return float((true - false).max())


def _slope(p: ClassPredictions) -> float:
    odds = np.log(p.shares[:, 1] / p.shares[:, 0])[:, None]
    line = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000)
    return float(line.fit(odds, p.truth, sample_weight=p.weights).coef_[0, 0])


def _brier(p: ClassPredictions) -> float:
    return float(metrics.brier_score_loss(p.truth, p.shares[:, 1], sample_weight=p.weights))


OF_TWO: dict[str, OfTwo] = {
    "accuracy": lambda p: metrics.accuracy_score(p.truth, p.answers, sample_weight=p.weights),
    "balanced_accuracy": lambda p: metrics.balanced_accuracy_score(
        p.truth, p.answers, sample_weight=p.weights
    ),
    "recall": lambda p: metrics.recall_score(p.truth, p.answers, sample_weight=p.weights),
    "precision": lambda p: metrics.precision_score(p.truth, p.answers, sample_weight=p.weights),
    "f_beta": lambda p: metrics.fbeta_score(p.truth, p.answers, beta=2, sample_weight=p.weights),
    "mcc": lambda p: metrics.matthews_corrcoef(p.truth, p.answers, sample_weight=p.weights),
    "kappa": lambda p: metrics.cohen_kappa_score(p.truth, p.answers, sample_weight=p.weights),
    "auc": lambda p: metrics.roc_auc_score(p.truth, p.shares[:, 1], sample_weight=p.weights),
    "auc_hand_till": lambda p: metrics.roc_auc_score(p.truth, p.shares[:, 1], sample_weight=p.weights),
    "average_precision": lambda p: metrics.average_precision_score(
        p.truth, p.shares[:, 1], sample_weight=p.weights
    ),
    "ks": _largest_lead,
    "log_loss": lambda p: metrics.log_loss(p.truth, p.shares, sample_weight=p.weights),
    "brier": _brier,
    "calibration_slope": _slope,
    "cost": _expected_cost,
    "profit": lambda p: -_expected_cost(p),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("name", OF_TWO)
def test_of_two_classes(name: str, ties: bool, weighted: bool) -> None:
    rows = two_classes(weighted=weighted, ties=ties)
    assert score_by_name(name, rows, BAD) == pytest.approx(OF_TWO[name](rows), abs=1e-6)


@pytest.mark.parametrize("weighted", [False, True])
def test_of_many_classes_the_means_over_the_classes(weighted: bool) -> None:
    rows = three_classes(weighted=weighted)
    weights = rows.weights
    expected = {
        "accuracy": metrics.accuracy_score(rows.truth, rows.answers, sample_weight=weights),
        "balanced_accuracy": metrics.balanced_accuracy_score(rows.truth, rows.answers, sample_weight=weights),
        "recall": metrics.recall_score(rows.truth, rows.answers, average="macro", sample_weight=weights),
        "precision": metrics.precision_score(
            rows.truth, rows.answers, average="macro", sample_weight=weights
        ),
        "f_beta": metrics.f1_score(rows.truth, rows.answers, average="macro", sample_weight=weights),
        "mcc": metrics.matthews_corrcoef(rows.truth, rows.answers, sample_weight=weights),
        "kappa": metrics.cohen_kappa_score(rows.truth, rows.answers, sample_weight=weights),
        "auc": metrics.roc_auc_score(
            rows.truth, rows.shares, multi_class="ovr", average="macro", sample_weight=weights
        ),
        "log_loss": metrics.log_loss(rows.truth, rows.shares, sample_weight=weights),
        "brier": metrics.brier_score_loss(
            rows.truth, rows.shares, sample_weight=weights, scale_by_half=False
        ),
        "average_precision": metrics.average_precision_score(
            np.eye(3)[rows.truth], rows.shares, average="macro", sample_weight=weights
        ),
    }
    if not weighted:  # scikit-learn has no weights for pairs of classes
        expected["auc_hand_till"] = metrics.roc_auc_score(
            rows.truth, rows.shares, multi_class="ovo", average="macro"
        )
    assert {name: score_by_name(name, rows) for name in expected} == pytest.approx(expected)


def test_of_many_classes_one_that_is_named_is_against_the_rest() -> None:
    rows = three_classes()
    own = rows.truth == 2
    area = metrics.roc_auc_score(own, rows.shares[:, 2], sample_weight=rows.weights)
    assert score_by_name("auc", rows, Stakes("c")) == pytest.approx(area)
    recall = metrics.recall_score(own, rows.answers == 2, sample_weight=rows.weights)
    assert score_by_name("recall", rows, Stakes("c")) == pytest.approx(recall)


@pytest.mark.parametrize("weighted", [False, True])
def test_of_numbers(weighted: bool) -> None:
    rows = numbers(weighted)
    given = {"y_true": rows.truth, "y_pred": rows.answers, "sample_weight": rows.weights}
    expected = {
        "rmse": metrics.root_mean_squared_error(**given),
        "mae": metrics.mean_absolute_error(**given),
        "r2": metrics.r2_score(**given),
        "pinball": metrics.mean_pinball_loss(**given, alpha=0.5),
    }
    assert {name: score_by_name(name, rows) for name in expected} == pytest.approx(expected)
    high = numbers(weighted, quantile=0.9)
    expected_loss = metrics.mean_pinball_loss(**given, alpha=0.9)
    assert score_by_name("pinball", high) == pytest.approx(expected_loss)


@pytest.mark.parametrize("rows", [two_classes(), two_classes(ties=False), three_classes()])
def test_the_parts_of_the_brier_score_add_up(rows: ClassPredictions) -> None:
    brier, reliability, resolution, uncertainty = (
        score_by_name(name, rows)
        for name in ("brier", "brier_reliability", "brier_resolution", "brier_uncertainty")
    )
    assert brier == pytest.approx(reliability - resolution + uncertainty)
    assert reliability >= 0
    assert resolution > 0


def test_the_parts_of_equal_shares_are_murphys() -> None:
    rows = two_classes()
    share, own, weights = rows.shares[:, 1], rows.truth == 1, rows.weights
    base = np.average(own, weights=weights)
    off = apart = 0.0
    for each in np.unique(share):
        here = share == each
        observed = np.average(own[here], weights=weights[here])
        off += weights[here].sum() * (each - observed) ** 2 / weights.sum()
        apart += weights[here].sum() * (observed - base) ** 2 / weights.sum()
    assert score_by_name("brier_reliability", rows) == pytest.approx(off)
    assert score_by_name("brier_resolution", rows) == pytest.approx(apart)


def test_lift_and_gains_take_the_rows_with_the_largest_shares() -> None:
    rows = two_classes(weighted=False, ties=False)
    best = np.argsort(-rows.shares[:, 1])[:30]
    found = (rows.truth[best] == 1).sum() / (rows.truth == 1).sum()
    assert score_by_name("gains", rows, Stakes("bad")) == pytest.approx(found)
    assert score_by_name("lift", rows, Stakes("bad")) == pytest.approx(found / 0.1)


def test_rows_of_equal_share_come_in_no_order() -> None:
    shares = np.full((10, 2), 0.5)
    rows = predictions_from(
        ("no", "yes"), np.array([1] * 4 + [0] * 6), shares, False, np.random.default_rng(0)
    )
    assert score_by_name("lift", rows) == pytest.approx(1.0)
    assert score_by_name("gains", rows) == pytest.approx(0.1)


def test_the_calibration_intercept_mends_the_mean() -> None:
    rows = two_classes(ties=False)
    shift = score_by_name("calibration_intercept", rows, Stakes("bad"))
    odds = np.log(rows.shares[:, 1] / rows.shares[:, 0])
    mended = 1 / (1 + np.exp(-(odds + shift)))
    assert np.average(mended, weights=rows.weights) == pytest.approx(
        np.average(rows.truth == 1, weights=rows.weights), abs=1e-6
    )


def test_the_best_cutoff_is_the_best_of_all() -> None:
    rows = two_classes(weighted=True, ties=False)
    share, bad, weights = rows.shares[:, 1], rows.truth == 1, rows.weights
    costs = [
        (weights * np.where(bad, 5.0 * (share < at), 1.0 * (share >= at))).sum() / weights.sum()
        for at in [*share, 2.0]
    ]
    assert score_by_name("cost_at_best_cutoff", rows, BAD) == pytest.approx(min(costs))
    assert score_by_name("profit_at_best_cutoff", rows, BAD) == pytest.approx(-min(costs))


def test_every_score_of_the_list_has_its_peer_or_its_own_test() -> None:
    tested = {
        *OF_TWO, "brier_reliability", "brier_resolution", "brier_uncertainty", "lift", "gains",
        "calibration_intercept", "cost_at_best_cutoff", "profit_at_best_cutoff",
        "rmse", "mae", "r2", "pinball",
    }  # fmt: skip
    assert set(SCORES) == tested


def test_shares_are_judged_by_rows_with_a_known_class_with_shares_and_with_weight() -> None:
    shares = np.array([[0.3, 0.7], [0.5, 0.5], [0.0, 0.0], [0.9, 0.1], [0.2, 0.8]])
    given = replace(
        predictions_from(("a", "b"), np.array([1, -1, 0, 0, 1]), shares, False, np.random.default_rng()),
        weights=np.array([1.0, 1.0, 1.0, 0.0, 2.0]),
    )
    assert judged_rows(given).tolist() == [0, 4]


@pytest.mark.parametrize(
    ("name", "numbers", "sentence"),
    [
        ("r2", False, "'r2' is a score of numbers. Scores here: accuracy"),
        ("accuracy", True, "'accuracy' is a score of classes. Scores here: "),
        ("acuracy", False, "Did you mean 'accuracy'"),
    ],
)
def test_a_score_of_the_other_kind_is_named_as_such(name: str, numbers: bool, sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        score_called(name, numbers=numbers)


def test_the_calibration_slope_and_its_error_are_those_of_a_logistic_regression_on_the_odds() -> None:
    chance = np.random.default_rng(8)
    share = chance.uniform(0.05, 0.95, 400)
    truth = (chance.random(400) < share**2).astype(np.int64)
    given = predictions_from(("a", "b"), truth, np.stack([1 - share, share], axis=1), False, chance)
    odds = np.log(share / (1 - share))
    table = cw.read_table({"odds": odds, "class": np.array(["a", "b"])[truth]}, target="class")
    model = cw.Logistic().learn(table)
    slope = next(each for each in cw.estimates(model) if each.term is not None)
    assert slope.error is not None
    sign = 1 if slope.contrast == "b" else -1
    assert slope_and_error(given, Stakes("b")) == pytest.approx((sign * slope.weight, slope.error), rel=1e-4)


def test_the_error_of_the_slope_by_rows_is_how_much_a_little_more_weight_of_each_moves_it() -> None:
    """The infinitesimal jackknife: the root of the sum of squared derivatives, by groups where rows belong
    together; sampling weights count squared, since a row of weight 2 is one row."""
    chance = np.random.default_rng(3)
    share = np.where(np.arange(60) % 9 == 0, 0.0, chance.uniform(0.1, 0.9, 60))
    truth = (chance.random(60) < 0.2 + 0.6 * share).astype(np.int64)
    given = predictions_from(("a", "b"), truth, np.stack([1 - share, share], axis=1), False, chance)
    given = replace(given, weights=chance.uniform(0.5, 2.0, 60))
    slope = calibration_slope(given, Stakes("b"))
    derivatives = []
    for row in range(60):
        more = np.tile(given.weights, (2, 1))
        more[:, row] += [1e-4, -1e-4]
        above, below = slope.of(more).tolist()
        derivatives.append((above - below) / 2e-4)
    moved = np.array(derivatives)
    groups = np.arange(60) // 4
    sums = np.bincount(groups, given.weights * moved)
    for predictions, expected in (
        (given, np.sum(given.weights * moved**2)),
        (replace(given, weights_are="sampling"), np.sum((given.weights * moved) ** 2)),
        (replace(given, units=groups), np.sum(sums**2)),
    ):
        error = slope_and_error(predictions, Stakes("b"), by_rows=True)[1]
        assert error == pytest.approx(np.sqrt(expected), rel=1e-4)
