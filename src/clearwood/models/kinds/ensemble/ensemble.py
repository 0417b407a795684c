"""An Ensemble: many models whose answers are combined into one, by their mean, by votes or by adding up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field, replace
from typing import ClassVar, Final, Literal, TypeAlias, get_args, overload

from clearwood.errors import SchemaError, no_such
from clearwood.models.decision import Decision
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.many_trees import Trees
from clearwood.models.kinds.kind import BaseModel, Profile
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import BY_HAND, Origin
from clearwood.records import dataclass
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema

Member: TypeAlias = Tree | RuleList | BayesTables | LinearModel
Combined: TypeAlias = Literal["mean", "votes", "sum"]
Link: TypeAlias = Literal["identity", "logistic", "softmax", "exp"]
COMBINED: Final[tuple[Combined, ...]] = get_args(Combined)
LINKS: Final[tuple[Link, ...]] = get_args(Link)
_NEARLY_ALL: Final = 10  # members of which one or another did not draw nearly every row


@dataclass(frozen=True, slots=True)
class LearningCurve:
    """A score by the number of members: `values[k]` is that of the first k + 1.

    `on` says of which rows, `score` which one: "error" (part answered wrongly), "squared error", "log loss",
    …. `best` is the number of members that was kept where a score stopped the learning, else None.
    """

    score: str
    on: Literal["training rows", "held-out rows", "out-of-bag rows"]
    values: tuple[float, ...]
    best: int | None = None

    def __post_init__(self) -> None:
        if not self.values or not all(map(math.isfinite, self.values)):
            raise SchemaError("A learning curve has a finite number for each member, and at least one.")
        if self.best is not None and not 0 <= self.best <= len(self.values):
            raise SchemaError(f"A learning curve of {len(self.values)} members cannot have kept {self.best}.")

    @property
    def error(self) -> float:
        """The score of all members."""
        return self.values[-1]

    @property
    def least(self) -> int | None:
        """With how many members it is least; None where all of them are as good, rounding aside.

        The first of a forest are judged on few rows, those that one or another did not draw: ten have
        left out nearly every row (99 %), and fewer are not compared.
        """
        first = min(_NEARLY_ALL, len(self.values)) - 1 if self.on == "out-of-bag rows" else 0
        least = min(self.values[first:])
        if math.isclose(least, self.values[-1], rel_tol=1e-9, abs_tol=1e-12):
            return None
        return self.values.index(least, first) + 1


@dataclass(frozen=True)
class Ensemble(BaseModel):
    """Members that share a schema, what each weighs, and how their predictions become one.

    "mean": the mean of the members' probabilities (or numbers), by their weights. "votes": each member's
    class has its weight as votes, and a class's probability is its part of them. "sum": scores are `base`
    plus weight × number of each member, and `link` makes probabilities or the number of them: "logistic" of
    one score, the log odds of the second of two classes; "softmax" of a score for each class; "identity" and
    "exp" of numbers, which are the mean of the target for such rows, or its `quantile`.

    `trees` holds members as columns; `models` members of other kinds. One of them is there.
    """

    kind: ClassVar = "ensemble"
    schema: Schema
    trees: Trees | None = None
    models: tuple[Member, ...] = ()
    weights: tuple[float, ...] = ()  # [member]; empty: 1 each
    combined_by: Combined = "mean"
    base: tuple[float, ...] = ()  # [score], of a sum
    link: Link = "identity"
    curves: tuple[LearningCurve, ...] = ()
    decision: Decision = field(default_factory=Decision)
    origin: Origin = field(default_factory=lambda: Origin(BY_HAND))
    profile: Profile | None = None
    quantile: float | None = None  # of the target, that a sum predicts; None: its mean

    def __post_init__(self) -> None:
        check_ensemble(self)

    @property
    def members(self) -> Members:
        """Each member as a model that stands alone, made when it is asked for."""
        return Members(self)

    @property
    def size(self) -> int:
        """How many members there are."""
        return len(self.models) if self.trees is None else len(self.trees)

    def weight(self, member: int) -> float:
        """What a member weighs."""
        return self.weights[member] if self.weights else 1.0

    @property
    def out_of_bag(self) -> LearningCurve | None:
        """The score on rows that a member did not learn from, where the learner kept it."""
        return next((each for each in self.curves if each.on == "out-of-bag rows"), None)

    def __repr__(self) -> str:
        return f"<Ensemble {self.origin.title}: {self.size:,} {'member' if self.size == 1 else 'members'}>"


@dataclass(frozen=True, slots=True)
class Members(Sequence[Member]):
    """The members of an ensemble, each a model that can be shown, asked and explained by itself.

    A tree of a sum predicts a number, its step; the target of its schema is called by the score it adds to.
    """

    ensemble: Ensemble

    def __len__(self) -> int:
        return self.ensemble.size

    @overload
    def __getitem__(self, place: int) -> Member: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Member, ...]: ...

    def __getitem__(self, place: int | slice) -> Member | tuple[Member, ...]:
        if isinstance(place, slice):
            return tuple(self[each] for each in range(*place.indices(len(self))))
        place = range(len(self))[place]
        whole = self.ensemble
        if whole.trees is None:
            return whole.models[place]
        trees = whole.trees
        return Tree(
            member_schema(whole, int(trees.adds_to[place])),
            trees[place],
            trees.score_names,
            member_decision(whole),
            origin=Origin(f"member {place + 1} of {whole.origin.learner}"),
            answers=trees.answers,
            measure=trees.measure,
        )


def member_schema(ensemble: Ensemble, score: int) -> Schema:
    """The schema of a member: the ensemble's own, or of a sum one whose target is the score it adds to."""
    if ensemble.combined_by != "sum":
        return ensemble.schema
    return replace(ensemble.schema, target=Numeric(score_name(ensemble.schema, ensemble.link, score)))


