"""Steps of a recipe beside the learning: what is done to the training rows before it, to the model after it.

They are done wherever the recipe learns, and so in every fold anew, with no row that judges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from clearwood.models.lineage import Balanced, Selected
from clearwood.models.model import Model
from clearwood.table.table import Table

if TYPE_CHECKING:
    from clearwood.study.recipe import Recipe


@dataclass(frozen=True, slots=True, eq=False)
class PreparedRows:
    """The rows as the learner gets them, and what was done to them, as the model's lineage will say.

    `trained_at` are the parts of the classes in the prepared rows where these were changed on purpose: the
    model's shares are then moved back to those of the rows before, so that they speak of the true ones.
    """

    table: Table
    done: Selected | Balanced
    trained_at: tuple[float, ...] = ()


class Preparation(Protocol):
    """Frozen data that changes training rows or columns before a learner sees them."""

    def prepare(self, table: Table) -> PreparedRows:
        """The rows to learn from, made of these."""


class Finishing(Protocol):
    """Frozen data that changes a model once it is learned: its calibration, its cutoff."""

    def finish(self, model: Model, recipe: Recipe, table: Table) -> Model:
        """The model with one entry more in its lineage; `recipe` made it of these rows, without this step or
        those after it, and can make others of parts of them."""
