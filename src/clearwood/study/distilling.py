"""Distilling: a tree or rule list that a person can read learns to answer as another model does.

The learner gets rows with the other model's answers in place of the truth: those of a table, and rows made of
its cells, on which the model can be asked as well (after Craven and Shavlik 1996). What was learned is then
compared with the model on rows of the table that were not used, region by region.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.bounds import at_least, choice
from clearwood.counting.chance import chance_key, draw
from clearwood.errors import LearningError, SettingError
from clearwood.explain.answer_matrix import answer_matrix
from clearwood.learners.learner import Learner
from clearwood.models.kinds import check_kind
from clearwood.models.lineage import Distilled
from clearwood.models.model import Model, size_of
from clearwood.predict import predict, predict_codes
from clearwood.predict.columns import column_for, table_for
from clearwood.study.distilled_regions import DistilledRegion, regions_of
from clearwood.study.row_marks import has_seen
from clearwood.table.folding import hold_out, shuffled
from clearwood.table.table import Column, Table
from clearwood.words.numbers import percent_to

By: TypeAlias = Literal["answers", "shares"]
_LEAST: Final = 1e-6  # a smaller share is too light a row beside the others


@dataclass(frozen=True, slots=True, eq=False)
class Distillation:
    """What was learned, how well it imitates on `rows` that were not used, and where it does not.

    `fidelity` is the weighted part of them that both answer alike; of numbers the part of the variance of the
    model's answers that the imitation follows. `accuracy` and `accuracy_of_model` are the same against the
    truth, None where the table has none. `model_learned_from`: the model was learned from this very table, so
    its own score is too good. `regions` are leaves or rules, those that cost most fidelity first.
    """

    model: Model
    fidelity: float
    accuracy: float | None
    accuracy_of_model: float | None
    rows: int
    learned_from: int
    made: int
    regions: tuple[DistilledRegion, ...]
    model_learned_from: bool = False

    def to_json(self) -> dict[str, Any]:
        """As plain data, without the model."""
        return {
            "fidelity": self.fidelity,
            "accuracy": self.accuracy,
            "accuracy_of_model": self.accuracy_of_model,
            "rows": self.rows,
            "learned_from": self.learned_from,
            "made": self.made,
            "model_learned_from": self.model_learned_from,
            "regions": [each.to_json() for each in self.regions],
        }

    def __str__(self) -> str:
        return distillation_text(self)


def distil(
    model: Model,
    table: Any,
    learner: Learner[Model],
    *,
    made: float = 1.0,
    by: By = "answers",
    test_part: float = 0.3,
    seed: int = 0,
) -> Distillation:
    """A model by this learner that imitates another one, and how well it does.

    `made` rows are made for each row of the table: the cells of about half of the columns are shuffled among
    the rows. With `by` "shares" a row is learned once for each class, with the class's share as its weight.
    The `test_part` of the table is held out, and fidelity is counted on it.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("buys_computer"), target="buys_computer")
    >>> done = distil(cw.NaiveBayes().learn(table), table, cw.C45(), made=20, seed=1)
    >>> done.learned_from, done.made, done.rows, done.model.origin.title
    (10, 200, 4, 'C45, distilled from NaiveBayes')
    """
    check_kind("distil", model)
    at_least("made", made, 0)
    choice("by", by, ("answers", "shares"))
    if not hasattr(learner, "learn"):
        raise SettingError(f"distil takes a learner, such as C45(), not a {type(learner).__name__}.")
    if by == "shares" and model.is_numeric:
        raise SettingError("The model predicts numbers, which have no shares: leave out by='shares'.")
    whole = _rows_of(model, table)
    kept, apart = hold_out(whole, test_part, seed, stratified=False)
    own = whole.take(kept)
    copies = _made(own, round(made * len(own)), seed)
    asked = _joined([own, copies]) if len(copies) else own
    learned = learner.learn(_with_shares(model, asked) if by == "shares" else _with_answers(model, asked))
    tested = whole.take(apart)
    theirs, ours = _answers(model, tested), _answers(learned, tested)
    weights = np.ones(len(tested)) if tested.weights is None else tested.weights
    fidelity = _agreement(theirs, ours, weights, numeric=model.is_numeric)
    truth = _truth(model, tested)
    own_score, model_score = (
        None if truth is None else _agreement(truth, each, weights, numeric=model.is_numeric)
        for each in (ours, theirs)
    )
    entry = Distilled(model.origin, fidelity, len(own), len(copies))
    named = replace(learned, origin=learned.origin.then(entry))
    regions = regions_of(learned, tested, theirs, ours, weights)
    return Distillation(
        named,
        fidelity,
        own_score,
        model_score,
        len(tested),
        len(own),
        len(copies),
        regions,
        model_learned_from=truth is not None and has_seen(model, whole),
    )


def distillation_text(done: Distillation) -> str:
    """Size, fidelity and the regions that cost most of it, in sentences."""
    size, unit = size_of(done.model)
    numeric = done.model.is_numeric
    parts = [
        f"Size: {size:,} {unit}. It was learned from the answers to {done.learned_from:,} rows and "
        f"{done.made:,} made of their cells.",
        f"On {done.rows:,} rows that were not used the two "
        + (
            f"share {percent_to(done.fidelity)} of the variance of the model's answers."
            if numeric
            else f"answer alike for {percent_to(done.fidelity)}."
        ),
    ]
    if done.accuracy is not None and done.accuracy_of_model is not None:
        what = "Variance explained" if numeric else "Accuracy"
        own, model = percent_to(done.accuracy), percent_to(done.accuracy_of_model)
        parts.append(f"{what} there: {own}, of the model itself {model}.")
        if done.model_learned_from:
            parts.append(
                "The model was learned from these rows, so its own score is too good. To compare them, give "
                "rows that it has not seen."
            )
    worst = [each for each in done.regions if each.disagreement > 0][:5]
    if worst:
        parts.append("Where they differ most:" if len(worst) > 1 else "Where they differ:")
        parts += [f"  {each}" for each in worst]
    return "\n".join(parts)


def _rows_of(model: Model, table: Any) -> Table:
    """The rows as a table of the model's columns, coded as the model codes them."""
    given = table if isinstance(table, Table) else table_for(model, table)
    schema = model.schema
    columns: dict[str, Column] = {}
    for attribute in schema.inputs:
        if attribute.name in given.columns:
            columns[attribute.name] = column_for(attribute, given)
    if len(given) < 2:
        raise SettingError("distil needs at least two rows: one to learn from and one to compare on.")
    missing = [each.name for each in schema.inputs if each.name not in columns]
    if missing:
        inputs = tuple(each for each in schema.attributes if each.name not in missing)
        schema = replace(schema, attributes=inputs)
    assert schema.target is not None
    if schema.target.name in given.columns:
        columns[schema.target.name] = column_for(schema.target, given)
    return Table(schema, columns, given.weights, rows=len(given), weights_are=given.weights_are)


