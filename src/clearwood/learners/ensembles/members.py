"""Members: the learner within an ensemble's settings, the models it learned, and the ensemble they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import is_dataclass, replace
from typing import Annotated, Any, TypeAlias

import numpy as np

from clearwood.bounds import Checked, Whole
from clearwood.errors import ClearwoodError, ClearwoodWarning, LearningError, SettingError
from clearwood.learners.decision import decision_of
from clearwood.learners.learner import Learner
from clearwood.learners.progress import give_again, kept_warnings
from clearwood.models.decision import Decision
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble, Member
from clearwood.models.kinds.ensemble.many_trees import joined_trees
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import EndedBecause, EndedEarly
from clearwood.models.origin import Origin
from clearwood.registry import Costs, Priors, set_otherwise
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table


def _learner_of_members(name: str, value: Any) -> Any:
    if not callable(getattr(value, "learn", None)) or isinstance(value, type):
        raise SettingError(f"{name} must be a learner, such as C45(), not {value!r}.")
    return value


Of: TypeAlias = Annotated[
    Learner[Any],
    Checked(_learner_of_members),
    "The learner of the members, with its settings: LEARNER:NAME=VALUE,….",
]
HowMany: TypeAlias = Annotated[int, Whole(1), "How many members are learned, at most."]


def member_learner(of: Learner[Any], priors: Priors, costs: Costs) -> Learner[Any]:
    """The learner of the members with the priors and costs of the whole, where these are given."""
    given: dict[str, Any] = {"priors": priors, "costs": costs}
    given = {name: value for name, value in given.items() if value is not None}
    for name in given:
        if not is_dataclass(of) or not hasattr(of, name):
            raise SettingError(
                f"{type(of).__name__} takes no {name}. Weigh the rows instead, or leave them out."
            )
        if getattr(of, name) not in (None, "estimated"):
            raise SettingError(f"{name} are given twice, also to {type(of).__name__}. Give them once.")
    return set_otherwise(of, **given) if given else of


def learned(of: Learner[Any], table: Table, place: int) -> Member:
    """The member learned from these rows, by its place; what the learner remarks on is said once."""
    with kept_warnings() as kept:
        try:
            member = of.learn(table)
        except ClearwoodError as error:
            if not place:
                raise
            raise LearningError(f"Member {place + 1} cannot be learned from its rows: {error}") from None
    give_again([each for each in kept if not (place and isinstance(each.message, ClearwoodWarning))])
    if not isinstance(member, Tree | RuleList | BayesTables | LinearModel):
        raise SettingError(
            f"of must be a learner of single models; {type(of).__name__} makes a {type(member).__name__}. "
            "Use its own settings for more members."
        )
    return replace(member, schema=table.schema)


def decision_for(of: Any, member: Member, rows: Table) -> Decision:
    """How the whole decides where its members decide by priors or costs: the factors of priors are those of
    all rows, not of the sample that a member learned from."""
    if isinstance(rows.schema.target, Numeric):
        return Decision()
    counts = np.bincount(rows.target, weights=rows.weights, minlength=len(rows.schema.classes))
    priors = of.priors if member.decision.factors else None
    factors = decision_of(rows.schema, counts.astype(np.float64), priors, None).factors
    return Decision(factors, member.decision.costs)


def ended_early(
    done: int, of: int, unit: str, because: EndedBecause = "interrupted"
) -> tuple[EndedEarly, ...]:
    """The entry of a lineage that says so, where not all members were learned."""
    return (EndedEarly(done, of, unit, because),) if done < of else ()


def ensemble_of(members: Sequence[Member], decision: Decision, origin: Origin, **how: Any) -> Ensemble:
    """The ensemble of these members: trees as columns, others as they are."""
    schema = members[0].schema
    trees = [member for member in members if isinstance(member, Tree)]
    if len(trees) == len(members):
        first = trees[0]
        packed = joined_trees(
            [tree.nodes for tree in trees],
            first.answers,
            score_names=first.score_names,
            measure=first.measure,
        )
        return Ensemble(schema, packed, decision=decision, origin=origin, **how)
    models = tuple(
        replace(
            member,
            decision=Decision(factors=decision.factors),
            origin=Origin(f"member {place + 1} of {origin.learner}"),
            profile=None,
        )
        for place, member in enumerate(members)
    )
    return Ensemble(schema, models=models, decision=decision, origin=origin, **how)
