"""Distilling: a tree or rule list that a person can read learns to answer as another model does.

The learner gets rows with the other model's answers in place of the truth: those of a table, and rows made of
its cells, on which the model can be asked as well (after Craven and Shavlik 1996). What was learned is then
compared with the model on rows of the table that were not used, region by region.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.bounds import at_least, choice
from clearwood.errors import NamedOption, SettingError
from clearwood.explaining.dependence import answer_matrix
from clearwood.formulas.conditions import Condition
from clearwood.learners.learner import Learner
from clearwood.learners.training import fingerprint
from clearwood.learners.trees.pruning.weakest_links import cost_complexity_path, cut_at
from clearwood.models.in_words import all_of_shortened
from clearwood.models.kinds.tree.tree import Tree, path_to
from clearwood.models.lineage import Distilled
from clearwood.models.model import Model, check_kind, how_large, tree_or_rules
from clearwood.models.predicted import predicted, predicted_quantile
from clearwood.predicting.batch import leaf_of
from clearwood.predicting.of_rules import first_rule
from clearwood.records import JsonRecord, json_of
from clearwood.scoring.evaluation import number_evaluation
from clearwood.study.distilling.rows import (
    Teaching,
    check_own_pruning,
    codes_or_numbers,
    difference_of,
    fidelity_of,
    price_of_a_leaf,
    rows_for_model,
    shares_off,
    truth_of,
    with_answers,
    with_made_rows,
    with_shares,
    without_own_pruning,
)
from clearwood.study.known_rows import has_seen
from clearwood.table.folding import hold_out
from clearwood.table.table import Column, Table
from clearwood.words.numbers import figure, many, percent_to, row_count
from clearwood.words.numbers import rows as rows_of

By: TypeAlias = Literal["answers", "shares"]


@dataclass(frozen=True, slots=True, eq=False)
class Distillation:
    """What was learned, how well it imitates on `rows` that were not used, and where it does not.

    `fidelity` is the weighted part of them that both answer alike; of numbers the part of the variance of the
    model's answers that the imitation follows; `interval` is that of it at 95 %. `shares_off` is how far the
    shares of a row differ on average, None of numbers. `accuracy` and `accuracy_of_model` are the same
    against the truth, None where the table has none. `model_learned_from`: the model was learned from this
    very table, so its own score is too good. Where the model predicts a `quantile`, fidelity is of the mean
    absolute deviation of its answers from their median, `difference` is the mean absolute difference of both,
    and in place of accuracies stand `loss` and `loss_of_model`: the quantile loss against the truth, of a
    median the mean absolute error. `regions` are leaves or rules, the most costly ones first.
    """

    model: Model
    fidelity: float
    interval: tuple[float, float]
    shares_off: float | None
    accuracy: float | None
    accuracy_of_model: float | None
    rows: int
    learned_from: int
    made: int
    regions: tuple[DistilledRegion, ...]
    by: By = "answers"
    model_learned_from: bool = False
    quantile: float | None = None
    difference: float | None = None
    loss: float | None = None
    loss_of_model: float | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain data, without the model."""
        return json_of(self, "model")

    def __str__(self) -> str:
        return distillation_text(self)


def distil(
    model: Model,
    table: Any,
    learner: Learner[Model],
    *,
    made: float = 1.0,
    by: By = "answers",
    prune: bool = True,
    test_part: float = 0.3,
    seed: int = 0,
) -> Distillation:
    """A model by this learner that imitates another one, and how well it does.

    `made` rows are made for each row of the table: the cells of about half of the columns are shuffled among
    the rows. With `by` "shares" a row is learned once for each class, with the class's share as its weight.
    A tree is pruned, unless `prune` is False: of its subtrees by cost-complexity the smallest is kept whose
    fidelity, over folds of the rows that it learns from, is within one standard error of the best. Taught by
    shares, it grows without the learner's own pruning. The `test_part` of the table is held out from all of
    this, and fidelity is counted on it.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("buys_computer"), target="buys_computer")
    >>> done = distil(cw.NaiveBayes().learn(table), table, cw.C45(), made=20, seed=1)
    >>> done.learned_from, done.made, done.rows, done.model.origin.title
    (10, 200, 4, 'C45, distilled from NaiveBayes')
    """
    check_kind("distil", model)
    at_least("made", made, 0)
    choice("by", by, ("answers", "shares"))
    check_can_imitate(model, learner, by)
    whole = rows_for_model(model, table)
    kept, apart = hold_out(whole, test_part, seed, stratified=False)
    own, tested = whole.take(kept), whole.take(apart)
    asked = with_made_rows(own, round(made * len(own)), seed)
    learned, entry = _imitation(model, learner, own, asked, by=by, prune=prune, seed=seed)
    theirs, ours = codes_or_numbers(model, tested), codes_or_numbers(learned, tested)
    truth, quantile = truth_of(model, tested), predicted_quantile(model)
    weights = np.ones(len(tested)) if tested.weights is None else tested.weights
    alike = partial(fidelity_of, weights=weights, numeric=model.is_numeric, absolute=quantile is not None)
    fidelity, interval = alike(theirs, ours)
    accuracy = accuracy_of_model = loss = loss_of_model = None
    if truth is not None and quantile is None:
        accuracy, accuracy_of_model = (alike(truth, each)[0] for each in (ours, theirs))
    elif truth is not None:
        both = [number_evaluation(truth, each, weights, quantile) for each in (ours, theirs)]
        loss, loss_of_model = (each.score[1] for each in both)
    return Distillation(
        replace(learned, origin=learned.origin.then(replace(entry, fidelity=fidelity))),
        fidelity,
        interval,
        shares_off(model, learned, tested, weights),
        accuracy,
        accuracy_of_model,
        len(tested),
        len(own),
        len(asked) - len(own),
        regions_of(learned, tested, theirs, ours, weights),
        by=by,
        model_learned_from=truth is not None and has_learned_from(model, whole, table),
        quantile=quantile,
        difference=None if quantile is None else difference_of(theirs, ours, weights),
        loss=loss,
        loss_of_model=loss_of_model,
    )