def member_decision(ensemble: Ensemble) -> Decision:
    """How a member counts: factors of priors are in its shares, all else decides about the whole."""
    return Decision(factors=() if ensemble.combined_by == "sum" else ensemble.decision.factors)


def score_name(schema: Schema, link: Link, score: int) -> str:
    """What a score is called.

    >>> from clearwood.table.attributes import Nominal
    >>> score_name(Schema((), Nominal("Play", ("No", "Yes"))), "logistic", 0)
    'log odds of Yes'
    """
    target = "" if schema.target is None else schema.target.name
    match link:
        case "logistic":
            return f"log odds of {schema.classes[1]}"
        case "softmax":
            return f"score of {schema.classes[score]}"
        case "exp":
            return f"log of {target}"
        case "identity":
            return target


def scores_of_link(schema: Schema, link: Link) -> int:
    """How many scores are added up: one per class for softmax, else one."""
    return len(schema.classes) if link == "softmax" else 1


def check_link(schema: Schema, link: Link) -> None:
    """Refuse a link that the target cannot have."""
    if link not in LINKS:
        raise SchemaError(no_such("link", str(link), LINKS))
    numeric = isinstance(schema.target, Numeric)
    if numeric != (link in ("identity", "exp")):
        raise SchemaError(f"The link '{link}' is not for {'numbers' if numeric else 'classes'}.")
    if link == "logistic" and len(schema.classes) != 2:
        raise SchemaError(f"The link 'logistic' is for two classes, not {len(schema.classes)}.")


def check_ensemble(ensemble: Ensemble) -> None:
    """Refuse members, weights or scores that do not fit the schema and each other."""
    schema = ensemble.schema
    if schema.target is None:
        raise SchemaError("An ensemble's schema must name a target.")
    if ensemble.combined_by not in COMBINED:
        raise SchemaError(
            no_such("way to combine called", str(ensemble.combined_by), COMBINED, plural="ways")
        )
    if (ensemble.trees is None) == (not ensemble.models):
        raise SchemaError("An ensemble has trees, or models of other kinds: one of the two.")
    if ensemble.weights and len(ensemble.weights) != ensemble.size:
        raise SchemaError(f"An ensemble has a weight for each of its {ensemble.size} members, or none.")
    if not math.isfinite(sum(map(abs, ensemble.weights))):
        raise SchemaError("The weights of members must have a finite sum.")
    if ensemble.combined_by != "sum":
        if ensemble.base:
            raise SchemaError("Only a sum has base values.")
        if ensemble.combined_by == "votes" and ensemble.is_numeric:
            raise SchemaError("Votes are for classes; numbers are combined by their mean, or added up.")
        if any(weight < 0 for weight in ensemble.weights) or (
            ensemble.weights and not sum(ensemble.weights) > 0
        ):
            raise SchemaError("Members weigh 0 or more, and not all of them 0.")
    else:
        check_link(schema, ensemble.link)
        if ensemble.trees is None or ensemble.trees.answers != "step":
            raise SchemaError("The members of a sum are trees whose leaves are steps.")
        scores = scores_of_link(schema, ensemble.link)
        if len(ensemble.base) != scores or int(ensemble.trees.adds_to.max()) >= scores:
            raise SchemaError(f"A sum has a base value for each of its {scores} scores, and no tree another.")
    quantile = ensemble.quantile
    if quantile is not None and not (
        0 < quantile < 1 and ensemble.combined_by == "sum" and ensemble.link == "identity"
    ):
        raise SchemaError("A quantile lies between 0 and 1, and is predicted by a sum of numbers.")
    for member in ensemble.models:
        if member.schema != schema:
            raise SchemaError("The members of an ensemble share its schema.")
