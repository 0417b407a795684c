"""To decide anew: the same model with another cutoff, other costs, or with rows in doubt referred."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from clearwood.bounds import choice, whole
from clearwood.errors import ClearwoodWarning, SchemaError, SettingError
from clearwood.learners.training import decision_of, fingerprint
from clearwood.models.decision import Cutoff, Decision, check_decision
from clearwood.models.lineage import Calibrated, Decided, RowsUsed
from clearwood.models.model import Model, check_kind
from clearwood.predicting.columns import table_for
from clearwood.records import dataclass
from clearwood.scoring.calibration import calibration_of
from clearwood.scoring.costs import Matrix
from clearwood.scoring.coverage import Coverage, coverage, refer_for
from clearwood.scoring.cutoff_aims import (
    CutoffAim,
    ForCost,
    ForPrecision,
    ForRecall,
    aim_words,
    chosen_by,
    note_on_choice,
)
from clearwood.scoring.cutoffs import Cutoffs, cutoffs_of
from clearwood.scoring.positive import check_positive
from clearwood.scoring.predictions import Judged, check_judged, judged, judged_by_content
from clearwood.scoring.recalibration import METHODS, Method, calibrator_of, cross_calibrated
from clearwood.study.known_rows import among_words, has_seen, learned_among, unordered_mark
from clearwood.table import encode
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from clearwood.words.numbers import number

CostsByName = Mapping[tuple[str, str], float]


@dataclass(frozen=True, slots=True)
class Choosing:
    """The rows that choose: which, how many, and their fingerprint where it is not the model's own."""

    by: RowsUsed = "none"
    rows: int = 0
    mark: str = ""


def with_cutoff(
    model: Model,
    positive: str,
    at: float | None = None,
    *,
    table: Any = None,
    recall: float | None = None,
    precision: float | None = None,
    costs: CostsByName | None = None,
) -> Model:
    """The model that answers `positive` from a share of `at` on, and elsewhere the best of the others.

    Instead of `at`, rows that are new to the model choose: the greatest cutoff with this `recall`, the least
    with this `precision`, or that of least expected cost, by `costs` {(true, predicted): cost} (others 1), by
    the model's own; where nobody gave any, that of the fewest mistakes. A cutoff takes the place of costs,
    and keeps those that chose it, by which the model is judged from then on.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> model = cw.NaiveBayes().learn(days.take(range(8)))
    >>> with_cutoff(model, "No", table=days.take(range(8, 14)), recall=0.8).decision.cutoff
    Cutoff(positive='No', at=0.5, costs=())
    """
    check_kind("with_cutoff", model)
    _check_classes(model, "a cutoff")
    aims = {"recall": recall, "precision": precision, "costs": costs}
    given = [name for name, value in aims.items() if value is not None]
    if at is not None:
        if table is not None or given:
            raise SettingError("with_cutoff takes a cutoff, or a table that chooses it. Give one of them.")
        return with_aim(model, Cutoff(positive, at), None)
    if table is None:
        raise SettingError("with_cutoff needs a cutoff (at), or a table of new rows to choose it by.")
    if len(given) > 1:
        raise SettingError(f"One aim chooses the cutoff, not {' and '.join(given)}. Give one of them.")
    check_positive(positive, model.schema.classes)
    aim: CutoffAim = ForCost(positive, () if costs is None else costs_of_mistakes(model.schema, costs))
    if recall is not None:
        aim = ForRecall(positive, recall)
    elif precision is not None:
        aim = ForPrecision(positive, precision)
    rows, by = fresh_rows(model, table, "a cutoff")
    return with_rows_known(with_aim(model, aim, judged(model, rows), by), model, rows)


def with_aim(model: Model, aim: CutoffAim, shares: Judged | None, chosen: Choosing | None = None) -> Model:
    """The model with the cutoff that the aim asks for, by these rows' shares; None for one that is given."""
    check_positive(aim.positive, model.schema.classes)
    aim = _with_costs_kept(model, aim)
    cutoff, aimed = aim, ""
    if not isinstance(aim, Cutoff):
        assert shares is not None
        found = aimed_cutoffs(model, aim, shares)
        assert found.chosen is not None
        if said := note_on_choice(found):
            warnings.warn(said, ClearwoodWarning, stacklevel=2)
        costs = aim.costs if isinstance(aim, ForCost) else ()
        cutoff, aimed = Cutoff(aim.positive, found.chosen, costs), f", {aim_words(aim)},"
    assert isinstance(cutoff, Cutoff)
    by = Choosing() if chosen is None or cutoff is aim else chosen
    how = f"to {number(cutoff.at)} for {cutoff.positive}{aimed}"
    decision = replace(model.decision, cutoff=cutoff, costs=())
    return _decided_so(model, decision, Decided("cutoff", how, by.by, by.rows, by.mark))


