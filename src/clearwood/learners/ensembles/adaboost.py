"""AdaBoost: each member looks harder at the rows that those before it got wrong; all vote (Freund 1997)."""

import math
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, Final

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.bounds import Within
from clearwood.counting.ties import TIE
from clearwood.errors import LearningError, SettingError
from clearwood.learners.directions import with_directions
from clearwood.learners.ensembles.members import HowMany, Of, ended_early, ensemble_of, learned
from clearwood.learners.progress import Progress, is_enough
from clearwood.learners.training import decision_of, origin_of, scoring_factors, usable_rows
from clearwood.learners.trees.cart import CART
from clearwood.models.decision import Decision
from clearwood.models.kinds.ensemble.ensemble import Ensemble, LearningCurve, Member
from clearwood.models.kinds.tree.tree import Tree, node_shares
from clearwood.models.lineage import EndedBecause, EndedEarly
from clearwood.predicting.batch import plain_codes
from clearwood.registry import Costs, Letter, Priors, check
from clearwood.table.attributes import Text
from clearwood.table.folding import in_order_of_content, places_by_name
from clearwood.table.table import Table

LEAST: Final = float(np.finfo(np.float64).eps)  # a row's part of the weight, if it has any
_TORN: Final = 2.0**-40  # of a weight: enough to part equal classes, and for nothing else
WIDEST: Final = 1e12  # learners refuse weights further apart: rounding would lose the lightest rows


@dataclass(frozen=True, slots=True)
class Round:
    """A round: the weights its member learned from, the rows it got wrong, its error and its weight."""

    weights: Floats  # [row], adding up to 1
    member: Member
    wrong: Bools  # [row]
    error: float
    weight: float
    error_of_all: float  # of the vote of the members so far, by the rows' own weights


