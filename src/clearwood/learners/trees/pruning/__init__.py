"""Simplify: a model in, a smaller model out, with the ledger of what was cut and why.

A pruner is a function of a tree (and, where it needs rows, a table) that returns `Pruned`; a new one is a
file of its own and a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from clearwood.learners.trees.pruning.chi_square import chi_square
from clearwood.learners.trees.pruning.collapse_siblings import collapse_siblings
from clearwood.learners.trees.pruning.cost_complexity import cost_complexity
from clearwood.learners.trees.pruning.error_based import error_based
from clearwood.learners.trees.pruning.ledger import Cut, Ledger, Pruned
from clearwood.learners.trees.pruning.minimum_description_length import minimum_description_length
from clearwood.learners.trees.pruning.reduced_error import reduced_error

PRUNERS: Final[Mapping[str, Callable[..., Pruned]]] = {
    "reduced_error": reduced_error,
    "error_based": error_based,
    "cost_complexity": cost_complexity,
    "minimum_description_length": minimum_description_length,
    "chi_square": chi_square,
    "collapse_siblings": collapse_siblings,
}

__all__ = ["PRUNERS", "Cut", "Ledger", "Pruned", *PRUNERS]
