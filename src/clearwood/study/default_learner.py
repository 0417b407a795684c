"""Which learner learns where none is named: what is predicted decides.

The names are known without NumPy, so that help can give them.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, Final

from clearwood.catalogue import LEARNERS
from clearwood.records import dataclass

if TYPE_CHECKING:
    from clearwood.table.table import Table

FOR_CLASSES: Final = "c45"
FOR_NUMBERS: Final = "cart"
_ENOUGH_TO_PRUNE: Final = 40  # rows, for the folds by which a tree of numbers is pruned


@dataclass(frozen=True, slots=True)
class DefaultLearner:
    """A learner by its name in the catalogue, and its settings where they are not its own defaults."""

    name: str
    settings: dict[str, Any] = field(default_factory=dict)

    def make(self) -> Any:
        return LEARNERS[self.name].make(**self.settings)


def default_learner(table: Table) -> DefaultLearner:
    """A tree of classes by C4.5, of numbers by CART; it prunes by cross-validation where rows are enough.

    >>> import clearwood as cw
    >>> default_learner(cw.read_table({"x": [1, 2], "y": ["a", "b"]}, target="y")).name
    'c45'
    >>> default_learner(cw.read_table({"x": range(50), "y": range(50)}, target="y"))
    DefaultLearner(name='cart', settings={'alpha': 'cv'})
    """
    from clearwood.table.attributes import Numeric  # late: help asks for the names alone

    if not isinstance(table.schema.target, Numeric):
        return DefaultLearner(FOR_CLASSES)
    return DefaultLearner(FOR_NUMBERS, {"alpha": "cv"} if len(table) >= _ENOUGH_TO_PRUNE else {})