def _decided_so(model: Model, decision: Decision, done: Calibrated | Decided) -> Model:
    """The model with this decision, as this entry of its lineage says."""
    check_decision(decision, model.schema.classes)
    return replace(model, decision=decision, origin=model.origin.then(done))


def aimed_cutoffs(model: Model, aim: CutoffAim, shares: Judged) -> Cutoffs:
    """The table of cutoffs, with the one that serves the aim; where nobody gave costs for it, every mistake
    counts 1."""
    aim, costs = _with_costs_kept(model, aim), model.decision.costs_kept
    if isinstance(aim, ForCost):
        classes = model.schema.classes
        ones = tuple(tuple(float(true != called) for called in classes) for true in classes)
        costs = aim.costs or ones
    return chosen_by(aim, _cutoffs(model, shares, aim.positive, costs))


def cutoffs(model: Model, table: Any, positive: str, *, costs: CostsByName | None = None) -> Cutoffs:
    """What each cutoff on a class's share would find, miss, raise and cost on these rows; `table` is a Table,
    or anything a table can be made of.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> print(cutoffs(cw.ID3(max_depth=1).learn(days), days, "No"))
    No is predicted from the cutoff on
    cutoff  recall     95 % interval  precision     95 % interval  hits  false alarms
    0       1.0000  0.5655 to 1.0000     0.3571  0.1634 to 0.6124     5             9
    0.2     1.0000  0.5655 to 1.0000     0.5000  0.2366 to 0.7634     5             5
    0.5     0.6000  0.2307 to 0.8824     0.6000  0.2307 to 0.8824     3             2
    0.8     0.0000  0.0000 to 0.4345          –                 –     0             0
    5 rows of No, 9 others
    """
    check_kind("cutoffs", model)
    _check_classes(model, "cutoffs")
    check_positive(positive, model.schema.classes)
    matrix = model.decision.costs_kept if costs is None else costs_of_mistakes(model.schema, costs)
    return _cutoffs(model, judged(model, table), positive, matrix)


def with_refer(
    model: Model, below: float | None = None, *, table: Any = None, accuracy: float | None = None
) -> Model:
    """The model that leaves a row unanswered where no class has a share of at least `below`.

    Instead of `below`, rows that are new to the model choose: the least share with which the rows answered
    are this accurate.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> cw.predict(with_refer(cw.ID3(max_depth=1).learn(days), 0.7), days.take([0, 2])).tolist()
    [None, 'Yes']
    """
    check_kind("with_refer", model)
    _check_classes(model, "a probability to refer rows by")
    if (below is None) == (table is None) or (table is None) != (accuracy is None):
        raise SettingError(
            "with_refer takes a probability, or a table of new rows and the accuracy that predictions are to "
            "have."
        )
    if below is not None:
        return referring(model, below)
    assert accuracy is not None
    rows, by = fresh_rows(model, table, "a probability to refer rows by")
    curve = refer_for(accuracy, coverage(model, rows))
    return with_rows_known(refer_chosen(model, curve, accuracy, by), model, rows)


def refer_chosen(model: Model, curve: Coverage, accuracy: float, by: Choosing) -> Model:
    """The model with the share that was chosen on a curve."""
    assert curve.chosen is not None
    how = f"to {number(curve.chosen)}, for predictions that are {number(accuracy)} accurate,"
    return referring(model, curve.chosen, Decided("refer", how, by.by, by.rows, by.mark))


def referring(model: Model, below: float, done: Decided | None = None) -> Model:
    """The model with this `refer`, as this entry of its lineage says."""
    decision = replace(model.decision, refer=below)
    return _decided_so(model, decision, done or Decided("refer", f"to {below:.10g}"))


def with_costs(model: Model, costs: CostsByName) -> Model:
    """The model that answers with the class of least expected cost: {(true, predicted): cost}, others 1.

    What it learned stays as it is; a cutoff is replaced.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> stump = cw.ID3(max_depth=1).learn(days)
    >>> cw.predict(with_costs(stump, {("No", "Yes"): 5}), days.take([3])).tolist()
    ['No']
    """
    check_kind("with_costs", model)
    _check_classes(model, "costs")
    decision = replace(model.decision, costs=costs_of_mistakes(model.schema, costs), cutoff=None)
    named = ", ".join(f"{true}/{called}:{number(cost)}" for (true, called), cost in costs.items())
    return _decided_so(model, decision, Decided("costs", f"to {named}"))


def costs_of_mistakes(schema: Schema, costs: CostsByName) -> Matrix:
    """Costs by name as a table [true class, predicted class]; those that are not named cost 1."""
    return decision_of(schema, np.ones(len(schema.classes)), None, dict(costs)).costs


