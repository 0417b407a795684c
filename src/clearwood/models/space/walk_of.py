"""The walk of a model through a box of rows, whichever kind it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.rules.rules_walk import rule_walk
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.kinds.tree.tree_walk import tree_walk
from clearwood.models.space.input_space import InputSpace
from clearwood.models.space.settling import Identities, Walk


def walk_of(
    model: Tree | RuleList,
    space: InputSpace,
    identities: Identities | None = None,
    *,
    fixed: Mapping[int, int] | None = None,
    about: int | None = None,
) -> Walk:
    """A model at the beginning of its walk. Columns that are `fixed` to some groups are not asked again;
    `about` is the class whose share is the figure of `ends`."""
    shared = Identities() if identities is None else identities
    match model:
        case Tree():
            return tree_walk(model, space, shared, fixed, about)
        case RuleList():
            return rule_walk(model, space, shared, fixed, about)
        case _:
            assert_never(model)
