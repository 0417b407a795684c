"""By evidence: what each cell does to the odds of the answer against its nearest rival."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clearwood.explain.evidence import Bar, Evidence, evidence
from clearwood.explain.reference import Reference
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.linear_model import LinearModel


@dataclass(frozen=True, slots=True)
class ByEvidence:
    """The odds of the class `called` against the class `against`, from the prior, or the reference, on."""

    evidence: Evidence
    called: str
    against: str | None  # None: the model knows one class only

    @property
    def bars(self) -> tuple[Bar, ...]:
        """What the odds begin with, then what each cell does to them, as logs."""
        return () if self.against is None else self.evidence.bars(self.called, self.against)

    def to_json(self) -> dict[str, Any]:
        return {
            "by": "evidence",
            "for": self.called,
            "against": self.against,
            "compared_with": self.evidence.compared or None,
            "by_limit": self.evidence.by_limit,
            "bars": [
                {
                    "column": bar.name,
                    "cell": bar.value,
                    "log_odds": bar.log_odds if math.isfinite(bar.log_odds) else None,
                }
                for bar in self.bars
            ],
        }


def evidence_for(
    model: BayesTables | LinearModel | AdditiveModel,
    row: Mapping[str, Any],
    called: str,
    against: str | None,
    reference: Reference = None,
) -> ByEvidence:
    """The evidence for the answer against another class; without one, against the next likeliest."""
    row_evidence = evidence(model, row, against=reference)
    rivals = sorted(range(len(row_evidence.classes)), key=lambda c: -row_evidence.shares[c])
    names = [row_evidence.classes[c] for c in rivals if row_evidence.classes[c] != called]
    return ByEvidence(row_evidence, called, against if against in names else next(iter(names), None))
