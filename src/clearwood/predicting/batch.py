"""Many rows at once, whatever the model: their classes or numbers, and the shares behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Generic, assert_never

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats, Ints
from clearwood.errors import SettingError
from clearwood.models.decision import (
    NOTHING,
    ShareSmoothing,
    adjusted,
    cheapest,
    check_smoothing,
    cost_matrix,
    decided,
)
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble, Member
from clearwood.models.kinds.kind import ModelT, kind_of
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model, check_kind
from clearwood.predicting.columns import cells_at, table_for
from clearwood.predicting.of_additive import (
    codes_of_additive,
    linked,
    numbers_of_additive,
    shares_of_additive,
    shares_of_scores,
)
from clearwood.predicting.of_rules import (
    codes_of_rules,
    intervals_of_rules,
    named_by_rules,
    numbers_of_rules,
    shares_of_rules,
)
from clearwood.predicting.of_trees import (
    CompiledTrees,
    codes_of_tree,
    compiled_apart,
    compiled_trees,
    intervals_of_tree,
    leaves_of_tree,
    numbers_of_tree,
    shares_of_tree,
)
from clearwood.records import dataclass
from clearwood.table.table import Table


def predict(model: Model, rows: Any) -> npt.NDArray[Any]:
    """[row] the name of each row's class, or its number where the model predicts numbers.

    `rows` is a Table, or anything a table can be made of. Where a rule list says nothing the prediction is
    None, or NaN for a number; it is None as well where the decision refers a row.
    """
    check_kind("predict", model)
    if not model.is_numeric:
        names = np.array([*model.schema.classes, None], dtype=object)
        return names[predict_codes(model, rows)]
    return plain_numbers(model, table_for(model, rows))


def predict_codes(model: Model, rows: Any) -> Ints:
    """[row] the position of each row's class in `model.schema.classes`; −1 where there is no answer: a rule
    list says nothing, or the row is referred."""
    classes_only(model)
    table = table_for(model, rows)
    if not model.decision.is_plain:
        named = named_by_rules(model, table) if isinstance(model, RuleList) else None
        shares = adjusted(plain_shares(model, table), model.decision)
        return decided(shares, model.decision, model.schema.classes, named)
    return plain_codes(model, table)


def shares(model: Model, rows: Any, *, smoothing: ShareSmoothing = None) -> Floats:
    """[row, class] the probability of each class; `smoothing` "laplace" adds 1 to each class's rows, m adds m
    × the shares of all rows. Where a rule list says nothing, every probability is 0. A Bayes model has its
    own smoothing. The decision's calibration and prevalence are in them."""
    check_kind("shares", model)
    classes_only(model)
    return adjusted(plain_shares(model, table_for(model, rows), smoothing), model.decision)


# Before all in a decision but priors and costs: so members of ensembles answer.


def plain_numbers(model: Model, table: Table) -> Floats:
    """[row] its number; NaN where it says nothing."""
    numbers = _batch_of(model).numbers
    if numbers is None:
        raise SettingError(f"{kind_of(model).title} predicts classes, not numbers.")
    return numbers(model, table)


def plain_codes(model: Model, table: Table) -> Ints:
    """[row] the position of the class of least expected cost; −1 where it says nothing."""
    return _batch_of(model).codes(model, table)


def plain_shares(model: Model, table: Table, smoothing: ShareSmoothing = None) -> Floats:
    """[row, class] as they are before the decision adjusts them; all 0 where it says nothing."""
    batch = _batch_of(model)
    if smoothing is None:
        return batch.shares(model, table)
    if batch.smoothed is None:
        raise SettingError(f"smoothing is for counts; {kind_of(model).called} has none.")
    return batch.smoothed(model, table, smoothing)


def intervals_of_kind(model: Model, table: Table, confidence: float) -> Floats:
    """[row, 2] both ends of each answer's interval; a sentence where the model has none."""
    intervals = _batch_of(model).intervals
    if isinstance(intervals, str):
        raise SettingError(intervals)
    return intervals(model, table, confidence)


def leaf_of(tree: Tree, rows: Any) -> Ints:
    """[row] the leaf that each row reaches; of several, the one with its largest part (first of equals)."""
    check_kind("leaf_of", tree, Tree)
    return leaves_of_tree(tree, table_for(tree, rows))


def classes_only(model: Model) -> None:
    """Refuse a model that predicts numbers."""
    if model.is_numeric:
        kind = "tree predicts" if isinstance(model, Tree) else "model predicts"
        raise SettingError(f"This {kind} a number: it has values, by predict, but no class probabilities.")


def why_no_intervals(model: Model) -> str | None:
    """Why answers of its kind have no intervals; None where they may have."""
    intervals = _batch_of(model).intervals
    return intervals if isinstance(intervals, str) else None


# Ensembles: of trees natively, of members of other kinds by one after another.


def codes_of_ensemble(ensemble: Ensemble, table: Table) -> Ints:
    """[row] the position of each row's class: that of least expected cost, first of equals; −1 where no
    member says anything."""
    shares = shares_of_ensemble(ensemble, table)
    codes = cheapest(shares, cost_matrix(ensemble.decision))
    if ensemble.trees is not None:
        return codes
    return np.where((shares > 0).any(axis=1), codes, np.int32(NOTHING))


def shares_of_ensemble(ensemble: Ensemble, table: Table, smoothing: ShareSmoothing = None) -> Floats:
    """[row, class] the members' shares or votes combined, or what the link makes of their sum."""
    check_smoothing(smoothing, ensemble.origin)
    if smoothing is not None and (ensemble.combined_by != "mean" or ensemble.trees is None):
        raise SettingError("smoothing is for counts; only an ensemble that averages trees has some.")
    return shares_from(ensemble, scores_of_ensemble(ensemble, table, smoothing))