def _imitation(
    model: Model, learner: Learner[Model], own: Table, asked: Table, *, by: By, prune: bool, seed: int
) -> tuple[Model, Distilled]:
    """What is learned from the model's answers to the rows `asked`, the `own` ones of the table first, and
    the entry in its lineage, whose fidelity is not known yet."""
    answered, places = with_answers(model, asked)

    def teach(rows: Table) -> Model:
        if by == "answers":
            return learner.learn(rows)
        return without_own_pruning(learner).learn(with_shares(model, rows))

    teaching = Teaching(teach, partial(answer_matrix, model) if by == "shares" else None)
    learned = teach(answered)
    alpha = price_of_a_leaf(learned, teaching, answered, places % len(own), seed) if prune else None
    made, quantile = len(asked) - len(own), predicted_quantile(model)
    entry = Distilled(model.origin, 0.0, len(own), made, by, alpha, quantile)
    if alpha is not None and isinstance(learned, Tree):
        learned = cut_at(learned, cost_complexity_path(learned, risk=entry.risk), alpha)
    # A row that is taught by shares is one row to the reader, though it was learned once for each class.
    weights_are = own.weights_are if own.weights is not None else None
    origin = replace(learned.origin, rows=len(answered), weights_are=weights_are)
    return replace(learned, origin=origin), entry


def check_can_imitate(model: Model, learner: Learner[Model], by: By) -> None:
    """Refuse a learner that cannot learn what this model answers."""
    if not hasattr(learner, "learn"):
        raise SettingError(f"distil takes a learner, such as C45(), not a {type(learner).__name__}.")
    name = type(learner).__name__
    if model.is_numeric and getattr(learner, "learns_numbers", None) is False:
        raise SettingError(
            f"{name} learns classes, and the model predicts numbers. To imitate it, use CART or CHAID."
        )
    if by == "answers":
        return
    if model.is_numeric:
        raise SettingError(
            "The model predicts numbers, which have no probabilities: leave out ",
            NamedOption("by", "shares"),
            ".",
        )
    if not getattr(learner, "learns_shares", True):
        raise SettingError(
            f"{name} takes every probability of another class for an error. Leave out ",
            NamedOption("by", "shares"),
            ", or imitate by probabilities with a tree (C45, CART or CHAID) and read that as rules.",
        )
    check_own_pruning(learner)


def has_learned_from(model: Model, whole: Table, given: Any) -> bool:
    """Was the model learned from these rows? Its profile knows them in any order, its fingerprint in one."""
    tables = (whole, given) if isinstance(given, Table) else (whole,)
    mark = model.origin.fingerprint
    return has_seen(model, whole) or bool(mark and any(fingerprint(each) == mark for each in tables))


# A distillation in sentences: its size, how well it imitates, and where it does not.


_REGIONS: Final = 5


