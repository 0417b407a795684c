"""Why this answer: one row's path, rules or evidence, and the smallest change that would give another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, assert_never

import numpy as np

from clearwood.errors import SettingError
from clearwood.explaining.by_path import ByMembers, ByPath, Interval, members_for, path_of
from clearwood.explaining.one_row import notes_on, row_for, table_of_one
from clearwood.explaining.reasons import ByEvidence, ByPoints, ByRules, evidence_for, points_for, rules_for
from clearwood.explaining.reference import Reference
from clearwood.explaining.shap import ShapValues, shap_values
from clearwood.explaining.smallest_change import SmallestChange, smallest_change
from clearwood.models.decision import Cutoff
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList, counts_of_all
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model, check_kind
from clearwood.models.predicted import predicted
from clearwood.predicting.intervals import intervals
from clearwood.predicting.row import row_predictor
from clearwood.records import json_of, json_with, plain_values
from clearwood.shown import ShowsItself
from clearwood.table.raw import Cell, Row
from clearwood.table.table import Table
from clearwood.words.numbers import brief, number

Reason: TypeAlias = ByPath | ByRules | ByEvidence | ByMembers | ByPoints
DecidedBy: TypeAlias = Literal["share", "costs", "cutoff", "rule"]


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(ShowsItself):
    """A prediction and the reasons for it; printed, they are sentences.

    `shares` are by class, None of a number and of rules that took no rows in training, as those written by
    hand: what nobody counted has no probability. `interval` holds that of the prediction, with
    95 %, and is None where the model has none. `decided_by` is what chose the class. `notes` name values
    that the model has never met.
    """

    target: str
    row: Mapping[str, Cell]
    answer: str | float | None  # None: no rule answers
    shares: Mapping[str, float] | None
    interval: Interval | None
    reason: Reason
    change: SmallestChange
    notes: tuple[str, ...] = ()
    decided_by: DecidedBy = "share"
    cutoff: Cutoff | None = None
    predicted: str = ""  # what the answer is of the target, as in "the median of price"

    def to_json(self) -> dict[str, Any]:
        """The same as plain values, ready for `json.dumps`."""
        cutoff = self.cutoff and json_of(self.cutoff, "costs")
        decided = {"decided_by": self.decided_by, "cutoff": cutoff}
        found = json_with(self, "target", "predicted", "row", "answer", "shares", "interval", **decided)
        return {**found, **plain_values(why=self.reason, change=self.change, notes=self.notes)}

    def __repr__(self) -> str:
        return f"<Explanation: {self.target} = {self.answer}>"


def explain(
    model: Model,
    row: Mapping[str, Any],
    *,
    to: str | None = None,
    fixed: Iterable[str] = (),
    only_up: Iterable[str] = (),
    only_down: Iterable[str] = (),
    table: Table | None = None,
    against: Reference = None,
    seconds: float | None = None,
) -> Explanation:
    """Why the model predicts one row as it does. The row is given by column name; absent columns are missing.

    The options are those of `smallest_change`: a wanted class, columns that stay, columns that move one way.
    `against` is that of `evidence`: what the cells of a linear model are compared with. `seconds` bounds the
    search for the change.

    >>> import clearwood as cw
    >>> tree = cw.C45().learn(cw.read_table(cw.datasets.path("tennis_numeric"), target="Play"))
    >>> print(explain(tree, {"Outlook": "Sunny", "Temperature": 24, "Humidity": 80, "Wind": "Weak"}))
    Play is Don't Play: probability 1, from 3 training rows (95 % interval 0.44 to 1).
    <BLANKLINE>
    Why
      Outlook = Sunny
      Humidity > 75  it is 80, 5 from the threshold
      leaf: Don't Play 3, Play 0
    <BLANKLINE>
    Smallest change for another prediction
      Humidity: 80 → 75
      then Play
    """
    check_kind("explain", model)
    return explained_with(
        model,
        row,
        None,
        to=to,
        fixed=fixed,
        only_up=only_up,
        only_down=only_down,
        table=table,
        against=against,
        seconds=seconds,
    )


def shared_values(model: Model, rows: Sequence[Mapping[str, Any]]) -> list[ShapValues | None]:
    """[row] what explanations of many rows can work out together: their SHAP values, which an ensemble of
    trees gives for many in little more time than for one; None of other models."""
    if (
        not isinstance(model, Ensemble)
        or not all(isinstance(each, Tree) for each in model.models)
        or not rows
    ):
        return [None] * len(rows)
    tables = [table_of_one(model, row_for(model, row)) for row in rows]
    columns = {name: np.concatenate([each.columns[name] for each in tables]) for name in tables[0].columns}
    values = shap_values(model, replace(tables[0], columns=columns, rows=len(rows), checked=True))
    return [values.of_row(row) for row in range(len(rows))]


def explained_with(
    model: Model,
    row: Mapping[str, Any],
    values: ShapValues | None,
    *,
    to: str | None = None,
    fixed: Iterable[str] = (),
    only_up: Iterable[str] = (),
    only_down: Iterable[str] = (),
    table: Table | None = None,
    against: Reference = None,
    seconds: float | None = None,
) -> Explanation:
    """The same as `explain`, of a row for which `shared_values` were worked out, or None."""
    cells = row_for(model, row)
    change = smallest_change(
        model, row, to=to, fixed=fixed, only_up=only_up, only_down=only_down, table=table, seconds=seconds
    )
    shares = None if model.is_numeric or not _has_rows(model, cells) else row_predictor(model).shares(cells)
    likeliest = max(shares, key=shares.__getitem__) if shares else None
    return Explanation(
        target=getattr(model.schema.target, "name", ""),
        row=cells,
        answer=change.answer,
        shares=shares,
        interval=_interval(model, cells),
        reason=_reason(
            model, cells, str(likeliest if change.answer is None else change.answer), to, against, values
        ),
        change=change,
        notes=(*notes_on(model, cells), *_notes_on_decision(model, cells, change.answer)),
        decided_by=_decided_by(model),
        cutoff=model.decision.cutoff,
        predicted=predicted(model),
    )


def _decided_by(model: Model) -> DecidedBy:
    """Of rules in order the first that holds names the class; only a cutoff goes before it."""
    by = model.decision.by
    return "rule" if isinstance(model, RuleList) and model.matching == "first" and by != "cutoff" else by


def _notes_on_decision(model: Model, row: Row, answer: str | float | None) -> Iterator[str]:
    """What stands between the evidence and the answer: a calibration, a share that was not sure enough."""
    decision = model.decision
    if model.is_numeric:
        return
    if decision.calibration is not None:
        bare = replace(model, decision=replace(decision, calibration=None))
        before = row_predictor(bare).shares(row)
        if any(before.values()):
            listed = ", ".join(f"{name} {brief(share)}" for name, share in before.items())
            yield f"Probabilities are calibrated; before that they were: {listed}."
    if decision.refer is not None and answer is None:
        shares = row_predictor(model).shares(row)
        if 0 < max(shares.values()) < decision.refer:
            yield (
                f"No class has a probability of at least {number(decision.refer)}, so that the row is "
                "referred."
            )


def _has_rows(model: Model, row: Row) -> bool:
    """Were rows counted behind this answer? Other models than rules are made of rows."""
    if not isinstance(model, RuleList):
        return True
    held = [each.rule for each in rules_for(model, row).took]
    if not held:  # what is said otherwise rests on all rows where it took none itself
        return model.otherwise.then is None or any(counts_of_all(model))
    return held[0].then is None or any(any(rule.counts) for rule in held)


def _reason(
    model: Model, row: Row, answer: str, to: str | None, against: Reference, values: ShapValues | None
) -> Reason:
    if against is not None and not isinstance(model, LinearModel):
        raise SettingError(
            "against is for linear models, whose intercept depends on the coding of the columns. Leave it "
            "out."
        )
    match model:
        case Tree():
            return path_of(model, row)
        case RuleList():
            return rules_for(model, row)
        case BayesTables() | LinearModel():
            return evidence_for(model, row, answer, to, against)
        case Ensemble():
            return members_for(model, row, answer, values)
        case AdditiveModel():
            return points_for(model, row) if model.is_numeric else evidence_for(model, row, answer, to)
        case _:
            assert_never(model)


def _interval(model: Model, row: Row) -> Interval | None:
    """None where no interval stands behind the answer, as `intervals` says."""
    try:
        low, high = intervals(model, table_of_one(model, row))[0].tolist()
    except SettingError:
        return None
    return (low, high) if math.isfinite(high - low) else None
