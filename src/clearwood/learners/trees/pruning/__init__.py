"""Pruning: a tree in, a smaller tree out, with the ledger of what was cut and why.

A new pruner is a file of its own, which ends in its `PRUNER`, and a line here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clearwood.registry import Listed

if TYPE_CHECKING:
    from clearwood.learners.trees.pruning.pruner import Pruner

PRUNERS: Final[Listed[Pruner]] = Listed(
    "pruner",
    {
        "reduced-error": f"{__name__}.reduced_error:PRUNER",
        "error-based": f"{__name__}.error_based:PRUNER",
        "cost-complexity": f"{__name__}.cost_complexity:PRUNER",
        "mdl": f"{__name__}.description_length:PRUNER",
        "chi-square": f"{__name__}.chi_square:PRUNER",
        "siblings": f"{__name__}.siblings:PRUNER",
    },
)
