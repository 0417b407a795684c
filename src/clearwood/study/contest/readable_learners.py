"""The readable learners that are tried where none are named, each with a small grid to tune over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from clearwood.catalogue import LEARNERS

FEW_ROWS: Final = 40  # rows below which folds within folds would prune by chance


@dataclass(frozen=True, slots=True)
class ReadableLearner:
    """A learner by its name in the catalogue, its settings where they are not its own defaults, and the
    values of settings that tuning tries; `by_folds` are settings for tables with rows enough. `dearness` is
    about how many times as long as a tree it takes for a cell of the table, and `by_class` says that it does
    so for each of several classes."""

    name: str
    grid: Mapping[str, tuple[Any, ...]]
    settings: Mapping[str, Any] = field(default_factory=dict)
    by_folds: Mapping[str, Any] = field(default_factory=dict)
    dearness: int = 1
    by_class: bool = False

    def settings_for(self, rows: int) -> dict[str, Any]:
        """Those for a table of so many rows."""
        return {**self.settings, **(self.by_folds if rows >= FEW_ROWS else {})}

    def make(self, rows: int) -> Any:
        """The learner for a table of so many rows."""
        return LEARNERS[self.name].make(**self.settings_for(rows))

    def make_to_tune(self) -> Any | None:
        """The learner that is tuned, where it is another: what folds would choose, tuning does instead."""
        return LEARNERS[self.name].make(**self.settings) if self.by_folds else None


_CART: Final = ReadableLearner(
    "cart", {"max_depth": (3, 5, 8, None), "min_leaf": (1, 10, 50)}, by_folds={"alpha": "1se"}
)
_CHAID: Final = ReadableLearner("chaid", {"alpha_split": (0.01, 0.05), "max_depth": (3, 5, None)})
_GAM: Final = ReadableLearner("gam", {"pairs": (0, 5, 10)}, dearness=30, by_class=True)

FOR_CLASSES: Final = (
    ReadableLearner("c45", {"confidence": (0.01, 0.1, 0.25), "min_rows": (2, 10, 50)}),
    _CART,
    _CHAID,
    ReadableLearner("ripper", {"optimizations": (0, 2), "min_rows": (2, 10)}),
    ReadableLearner("tree-rules", {"alpha": (0.001, 0.05)}, dearness=5),
    ReadableLearner("bayes", {"numeric": ("gaussian", "kernel", "cuts")}, dearness=2),
    ReadableLearner(
        "logistic", {"penalty": ("l1", "l2"), "strength": (0.1, 1.0, 10.0)}, dearness=3, by_class=True
    ),
    _GAM,
)
FOR_NUMBERS: Final = (
    _CART,
    _CHAID,
    ReadableLearner("gam", {}, {"pairs": 0}),
    _GAM,
)


def readable_learners(*, numbers: bool) -> tuple[ReadableLearner, ...]:
    """Those for classes, or for numbers.

    >>> [each.name for each in readable_learners(numbers=True)]
    ['cart', 'chaid', 'gam', 'gam']
    """
    return FOR_NUMBERS if numbers else FOR_CLASSES


def grid_of(name: str, *, numbers: bool) -> Mapping[str, tuple[Any, ...]]:
    """What tuning tries for a learner of this name; nothing for one that is not among them."""
    return next(
        (each.grid for each in readable_learners(numbers=numbers) if each.name == name and each.grid), {}
    )
