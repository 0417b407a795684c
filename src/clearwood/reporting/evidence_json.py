"""What each cell of Bayes tables, weights and curves adds to every class, as the page adds it up.

A term has a name, which is its column's if it has one, and a kind:

    places   `logs` [class][place] of the interval or value that a cell is, then of a missing and of an unseen
             one; of two `sides` the places of the second within each of the first
    slope    the number × `weights` [class]; of a missing one `missing`
    times    the number, if it is above 0, × `logs`
    bell     constant − (x − mean)² × precision, by class
    hills    the log of a sum of bells, by class
    words    `base` and the log of each known word, every time it stands there or `once`

Of Bayes tables `sizes` [class] are what probabilities of 0 are divided by. Of weights `average` is what the
column adds on average, None where the model does not know, and `tried` are the cells that a best row may
have. JSON has no −∞: a log of 0 is None.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

import numpy as np
from msgspec import to_builtins

from clearwood.arrays import Floats
from clearwood.models.account.account import (
    Account,
    AccountTerm,
    ByWord,
    KernelDensity,
    NormalDensity,
    PerCount,
    Places,
    Presence,
    Slope,
)
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.model import account_of

PageTerm = dict[str, Any]


def evidence_json(model: BayesTables | LinearModel | AdditiveModel) -> dict[str, Any]:
    """`start`, by class what stands before any cell, and the terms.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4], "y": list("aabb")}, target="y")
    >>> [term["kind"] for term in evidence_json(cw.NaiveBayes().learn(table))["terms"]]
    ['bell']
    """
    account = account_of(model)
    terms = [_term(account, term) for term in account.terms]
    link = {"link": model.link} if isinstance(model, AdditiveModel) else {}
    return {"start": _logs(account.start), **link, "terms": terms}


def _term(account: Account, term: AccountTerm) -> PageTerm:
    name, page = term.name, PageTerm(name=term.name)
    if account.averages is not None and account.tried is not None:
        average = account.averages.get(name)
        page |= {"average": None if average is None else average.tolist(), "tried": account.tried[name]}
    match term:
        case Places(sides, added, sizes):
            asked = [_side(each.name, each.cuts if each.values is None else None) for each in sides]
            return page | _sized({"kind": "places", "sides": asked, "logs": _logs(added.T)}, sizes)
        case Slope(_, weights, usual):
            missing = term.missing.tolist()
            return page | {"kind": "slope", "weights": weights.tolist(), "missing": missing, "usual": usual}
        case Presence(_, present, absent, sizes):
            by_place = np.vstack([absent, present, np.zeros_like(sizes)])
            asked = [_side(name, (0.0,))]
            return page | _sized({"kind": "places", "sides": asked, "logs": _logs(by_place.T)}, sizes)
        case PerCount(_, logs, sizes):
            return page | _sized({"kind": "times", "logs": _logs(logs)}, sizes)
        case NormalDensity(_, constants, means, precisions):
            curves = {"constants": constants, "means": means, "precisions": precisions}
            return page | {"kind": "bell"} | {each: curve.tolist() for each, curve in curves.items()}
        case KernelDensity(_, points, shares, widths):
            at = [each.tolist() for each in points]
            return page | {"kind": "hills", "points": at, "shares": _logs(shares), "widths": widths}
        case ByWord(_, words, logs, base, once, reading):
            split = {"lower": reading.lower, "ngrams": reading.ngrams, "stop_words": reading.stop_words}
            by_word = {"logs": logs.T.tolist(), "base": base.tolist(), "once": once}
            return page | {"kind": "words", "words": words, **by_word, "reading": to_builtins(split)}
        case _:
            assert_never(term)


def _side(name: str, cuts: Sequence[float] | None) -> PageTerm:
    return {"column": name, "cuts": cuts}


def _sized(page: PageTerm, sizes: Floats | None) -> PageTerm:
    return page if sizes is None else page | {"sizes": sizes.tolist()}


def _logs(logs: Floats | Sequence[Floats]) -> list[Any]:
    """As lists, with None for −∞."""
    if isinstance(logs, np.ndarray) and logs.ndim == 1:
        return [None if each == -np.inf else each for each in logs.tolist()]
    return list(map(_logs, logs))
