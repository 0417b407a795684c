"""How sure a prediction is: an interval from the rows behind it; and what it is at another prevalence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import SettingError, check_known
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import log_priors
from clearwood.models.model import Model, check_kind
from clearwood.predicting.batch import intervals_of_kind, predict_codes
from clearwood.predicting.columns import table_for
from clearwood.predicting.of_rules import CHANGED_SINCE


def at_prevalence(model: BayesTables, prevalence: Mapping[str, float]) -> BayesTables:
    """The model with other priors; classes that are not named divide the rest in their old proportions.

    A prevalence of 0 rules a class out, one of 1 all the others.

    >>> from clearwood.table.attributes import Nominal
    >>> from clearwood.table.schema import Schema
    >>> model = BayesTables(Schema((), Nominal("ill", ("yes", "no"))), (5, 5), ())
    >>> at_prevalence(model, {"yes": 0.25}).priors
    (0.25, 0.75)
    """
    check_kind("at_prevalence", model, BayesTables)
    before = np.exp(log_priors(model)).tolist()
    return replace(model, priors=filled_prevalence(model.schema.classes, before, prevalence))


def shares_at_prevalence(shares: Floats, before: Mapping[str, float], after: Mapping[str, float]) -> Floats:
    """[row, class] any model's probabilities, learned where classes had the prevalence `before`, at `after`.

    Each probability is multiplied by after ÷ before, and the row divided by its sum (Saerens et al. 2002).
    The classes are those of `before`, in the order of the columns. A row whose classes are all ruled out gets
    `after` itself.

    >>> shares_at_prevalence(np.array([[0.5, 0.5]]), {"yes": 0.5, "no": 0.5}, {"yes": 0.2}).tolist()
    [[0.2, 0.8]]
    """
    classes = tuple(before)
    if shares.ndim != 2 or shares.shape[1] != len(classes):
        raise SettingError(
            f"Probabilities must be [row, class] with {len(classes)} columns: {', '.join(classes)}."
        )
    old = np.array(filled_prevalence(classes, [1 / len(classes)] * len(classes), before))
    new = np.array(filled_prevalence(classes, old.tolist(), after))
    raised = (old == 0) & (new > 0)
    if raised.any():
        name = classes[int(np.argmax(raised))]
        raise SettingError(
            f"'{name}' was never met before (prevalence 0), so nothing is known of it at another."
        )
    turned = shares * np.divide(new, old, out=np.zeros_like(new), where=old > 0)
    total = turned.sum(axis=1, keepdims=True)
    result: Floats = np.where(total > 0, turned / np.where(total > 0, total, 1.0), new)
    return result


def filled_prevalence(
    classes: tuple[str, ...], before: list[float], given: Mapping[str, float]
) -> tuple[float, ...]:
    """Every class's prevalence, summing to 1; refuses what cannot be one."""
    if not isinstance(given, Mapping) or not given:
        raise SettingError("prevalence must be a probability by class, as in {'yes': 0.008}.")
    for name, share in given.items():
        check_known("class", name, classes, plural="classes")
        number = isinstance(share, int | float) and not isinstance(share, bool)
        if not number or not 0 <= share <= 1:
            raise SettingError(f"The prevalence of '{name}' must lie from 0 to 1, not {share!r}.")
    total = math.fsum(given.values())
    free = [c for c, name in enumerate(classes) if name not in given]
    if total > 1 + 1e-9 or (not free and total < 1 - 1e-9):
        raise SettingError(f"The prevalences sum to {total:g}, not to 1.")
    if not free:
        return tuple(float(given[name]) / total for name in classes)
    rest, share_of_free = max(0.0, 1 - total), math.fsum(before[c] for c in free)
    return tuple(
        float(given[name])
        if name in given
        else rest * (before[c] / share_of_free if share_of_free > 0 else 1 / len(free))
        for c, name in enumerate(classes)
    )


# How sure is an answer? An interval from the rows that stand behind it.


def intervals(model: Model, rows: Any, confidence: float = 0.95) -> Floats:
    """[row, 2] both ends: for the probability of the predicted class (Wilson), or for the mean of a number.

    The rows behind a prediction are those of its leaf or of the rule that took it; a row in several leaves
    has the average of their probabilities and of their weights. A number's interval is value ± z·√(error ÷
    weight²). Medians have none: the absolute error kept with them does not tell how far the median may lie.
    Nor have probabilities that a calibration or another prevalence has changed; a row without a prediction
    has NaN, and so has one whose rule took no rows in training, as of a list written by hand.
    """
    check_kind("intervals", model)
    table = table_for(model, rows)
    decision = model.decision
    if decision.adjusts:
        raise SettingError(CHANGED_SINCE)
    if decision.refer is not None:
        answered = predict_codes(model, table) >= 0
        whole = replace(model, decision=replace(decision, refer=None))
        return np.where(answered[:, None], intervals(whole, table, confidence), np.nan)
    return intervals_of_kind(model, table, confidence)
