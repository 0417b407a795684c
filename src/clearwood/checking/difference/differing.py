"""`diff`: the regions in which two models answer differently, and how many rows are in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from clearwood.checking.difference.by_rows import RowChanges, compare_rows
from clearwood.checking.difference.difference import Difference
from clearwood.checking.difference.exact import ExactDifference, exact_difference
from clearwood.checking.difference.other_changes import other_changes
from clearwood.checking.walking.searching import BUDGET
from clearwood.errors import SettingError
from clearwood.models.kinds import check_kind
from clearwood.models.model import Model, model_in_words
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.predict.columns import columns_used, table_for
from clearwood.study.comparing.models import check_same_target
from clearwood.table.attributes import kind_of
from clearwood.table.table import Table
from clearwood.words.numbers import many, row_count

_UNNAMED: Final = ("the old model", "the new model")


def diff(
    old: Model,
    new: Model,
    table: Any = None,
    *,
    shares: float | None = None,
    most: int = 20,
    budget: int = BUDGET,
    names: tuple[str, str] = _UNNAMED,
) -> Difference:
    """Where two models of the same target answer differently.

    Of trees and lists of rules it is exact: every row that could be is considered, with empty cells and
    values never met, and decisions (costs, cutoff, calibration) as they are. A `table` (or its source)
    says how many of its rows each region has. Models of other kinds are compared on its rows alone.
    `shares`: also the regions in which some share moves by more than this. Up to `most` regions are listed,
    those with the most rows first. `budget` bounds the boxes looked at: `left_open` says what it leaves open.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> tree = cw.ID3().learn(table)
    >>> changed = diff(cw.ID3(max_depth=1).learn(table), tree, table)
    >>> [(each.region, each.before, each.after, each.rows) for each in changed.regions][:1]
    [('Outlook = Rainy AND Wind = Strong', 'Yes', 'No', 2.0)]
    """
    check_kind("diff", old)
    check_kind("diff", new)
    if most < 0 or budget < 1:
        raise SettingError("most must be 0 or more, and budget 1 or more.")
    if shares is not None and not 0 <= shares <= 1:
        raise SettingError(f"shares is the change of a probability, from 0 to 1, not {shares:g}.")
    written: Sequence[str] = names if names == _UNNAMED else [f"'{each}'" for each in names]
    check_same_target(dict(zip(written, (old, new), strict=True)))
    if shares is not None and old.is_numeric:
        raise SettingError("These models predict numbers, which have no probabilities. Leave shares out.")
    compared = None if table is None else compare_rows(old, new, _rows_for((old, new), table), most, shares)
    by_kind = _why_by_rows(old, new, names)
    about = other_changes(old, new)
    if by_kind or not isinstance(old, Tree | RuleList) or not isinstance(new, Tree | RuleList):
        if compared is None:
            raise SettingError(f"{by_kind} They can be compared on rows only: give a table.")
        difference = Difference(names, False, f"{by_kind} Compared on {row_count(compared.weight)}.", (), 0)
        return _with_rows(replace(difference, about=about, by_more_than=shares), compared)
    exact = exact_difference(old, new, table, shares=shares, most=most, budget=budget)
    difference = Difference(
        names,
        True,
        _reached(exact),
        exact.regions,
        exact.regions_in_all,
        _left_open(exact),
        exact.moved,
        exact.moved_in_all,
        shares,
        about=about,
        examples=exact.pairs is not None,
    )
    return difference if compared is None else _with_rows(difference, compared)


def _rows_for(models: Sequence[Model], table: Any) -> tuple[Table, ...]:
    """The rows as each model codes them."""
    return tuple(table if isinstance(table, Table) else table_for(model, table) for model in models)


def _why_by_rows(old: Model, new: Model, names: tuple[str, str]) -> str:
    """Why two models cannot be compared exactly; empty where they can."""
    for name, model in zip(names, (old, new), strict=True):
        if not isinstance(model, Tree | RuleList):
            return f"Regions are known of trees and rules, and {name} is {model_in_words(model)}."
    for column in sorted(columns_used(old) & columns_used(new)):
        kinds = [kind_of(model.schema[column]) for model in (old, new)]
        if "numeric" in kinds and kinds[0] != kinds[1]:
            return f"The column '{column}' is {kinds[0]} in {names[0]} and {kinds[1]} in {names[1]}."
    return ""


def _with_rows(difference: Difference, compared: RowChanges) -> Difference:
    return replace(
        difference,
        rows=compared.weight,
        changed=compared.changed,
        flows=compared.flows,
        changed_rows=compared.examples,
        moved_rows=compared.moved,
        largest_move=compared.largest_move,
    )


def _reached(exact: ExactDifference) -> str:
    if exact.pairs is not None:
        return f"Exact: every row that could be, by decision diagrams, in {many(exact.pairs, 'node')}."
    parts = many(exact.searched.settled, "part")
    if exact.searched.complete:
        return f"Exact: every row that could be, in {parts}."
    if exact.searched.open_from == 0:
        return f"Searched in {parts}, until the budget was spent."
    return f"Exact, in {parts}, but for what the budget left out."


def _left_open(exact: ExactDifference) -> str:
    searched = exact.searched
    if exact.complete or searched.open_from is None:
        return ""
    which = (
        "not every row that could be was looked at"
        if searched.open_from == 0
        else f"of rows with {many(searched.open_from, 'missing cell')} or more, or as many values never met, "
        "not all were looked at; all others were"
    )
    return f"Within the budget of {searched.budget:,} boxes: {which}. A larger budget looks further."
