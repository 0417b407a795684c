"""What the page needs of a model: the heading of its file, what answers a row, and where its answer turns."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from clearwood.models.files import to_json
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.ensemble.many_trees import joined_trees
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList, answers_with_rows, rule_weights
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model, balanced_words
from clearwood.models.predicted import predicted_quantile
from clearwood.models.space.space_of import columns_used, inputs_used, space_of, thresholds_of
from clearwood.reporting.evidence_json import evidence_json
from clearwood.table.attributes import Text
from clearwood.web.joining import letters


def model_for_page(model: Model) -> dict[str, Any]:
    """Of a tree, of rules and of an ensemble what their files have; of others what their cells add.

    Beside it the columns that are used, by column the thresholds at which the answer can turn, and between
    which numbers the others lie, None where a span has no end.
    """
    columns = sorted(columns_used(model))
    fields = _ensemble(model) if isinstance(model, Ensemble) else _fields(model)
    if isinstance(model, Tree):
        fields["balanced"] = bool(balanced_words(model))
    fields["columns"], fields["quantile"] = columns, predicted_quantile(model)
    fields["thresholds"], fields["spans"] = {}, {}
    if not fields.get("left_out"):
        fields["thresholds"] = {name: list(each) for name, each in thresholds_of(model).items()}
        for name, ends in space_of(model).spans().items():
            fields["spans"][name] = [end if math.isfinite(end) else None for end in ends]
    return fields


def _fields(model: Model) -> dict[str, Any]:
    """Heading and body, beside each other."""
    heading, body = _file(model)
    if isinstance(model, BayesTables | LinearModel | AdditiveModel):
        return {**heading, **evidence_json(model)}
    if isinstance(model, RuleList):
        body["weights"] = [] if model.is_numeric else rule_weights(model).tolist()
        body["counted"] = [] if model.is_numeric else answers_with_rows(model)
    return {**heading, **body}


def _file(model: Model) -> tuple[dict[str, Any], dict[str, Any]]:
    """The heading and the body of the model's file."""
    heading: dict[str, Any] = json.loads(to_json(replace(model, profile=None)))
    return heading, heading.pop("body")


def letters_for_page(model: Model) -> dict[str, Any] | None:
    """Which characters are letters, and the small ones of capitals, if the model reads texts."""
    return letters() if any(isinstance(each, Text) for each in inputs_used(model)) else None


# What the page needs of an ensemble: its members as pages of their own have them, or the first of them.


_ANSWERING: Final = 8_000_000  # bytes of members, before they are packed, up to which a page answers rows
_DRAWN: Final = 6_000_000  # bytes of trees that a page holds to draw them, where it does not answer
_BYTES_OF_A_NODE: Final = 60  # at least


def _ensemble(model: Ensemble) -> dict[str, Any]:
    """Heading and body, with `members` instead of columns.

    `left_out` says why not all of them are there, and so why the page does not predict. Trees are drawn one
    by one all the same, as many as the page holds and at least the first.
    """
    fields = _fields(_of_one_member(model))
    for name in ("trees", "models", "curves"):
        fields.pop(name)
    fields["weights"] = list(model.weights)
    fields["members"], fields["left_out"] = [], ""
    fields["adds_to"] = [0] * model.size if model.trees is None else model.trees.adds_to.tolist()
    answers = page_answers(model)
    if not answers:
        fields["left_out"] = (
            f"This page does not predict: the {model.size:,} members are too large for it. "
            "Use clearwood predict with the model's file."
        )
    if answers or model.trees is not None:
        size = 0
        for body, length in _members(model):
            size += length
            if not answers and size > _DRAWN and fields["members"]:
                break
            fields["members"].append(body)
    return fields


def page_answers(model: Ensemble) -> bool:
    """Are the members small enough for a page that answers rows?"""
    nodes = 0 if model.trees is None else len(model.trees.nodes)
    if nodes * _BYTES_OF_A_NODE > _ANSWERING:
        return False
    size = 0
    for _, length in _members(model):
        size += length
        if size > _ANSWERING:
            return False
    return True


def _members(model: Ensemble) -> Iterator[tuple[dict[str, Any], int]]:
    """Each as data without what the whole has, and its length as text."""
    for member in model.members:
        own = _fields(member)
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
