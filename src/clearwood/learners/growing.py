"""From a table and a learner to a tree: by the native routine where it knows the learner's settings, else by counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from clearwood.models.tree import Tree
from clearwood.table.table import Table

if TYPE_CHECKING:
    from clearwood.learners.c45 import C45
    from clearwood.learners.cart import CART
    from clearwood.learners.chaid import CHAID
    from clearwood.learners.id3 import ID3

TreeLearner: TypeAlias = "ID3 | C45 | CART | CHAID"


def grow(learner: TreeLearner, table: Table) -> Tree:
    raise NotImplementedError
