"""From the steps of the trees to the scores that they add up to."""

from __future__ import annotations

import math

import numpy as np

from clearwood.arrays import Floats
from clearwood.derive.ensembles.shared import added_up
from clearwood.formulas.expressions import Over, Sum, Symbol
from clearwood.models.ensemble import Ensemble, score_name
from clearwood.models.words import written
from clearwood.working.figures import Figure, plain

_SCORE = Sum(
    (
        Symbol("F", "0", "the base, the score before the first tree"),
        Over("Σ", "m", Symbol("f", "m", "the step of tree m")),
    )
)


def score_figures(model: Ensemble, own: Floats) -> tuple[Figure, ...]:
    """By score its base and the steps of the trees that add to it; `own` [member, 1] are the steps."""
    assert model.trees is not None
    weights = np.array(model.weights or [1.0] * model.size)
    figures = []
    for score, base in enumerate(model.base):
        mine = model.trees.adds_to == score
        steps = (own[:, 0] * weights)[mine].tolist()
        put_in, because = added_up(steps)
        terms = put_in.terms if isinstance(put_in, Sum) else (put_in,)
        name = written(score_name(model.schema, model.link, score))
        if model.link == "identity":
            name = f"score, {name}"
        value = math.fsum([base, *steps])
        figures.append(Figure(name, value, _SCORE, Sum((plain(base), *terms)), because=because))
    return tuple(figures)