@dataclass(frozen=True, slots=True)
class KeptRounds:
    """The rounds that are kept, in order, and why there are fewer than asked for, if so."""

    kept: tuple[Round, ...]
    ended: tuple[EndedEarly, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaBoost:
    """Boosting by SAMME (Zhu et al. 2009), which for two classes is AdaBoost.M1 (Freund & Schapire 1997).

    Rows begin with equal weights, or their own, times what `priors` and `costs` make of their class: the
    costs of mistakes about a class are added up, as CART's altered priors are. The vote then decides by
    them, as its error is of rows so weighed. The member's error is the weighted part of the rows that it
    answers wrongly; its weight in the vote is rate · (ln((1 − error) ÷ error) + ln(classes − 1)); the weights
    of those rows grow by e to the power of it. A member without error ends the boosting, and so does one that
    is no better than chance, which is dropped. `AdaBoost(of=C45())` is boosted C4.5 (Quinlan 1996). Limits
    of a tree that any row meets, `min_leaf` ≤ 1 and `min_rows` ≤ 2, do not bind its members.

    >>> from clearwood import datasets, read_table
    >>> table = read_table(datasets.path("tennis"), target="PlayTennis")
    >>> [round(weight, 4) for weight in AdaBoost(trees=3).learn(table).weights]
    [0.5878, 1.0116, 1.0685]
    """

    learns_numbers: ClassVar[bool] = False

    of: Of = field(default_factory=lambda: CART(max_depth=1))
    trees: HowMany = 50
    rate: Annotated[
        float, Within(0, 100, including_high=True), Letter("ν"), "What each member's weight is multiplied by."
    ] = 1.0
    priors: Annotated[Priors, "Weight of each class with which its rows begin: equal, or CLASS:SHARE."] = None
    costs: Annotated[Costs, "Cost of mistakes, by which rows begin: TRUE/PREDICTED:COST."] = None

    def __post_init__(self) -> None:
        check(self)
        for name in ("priors", "costs"):
            if getattr(self.of, name, None) not in (None, "estimated"):
                raise SettingError(
                    f"AdaBoost weighs the rows itself: leave {name} of {type(self.of).__name__} out, and "
                    f"give them to AdaBoost, as its own {name}."
                )

    def learn(self, table: Table) -> Ensemble:
        rows = in_order_of_content(usable_rows(self, table, reads_text=True))
        rounds = self.rounds(rows)
        return ensemble_of(
            [each.member for each in rounds.kept],
            Decision(),
            origin_of(self, table).then(*rounds.ended),
            weights=tuple(each.weight for each in rounds.kept),
            combined_by="votes",
            curves=(
                LearningCurve("error", "training rows", tuple(each.error_of_all for each in rounds.kept)),
                LearningCurve(
                    "weighted error of the member", "training rows", tuple(each.error for each in rounds.kept)
                ),
            ),
        )

    def worst(self, classes: int) -> float:
        """The error from which on a member is no better than chance; rounding aside, for a member learned
        twice in a row has it the second time."""
        return 1.0 - 1.0 / classes - TIE

    def rounds(self, rows: Table) -> KeptRounds:
        """Every round that is kept, in order; `rows` all have a class and a weight."""
        truth, places = rows.target, places_by_name(rows.schema.classes)
        classes, in_order = len(np.unique(truth)), bool((np.diff(places) > 0).all())
        own = np.ones(len(rows)) if rows.weights is None else rows.weights.astype(np.float64)
        count = float(own.sum())
        weights = own * self._factors(rows, own)[truth] / count
        votes = np.zeros((len(rows), len(rows.schema.classes)))
        rounds: list[Round] = []
        because: EndedBecause = "interrupted"
        self = replace(self, of=with_directions(self.of, rows))  # the same class in every member
        of = unbound(self.of)
        while len(rounds) < self.trees:
            weights = np.maximum(weights, LEAST)
            member = self._member(of, rows, weights, count, len(rounds))
            if not in_order and _is_torn(member):
                # It votes for the first class by name, however they are declared.
                weights = weights * (1.0 - _TORN * places[truth])
                member = self._member(of, rows, weights, count, len(rounds))
            codes = plain_codes(member, rows)
            wrong = codes != truth
            error = float(np.average(wrong, weights=weights))
            if error >= self.worst(classes) and error > 0:
                if not rounds:
                    raise LearningError(_no_better(self.of, member, rows, error))
                because = "chance"
                break
            weight = 1.0
            if error > 0:
                weight = self.rate * (math.log((1.0 - error) / error) + math.log(classes - 1.0))
            answered = codes >= 0
            votes[np.flatnonzero(answered), codes[answered]] += weight
            of_all = float(own[votes.argmax(axis=1) != truth].sum() / count)
            rounds.append(Round(weights, member, wrong, max(error, 0.0), weight, of_all))
            if is_enough(Progress(len(rounds), self.trees, "member", "error", "training rows", of_all)):
                break
            if error <= 0:
                because = "no error"
                break
            with np.errstate(over="ignore"):
                weights = np.exp(np.log(weights) + weight * wrong)
            total = float(weights.sum())
            if not math.isfinite(total) or total <= 0:
                because = "beyond numbers"
                break
            weights = weights / total
        return KeptRounds(tuple(rounds), ended_early(len(rounds), self.trees, "member", because))

    def _member(self, of: Any, rows: Table, weights: Floats, count: float, number: int) -> Member:
        # Members see weights that add up to those of the rows, or their least rows would never be met.
        heavy = np.where(weights < weights.max() / WIDEST, 0.0, weights)
        seen = replace(rows, weights=heavy * (count / heavy.sum()), weights_are="counts")
        return replace(learned(of, seen, number), decision=Decision())

    def _factors(self, rows: Table, own: Floats) -> Floats:
        """[class] what the weights of its rows are multiplied by before the first round."""
        by_class = np.bincount(truth := rows.target, own, len(rows.schema.classes)).astype(np.float64)
        decision = decision_of(rows.schema, by_class, self.priors, self.costs)
        factors = scoring_factors(decision, by_class)
        return factors / float((factors[truth] * own).sum() / own.sum())


def _is_torn(member: Member) -> bool:
    """Has a leaf two classes of the largest share?"""
    if not isinstance(member, Tree):
        return False
    shares = node_shares(member)[member.nodes.is_leaf]
    return bool(((shares == shares.max(axis=1, keepdims=True)).sum(axis=1) > 1).any())


def _no_better(of: Any, member: Member, rows: Table, error: float) -> str:
    """Why there is no first member, and what helps."""
    wrong = f"The first member is no better than chance: it gets {100 * error:.3g} % of the weight wrong."
    # Trees ask nothing of texts.
    inputs = [
        each for each in rows.schema.inputs if not (isinstance(each, Text) and isinstance(member, Tree))
    ]
    if not inputs:
        return f"{wrong} The table has no column that {type(of).__name__} can learn from."
    if all(len(np.unique(np.asarray(rows.columns[each.name]))) < 2 for each in inputs):  # NaN is like NaN
        return f"{wrong} Every column has the same cell in all rows: nothing tells the classes apart."
    return f"{wrong} {type(of).__name__} is too weak for this table: let it grow."


def unbound(of: Any) -> Any:
    """The learner without limits that every row of weight 1 meets: boosting makes most rows lighter, and a
    leaf of one row would be too light."""
    rows, leaf = getattr(of, "min_rows", None), getattr(of, "min_leaf", None)
    if rows is None or leaf is None:
        return of
    return replace(of, min_rows=0 if rows <= 2 else rows, min_leaf=0 if leaf <= 1 else leaf)
