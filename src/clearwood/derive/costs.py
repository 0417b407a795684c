"""Costs: where mistakes cost differently, the answer is the one of least expected cost."""

from __future__ import annotations

import math
from collections.abc import Sequence

from clearwood.formulas.expressions import Over, Product, Sum, Symbol, ValueOf
from clearwood.models.words import written
from clearwood.working.derivation import Answered, Step
from clearwood.working.figures import Figure, plain


def costs_step(
    classes: Sequence[str],
    shares: Sequence[float],
    costs: Sequence[Sequence[float]],
    answer: str,
    chapter: str,
    names: Sequence[str] = (),
) -> Step:
    """Σ P(truth | row) · the cost of predicting that class; `costs` are [truth][predicted].

    `names` are those of the figures that have the shares.
    """
    names = names or [f"P({written(name)} | the row)" for name in classes]
    figures = []
    for predicted, name in enumerate(classes):
        parts = [
            Product((ValueOf(share_name, share), plain(costs[t][predicted])))
            for t, (share_name, share) in enumerate(zip(names, shares, strict=True))
        ]
        figures.append(
            Figure(
                f"expected cost of predicting {written(name)}",
                math.fsum(share * costs[t][predicted] for t, share in enumerate(shares)),
                Over(
                    "Σ",
                    "c",
                    Product(
                        (
                            Symbol("P(c | the row)"),
                            Symbol("cost", "c", "the cost of this prediction for a row of class c"),
                        )
                    ),
                ),
                Sum(tuple(parts)),
            )
        )
    decision = f"The prediction is {answer}, at the lowest expected cost."
    return Step(chapter, "What each prediction would cost", tuple(figures), decision, Answered(answer))
