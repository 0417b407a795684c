"""Boosted trees of scikit-learn: GradientBoosting… and HistGradientBoosting…, as sums of steps with a
link."""

import math
from functools import partial
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ModelFileError
from clearwood.importing.draft_trees import (
    DraftNode,
    TwoBranches,
    TwoSides,
    draft_in_order,
    lookup_sides,
    missing_side,
    nodes_of,
    number_sides,
)
from clearwood.importing.features import Feature, LookupFeature, NumberFeature, moved
from clearwood.importing.scikit_learn.estimator import FittedEstimator
from clearwood.importing.scikit_learn.front import class_name
from clearwood.importing.scikit_learn.trees import TREES, NativeTrees, mean_of_trees, tree_class_counts
from clearwood.models.kinds.ensemble.ensemble import Ensemble, Link
from clearwood.models.kinds.ensemble.many_trees import joined_trees
from clearwood.models.kinds.tree.nodes import Nodes
from clearwood.models.model import Model

_LINKS: Final[dict[str, Link]] = {
    **dict.fromkeys(("squared_error", "absolute_error", "huber", "quantile"), "identity"),
    **dict.fromkeys(("poisson", "gamma"), "exp"),
}
_LEAST: Final = float(np.finfo(np.float64).eps)


def read_gradient_boosting(asked: FittedEstimator) -> Model:
    """GradientBoostingClassifier and …Regressor."""
    boosted = asked.estimator
    link = _link(asked)
    # The exponential loss has half the log odds for its scores.
    factor = 2.0 if boosted.loss == "exponential" else 1.0
    lines = [[each.tree_ for each in line] for line in boosted.estimators_]
    natives = NativeTrees(asked, [native for line in lines for native in line])
    nodes = []
    for native in natives.trees:
        steps = boosted.learning_rate * native.value[:, 0, 0] * factor
        nodes.append(natives.nodes(native, _as_steps(native, steps), is_step=True))
    adds_to = [place for line in lines for place in range(len(line))]
    base = tuple(factor * each for each in _base(asked))
    return _sum(asked, nodes, adds_to, base, link, float(natives.trees[0].weighted_n_node_samples[0]))


def _link(asked: FittedEstimator) -> Link:
    if asked.is_classifier:
        return "logistic" if len(asked.estimator.classes_) == 2 else "softmax"
    loss = str(asked.estimator.loss)
    if loss not in _LINKS:
        raise ModelFileError(f"The loss '{loss}' of {type(asked.estimator).__name__} has no link here.")
    return _LINKS[loss]


def _base(asked: FittedEstimator) -> tuple[float, ...]:
    """The scores before the first tree."""
    boosted = asked.estimator
    start = boosted.init_
    scores = int(boosted.estimators_.shape[1])
    if isinstance(start, str) and start == "zero":
        return tuple([0.0] * scores)
    kind = type(start).__name__
    if kind == "DummyRegressor":
        constant = float(np.ravel(start.constant_)[0])
        return (constant,)
    if kind != "DummyClassifier" or start.strategy not in ("prior", "stratified"):
        raise ModelFileError(
            f"{type(boosted).__name__} begins with the predictions of a {kind}, which a sum of trees cannot "
            "begin with. Leave out init."
        )
    priors = np.clip(np.asarray(start.class_prior_, dtype=np.float64), _LEAST, 1 - _LEAST)
    if scores == 1:
        odds = math.log(float(priors[1]) / (1 - float(priors[1])))
        return (0.5 * odds if boosted.loss == "exponential" else odds,)
    scores_of: list[float] = (np.log(priors) - np.log(priors).mean()).tolist()
    return tuple(scores_of)


def read_histogram_boosting(asked: FittedEstimator) -> Model:
    """HistGradientBoostingClassifier and …Regressor: double thresholds, sets of categories, empty cells."""
    boosted = asked.estimator
    link, schema = _link(asked), asked.schema()
    nodes, adds_to = [], []
    features = _as_categories(asked)
    limits = _limits(boosted._predictors, features)
    for line in boosted._predictors:
        for place, predictor in enumerate(line):
            draft = _predictor_draft(predictor, features, asked.positions, limits)
            nodes.append(nodes_of(draft, schema, is_step=True, scores=1))
            adds_to.append(place)
    base = tuple(map(float, np.ravel(boosted._baseline_prediction)))
    rows = float(boosted._predictors[0][0].nodes["count"][0])
    return _sum(asked, nodes, adds_to, base, link, rows, "gain")