def distillation_text(done: Distillation) -> str:
    """Size, fidelity with its interval, both scores, and the regions that cost most fidelity."""
    numeric = done.model.is_numeric
    taught = "probabilities for" if done.by == "shares" else "predictions for"
    made = f" and {done.made:,} made of their cells" if done.made else ""
    parts = [
        f"Size: {how_large(done.model)}. It was learned from the {taught} "
        f"{many(done.learned_from, 'row')}{made}."
    ]
    alike = f"predict the same for {percent_to(done.fidelity)}"
    if done.difference is not None:
        parts.append(f"What it imitates is {predicted(done.model)}.")
        alike = (
            f"differ by {figure(done.difference)} on average, and share {percent_to(done.fidelity)} of the "
            "absolute deviation of the model's predictions from their median"
        )
    elif numeric:
        alike = f"share {percent_to(done.fidelity)} of the variance of the model's predictions"
    # A part of the variance may be below 0.
    low, high = (f"{100 * end:.1f}".replace("-", "−") for end in done.interval)
    between = "" if math.isnan(done.interval[0]) else f" (95 % interval {low} to {high} %)"
    rows = f"{many(done.rows, 'row')} that {'was' if done.rows == 1 else 'were'} not used"
    parts.append(f"On {rows} the two {alike}{between}.")
    if done.by == "shares" and done.shares_off is not None and not math.isnan(done.shares_off):
        parts.append(
            f"Of a row's probability {percent_to(done.shares_off)} on average lies at another class."
        )
    if done.accuracy is not None and done.accuracy_of_model is not None:
        what = "Variance explained" if numeric else "Accuracy"
        own, model = percent_to(done.accuracy), percent_to(done.accuracy_of_model)
        parts.append(f"{what} there: {own}, of the model itself {model}.")
    if done.loss is not None and done.loss_of_model is not None:
        what = "Mean absolute error" if done.quantile == 0.5 else "Quantile loss"
        parts.append(f"{what} there: {figure(done.loss)}, of the model itself {figure(done.loss_of_model)}.")
    if done.model_learned_from and (done.accuracy, done.loss) != (None, None):
        parts.append(
            "The model was learned from these rows, so its own score is too good. To compare them, give "
            "rows that it has not seen."
        )
    worst = [f"  {each}" for each in done.regions if each.disagreement > 0][:_REGIONS]
    if worst:
        parts.append("Where they differ most:" if len(worst) > 1 else "Where they differ:")
    return "\n".join([*parts, *worst])


# The regions of an imitation: its leaves or rules, and how far it differs from the model in each.


_VALUES: Final = 5  # of a set that are named


@dataclass(frozen=True, slots=True)
class DistilledRegion(JsonRecord):
    """The rows under some conditions (none: the default rule), what both answer there, and how they differ.

    `number` is the leaf's node or the rule's place, −1 of the default rule. `disagreement` is the weighted
    part of the region's rows that the two answer differently; of numbers the root of the mean squared
    difference. `model_answers` are the model's classes there with their weight, or the mean of its numbers.
    """

    number: int
    when: tuple[Condition, ...]
    weight: float
    answer: str | float | None
    model_answers: dict[str, float] | float
    disagreement: float

    def __str__(self) -> str:
        place = all_of_shortened(self.when, _VALUES) or ("otherwise" if self.number < 0 else "all rows")
        rows = row_count(self.weight)
        if isinstance(self.model_answers, dict):
            answer = "no prediction" if self.answer is None else self.answer
            theirs = ", ".join(f"{name} {rows_of(weight)}" for name, weight in self.model_answers.items())
            return f"{place}: {answer}, the model {theirs}; {percent_to(self.disagreement)} of {rows} differ"
        own = figure(self.answer) if isinstance(self.answer, float) else "no prediction"
        means = f"{own}, the model {figure(self.model_answers)} on average"
        return f"{place}: {means}; off by {figure(self.disagreement)} in {rows}"


def regions_of(
    learned: Model, table: Table, theirs: Column, ours: Column, weights: Floats
) -> tuple[DistilledRegion, ...]:
    """One for each leaf, or rule that is the first to hold, that rows come to; none of other models.

    Those that cost most fidelity come first.
    """
    regions = tree_or_rules(learned)
    if regions is None:
        return ()
    if isinstance(regions, Tree):
        place: Longs = leaf_of(regions, table).astype(np.int64)
        conditions = {int(leaf): path_to(regions, int(leaf)) for leaf in np.unique(place)}
    else:
        place = first_rule(regions, table).astype(np.int64)
        conditions = {int(rule): regions.rules[rule].when if rule >= 0 else () for rule in np.unique(place)}
    classes = None if learned.is_numeric else learned.schema.classes
    made = []
    for where, when in conditions.items():
        here = (place == where) & (weights > 0)
        if here.any():
            given = _answers_of_both(classes, theirs[here], ours[here], weights[here])
            made.append(DistilledRegion(where, when, float(weights[here].sum()), *given))
    power = 2 if learned.is_numeric else 1
    return tuple(sorted(made, key=lambda each: (-each.weight * each.disagreement**power, each.number)))


def _answers_of_both(
    classes: tuple[str, ...] | None, theirs: Column, ours: Column, weights: Floats
) -> tuple[str | float | None, dict[str, float] | float, float]:
    """What the imitation answers in a region, what the model does, and how they differ."""
    if classes is None:
        off = float(np.sqrt(np.average((theirs - ours) ** 2, weights=weights)))
        return float(np.average(ours, weights=weights)), float(np.average(theirs, weights=weights)), off
    names: tuple[str | None, ...] = (*classes, None)
    counts, own = (
        np.bincount(np.where(each < 0, len(classes), each), weights, minlength=len(names))
        for each in (theirs, ours)
    )
    order = [code for code in np.argsort(-counts, kind="stable").tolist() if counts[code] > 0]
    answers = {names[code] or "no prediction": float(counts[code]) for code in order}
    return names[int(own.argmax())], answers, float(np.average(theirs != ours, weights=weights))
