"""The walk of a model that can be walked exactly, whichever it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from clearwood.checking.walking.ground import Ground
from clearwood.checking.walking.rule_walks import rule_walk
from clearwood.checking.walking.searching import Identities, Walk
from clearwood.checking.walking.tree_walk import tree_walk
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree


def walk_of(
    model: Tree | RuleList,
    ground: Ground,
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
            return tree_walk(model, ground, shared, fixed, about)
        case RuleList():
            return rule_walk(model, ground, shared, fixed, about)
        case _:
            assert_never(model)
