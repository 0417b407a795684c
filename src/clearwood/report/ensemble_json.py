"""What the page needs of an ensemble: its members as the JSON of their own files, or the first of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from clearwood.models.ensemble import Ensemble
from clearwood.models.many_trees import joined_trees
from clearwood.models.model import Model
from clearwood.predict.columns import columns_used

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
