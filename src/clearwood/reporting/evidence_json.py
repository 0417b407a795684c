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
from clearwood.models.kinds.additive.additive_model import AdditiveModel, curves_in, name_of, sides_of
from clearwood.models.kinds.bayes import bayes_terms as bayes
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.word_terms import ByWord
from clearwood.models.kinds.linear.linear_model import LinearModel, MissingTerm, NumberTerm
from clearwood.models.kinds.linear.linear_program import amounts_of_values, values_with_a_place
from clearwood.models.profile import NumbersProfile
from clearwood.models.space.space_of import inputs_used
from clearwood.table.attributes import Nominal, Numeric, Ordinal

PageTerm = dict[str, Any]


def evidence_json(model: BayesTables | LinearModel | AdditiveModel) -> dict[str, Any]:
    """`start`, by class what stands before any cell, and the terms.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4], "y": list("aabb")}, target="y")
    >>> [term["kind"] for term in evidence_json(cw.NaiveBayes().learn(table))["terms"]]
    ['bell']
    """
    match model:
        case BayesTables():
            start, terms = bayes.log_priors(model), list(map(_bayes_term, bayes.terms_of(model)))
            return {"start": _logs(start), "terms": terms}
        case LinearModel():
            return _linear(model)
        case AdditiveModel():
            # Of two classes the first has 0.
            first = [0] if model.link == "logistic" else []
            terms = [
                {
                    "kind": "places",
                    "name": name_of(term),
                    "sides": [_side(name, cuts, model) for name, cuts in sides_of(term)],
                    "logs": [*([0] * len(term.points[0]) for _ in first), *map(list, term.points)],
                }
                for term in curves_in(model)
            ]
            return {"start": [*first, *model.base], "link": model.link, "terms": terms}
        case _:
            assert_never(model)


def _side(name: str, cuts: Sequence[float], model: AdditiveModel) -> PageTerm:
    return {"column": name, "cuts": list(cuts) if isinstance(model.schema[name], Numeric) else None}


def _bayes_term(term: bayes.BayesTerm) -> PageTerm:
    match term:
        case bayes.ByValue(name, logs, unseen, sizes, cuts):
            return _bayes_places(name, np.vstack([logs, np.zeros_like(unseen), unseen]), sizes, cuts)
        case bayes.Presence(name, present, absent, sizes):
            return _bayes_places(name, np.vstack([absent, present, np.zeros_like(sizes)]), sizes, (0.0,))
        case bayes.Times(name, logs, sizes):
            return {"kind": "times", "name": name, "logs": _logs(logs), "sizes": sizes.tolist()}
        case bayes.Bell(name, constants, means, precisions):
            curves = {"constants": constants, "means": means, "precisions": precisions}
            return {"kind": "bell", "name": name} | {each: curve.tolist() for each, curve in curves.items()}
        case bayes.Hills(name, points, shares, widths):
            at = [each.tolist() for each in points]
            return {"kind": "hills", "name": name, "points": at, "shares": _logs(shares), "widths": widths}
        case ByWord(name, words, logs, base, once, reading):
            split = {"lower": reading.lower, "ngrams": reading.ngrams, "stop_words": reading.stop_words}
            added = {"logs": logs.T.tolist(), "base": base.tolist(), "once": once}
            return {"kind": "words", "name": name, "words": words, **added, "reading": to_builtins(split)}
        case _:
            assert_never(term)


def _bayes_places(name: str, logs: Floats, sizes: Floats, cuts: Sequence[float] | None) -> PageTerm:
    sides = [{"column": name, "cuts": None if cuts is None else list(cuts)}]
    return {"kind": "places", "name": name, "sides": sides, "logs": _logs(logs.T), "sizes": sizes.tolist()}


def _linear(model: LinearModel) -> dict[str, Any]:
    """A class without weights adds nothing; it begins at 0 if the others are compared with it."""
    classes = model.schema.classes
    contrasts = [model.contrasts.index(name) if name in model.contrasts else None for name in classes]

    def by_class(amounts: Sequence[Any], without: Any = 0) -> list[Any]:
        return [without if place is None else amounts[place] for place in contrasts]

    terms: list[PageTerm] = []
    for attribute in inputs_used(model):
        name = attribute.name
        term: PageTerm = {"name": name, "average": None}
        if name in model.averages:
            term["average"] = by_class(model.averages[name])
        if isinstance(attribute, Nominal | Ordinal):
            amounts = amounts_of_values(model, attribute)
            logs = by_class(amounts, [0] * len(amounts[0]))
            term |= {"kind": "places", "sides": [{"column": name, "cuts": None}], "logs": logs}
            term["tried"] = values_with_a_place(model, attribute)
        else:
            weights = [dict(zip(model.terms, each, strict=True)) for each in model.weights]
            slopes = [each.get(NumberTerm(name), 0.0) for each in weights]
            absent = [each.get(MissingTerm(name), 0.0) for each in weights]
            fill = float(model.fills[name])
            missing = [slope * fill + gap for slope, gap in zip(slopes, absent, strict=True)]
            term |= {"kind": "slope", "weights": by_class(slopes), "missing": by_class(missing)}
            term |= {"tried": _ends(model, name), "usual": fill}
        terms.append(term)
    start = [
        0.0 if name == model.against else start
        for name, start in zip(classes, by_class(model.intercepts, None), strict=True)
    ]
    return {"start": start, "terms": terms}


def _ends(model: LinearModel, name: str) -> list[float]:
    """The least and the greatest number of a column, where a best row is looked for; none if nobody knows."""
    known = model.profile.columns.get(name) if model.profile else None
    return (
        [known.quantiles[0], known.quantiles[-1]]
        if isinstance(known, NumbersProfile) and known.quantiles
        else []
    )


def _logs(logs: Floats | Sequence[Floats]) -> list[Any]:
    """As lists, with None for −∞."""
    if isinstance(logs, np.ndarray) and logs.ndim == 1:
        return [None if each == -np.inf else each for each in logs.tolist()]
    return list(map(_logs, logs))
