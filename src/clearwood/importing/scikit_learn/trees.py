"""Trees and forests of scikit-learn. Cells are rounded to single precision there: thresholds move
accordingly."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.errors import ModelFileError
from clearwood.importing.draft_trees import (
    LEAST,
    TwoBranches,
    TwoSides,
    draft_in_order,
    lookup_sides,
    missing_side,
    nodes_of,
    number_sides,
)
from clearwood.importing.features import Feature, NumberFeature, at_most_float32, moved
from clearwood.importing.scikit_learn.estimator import FittedEstimator
from clearwood.models.decision import Answers
from clearwood.models.kinds.ensemble.many_trees import joined_trees
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.model import Ensemble, Model, Tree

TREES: Final = (
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
)
_MEASURES: Final = {
    "gini": "gini",
    "entropy": "entropy",
    "log_loss": "entropy",
    "squared_error": "squared",
    "friedman_mse": "squared",
    "absolute_error": "absolute",
}


def read_tree(asked: FittedEstimator) -> Model:
    """DecisionTree… and ExtraTree…."""
    _check_outputs(asked.estimator)
    native = asked.estimator.tree_
    natives = NativeTrees(asked, [native])
    return Tree(
        natives.schema,
        natives.nodes(native, _counts(native, asked)),
        ("decrease",),
        origin=asked.origin(float(native.weighted_n_node_samples[0])),
        answers=_answers(asked.estimator, asked),
        measure=_MEASURES.get(asked.estimator.criterion, ""),
    )


def read_forest(asked: FittedEstimator) -> Model:
    """RandomForest… and ExtraTrees…: the mean of the trees' shares or numbers."""
    _check_outputs(asked.estimator)
    natives = NativeTrees(asked, [each.tree_ for each in asked.estimator.estimators_])
    nodes = [natives.nodes(each, _counts(each, asked)) for each in natives.trees]
    return mean_of_trees(asked, nodes, _rows(asked.estimator), _MEASURES.get(asked.estimator.criterion, ""))


def mean_of_trees(asked: FittedEstimator, nodes: Sequence[Nodes], rows: float, measure: str = "") -> Ensemble:
    """The mean of the trees' shares or numbers."""
    answers: Answers = "shares" if asked.is_classifier else "mean"
    trees = joined_trees(nodes, answers, score_names=("decrease",), measure=measure)
    return Ensemble(asked.schema(), trees, combined_by="mean", origin=asked.origin(rows))


def _rows(forest: Any) -> float:
    return float(getattr(forest, "_n_samples", 0) or forest.estimators_[0].tree_.weighted_n_node_samples[0])


def _check_outputs(estimator: Any) -> None:
    if getattr(estimator, "n_outputs_", 1) != 1:
        raise ModelFileError(
            f"This {type(estimator).__name__} predicts {estimator.n_outputs_} targets at once; a model "
            "here has one. Fit it to one of them."
        )


def _answers(estimator: Any, asked: FittedEstimator) -> Answers:
    if asked.is_classifier:
        return "shares"
    return "median" if estimator.criterion == "absolute_error" else "mean"


def _counts(native: Any, asked: FittedEstimator) -> Floats:
    """[node, ·] counts by class; of a number weight, value and error."""
    weights = np.asarray(native.weighted_n_node_samples, dtype=np.float64)
    values = np.asarray(native.value, dtype=np.float64)[:, 0, :]
    if not asked.is_classifier:
        known = asked.estimator.criterion in _MEASURES
        errors = np.asarray(native.impurity) * weights if known else np.zeros_like(weights)
        return np.column_stack([weights, values[:, 0], np.maximum(errors, 0.0)])
    return tree_class_counts(values, weights)


def tree_class_counts(values: Floats, weights: Floats) -> Floats:
    """[node, class] shares, or counts as older versions kept them, as counts; whole ones where they are
    meant.

    >>> tree_class_counts(np.array([[1 / 3, 2 / 3]]), np.array([3.0])).tolist()
    [[1.0, 2.0]]
    """
    shares = values / np.maximum(values.sum(axis=1, keepdims=True), LEAST)
    weights = np.maximum(weights, LEAST)
    counts: Floats = shares * weights[:, None]
    whole = np.round(counts)
    meant = (np.abs(counts - whole) <= 1e-9 * np.maximum(weights, 1.0)[:, None]).all(axis=1)
    meant &= whole.sum(axis=1) == weights
    counts = np.where(meant[:, None], whole, counts)
    # Where rounding would make another class the largest, the shares stand as they are.
    lost = counts.argmax(axis=1) != values.argmax(axis=1)
    return np.where(lost[:, None], shares, counts)


