"""The input space: every possible row, cut by everything that some models and conditions ask of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood.formulas.conditions import Condition
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.rules.rules_space import RulesSpace
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.space.axes import Ask, Axis, Domains, GroupBox, axes_of, group_set
from clearwood.models.space.space_of import divided_space_of
from clearwood.models.space.walk import TreeSteps
from clearwood.table import encode
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.raw import Cell
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Column, Table


@dataclass(frozen=True, slots=True)
class InputSpace:
    """The columns asked about, as axes; each condition as a column and the groups that satisfy it.

    `schema` has these columns alone, with every value that some model knows.
    """

    schema: Schema
    axes: tuple[Axis, ...]
    asked: Mapping[Condition, Ask]

    def everywhere(self) -> Domains:
        return [axis.everything for axis in self.axes]

    def known(self) -> Domains:
        """[column] The groups with a number or a value of the schema."""
        return [axis.groups_of(range(axis.known)) for axis in self.axes]

    def place(self, column: str) -> int | None:
        """The axis of a column; None where nothing asks about it."""
        return next((place for place, axis in enumerate(self.axes) if axis.name == column), None)

    def within(self, *boxes: GroupBox) -> Domains:
        """The common part of boxes, column by column."""
        domains = self.everywhere()
        for box in boxes:
            for column, groups in box:
                domains[column] &= groups
        return domains

    def satisfying(self, conditions: Iterable[Condition]) -> Domains | None:
        """The rows that satisfy all of these; None where there are none."""
        domains = self.within(tuple(self.asked[condition] for condition in conditions))
        return domains if all(domains) else None

    def boxes(self, rules: RuleList) -> list[GroupBox | None]:
        """[rule] the rows that satisfy it; None where there can be none."""
        return RulesSpace(rules).boxes(self.asked.__getitem__, self.everywhere())

    def steps(self, tree: Tree) -> TreeSteps:
        """The splits of a tree, for boxes that walk through them."""
        return TreeSteps(tree, self.asked.__getitem__)

    def example(self, domains: Domains, fixed: Mapping[int, int] | None = None) -> dict[str, Cell]:
        """A row of this part; `fixed` names the cell of some columns, by their places."""
        cells = self._cells(domains, fixed)
        return {axis.name: axis.cells[cell] for axis, cell in zip(self.axes, cells, strict=True)}

    def rows(self, parts: Sequence[Domains], fixed: Mapping[int, int] | None = None) -> Table:
        """A row of each part, as a table that the models read."""
        cells = np.array([self._cells(each, fixed) for each in parts], dtype=np.int64)
        columns = {axis.name: _coded(axis, cells[:, place]) for place, axis in enumerate(self.axes)}
        return Table(self.schema, columns, rows=len(parts), checked=True)

    def coded(self, rows: Any) -> Table:
        """The rows as a table with the columns that are asked about."""
        return rows if isinstance(rows, Table) else encode(rows, self.schema)

    def _cells(self, domains: Domains, fixed: Mapping[int, int] | None) -> list[int]:
        return [
            fixed[place] if fixed is not None and place in fixed else axis.first(groups)
            for place, (axis, groups) in enumerate(zip(self.axes, domains, strict=True))
        ]


def input_space_of(models: Sequence[Tree | RuleList], conditions: Iterable[Condition] = ()) -> InputSpace:
    """The input space of these models and conditions; a column of values has those of all models.

    >>> import clearwood as cw
    >>> tree = cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    >>> [axis.name for axis in input_space_of([tree]).axes]
    ['Outlook', 'Humidity', 'Wind']
    """
    by_model = [list(dict.fromkeys(divided_space_of(model).conditions())) for model in models]
    named = [{each.name for each in asked} for asked in by_model]
    names = list(dict.fromkeys(name for model in models for name in model.schema.positions))
    axes = axes_of(
        [*conditions, *chain(*by_model)],
        lambda name: _joint_attribute(name, models, named),
        {name: place for place, name in enumerate(names)}.__getitem__,
    )
    places = axes.places
    return InputSpace(
        Schema(tuple(axis.attribute for axis in axes.all)),
        axes.all,
        {each: (places[each.name], group_set(held)) for each, held in axes.satisfied.items()},
    )


def _joint_attribute(
    name: str, models: Sequence[Tree | RuleList], named: Sequence[Collection[str]]
) -> Attribute:
    """A column as those of these models see it that ask about it: of one kind, with the values of the first,
    then those that others add."""
    knowing = [place for place, model in enumerate(models) if name in model.schema.positions]
    asking = [place for place in knowing if name in named[place]]
    seen = [models[place].schema[name] for place in asking or knowing]
    first = seen[0]
    if not isinstance(first, Nominal | Ordinal):
        return first
    values = dict.fromkeys(v for each in seen if isinstance(each, Nominal | Ordinal) for v in each.values)
    return replace(first, values=tuple(values))


def _coded(axis: Axis, cells: npt.NDArray[np.int64]) -> Column:
    if isinstance(axis.attribute, Numeric):
        numbers = np.array([np.nan if cell is None else cell for cell in axis.cells], dtype=np.float64)
        return numbers[cells]
    codes = np.arange(len(axis.cells), dtype=np.int32)
    codes[-2:] = UNSEEN, MISSING
    return codes[cells]
