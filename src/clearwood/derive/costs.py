"""Costs: where mistakes cost differently, the answer is the one of least expected cost."""

from __future__ import annotations

import math
from collections.abc import Sequence

from clearwood.formulas.expressions import Named, Over, Product, Sum, Symbol
from clearwood.models.words import written
from clearwood.working.derivation import Step
from clearwood.working.figures import Figure
from clearwood.working.outcomes import Answer
from clearwood.working.shorthand import plain


def costs_step(
    classes: Sequence[str],
    shares: Sequence[float],
    costs: Sequence[Sequence[float]],
    answer: str,
    chapter: str,
) -> Step:
    """Σ P(truth | row) · the cost of predicting that class; `costs` are [truth][predicted]."""
    figures = []
    for predicted, name in enumerate(classes):
        parts = [
            Product((Named(f"P({written(truth)} | the row)", share), plain(costs[t][predicted])))
            for t, (truth, share) in enumerate(zip(classes, shares, strict=True))
        ]
        figures.append(
            Figure(
                f"expected cost of answering {written(name)}",
                math.fsum(share * costs[t][predicted] for t, share in enumerate(shares)),
                Over("Σ", "c", Product((Symbol("P(c | the row)"), Symbol("cost", "c")))),
                Sum(tuple(parts)),
            )
        )
    decision = f"The answer is {answer}, at the least expected cost."
    return Step(chapter, "What each answer would cost", tuple(figures), decision, Answer(answer))
