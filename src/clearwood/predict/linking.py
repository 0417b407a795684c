"""The link: from the scores of a sum, an ensemble's or an additive model's, to shares or a number."""

from __future__ import annotations

from typing import assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.models.decision import Decision
from clearwood.models.ensemble import Link
from clearwood.predict.answers import divided


def shares_of_scores(scores: Floats, link: Link, decision: Decision) -> Floats:
    """[row, class] what the link makes of scores [row, score], times the decision's factors.

    >>> shares_of_scores(np.array([[0.0]]), "logistic", Decision(factors=(3.0, 1.0))).tolist()
    [[0.75, 0.25]]
    """
    shares = linked(scores, link)
    return divided(shares * np.array(decision.factors)) if decision.factors else shares


def linked(scores: Floats, link: Link) -> Floats:
    """[row, class] the shares, or [row, 1] the numbers, of these scores [row, score].

    >>> linked(np.array([[0.0]]), "logistic").tolist(), linked(np.array([[1.0, 1.0]]), "softmax").tolist()
    ([[0.5, 0.5]], [[0.5, 0.5]])
    """
    match link:
        case "identity":
            return scores
        case "exp":
            with np.errstate(over="ignore"):
                numbers: Floats = np.exp(scores)
            return numbers
        case "logistic":
            tail = np.exp(-np.abs(scores[:, 0]))
            likely, other = 1.0 / (1.0 + tail), tail / (1.0 + tail)
            second = np.where(scores[:, 0] >= 0, likely, other)
            return np.stack([np.where(scores[:, 0] >= 0, other, likely), second], axis=1)
        case "softmax":
            parts = np.exp(scores - scores.max(axis=1, keepdims=True))
            shares: Floats = parts / parts.sum(axis=1, keepdims=True)
            return shares
        case _:
            assert_never(link)