def _cutoffs(model: Model, shares: Judged, positive: str, costs: Matrix) -> Cutoffs:
    decision = model.decision
    return cutoffs_of(
        model.schema.classes, shares, positive, costs=costs, refer=decision.refer, current=decision.cutoff
    )


def _with_costs_kept(model: Model, aim: CutoffAim) -> CutoffAim:
    """The aim; of least cost with the costs of the model, where it has none of its own."""
    if isinstance(aim, ForCost) and not aim.costs:
        return replace(aim, costs=model.decision.costs_kept)
    return aim


def _check_classes(model: Model, what: str) -> None:
    if model.is_numeric:
        raise SettingError(f"This model predicts numbers; {what} is for classes.")


# To calibrate: a model whose shares come true as often as they say, by rows it has not learned from.


def calibrate(model: Model, table: Any, method: Method = "platt", *, folds: int = 5, seed: int = 0) -> Model:
    """The model with calibrated shares: by Platt's curve, which a hundred rows can fit, or by isotonic steps,
    which take any rising shape and want a thousand.

    The rows must be new to the model. The lineage keeps log loss and Brier score before and after, in `folds`
    of the rows: each row is judged by a calibration that was fitted to the others. Calibration takes the
    place of a prevalence, since the rows have their own; one that was there before is replaced.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3] * 20, "y": list("aabbba") * 10}, target="y")
    >>> tree = cw.C45(min_rows=1, prune=False).learn(table.take(range(3)))
    >>> cw.shares(tree, table.take(range(2))).tolist()
    [[1.0, 0.0], [1.0, 0.0]]
    >>> cw.shares(calibrate(tree, table), table.take(range(2))).round(2).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    check_kind("calibrate", model)
    if model.is_numeric:
        raise SettingError("This model predicts numbers, which have no probabilities to calibrate.")
    choice("method", method, METHODS)
    folds = whole("folds", folds, 2)
    rows, by = fresh_rows(model, table, "the calibration")
    shares = judged(uncalibrated(model), rows)
    done = with_calibration(model, method, shares, by, folds=folds, seed=seed)
    return with_rows_known(done, model, rows)


def uncalibrated(model: Model) -> Model:
    """The model with its shares as they are before any adjustment."""
    bare = replace(model.decision, calibration=None, prevalence=(), trained_at=())
    return replace(model, decision=bare)


def with_calibration(
    model: Model, method: Method, shares: Judged, by: Choosing, *, folds: int, seed: int
) -> Model:
    """The model with the calibration that these rows' shares before any adjustment ask for."""
    check_judged(shares)
    shares = judged_by_content(shares)
    calibrator, classes = calibrator_of(method, shares), model.schema.classes
    before = calibration_of(classes, shares)
    after = calibration_of(classes, cross_calibrated(method, shares, folds, seed))
    decision = replace(model.decision, calibration=calibrator, prevalence=(), trained_at=())
    scores = (before.log_loss, after.log_loss), (before.brier, after.brier)
    done = Calibrated(method, by.rows, by.mark, by.by, *scores)
    return replace(model, decision=decision, origin=model.origin.then(done))


# Fresh rows: rows that may choose something of a model because it has not learned from them.


def fresh_rows(model: Model, table: Any, what: str) -> tuple[Table, Choosing]:
    """The rows as a table, and as those that choose; refused where the model was learned from them.

    `table` is a Table, or anything a table can be made of; `what` is chosen by it.
    """
    if not isinstance(table, Table):
        try:
            table = encode(table, model.schema)
        except SchemaError:
            table = table_for(model, table, with_target=True)  # only the columns that it needs are there
    if not len(table):
        raise SchemaError(f"There are no rows to choose {what} by.")
    mark = fingerprint(table)
    if mark == model.origin.fingerprint or has_seen(model, table):
        raise SettingError(
            "These are the rows that the model was learned from, on which its probabilities are too good to "
            f"choose {what} by. Take other rows, or let folds of these choose while it is learned: "
            "fit --cutoff, --refer and --calibrate; in Python Recipe(learner, after=(Deciding(…),))."
        )
    if among := learned_among(model, table):
        raise SettingError(
            f"{among_words(among, len(table))}, on which its probabilities are too good to choose {what} by. "
            "Take rows that it has not learned from."
        )
    return table, Choosing("fresh", len(table), mark)


def with_rows_known(model: Model, before: Model, rows: Table) -> Model:
    """The model with a mark of the rows that chose what was done to it since `before`, by which they are
    known again in any order."""
    mark, old = unordered_mark(model, rows), len(before.origin.after)
    new = tuple(
        replace(done, mark=mark) if isinstance(done, Calibrated | Decided) and done.by == "fresh" else done
        for done in model.origin.after[old:]
    )
    origin = replace(model.origin, after=(*model.origin.after[:old], *new))
    return replace(model, origin=origin)
