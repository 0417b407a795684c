"""Charts of how good a model is: its answers beside the truth, and trees of its learner as they grow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, assert_never

from clearwood.catalogue import learner_of
from clearwood.draw import charts
from clearwood.draw.picture import Picture
from clearwood.errors import ClearwoodError
from clearwood.learners.learner import PricesTried, TreeLearner, Unpruned
from clearwood.learners.trees.pruning.own import own_pruner
from clearwood.learners.trees.pruning.weakest_links import CostComplexityPath, CrossValidatedAlpha
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import balanced_words
from clearwood.predicting.columns import table_for
from clearwood.reporting.markup import details, picture_html
from clearwood.scoring.calibration import calibration_of
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation
from clearwood.scoring.predictions import Judged, TrueAndPredicted, numbers_beside, shares_beside
from clearwood.scoring.roc import RocCurve, roc_of
from clearwood.study.behaviour.overfitting import overfitting
from clearwood.study.study import Study

_FEW_CLASSES: Final = 4
MANY_CLASSES: Final = 30  # of more, charts show the commonest
_COMMONEST: Final = 12
_QUICK: Final = 5_000  # rows: with more, growing trees once more on every fold takes long
_ENOUGH: Final = 40  # rows of all folds, for curves of their shares


def charts_of(study: Study, evaluation: Evaluation | None) -> list[Picture]:
    """The answers beside the truth, as far as they are enough for a picture."""
    if evaluation is None or evaluation.weight <= 0:
        return []
    answers = _answers(study)
    if isinstance(answers, TrueAndPredicted):
        return [charts.true_and_predicted(answers)] if len(answers.true) else []
    if not isinstance(evaluation, ClassEvaluation):
        return []
    drawn = [charts.confusion(evaluation)] if len(evaluation.classes) <= MANY_CLASSES else []
    if answers is None:
        return drawn
    try:
        ranked = roc_of(evaluation.classes, answers)
        drawn.append(charts.roc(replace(ranked, curves=_commonest(evaluation, ranked.curves))))
        if len(evaluation.classes) <= _FEW_CLASSES:
            drawn.append(charts.calibration(calibration_of(evaluation.classes, answers)))
    except ClearwoodError:
        pass  # rows of one class have no ranking, and a sentence on that would add nothing
    return drawn


def _commonest(evaluation: Evaluation, curves: tuple[RocCurve, ...]) -> tuple[RocCurve, ...]:
    kept = set(_commonest_classes(evaluation, tuple(each.name for each in curves)))
    return tuple(each for each in curves if each.name in kept)


def _commonest_classes(evaluation: Evaluation, names: tuple[str, ...]) -> tuple[str, ...]:
    """All of these classes, or of many the commonest, in their order."""
    if not isinstance(evaluation, ClassEvaluation) or len(names) <= MANY_CLASSES:
        return names
    rows = dict(zip(evaluation.classes, map(sum, evaluation.confusion), strict=True))
    kept = set(sorted(names, key=lambda name: -rows[name])[:_COMMONEST])
    return tuple(name for name in names if name in kept)


def calibrated(study: Study) -> list[str]:
    """The calibration of many classes, one panel for each, folded away."""
    classes, answers = study.model.schema.classes, _answers(study)
    if study.judged is None or not isinstance(answers, Judged) or len(classes) <= _FEW_CLASSES:
        return []
    try:
        calibration = calibration_of(classes, answers)
        kept = _commonest_classes(study.judged, calibration.classes)
        calibration = replace(calibration, reliability={name: calibration.reliability[name] for name in kept})
    except ClearwoodError:
        return []  # no row has a class that the model knows
    which = "class by class" if len(kept) == len(classes) else f"the {len(kept)} commonest classes"
    return [details(f"Calibration, {which}", picture_html(charts.calibration(calibration)))]


def growth_of(study: Study) -> list[str]:
    """How a tree of the same learner does as it grows: the curve that pruning is about."""
    rows = study.learned_from
    if not isinstance(study.model, Tree) or rows is None or len(rows) < 20 or balanced_words(study.model):
        return []  # of balanced rows it would be another tree
    try:
        curve = overfitting(Unpruned(learner_of(study.model.origin)), rows, seed=study.seed)
    except ClearwoodError:
        return []  # too few rows on one side, or a tree that was made by hand
    if len(curve.leaves) < 2:
        return []
    caption = (
        "A tree of the same learner, not pruned, grown on part of the rows that this one was "
        "learned from and tested "
        "on the rest of them: where the upper curve still climbs and the lower one falls, it "
        "overfits: it learns the rows by heart."
    )
    return ["<h3>As a tree grows</h3>", picture_html(charts.overfitting(curve), caption)]


def price_of(study: Study) -> list[str]:
    """How the price of a leaf, by which the learner pruned the tree, was chosen."""
    rows = study.grown_on
    if not isinstance(study.model, Tree) or rows is None or study.rounds or len(rows) > _QUICK:
        return []
    if balanced_words(study.model):
        return []  # other rows chose it
    try:
        learner: TreeLearner = learner_of(study.model.origin)
    except ClearwoodError:
        return []  # a tree that was made by hand
    for own in learner.prunings():
        prices = own_pruner(own.pruner).prices
        if prices is not None:
            tried = prices(learner.grow(rows), rows, learner.grow, own.settings)
            return _prices(tried, own.settings, by_costs=bool(learner.costs))
    return []


def _prices(tried: PricesTried, settings: Mapping[str, Any], *, by_costs: bool) -> list[str]:
    match tried:
        case CrossValidatedAlpha(path=path):
            caption = (
                "Each subtree was tried on folds of the rows that this one was learned from. They chose the "
                "price, so that the held-out error of the one chosen is somewhat too low."
            )
        case CostComplexityPath():
            path, caption = tried, f"Here a leaf costs {settings['alpha']:g}."
        case _:
            assert_never(tried)
    if len(path.alphas) < 2:
        return []
    caption = f"As a leaf gets dearer, the best subtree shrinks. {caption}"
    if by_costs:
        caption += " The error is what a row costs; one leaf is the best constant prediction."
    return ["<h3>What a leaf costs</h3>", picture_html(charts.cost_complexity(tried), caption)]


def _answers(study: Study) -> Judged | TrueAndPredicted | None:
    """What each row got that judges the model, from a model that had not seen it where there is one; None
    for folds of so few rows that curves of them would be noise."""
    if study.folds is not None:
        answers = study.folds.held_out
        return None if isinstance(answers, Judged) and len(answers.truth) < _ENOUGH else answers
    rows = table_for(
        study.model, study.held_out if study.held_out is not None else study.table, with_target=True
    )
    if study.model.is_numeric:
        return numbers_beside(study.model, rows)
    return shares_beside(study.model, rows)
