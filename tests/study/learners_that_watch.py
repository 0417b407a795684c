"""A learner that keeps every table it learns from, so that a test can see which rows a study gave it."""

from __future__ import annotations

from dataclasses import dataclass, field

from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.table.table import Table


@dataclass
class Watched:
    """Learns as another does, and keeps the tables."""

    learner: Learner[Model]
    tables: list[Table] = field(default_factory=list)

    def learn(self, table: Table) -> Model:
        self.tables.append(table)
        return self.learner.learn(table)