def _as_categories(asked: FittedEstimator) -> list[Feature]:
    """The features; a categorical one without names of its values cannot be read."""
    flags = getattr(asked.estimator, "_is_categorical_remapped", None)
    for place, feature in enumerate(asked.features):
        if flags is not None and flags[place] and not isinstance(feature, LookupFeature):
            raise ModelFileError(f"The categories of '{feature.column}' are not known. Give its values.")
    return asked.features


def _limits(predictors: Any, features: list[Feature]) -> dict[tuple[int, float], float]:
    """The thresholds of features behind scalers as those of their columns; trees share most of them."""
    moved_to: dict[tuple[int, float], float] = {}
    nodes = np.concatenate([predictor.nodes for line in predictors for predictor in line])
    nodes = nodes[(nodes["is_leaf"] == 0) & (nodes["is_categorical"] == 0)]
    for place, feature in enumerate(features):
        if isinstance(feature, NumberFeature) and feature.steps:
            asked = np.unique(nodes["num_threshold"][nodes["feature_idx"] == place])
            limits = moved(feature, partial(np.greater_equal, asked), len(asked))
            moved_to.update(zip(((place, each) for each in asked.tolist()), limits.tolist(), strict=True))
    return moved_to


def _predictor_draft(
    predictor: Any, features: list[Feature], positions: dict[str, int], limits: dict[tuple[int, float], float]
) -> DraftNode:
    nodes = predictor.nodes
    counts = np.column_stack([nodes["count"], _inner_values(nodes), np.zeros(len(nodes))])
    splits = {}
    for number in np.flatnonzero(nodes["is_leaf"] == 0).tolist():
        node = nodes[number]
        feature = features[int(node["feature_idx"])]
        splits[number] = TwoBranches(
            positions[feature.column],
            _sides(predictor, node, feature, limits),
            int(node["left"]),
            int(node["right"]),
            max(float(node["gain"]), 0.0),
        )
    return draft_in_order(splits, counts, is_numeric=True)


def _inner_values(nodes: Any) -> Floats:
    """[node] the step of a leaf; of a split the mean of the rows below."""
    values = np.array(nodes["value"], dtype=np.float64)
    for number in range(len(nodes) - 1, -1, -1):
        if not nodes["is_leaf"][number]:
            below = [int(nodes["left"][number]), int(nodes["right"][number])]
            values[number] = np.average(values[below], weights=np.maximum(nodes["count"][below], 1e-300))
    return values


def _sides(predictor: Any, node: Any, feature: Feature, limits: dict[tuple[int, float], float]) -> TwoSides:
    nan_left = bool(node["missing_go_to_left"])
    if node["is_categorical"]:
        assert isinstance(feature, LookupFeature)
        bits = predictor.raw_left_cat_bitsets[int(node["bitset_idx"])]
        numbers = (*feature.numbers, feature.missing, 0.0 if feature.unseen is None else feature.unseen)
        return lookup_sides(feature, [_is_in(bits, number, nan_left) for number in numbers], nan_left)
    threshold = float(node["num_threshold"])
    if isinstance(feature, LookupFeature):
        numbers = (*feature.numbers, feature.missing, 0.0 if feature.unseen is None else feature.unseen)
        return lookup_sides(feature, [number <= threshold for number in numbers], nan_left)
    assert isinstance(feature, NumberFeature)
    limit = limits.get((int(node["feature_idx"]), threshold), threshold)
    return number_sides(limit, missing_side(feature, feature.missing <= threshold, nan_left))


