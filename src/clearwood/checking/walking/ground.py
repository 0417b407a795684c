"""The ground: all rows that could be, cut by everything that some models and conditions ask of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from clearwood.audit.axes import Axis, Domains, axes_of, group_set, groups_of_rows
from clearwood.models.conditions import Condition
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.routing import route_at
from clearwood.predict.columns import columns_used
from clearwood.table import encode
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.raw import Cell
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Column, Table


@dataclass(frozen=True, slots=True)
class Ground:
    """The columns asked about, as axes; each condition as a column and the groups that satisfy it.

    `schema` has these columns alone, with every value that some model knows.
    """

    schema: Schema
    axes: tuple[Axis, ...]
    asked: Mapping[Condition, tuple[int, int]]

    def everywhere(self) -> Domains:
        return [axis.everything for axis in self.axes]

    def known(self) -> Domains:
        """[column] The groups with a number or a value of the schema."""
        return [axis.groups_of(range(axis.known)) for axis in self.axes]

    def place(self, column: str) -> int | None:
        """The axis of a column; None where nothing asks about it."""
        return next((place for place, axis in enumerate(self.axes) if axis.name == column), None)

    def within(self, conditions: Iterable[Condition]) -> Domains | None:
        """The rows that satisfy all of these; None where there are none."""
        domains = self.everywhere()
        for condition in conditions:
            column, groups = self.asked[condition]
            domains[column] &= groups
        return domains if all(domains) else None

    def example(self, domains: Domains, fixed: Mapping[int, int] | None = None) -> dict[str, Cell]:
        """A row of this part; `fixed` names the cell of some columns, by their places."""
        cells = self._cells(domains, fixed)
        return {axis.name: axis.cells[cell] for axis, cell in zip(self.axes, cells, strict=True)}

    def rows(self, parts: Sequence[Domains], fixed: Mapping[int, int] | None = None) -> Table:
        """A row of each part, as a table that the models read."""
        cells = np.array([self._cells(each, fixed) for each in parts], dtype=np.int64)
        columns = {axis.name: _coded(axis, cells[:, place]) for place, axis in enumerate(self.axes)}
        return Table(self.schema, columns, rows=len(parts), checked=True)

    def groups(self, rows: Any) -> npt.NDArray[np.int32]:
        """[row, column] where each row of a table, or of what one can be made of, lies."""
        table = self.coded(rows)
        lying = np.empty((len(table), len(self.axes)), dtype=np.int32)
        for column, axis in enumerate(self.axes):
            lying[:, column] = groups_of_rows(axis, table)
        return lying

    def coded(self, rows: Any) -> Table:
        """The rows as a table with the columns that are asked about."""
        return rows if isinstance(rows, Table) else encode(rows, self.schema)

    def _cells(self, domains: Domains, fixed: Mapping[int, int] | None) -> list[int]:
        return [
            fixed[place]
            if fixed is not None and place in fixed
            else next(c for c, group in enumerate(axis.group_of) if groups >> group & 1)
            for place, (axis, groups) in enumerate(zip(self.axes, domains, strict=True))
        ]


def ground_of(models: Sequence[Tree | RuleList], conditions: Iterable[Condition] = ()) -> Ground:
    """The ground of these models and conditions; a column of values has those of all models.

    >>> import clearwood as cw
    >>> tree = cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    >>> [axis.name for axis in ground_of([tree]).axes]
    ['Outlook', 'Humidity', 'Wind']
    """
    asked = [*conditions, *(each for model in models for each in conditions_in(model))]
    names = list(dict.fromkeys(name for model in models for name in model.schema.positions))
    attributes = {name: joint_attribute(name, models) for name in names}
    order = {name: place for place, name in enumerate(names)}
    axes = axes_of(asked, attributes.__getitem__, order.__getitem__)
    places = axes.places
    return Ground(
        Schema(tuple(axis.attribute for axis in axes.all)),
        axes.all,
        {each: (places[each.name], group_set(held)) for each, held in axes.satisfied.items()},
    )


def conditions_in(model: Tree | RuleList) -> Iterator[Condition]:
    """All that a model can ask of a row, surrogates included."""
    if isinstance(model, RuleList):
        for rule in model:
            yield from rule.when
        return
    for node in np.flatnonzero(~model.nodes.is_leaf).tolist():
        for test in route_at(model, node).tests:
            yield test.when


def joint_attribute(name: str, models: Sequence[Tree | RuleList]) -> Attribute:
    """A column as those of these models see it that ask about it: of one kind, with the values of the first,
    then those that others add."""
    knowing = [model for model in models if name in model.schema.positions]
    asking = [model for model in knowing if name in columns_used(model)]
    seen = [model.schema[name] for model in asking or knowing]
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
