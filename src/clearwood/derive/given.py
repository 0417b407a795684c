"""What a worksheet must give: the learner's settings in the letters of the formulas, and z of an interval."""

from __future__ import annotations

from typing import Final

from clearwood.measures.p_values import normal_quantile
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.model import Model
from clearwood.models.weights_words import weights_in_full
from clearwood.words.numbers import number

_LETTERS: Final = {("C45", "confidence"): "CF", ("C45Rules", "confidence"): "CF", ("CART", "alpha"): "α"}
_CONFIDENCE: Final = 0.95


def given_of(model: Model) -> tuple[str, ...]:
    """Each setting that is a number or a word, as name and value.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> given_of(cw.C45(min_rows=3).learn(table))[:2]
    ('CF = 0.25', 'min_rows = 3')
    """
    origin = model.origin
    found = []
    for name, value in origin.settings.items():
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            said = value if isinstance(value, str) else number(value)
            found.append(f"{_LETTERS.get((origin.learner, name), name)} = {said}")
    if origin.weights_are is not None:
        found.append(weights_in_full(origin.weights_are))
    if not isinstance(model, BayesTables):
        z = float(normal_quantile(0.5 + _CONFIDENCE / 2))
        found.append(f"z = {z:.4g} for intervals of {100 * _CONFIDENCE:g} %")
    return tuple(found)
