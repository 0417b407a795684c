"""The smallest change: which cells of a row, changed as little as possible, would give another answer?

Smallest is: the fewest cells; of equals the smallest sum of costs, added in schema order (`moves.py` has the
costs and the options of each cell); of equals the columns that stand first in the schema; of equals the
options that come first. For trees and rules it is exact (`exact_changes.py`); for Bayes, linear and
additive models and ensembles see `change_by_trial.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from clearwood.errors import SettingError, no_such
from clearwood.explaining.change_by_trial import change_by_trial
from clearwood.explaining.exact_changes import change_in_rules, change_in_tree, change_in_votes
from clearwood.explaining.moves import Changed, CheapestChange, Options, SearchTime, moves_of, search_time
from clearwood.explaining.numbers_between import numbers_between
from clearwood.explaining.one_row import Constraints, cell_text, constraints_of, row_for, table_of_one
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model, check_kind, tree_or_rules
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.batch import predict
from clearwood.records import json_with
from clearwood.table.attributes import Text
from clearwood.table.raw import Row
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class SmallestChange:
    """The cells to change and the prediction `instead`, which is None if no change helps: `because` says why.

    `proven` is False where cells were tried but not all of them, so that a smaller change may exist;
    `stopped` is True where that is so because the time was over.
    """

    answer: str | float | None
    instead: str | None
    cells: tuple[Changed, ...] = ()
    because: str = ""
    proven: bool = True
    stopped: bool = False

    @property
    def distance(self) -> float:
        """The sum of the cells' costs."""
        return float(sum(each.cost for each in self.cells))

    def to_json(self) -> dict[str, Any]:
        found = json_with(self, "answer", "instead", "cells", "distance", "proven", "stopped")
        return {**found, "because": self.because or None}

    def __str__(self) -> str:
        if not self.cells:
            return self.because
        changes = ", ".join(
            f"{each.name}: {cell_text(each.before)} → {cell_text(each.after)}" for each in self.cells
        )
        return f"{changes}: then {self.instead}"


def smallest_change(
    model: Model,
    row: Mapping[str, Any],
    *,
    to: str | None = None,
    fixed: Iterable[str] = (),
    only_up: Iterable[str] = (),
    only_down: Iterable[str] = (),
    table: Table | None = None,
    seconds: float | None = None,
) -> SmallestChange:
    """The smallest change of a row that gives another class, or the class `to`.

    `fixed` columns stay as they are; `only_up` and `only_down` columns, numeric or ordinal, move one way.
    With `table` distances are relative to its columns' ranges, which numbers then never leave. `seconds`
    bounds the search: where they are over before its end, the change says that it was `stopped`.

    >>> import clearwood as cw
    >>> tree = cw.C45().learn(cw.read_table(cw.datasets.path("tennis_numeric"), target="Play"))
    >>> row = {"Outlook": "Sunny", "Temperature": 24, "Humidity": 80, "Wind": "Weak"}
    >>> print(smallest_change(tree, row))
    Humidity: 80 → 75: then Play
    """
    check_kind("smallest_change", model)
    time = search_time(seconds)
    constraints = constraints_of(model.schema, fixed, only_up, only_down, table)
    cells = row_for(model, row)
    if to is not None and to not in model.schema.classes:
        if model.is_numeric:
            raise SettingError("This model predicts a number; there is no class to reach.")
        raise SettingError(no_such("class", str(to), model.schema.classes, plural="classes"))
    answer = _answer(model, cells)
    if model.is_numeric:
        return SmallestChange(
            answer, None, because="The model predicts a number: there is no class to change."
        )
    if to is not None and to == answer:
        return SmallestChange(answer, to, because=f"The prediction is {to} already.")
    targets = frozenset(model.schema.classes if to is None else (to,)) - {str(answer)}
    change = _search(model, cells, constraints, targets, to, time)
    if change.cells is None:
        because = _why_none(model, constraints, to, change)
        return SmallestChange(answer, None, (), because, change.proven, change.stopped)
    after = _answer(model, {**cells, **{each.name: each.after for each in change.cells}})
    return SmallestChange(answer, str(after), change.cells, "", change.proven, change.stopped)


def _answer(model: Model, row: Row) -> str | float | None:
    # By the batch predictor, as the search does: where weights tie but for rounding, the two must agree.
    answer = predict(model, table_of_one(model, row)).tolist()[0]
    return None if answer != answer else answer


def _search(
    model: Model,
    row: Row,
    constraints: Constraints,
    targets: frozenset[str],
    to: str | None,
    time: SearchTime,
) -> CheapestChange:
    regions = tree_or_rules(model)
    if regions is None or not model.decision.is_plain:  # the exact searches know shares and costs only
        return change_by_trial(model, row, constraints, targets, to, time)
    options = options_for(regions, row, constraints)
    if isinstance(regions, Tree):
        return change_in_tree(regions, row, options, targets, to, time)
    if regions.matching == "vote":
        return change_in_votes(regions, row, options, targets, to, time)
    return change_in_rules(regions, options, targets, time)


def options_for(model: Tree | RuleList, row: Row, constraints: Constraints) -> Options:
    """What each column that the model asks about may become, in schema order."""
    between, used = numbers_between(model), columns_used(model)
    return [
        moves_of(each, row[each.name], between.get(each.name), constraints)
        for each in model.schema.attributes
        if each.name in used
    ]


def _why_none(model: Model, constraints: Constraints, to: str | None, change: CheapestChange) -> str:
    columns = columns_used(model)
    free = [name for name in columns - constraints.fixed if not isinstance(model.schema[name], Text)]
    goal = "another class" if to is None else to
    if not columns:
        return f"No change leads to {goal}: the model uses no column."
    if not free:
        words = " Which words flip the prediction: flipping_words." if columns - constraints.fixed else ""
        return f"No change leads to {goal}: every column that the model uses stays as it is.{words}"
    if change.stopped:
        return f"Not searched to the end: the time was over before a change to {goal} was met."
    if not change.proven:
        return f"No change to {goal} was found among those tried."
    limits = [
        f"{what} {', '.join(sorted(names))}"
        for what, names in (
            ("fixed", constraints.fixed),
            ("only up", constraints.only_up),
            ("only down", constraints.only_down),
        )
        if names & columns
    ]
    given = f" ({'; '.join(limits)})" if limits else ""
    return f"No change of the columns that may change leads to {goal}{given}."
