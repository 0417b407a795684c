"""What a worksheet must give: the learner's settings in the letters of the formulas, and z of an interval."""

from __future__ import annotations

from typing import Final

from clearwood.catalogue import entry_of
from clearwood.measures.p_values import normal_quantile
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.model import Model
from clearwood.models.weights_words import weights_in_full
from clearwood.registry import settings_of
from clearwood.words.numbers import number

_CONFIDENCE: Final = 0.95


def given_of(model: Model) -> tuple[str, ...]:
    """Each setting that is a number or a word, as name and value.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> given_of(cw.C45(min_rows=3).learn(table))[:2]
    ('CF = 0.25', 'min_rows = 3')
    """
    entry = entry_of(model.origin.learner)
    known = {} if entry is None else settings_of(entry.load())
    found = []
    for name, value in model.origin.settings.items():
        letter = known[name].letter if name in known else ""
        match value:
            case bool():
                continue
            case int() | float():
                found.append(f"{letter or name} = {number(value)}")
            case str():
                found.append(f"{letter or name} = {value}")
            case {"learner": learner}:
                found.append(f"{name} = {learner}")
    if model.origin.weights_are is not None:
        found.append(weights_in_full(model.origin.weights_are))
    if not isinstance(model, BayesTables):
        z = float(normal_quantile(0.5 + _CONFIDENCE / 2))
        found.append(f"z = {z:.4g} for intervals of {100 * _CONFIDENCE:g} %")
    return tuple(found)
