"""The input space of a tree: what it asks of rows, and the limits of its branches and surrogates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from clearwood.formulas.conditions import Condition
from clearwood.models.kinds.tree.nodes import Nodes, tested_by
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.routing import route_at
from clearwood.models.space.model_space import ColumnLimits, all_with_a_place
from clearwood.records import dataclass
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.schema import Schema
from clearwood.words.numbers import many

# Of cells that no branch takes.
FOLLOWED: Final = "such rows follow a surrogate, the branch marked for them, or every branch"


@dataclass(frozen=True, slots=True)
class TreeSpace:
    """A tree divides its space by conditions: answers turn at their limits only."""

    tree: Tree

    def limits(self) -> Iterator[ColumnLimits]:
        return limits_of_nodes(self.tree.schema, self.tree.nodes)

    def spans(self) -> dict[str, tuple[float, float]]:
        return {}

    def columns(self) -> set[str]:
        return columns_of_nodes(self.tree.schema, self.tree.nodes)

    def pairs(self) -> tuple[()]:
        return ()

    def asked(self, column: str) -> Iterator[str]:
        nodes, position = self.tree.nodes, self.tree.schema.positions[column]
        splits = len(set(nodes.parent[np.flatnonzero(nodes.attribute == position)].tolist()))
        if splits:
            yield f"in {many(splits, 'split')}"
        surrogates = int((nodes.s_attribute == position).sum())
        if surrogates:
            yield f"in {many(surrogates, 'surrogate')}"

    def takes_missing(self) -> set[str]:
        return columns_or_missing(self.tree.schema, self.tree.nodes)

    def without_a_place(self, attribute: Nominal | Ordinal) -> list[bool]:
        return all_with_a_place(attribute)

    def unusable(self, _: str) -> str:
        return FOLLOWED

    def usual(self, _: str) -> None:
        return None

    def conditions(self) -> Iterator[Condition]:
        """All that it can ask of a row, surrogates included."""
        for node in np.flatnonzero(~self.tree.nodes.is_leaf).tolist():
            for test in route_at(self.tree, node).tests:
                yield test.when


def columns_or_missing(schema: Schema, nodes: Nodes) -> set[str]:
    """The columns of which a branch takes empty cells."""
    places = set(nodes.attribute[nodes.or_missing].tolist())
    return {schema.attributes[place].name for place in places if place >= 0}


def columns_of_nodes(schema: Schema, nodes: Nodes) -> set[str]:
    """The columns that a branch or a surrogate tests."""
    return {schema.attributes[place].name for place in tested_by(nodes)}


def limits_of_nodes(schema: Schema, nodes: Nodes) -> Iterator[ColumnLimits]:
    """By column the limits of all branches and surrogates."""
    columns = np.concatenate((nodes.attribute, nodes.attribute, nodes.s_attribute))
    limits = np.concatenate((nodes.low, nodes.high, nodes.s_limit))
    for place in np.unique(columns).tolist():
        if place >= 0:  # nothing leads into a root
            yield schema.attributes[place].name, limits[columns == place].tolist()
