"""Deciding by the costs at stake, as a step of a recipe: every contender answers for the same costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from clearwood.models.decision import Cutoff
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.study.deciding.decided_anew import costs_of_mistakes, with_aim, with_costs
from clearwood.study.recipe import Recipe
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class DecidingByCosts:
    """Answer with the class of least expected cost. Rules of which the first that holds answers name their
    classes themselves: of two classes a cutoff says the same, of more they stay as they are.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> rules = cw.Recipe(cw.RIPPER(), after=(DecidingByCosts({("No", "Yes"): 4}),)).learn(days)
    >>> rules.decision.cutoff
    Cutoff(positive='No', at=0.2, costs=((0.0, 4.0), (1.0, 0.0)))
    """

    costs: Mapping[tuple[str, str], float]

    def finish(self, model: Model, recipe: Recipe, table: Table) -> Model:
        """The model with these costs for its decision."""
        del recipe, table  # no row has a part in it
        if not isinstance(model, RuleList) or model.matching != "first":
            return with_costs(model, self.costs)
        classes = model.schema.classes
        if len(classes) != 2:
            return model
        costs = costs_of_mistakes(model, self.costs)
        alarm, missed = costs[1][0] - costs[1][1], costs[0][1] - costs[0][0]
        if not (alarm > 0 and missed > 0):
            return model  # one class is never the dearer mistake: there is no cutoff between them
        cutoff = Cutoff(classes[0], alarm / (alarm + missed), costs)
        return with_aim(model, cutoff, None, by="none")


def deciding_by(costs: Mapping[tuple[str, str], float] | None, learner: Any) -> Any:
    """The learner as it is without costs, or with its own; else the recipe that decides by these."""
    recipe = learner if isinstance(learner, Recipe) else Recipe(learner)
    if costs is None or getattr(recipe.learner, "costs", None):
        return learner
    return replace(recipe, after=(*recipe.after, DecidingByCosts(costs)))