def _made(table: Table, count: int, seed: int) -> Table:
    """So many rows with about half of their columns shuffled, each column by chance in each copy."""
    inputs = [each.name for each in table.schema.inputs]
    copies = []
    for copy in range(-(-count // len(table))):
        columns = dict(table.columns)
        for place, name in enumerate(inputs):
            key = chance_key(seed, copy, place)
            if draw(key, 0) % 2:
                columns[name] = columns[name][shuffled(len(table), draw(key, 1))]
        copies.append(replace(table, columns=columns, checked=True))
    if not copies:
        return table.take(np.arange(0))
    return _joined(copies).take(np.arange(count))


def _joined(tables: Sequence[Table]) -> Table:
    first = tables[0]
    columns = {name: np.concatenate([each.columns[name] for each in tables]) for name in first.columns}
    weights = None
    if first.weights is not None:
        weights = np.concatenate([each.weights for each in tables if each.weights is not None])
    rows = sum(len(each) for each in tables)
    return replace(first, columns=columns, weights=weights, rows=rows, places=None, checked=True)


def _answers(model: Model, table: Table) -> Column:
    """[row] the code of the class, −1 where the model does not answer; or the number."""
    if model.is_numeric:
        return np.asarray(predict(model, table), dtype=np.float64)
    return predict_codes(model, table)


def _with_answers(model: Model, table: Table) -> Table:
    answers = _answers(model, table)
    known = np.isfinite(answers) if model.is_numeric else answers >= 0
    return _with_target(model, table, answers).take(_some(known))


def _with_shares(model: Model, table: Table) -> Table:
    """Each row once for each class that has a share."""
    shares = answer_matrix(model, table)
    weights = np.ones(len(table)) if table.weights is None else table.weights
    weighty = shares > _LEAST
    _some(np.asarray(weighty.any(axis=1)))
    rows, classes = np.nonzero(weighty)
    many = _with_target(model, table.take(rows), classes.astype(np.int32))
    return replace(many, weights=weights[rows] * shares[rows, classes], weights_are="counts", checked=True)


def _some(known: Column) -> Longs:
    if not known.any():
        raise LearningError("The model answers none of these rows: there is nothing to imitate.")
    return np.flatnonzero(known)


def _with_target(model: Model, table: Table, answers: Column) -> Table:
    assert model.schema.target is not None
    return replace(table, columns={**table.columns, model.schema.target.name: answers}, checked=True)


def _truth(model: Model, table: Table) -> Column | None:
    """[row] what is known to be true; None where nothing is."""
    assert model.schema.target is not None
    column = table.columns.get(model.schema.target.name)
    if column is None:
        return None
    return column if bool((np.isfinite(column) if model.is_numeric else column >= 0).any()) else None


def _agreement(one: Column, other: Column, weights: Floats, *, numeric: bool) -> float:
    """Of classes the part that is equal; of numbers the part of the first's variance that the second follows.

    Rows where the first has no answer do not count.
    """
    known = np.isfinite(one) if numeric else one >= 0
    one, other, weights = one[known], other[known], weights[known]
    if not weights.sum() > 0:
        return float("nan")
    if not numeric:
        return float(np.average(one == other, weights=weights))
    middle = np.average(one, weights=weights)
    spread = np.average((one - middle) ** 2, weights=weights)
    left = np.average((one - np.nan_to_num(other, nan=float(middle))) ** 2, weights=weights)
    return float(1 - left / spread) if spread > 0 else float(left == 0)
