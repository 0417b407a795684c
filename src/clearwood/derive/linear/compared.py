"""A row compared with a reference: from the reference's log odds, cell by cell, to the row's own."""

from __future__ import annotations

import math

from clearwood.explain.evidence import Evidence
from clearwood.formulas.expressions import Number, Over, Sum, Symbol, ValueOf
from clearwood.models.words import written
from clearwood.words.numbers import number
from clearwood.working.derivation import Step
from clearwood.working.figures import GIVEN, Figure, Grid


def compared_steps(evidence: Evidence, chapter: str) -> list[Step]:
    """One step, the strongest cell first; none where a class without weights has no log odds."""
    ranked = sorted(range(len(evidence.classes)), key=lambda c: -evidence.shares[c])[:2]
    if len(ranked) < 2 or not all(math.isfinite(evidence.joint[c]) for c in ranked):
        return []
    yes, no = (evidence.classes[c] for c in ranked)
    begins, *bars = evidence.bars(yes, no)
    bars.sort(key=lambda bar: -abs(bar.log_odds))
    rows = [(bar.name, _cell(bar.value), bar.log_odds) for bar in bars]
    grid = Grid("What each cell adds beyond it", ("column", "cell", "log odds"), rows)
    reference = Figure(
        f"log odds of {evidence.compared}",
        begins.log_odds,
        because="Its columns add what they add there; with the intercept that is where the sum begins.",
        on_sheet=GIVEN,
    )
    whole = Figure(
        f"log odds of {written(yes)} against {written(no)}",
        math.fsum((begins.log_odds, *(bar.log_odds for bar in bars))),
        Sum((Symbol("reference"), Over("Σ", "column", Symbol("beyond")))),
        Sum(
            (
                ValueOf(reference.name, begins.log_odds),
                *(Number(bar.log_odds) for bar in bars),
            )
        ),
        grids=(grid,),
    )
    strongest = f" {written(bars[0].name)} counts most, by {bars[0].log_odds:+.4g}." if bars else ""
    decision = f"Each cell is compared with {evidence.compared}.{strongest}"
    return [Step(chapter, f"Compared with {evidence.compared}", (reference, whole), decision)]


def _cell(value: str | float | None) -> str:
    return "missing" if value is None else value if isinstance(value, str) else number(value)