class NativeTrees:
    """Each `tree_` of an estimator, as columns of nodes. Where one of them met empty cells, branches say
    themselves that they take them."""

    def __init__(self, asked: FittedEstimator, trees: Sequence[Any]) -> None:
        self.asked, self.trees, self.schema = asked, trees, asked.schema()
        self.explicit = knows_missing(trees)

    def nodes(
        self, native: Any, counts: Floats, *, is_step: bool = False, features: Sequence[Feature] = ()
    ) -> Nodes:
        """The nodes of one tree, which reads all features or those that are given. Each split has the
        decrease of impurity as its score."""
        features = features or self.asked.features
        sides = _all_sides(native, features, explicit=self.explicit)
        places = [self.asked.positions[each.column] for each in features]
        columns = (native.feature, native.children_left, native.children_right)
        asked, left, right = (each.tolist() for each in columns)
        decreases = _decreases(native)
        splits = {
            node: TwoBranches(places[asked[node]], own, left[node], right[node], decreases[node])
            for node, own in sides.items()
        }
        is_numeric = is_step or not self.asked.is_classifier
        draft = draft_in_order(splits, counts, is_numeric=is_numeric)
        return nodes_of(draft, self.schema, is_step=is_step, scores=1)


def _decreases(native: Any) -> list[float]:
    """[node] by how much a split lowers the impurity of its rows."""
    weights, impurity = native.weighted_n_node_samples, native.impurity
    left, right = native.children_left, native.children_right
    with np.errstate(invalid="ignore", divide="ignore"):
        below = (weights[left] * impurity[left] + weights[right] * impurity[right]) / weights
    decreases: list[float] = np.where(np.isfinite(below), np.maximum(impurity - below, 0.0), 0.0).tolist()
    return decreases


def _all_sides(native: Any, features: Sequence[Feature], *, explicit: bool) -> dict[int, TwoSides]:
    """Of every split, which cells go left and which right."""
    sides: dict[int, TwoSides] = {}
    splits = np.flatnonzero(native.children_left >= 0)
    known = hasattr(native, "missing_go_to_left")  # since 1.3
    for place in np.unique(native.feature[splits]).tolist():
        feature = features[place]
        nodes = splits[native.feature[splits] == place]
        thresholds = native.threshold[nodes]
        goes_left = native.missing_go_to_left[nodes].astype(bool).tolist() if known else [None] * len(nodes)
        if isinstance(feature, NumberFeature):
            if feature.steps:
                limits = moved(feature, partial(_is_at_most, thresholds=thresholds), len(nodes))
            else:
                limits = at_most_float32(thresholds)
            fills = _is_at_most(np.full(len(nodes), feature.missing), thresholds).tolist()
            for node, limit, fill, nan in zip(nodes.tolist(), limits.tolist(), fills, goes_left, strict=True):
                side = missing_side(feature, fill, nan)
                sides[node] = number_sides(limit, side, explicit=explicit)
        else:
            numbers = np.array([*feature.numbers, feature.missing, feature.unseen or 0.0])
            goes = _is_at_most(numbers[:, None], thresholds[None, :])
            for node, own, nan in zip(nodes.tolist(), goes.T.tolist(), goes_left, strict=True):
                sides[node] = lookup_sides(feature, own, nan)
    return sides


def _is_at_most(numbers: Floats, thresholds: Floats) -> Bools:
    """float32(x) ≤ t, as scikit-learn asks."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(numbers.astype(np.float32).astype(np.float64) <= thresholds)


def knows_missing(trees: Sequence[Any]) -> bool:
    """Did these trees meet empty cells? Where they met none, such a cell goes to the side of more rows, which
    need not be said at every branch."""
    for native in trees:
        if not hasattr(native, "missing_go_to_left"):
            return False
        split = native.children_left >= 0
        rows = native.n_node_samples
        heavier = rows[native.children_left] > rows[native.children_right]
        if (native.missing_go_to_left.astype(bool) != heavier)[split].any():
            return True
    return False
