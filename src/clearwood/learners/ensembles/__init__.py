"""Ensembles: learners that combine many models, or add up many small steps. A new learner is a line here."""

from __future__ import annotations

from typing import Final

from clearwood.learners.entry import LearnerEntry

LEARNERS: Final[dict[str, LearnerEntry]] = {}
