"""Members of an ensemble: their learner, the models it learned, and what they answer out of bag."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import is_dataclass, replace
from typing import Annotated, Any, Final, TypeAlias

import numpy as np

from clearwood.arrays import Bools, Floats, Ints, Longs
from clearwood.bounds import Checked, Least, Whole
from clearwood.counting.chance import bootstrap, chance_key, weights_are_units
from clearwood.errors import Advice, ClearwoodError, ClearwoodWarning, LearningError, SettingError
from clearwood.learners.learner import Learner, check_learner
from clearwood.learners.progress import Progress, give_again, kept_warnings
from clearwood.learners.training import class_weights, decision_of
from clearwood.models.decision import Decision, cheapest
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble, LearningCurve, Member
from clearwood.models.kinds.ensemble.many_trees import joined_trees
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import EndedBecause, EndedEarly, Origin
from clearwood.predicting.batch import plain_codes, plain_numbers, plain_shares
from clearwood.records import dataclass
from clearwood.registry import Costs, Priors, set_otherwise
from clearwood.table.attributes import Numeric
from clearwood.table.folding import rows_by_content
from clearwood.table.table import Table

Of: TypeAlias = Annotated[
    Learner[Any],
    Checked(check_learner),
    "The learner of the members, with its settings: LEARNER:NAME=VALUE,….",
]
MinValue: TypeAlias = Annotated[
    float,
    Least(0),
    "Rows of a nominal value at a node, at least; rarer ones follow the missing cells there.",
]
HowMany: TypeAlias = Annotated[int, Whole(1), "How many members are learned, at most."]


def check_combined(combine: str, rows: Table) -> None:
    """Refuse votes on a number."""
    if combine == "votes" and isinstance(rows.schema.target, Numeric):
        raise LearningError(
            "Votes are for classes, and this target is a number. Use ",
            Advice("combine", "mean", setting=True),
            ".",
        )


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
    priors = of.priors if member.decision.factors else None
    factors = decision_of(rows.schema, class_weights(rows), priors, None).factors
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


# Out of bag: what the members that did not see a row answer there, and how wrong that is.


@dataclass(frozen=True, slots=True, eq=False)
class OutOfBagAnswers:
    """What the members so far answered rows that they did not draw: sums of shares, votes or numbers."""

    sums: Floats  # [row × class], or [row] of numbers
    size: Ints  # [row] how many members answered
    classes: tuple[str, ...] = ()  # those of the sums, in their order


_asked: ContextVar[list[OutOfBagAnswers] | None] = ContextVar("asked", default=None)


@contextmanager
def out_of_bag_kept() -> Iterator[list[OutOfBagAnswers]]:
    """What learners within the block answered rows out of bag, in their order: it comes with learning, and
    nobody else keeps it."""
    kept: list[OutOfBagAnswers] = []
    token = _asked.set(kept)
    try:
        yield kept
    finally:
        _asked.reset(token)


def keep_out_of_bag(answers: OutOfBagAnswers) -> None:
    """Hand the answers to whoever asked for them, if someone did."""
    asked = _asked.get()
    if asked is not None:
        asked.append(answers)


class OutOfBag:
    """Sums of answers by row, over the members that it was out of bag for."""

    def __init__(self, rows: Table, decision: Decision, *, votes: bool) -> None:
        self.rows, self.votes = rows, votes
        self.numeric = isinstance(rows.schema.target, Numeric)
        self.costs = np.array(decision.costs) if decision.costs else None
        self.width = 1 if self.numeric else len(rows.schema.classes)
        self.sums, self.heard = np.zeros((len(rows), self.width)), np.zeros(len(rows))
        self.weights = np.ones(len(rows)) if rows.weights is None else rows.weights
        self.values: list[float] = []

    def add(self, member: Member, out: Bools) -> None:
        """Ask a member about the rows that it did not learn from, and score what all have said."""
        self.hear(member, out)
        self.values.append(self._score())

    def hear(self, member: Member, out: Bools) -> None:
        """Ask a member about the rows that it did not learn from."""
        places = np.flatnonzero(out)
        if len(places):
            table = self.rows.take(places)
            if self.numeric:
                answers = plain_numbers(member, table)[:, None]
            elif self.votes:
                answers = np.eye(self.width + 1, self.width)[plain_codes(member, table)]
            else:
                answers = plain_shares(member, table)
            said = ~np.isnan(answers[:, 0]) if self.numeric else answers.max(axis=1) > 0
            heard = places[said]
            self.sums[heard] += answers[said]
            self.heard[heard] += 1.0

    def curves(self) -> tuple[LearningCurve, ...]:
        """The score by the number of members; none where no row was ever left out. Before the first was, it
        is that of the first."""
        known = [value for value in self.values if not np.isnan(value)]
        if not known:
            return ()
        values = tuple(known[0] if np.isnan(value) else value for value in self.values)
        return (LearningCurve(self._score_name, "out-of-bag rows", values),)

    def answers(self) -> OutOfBagAnswers:
        """The sums, and how many members each is of."""
        return OutOfBagAnswers(
            self.sums.ravel(), self.heard.astype(np.int32), () if self.numeric else self.rows.schema.classes
        )

    def progress(self, of: int) -> Progress:
        """How far it is, of so many members."""
        known = None if np.isnan(self.values[-1]) else self.values[-1]
        return Progress(len(self.values), of, "member", self._score_name, "out-of-bag rows", known)

    @property
    def _score_name(self) -> str:
        return "squared error" if self.numeric else "error"

    def _score(self) -> float:
        """Of the rows that some member answered; NaN where there are none."""
        heard = np.flatnonzero(self.heard)
        weights = self.weights[heard]
        if not weights.sum() > 0:
            return float("nan")
        truth = self.rows.target[heard]
        if self.numeric:
            wrong = (self.sums[heard, 0] / self.heard[heard] - truth) ** 2
        else:
            # Sums decide as means do, without the rounding of a division that could break a tie.
            wrong = (cheapest(self.sums[heard], self.costs) != truth).astype(np.float64)
        return float(np.dot(weights, wrong) / weights.sum())


# A member's rows: as many as there are, drawn with replacement in an order that their content decides.


DRAWING: Final = 0xB0075  # tells these draws from others of the same seed and member
_MOST: Final = 2**32 - 1


def times_drawn(table: Table, seed: int, member: int, order: Longs | None = None) -> Longs:
    """[row] how often the member draws it (Efron 1979; Breiman 1996).

    Weights that are whole numbers stand for so many rows: their sum is drawn. Otherwise as many rows as
    there are, each with a chance that is its part of the weight. Rows are counted in the order of their
    content (`order`, worked out unless given), so that the same rows in another order, or repeated instead
    of weighed, give the same members.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> [int(times_drawn(table, 0, member).sum()) for member in range(3)]
    [14, 14, 14]
    """
    order = rows_by_content(table) if order is None else order
    key, rows = chance_key(seed, member, DRAWING), len(table)
    weights = None if table.weights is None else table.weights[order]
    if weights is not None and weights_are_units(weights) and weights.sum() > _MOST:
        raise LearningError(
            f"The weights sum to {weights.sum():g} rows, more than can be drawn. Divide all by one number."
        )
    times = np.zeros(rows, dtype=np.int64)
    times[order] = bootstrap(key, rows, weights)
    return times