def shares_from(ensemble: Ensemble, scores: Floats) -> Floats:
    """[row, class] the shares that these scores of members come to."""
    if ensemble.combined_by != "sum":
        return scores
    return shares_of_scores(scores, ensemble.link, ensemble.decision)


def numbers_of_ensemble(ensemble: Ensemble, table: Table) -> Floats:
    """[row] the number that each row is answered."""
    return numbers_from(ensemble, scores_of_ensemble(ensemble, table))


def numbers_from(ensemble: Ensemble, scores: Floats) -> Floats:
    """[row] the numbers that these scores of members come to."""
    return linked(scores, ensemble.link)[:, 0] if ensemble.combined_by == "sum" else scores[:, 0]


def answers_by_member(ensemble: Ensemble, table: Table) -> Floats:
    """[row, member, ·] what each member says by itself: shares (1 for its class where members vote), or one
    number; of a sum its step."""
    trees = ensemble.trees
    if trees is None:
        return np.stack([_own(ensemble, member, table) for member in ensemble.models], axis=1)
    compiled = compiled_apart(ensemble)
    cells, values = cells_at(ensemble.schema, compiled.tested, table)
    return compiled.sums(cells, values, len(table)).reshape(len(table), len(trees), -1)


def scores_of_ensemble(ensemble: Ensemble, table: Table, smoothing: ShareSmoothing = None) -> Floats:
    """[row, score] what the members add up to: of a mean or of votes the shares or the number, of a sum its
    scores before the link, on whose scale members add up."""
    trees = ensemble.trees
    if trees is None:
        return _combined_models(ensemble, table)
    compiled = compiled_trees(ensemble) if smoothing is None else CompiledTrees(ensemble, smoothing)
    cells, values = cells_at(ensemble.schema, compiled.tested, table)
    return compiled.finished(compiled.sums(cells, values, len(table)))


def _combined_models(ensemble: Ensemble, table: Table) -> Floats:
    """[row, ·] by one member after another. Where a member has no answer, the others' count alone."""
    weights = np.array(ensemble.weights or [1.0] * ensemble.size)
    width = 1 if ensemble.is_numeric else len(ensemble.schema.classes)
    totals, heard = np.zeros((len(table), width)), np.zeros((len(table), 1))
    for member, weight in zip(ensemble.models, weights.tolist(), strict=True):
        own = _own(ensemble, member, table)
        silent = np.isnan(own[:, :1]) if ensemble.is_numeric else ~(own > 0).any(axis=1, keepdims=True)
        totals += np.where(silent, 0.0, weight * own)
        heard += np.where(silent, 0.0, weight)
    nothing = np.nan if ensemble.is_numeric else 0.0
    return np.divide(totals, heard, out=np.full_like(totals, nothing), where=heard > 0)


def _own(ensemble: Ensemble, member: Member, table: Table) -> Floats:
    """[row, ·] what a member of another kind says."""
    if ensemble.is_numeric:
        return plain_numbers(member, table)[:, None]
    if ensemble.combined_by == "votes":
        width = len(ensemble.schema.classes)
        return np.eye(width + 1, width)[plain_codes(member, table)]  # −1 is the line of zeros
    return plain_shares(member, table)


# What each kind answers to many rows, natively or by arrays.


@dataclass(frozen=True, slots=True)
class BatchAnswers(Generic[ModelT]):
    """Of models of one kind: [row] classes, [row, class] shares, also `smoothed` by ways that its counts
    have, [row] numbers and [row, 2] intervals. None: it has no such; `intervals` says why there are none."""

    codes: Callable[[ModelT, Table], Ints]
    shares: Callable[[ModelT, Table], Floats]
    smoothed: Callable[[ModelT, Table, ShareSmoothing], Floats] | None
    numbers: Callable[[ModelT, Table], Floats] | None
    intervals: Callable[[ModelT, Table, float], Floats] | str


_TREE: Final = BatchAnswers(codes_of_tree, shares_of_tree, shares_of_tree, numbers_of_tree, intervals_of_tree)
_RULES: Final = BatchAnswers(
    codes_of_rules, shares_of_rules, shares_of_rules, numbers_of_rules, intervals_of_rules
)
_BAYES_INTERVALS: Final = (
    "A Bayes model has no intervals: its predictions do not rest on the rows of one leaf. "
    "It has probabilities, and explains them by evidence."
)
_ENSEMBLE: Final = BatchAnswers(
    codes_of_ensemble,
    shares_of_ensemble,
    shares_of_ensemble,
    numbers_of_ensemble,
    "An ensemble has no intervals: its predictions do not rest on the rows of one leaf. "
    "An explanation of a row says how far its members agree.",
)
_ADDITIVE: Final = BatchAnswers(
    codes_of_additive,
    shares_of_additive,
    None,
    numbers_of_additive,
    "An additive model has no intervals for its predictions: the bands are of each curve by itself. "
    "A picture of the model and its report show them.",
)


def _batch_of(model: Model) -> BatchAnswers[Any]:
    match model:
        case Tree():
            return _TREE
        case RuleList():
            return _RULES
        case BayesTables():  # late, as of linear models: whatever asks trees alone would wait for them
            from clearwood.predicting.bayes import codes_of_bayes, shares_of_bayes

            return BatchAnswers(codes_of_bayes, shares_of_bayes, shares_of_bayes, None, _BAYES_INTERVALS)
        case LinearModel():
            from clearwood.predicting.of_linear import codes_of_linear, intervals_of_linear, shares_of_linear

            return BatchAnswers(codes_of_linear, shares_of_linear, None, None, intervals_of_linear)
        case Ensemble():
            return _ENSEMBLE
        case AdditiveModel():
            return _ADDITIVE
        case _:
            assert_never(model)
