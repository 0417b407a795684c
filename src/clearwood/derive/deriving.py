"""Derive: how a model, a place in it, or one answer of it came about, counted again from its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from clearwood.derive.derivation import Derivation
from clearwood.errors import SettingError
from clearwood.models.kinds import check_kind
from clearwood.models.model import Model
from clearwood.models.tree import Tree
from clearwood.table.table import Table

if TYPE_CHECKING:
    from clearwood.models.conditions import Condition

# A node's number, the branches on the way to it (from 0), or the conditions: "Outlook = Sunny".
At: TypeAlias = "int | tuple[int, ...] | str | Condition | tuple[Condition, ...]"


def derive(model: Model, table: Table | None = None, *, at: At | None = None) -> Derivation:
    """Every step by which a learner made a model from a table; with `at` those of one place.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> steps = cw.derive(cw.ID3().learn(table), table)
    >>> steps[0].decision
    'Outlook has the largest gain, 0.247: split on it.'
    >>> round(steps.figure("Gain(Humidity)").value, 3)
    0.152
    """
    check_kind("derive", model)
    match model:
        case Tree():
            from clearwood.derive.trees.deriving import derive_tree

            return derive_tree(model, table, at)
        case _:
            raise SettingError(f"A {type(model).__name__} cannot be derived yet.")
