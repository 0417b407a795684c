"""What the page needs of a model: the JSON of its file, and the letters that its texts are read by."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, assert_never

from clearwood.models.additive_model import AdditiveModel
from clearwood.models.balanced_rows import balanced_words
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Words
from clearwood.models.ensemble import Ensemble
from clearwood.models.files import to_json
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.profile import NumbersProfile
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.predict.words import kept_words
from clearwood.report.additive_json import additive_for_page
from clearwood.report.ensemble_json import ensemble_for_page, page_answers
from clearwood.web.joining import letters


def model_for_page(model: Model) -> dict[str, Any]:
    """The fields of its file, the body's beside the heading's; of a text column only the words that the
    limits leave, and so no limits.

    JSON in a page cannot tell 1 text from a share of 1.0 of them, and words that never count only take room.
    """
    match model:
        case BayesTables():
            kept = tuple(_kept(each) if isinstance(each, Words) else each for each in model.distributions)
            return _fields(replace(model, distributions=kept))
        case LinearModel():
            return {**_fields(model), **_ranges(model)}
        case Ensemble():
            return ensemble_for_page(model, _fields)
        case AdditiveModel():
            return additive_for_page(model, _fields)
        case Tree():
            return {**_fields(model), "balanced": bool(balanced_words(model))}
        case RuleList():
            return _fields(model)
        case _:
            assert_never(model)


def answers_in_page(model: Ensemble) -> bool:
    """Does the page hold all members, and so answer rows?"""
    return page_answers(model, _fields)


def _fields(model: Model) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(to_json(replace(model, profile=None)))
    body: dict[str, Any] = fields.pop("body")
    return {**fields, **body}


def _ranges(model: LinearModel) -> dict[str, Any]:
    """The least and the greatest number of each column, where a best row is looked for."""
    if model.profile is None:
        return {}
    columns = model.profile.columns.items()
    numbers = {name: each.quantiles for name, each in columns if isinstance(each, NumbersProfile)}
    return {"ranges": {name: [each[0], each[-1]] for name, each in numbers.items() if each}}


def letters_for_page(model: Model) -> dict[str, Any] | None:
    """Which characters are letters, and the small ones of capitals, if the model reads texts."""
    match model:
        case BayesTables():
            if not any(isinstance(each, Words) for each in model.distributions):
                return None
        case Tree() | RuleList() | LinearModel() | AdditiveModel():
            return None
        case Ensemble():
            if not any(letters_for_page(member) for member in model.models):
                return None
        case _:
            assert_never(model)
    return letters()


def _kept(words: Words) -> Words:
    places = kept_words(words).tolist()
    return replace(
        words,
        words=tuple(words.words[i] for i in places),
        counts=tuple(tuple(line[i] for i in places) for line in words.counts),
        documents=tuple(tuple(line[i] for i in places) for line in words.documents),
        texts=tuple(words.texts[i] for i in places),
        reading=replace(words.reading, min_documents=0, max_documents=words.read, most_words=None),
    )
