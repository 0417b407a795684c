"""Bagging: each member learns from a bootstrap sample, and their answers are averaged (Breiman 1996)."""

from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal

import numpy as np

from clearwood.arrays import Longs
from clearwood.bounds import Whole
from clearwood.learners.directions import with_directions
from clearwood.learners.ensembles.members import (
    HowMany,
    Of,
    OutOfBag,
    check_combined,
    decision_for,
    ended_early,
    ensemble_of,
    keep_out_of_bag,
    learned,
    member_learner,
    times_drawn,
)
from clearwood.learners.progress import is_enough
from clearwood.learners.training import origin_of, usable_rows
from clearwood.learners.trees.c45 import C45
from clearwood.models.decision import Decision
from clearwood.models.kinds.ensemble.ensemble import Ensemble, Member
from clearwood.registry import Costs, Priors, check
from clearwood.table.folding import rows_by_content
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Bagging:
    """Many models of one learner, each from rows drawn with replacement; classes or numbers.

    A member sees each row as often as it was drawn. About a third of the rows are not drawn for it: what the
    members that did not see a row answer there is the out-of-bag answer, and its error by the number of
    members is kept (`model.out_of_bag`). `combine` "mean" averages shares or numbers, "votes" counts the
    members that answer each class. `priors` and `costs` are given to the learner `of`,
    which may have its own instead.

    >>> from clearwood import datasets, read_table
    >>> table = read_table(datasets.path("tennis"), target="PlayTennis")
    >>> Bagging(trees=10).learn(table)
    <Ensemble Bagging: 10 members>
    """

    learns_numbers: ClassVar[bool] = True

    of: Of = field(default_factory=C45)
    trees: HowMany = 50
    combine: Annotated[
        Literal["mean", "votes"], "mean: of probabilities or numbers; votes: each member's class counts once."
    ] = "mean"
    seed: Annotated[int, Whole(0), "The seed of random choices."] = 0
    priors: Priors = None
    costs: Costs = None

    def __post_init__(self) -> None:
        check(self)
        member_learner(self.of, self.priors, self.costs)

    def learn(self, table: Table) -> Ensemble:
        rows = usable_rows(self, table, reads_text=True)
        votes = self.combine == "votes"
        check_combined(self.combine, rows)
        self = replace(self, of=with_directions(self.of, rows))  # the same class in every member
        of = member_learner(self.of, self.priors, self.costs)
        order = rows_by_content(rows)
        first = learned(of, sample(rows, times_drawn(rows, self.seed, 0, order)), 0)
        decision = decision_for(of, first, rows)
        out_of_bag = OutOfBag(rows, decision, votes=votes)
        members: list[Member] = []
        for place in range(self.trees):
            times = times_drawn(rows, self.seed, place, order)
            member = learned(of, sample(rows, times), place) if place else first
            out_of_bag.add(replace(member, decision=Decision(factors=decision.factors)), times == 0)
            members.append(member)
            if is_enough(out_of_bag.progress(self.trees)):
                break
        keep_out_of_bag(out_of_bag.answers())
        return ensemble_of(
            members,
            decision,
            origin_of(self, table).then(*ended_early(len(members), self.trees, "member")),
            combined_by="votes" if votes else "mean",
            curves=out_of_bag.curves(),
        )


def sample(rows: Table, times: Longs) -> Table:
    """The rows that were drawn, weighing as often as they were."""
    drawn = np.flatnonzero(times)
    weights = times[drawn].astype(np.float64)
    return replace(rows.take(drawn), weights=weights, weights_are="counts")
