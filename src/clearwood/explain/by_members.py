"""By members: how many members of an ensemble say what, and what their answers come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clearwood.explain.contributions import Contributions, contributions, contributions_by
from clearwood.explain.shap import ShapValues
from clearwood.models.ensemble import Combined, Ensemble, score_name
from clearwood.models.tree import Tree
from clearwood.predict.columns import table_of_row
from clearwood.predict.of_trees import answers_by_member, scores_of_ensemble
from clearwood.table.row import Row


@dataclass(frozen=True, slots=True)
class Voice:
    """The members that say one thing: the class, how many they are, and their part of all weight."""

    called: str
    members: int
    part: float


@dataclass(frozen=True, slots=True)
class ByMembers:
    """How far the members agree.

    Of classes `voices` has those that members favour, the weightiest first. Of numbers `spread` is the
    least, the median and the greatest of the members' answers. Of a sum `scores` is by score its base and
    what all members together make of it. Of trees `contributions` has what each cell adds to the answer.
    """

    members: int
    combined_by: Combined
    voices: tuple[Voice, ...] = ()
    spread: tuple[float, float, float] | None = None
    scores: Mapping[str, tuple[float, float]] | None = None
    contributions: Contributions | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "by": "members",
            "members": self.members,
            "combined_by": self.combined_by,
            "voices": [
                {"class": each.called, "members": each.members, "part": each.part} for each in self.voices
            ],
            "spread": None if self.spread is None else list(self.spread),
            "scores": None
            if self.scores is None
            else {name: {"base": base, "sum": total} for name, (base, total) in self.scores.items()},
            "contributions": None if self.contributions is None else self.contributions.to_json(),
        }


def members_for(model: Ensemble, row: Row, answer: str = "", values: ShapValues | None = None) -> ByMembers:
    """What the members say of one row and, of trees, what each cell adds to the class answered; `values` are
    the row's SHAP values where they are known."""
    said = _voices(model, row, answer)
    if not all(isinstance(each, Tree) for each in model.models):
        return said
    called = answer if answer in model.schema.classes else None
    if values is None:
        return replace(said, contributions=contributions(model, row, called))
    return replace(said, contributions=contributions_by(model, row, values, called))


def _voices(model: Ensemble, row: Row, answer: str) -> ByMembers:
    table = table_of_row(model, row)
    if model.combined_by == "sum":
        totals = scores_of_ensemble(model, table)[0].tolist()
        names = [score_name(model.schema, model.link, place) for place in range(len(model.base))]
        scores = dict(zip(names, zip(model.base, totals, strict=True), strict=True))
        if model.link == "logistic" and answer == model.schema.classes[0]:
            # Told of the class answered, as the contributions are.
            scores = {f"log odds of {answer}": (-model.base[0], -totals[0])}
        return ByMembers(model.size, "sum", scores=scores)
    said = answers_by_member(model, table)[0]  # [member, ·]
    if model.is_numeric:
        known = said[~np.isnan(said)]
        spread = (float(known.min()), float(np.median(known)), float(known.max())) if known.size else None
        return ByMembers(model.size, model.combined_by, spread=spread)
    weights = np.array(model.weights or [1.0] * model.size)
    favoured = np.where((said > 0).any(axis=1), said.argmax(axis=1), -1)
    voices = [
        Voice(name, int((favoured == place).sum()), float(weights[favoured == place].sum() / weights.sum()))
        for place, name in enumerate(model.schema.classes)
    ]
    heard = sorted((each for each in voices if each.members), key=lambda each: -each.part)
    return ByMembers(model.size, model.combined_by, tuple(heard))
