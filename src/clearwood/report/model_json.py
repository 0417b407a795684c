"""What the page needs of a model: the JSON of its file, and the letters that its texts are read by."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, assert_never

from clearwood.models.columns_used import columns_used
from clearwood.models.files import to_json
from clearwood.models.kinds.additive.additive_model import AdditiveModel, curves_in, name_of, sides_of
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.distributions import Words
from clearwood.models.kinds.bayes.word_terms import kept_words
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.ensemble.many_trees import joined_trees
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.models.profile import NumbersProfile
from clearwood.models.reading_size import balanced_words
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


# What the page needs of an additive model: its points as plain lists.


def additive_for_page(model: AdditiveModel, fields_of: Callable[[Model], dict[str, Any]]) -> dict[str, Any]:
    """Heading and body, with `terms` instead of packed columns."""
    fields = fields_of(model)
    for name in ("curves", "pairs", "learning", "spread"):
        fields.pop(name)
    fields["terms"] = [
        {
            "name": name_of(term),
            "sides": [{"column": name, "cuts": list(cuts)} for name, cuts in sides_of(term)],
            "points": [list(row) for row in term.points],
        }
        for term in curves_in(model)
    ]
    return fields


# What the page needs of an ensemble: its members as the JSON of their own files, or the first of them.


_ANSWERING: Final = 8_000_000  # bytes of members, before they are packed, up to which a page answers rows
_DRAWN: Final = 6_000_000  # bytes of trees that a page holds to draw them, where it does not answer
_BYTES_OF_A_NODE: Final = 60  # at least

Fields = Callable[[Model], dict[str, Any]]


def ensemble_for_page(model: Ensemble, fields_of: Fields) -> dict[str, Any]:
    """Heading and body, with `members` instead of columns.

    `left_out` says why not all of them are there, and so why the page does not predict. Trees are drawn one
    by one all the same, as many as the page holds and at least the first.
    """
    fields = fields_of(_of_one_member(model))
    for name in ("trees", "models", "curves"):
        fields.pop(name)
    fields["weights"] = list(model.weights)
    fields["columns"] = sorted(columns_used(model))
    fields["members"], fields["left_out"] = [], ""
    fields["adds_to"] = [0] * model.size if model.trees is None else model.trees.adds_to.tolist()
    answers = page_answers(model, fields_of)
    if not answers:
        fields["left_out"] = (
            f"This page does not predict: the {model.size:,} members are too large for it. "
            "Use clearwood predict with the model's file."
        )
    if answers or model.trees is not None:
        size = 0
        for body, length in _members(model, fields_of):
            size += length
            if not answers and size > _DRAWN and fields["members"]:
                break
            fields["members"].append(body)
    return fields


def page_answers(model: Ensemble, fields_of: Fields) -> bool:
    """Are the members small enough for a page that answers rows?"""
    nodes = 0 if model.trees is None else len(model.trees.nodes)
    if nodes * _BYTES_OF_A_NODE > _ANSWERING:
        return False
    size = 0
    for _, length in _members(model, fields_of):
        size += length
        if size > _ANSWERING:
            return False
    return True


def _members(model: Ensemble, fields_of: Fields) -> Iterator[tuple[dict[str, Any], int]]:
    """Each as data without what the whole has, and its length as text."""
    for member in model.members:
        own = fields_of(member)
        body = {name: own[name] for name in own if name not in _OF_THE_WHOLE}
        yield body, len(json.dumps(body))


def _of_one_member(model: Ensemble) -> Ensemble:
    """The heading is the same, and need not be written with all the trees."""
    if model.trees is None:
        return replace(model, models=model.models[:1], weights=(), curves=())
    trees = model.trees
    first = joined_trees([trees[0]], trees.answers, adds_to=[0], score_names=trees.score_names)
    return replace(model, trees=first, weights=(), curves=())


_OF_THE_WHOLE: Final = frozenset({"format", "version", "schema", "origin", "decision", "profile"})