def _is_in(bits: Any, number: float, nan_left: bool) -> bool:
    """Is this category in the set of 256 bits? One below 0 counts as missing."""
    if math.isnan(number) or number < 0:
        return nan_left
    code = int(number)
    return bool((int(bits[code // 32]) >> (code % 32)) & 1)


def _sum(
    asked: FittedEstimator,
    nodes: list[Nodes],
    adds_to: list[int],
    base: tuple[float, ...],
    link: Link,
    rows: float,
    score: str = "decrease",
) -> Ensemble:
    loss = getattr(asked.estimator, "loss", "")
    quantile = None
    if loss == "absolute_error":
        quantile = 0.5
    elif loss == "quantile":
        given = getattr(asked.estimator, "quantile", None)
        quantile = float(asked.estimator.alpha if given is None else given)
    return Ensemble(
        asked.schema(),
        joined_trees(nodes, "step", adds_to=adds_to, score_names=(score,)),
        combined_by="sum",
        base=base,
        link=link,
        quantile=quantile,
        origin=asked.origin(rows),
    )


# Trees that scikit-learn combines in other ways than a forest: AdaBoost's votes, and bags of trees.


def read_ada_boost(asked: FittedEstimator) -> Model:
    """AdaBoostClassifier (SAMME): every tree has a vote of its weight w for its class.

    Of two classes the log odds are twice the sum of ±w, divided by the sum of w. Of K classes a class's score
    is the sum of w where a tree answers it, and of −w ÷ (K − 1) where it does not, divided by K − 1 and the
    sum of w; the shares are the softmax of the scores.
    """
    boosted = asked.estimator
    if getattr(boosted, "algorithm", "SAMME") == "SAMME.R":
        raise ModelFileError(
            "This AdaBoostClassifier adds up logarithms of its trees' probabilities (SAMME.R), which is not "
            "read. Fit it with algorithm='SAMME'."
        )
    natives, classes = _natives(asked), len(boosted.classes_)
    if classes < 2:
        raise ModelFileError("This AdaBoostClassifier knows one class only.")
    weights = np.asarray(boosted.estimator_weights_, dtype=np.float64)[: len(natives.trees)]
    total = float(weights.sum())
    if not total > 0:
        raise ModelFileError("The trees of this AdaBoostClassifier weigh nothing together.")
    nodes, adds_to = [], []
    for native, tree, weight in zip(natives.trees, boosted.estimators_, weights.tolist(), strict=True):
        answered = np.searchsorted(boosted.classes_, tree.classes_)[native.value[:, 0, :].argmax(axis=1)]
        for score in range(1) if classes == 2 else range(classes):
            own = answered == (1 if classes == 2 else score)
            step = 2.0 * weight / total if classes == 2 else weight / total / (classes - 1)
            steps = np.where(own, step, -step if classes == 2 else -step / (classes - 1))
            nodes.append(natives.nodes(native, _as_steps(native, steps), is_step=True))
            adds_to.append(score)
    base = (0.0,) * (1 if classes == 2 else classes)
    rows = float(natives.trees[0].n_node_samples[0])
    return _sum(asked, nodes, adds_to, base, "logistic" if classes == 2 else "softmax", rows)


def read_bagging(asked: FittedEstimator) -> Model:
    """BaggingClassifier and BaggingRegressor of trees: the mean of their shares or numbers."""
    bag, natives = asked.estimator, _natives(asked)
    nodes = []
    for native, tree, chosen in zip(natives.trees, bag.estimators_, bag.estimators_features_, strict=True):
        features = [asked.features[place] for place in chosen]
        counts = (
            _shares(native, tree, bag) if asked.is_classifier else _as_steps(native, native.value[:, 0, 0])
        )
        nodes.append(natives.nodes(native, counts, features=features))
    # A tree has the rows that it drew, of which some are drawn twice.
    return mean_of_trees(
        asked, nodes, float(getattr(bag, "_n_samples", 0) or natives.trees[0].n_node_samples[0])
    )


def _natives(asked: FittedEstimator) -> NativeTrees:
    """The trees that are combined, if trees are."""
    ensemble = asked.estimator
    for each in ensemble.estimators_:
        if class_name(each) not in TREES:
            raise ModelFileError(
                f"This {type(ensemble).__name__} combines models of the class {class_name(each)}; one of "
                f"trees can be read: {', '.join(TREES)}."
            )
        if getattr(each, "n_outputs_", 1) != 1:
            raise ModelFileError(f"This {type(ensemble).__name__} predicts several targets at once.")
    return NativeTrees(asked, [each.tree_ for each in ensemble.estimators_])


def _as_steps(native: Any, steps: Floats) -> Floats:
    weights = np.asarray(native.weighted_n_node_samples, dtype=np.float64)
    return np.column_stack([weights, steps, np.zeros_like(weights)])


def _shares(native: Any, tree: Any, bag: Any) -> Floats:
    """[node, class] counts; a tree that was drawn no row of a class has no share of it."""
    own = tree_class_counts(
        native.value[:, 0, :], np.asarray(native.weighted_n_node_samples, dtype=np.float64)
    )
    counts = np.zeros((len(own), len(bag.classes_)))
    # Classes are numbers to the trees in a bag.
    counts[:, np.asarray(tree.classes_, dtype=np.int64)] = own
    return counts
