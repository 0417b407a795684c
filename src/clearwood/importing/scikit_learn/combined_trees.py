"""Trees that scikit-learn combines in other ways than a forest: AdaBoost's votes, and bags of trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ModelFileError
from clearwood.importing.draft_trees import nodes_of
from clearwood.importing.features import Feature
from clearwood.importing.scikit_learn.estimator import FittedEstimator
from clearwood.importing.scikit_learn.front import class_name
from clearwood.importing.scikit_learn.trees import TREES, draft_of, knows_missing, tree_class_counts
from clearwood.models.answers import Answers
from clearwood.models.ensemble import Ensemble
from clearwood.models.many_trees import joined_trees
from clearwood.models.model import Model


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
    natives = _natives(boosted)
    schema, classes = asked.schema(), len(boosted.classes_)
    if classes < 2:
        raise ModelFileError("This AdaBoostClassifier knows one class only.")
    explicit = knows_missing(natives)
    weights = np.asarray(boosted.estimator_weights_, dtype=np.float64)[: len(natives)]
    total = float(weights.sum())
    if not total > 0:
        raise ModelFileError("The trees of this AdaBoostClassifier weigh nothing together.")
    nodes, adds_to = [], []
    for native, tree, weight in zip(natives, boosted.estimators_, weights.tolist(), strict=True):
        answered = np.searchsorted(boosted.classes_, tree.classes_)[native.value[:, 0, :].argmax(axis=1)]
        for score in range(1) if classes == 2 else range(classes):
            own = answered == (1 if classes == 2 else score)
            step = 2.0 * weight / total if classes == 2 else weight / total / (classes - 1)
            steps = np.where(own, step, -step if classes == 2 else -step / (classes - 1))
            counts = _as_steps(native, steps)
            draft = draft_of(
                native, asked.features, asked.positions, counts, explicit=explicit, is_numeric=True
            )
            nodes.append(nodes_of(draft, schema, is_step=True, scores=1))
            adds_to.append(score)
    return Ensemble(
        schema,
        joined_trees(nodes, "step", adds_to=adds_to, score_names=("decrease",)),
        combined_by="sum",
        base=(0.0,) * (1 if classes == 2 else classes),
        link="logistic" if classes == 2 else "softmax",
        origin=asked.origin(float(natives[0].n_node_samples[0])),
    )


def read_bagging(asked: FittedEstimator) -> Model:
    """BaggingClassifier and BaggingRegressor of trees: the mean of their shares or numbers."""
    bag = asked.estimator
    natives = _natives(bag)
    schema, explicit = asked.schema(), knows_missing(natives)
    nodes = []
    for native, tree, chosen in zip(natives, bag.estimators_, bag.estimators_features_, strict=True):
        features: list[Feature] = [asked.features[place] for place in chosen]
        counts = (
            _shares(native, tree, bag) if asked.is_classifier else _as_steps(native, native.value[:, 0, 0])
        )
        draft = draft_of(
            native, features, asked.positions, counts, explicit=explicit, is_numeric=not asked.is_classifier
        )
        nodes.append(nodes_of(draft, schema, scores=1))
    answers: Answers = "shares" if asked.is_classifier else "mean"
    trees = joined_trees(nodes, answers, score_names=("decrease",))
    # A tree has the rows that it drew, of which some are drawn twice.
    rows = float(getattr(bag, "_n_samples", 0) or natives[0].n_node_samples[0])
    return Ensemble(schema, trees, combined_by="mean", origin=asked.origin(rows))


def _natives(ensemble: Any) -> list[Any]:
    for each in ensemble.estimators_:
        if class_name(each) not in TREES:
            raise ModelFileError(
                f"This {type(ensemble).__name__} combines models of the class {class_name(each)}; one of "
                f"trees can be read: {', '.join(TREES)}."
            )
        if getattr(each, "n_outputs_", 1) != 1:
            raise ModelFileError(f"This {type(ensemble).__name__} predicts several targets at once.")
    return [each.tree_ for each in ensemble.estimators_]


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
