"""AdaBoost: each member looks harder at the rows that those before it got wrong; all vote (Freund 1997)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Final

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.bounds import Within
from clearwood.errors import LearningError, SettingError
from clearwood.learners.ensembles.members import HowMany, Of, ensemble_of, learned
from clearwood.learners.origin_of import origin_of
from clearwood.learners.trees.cart import CART
from clearwood.learners.usable_rows import usable_rows
from clearwood.models.decision import Decision
from clearwood.models.ensemble import Ensemble, LearningCurve, Member
from clearwood.predict.of_member import member_codes
from clearwood.registry import Letter, check
from clearwood.table.table import Table

_LEAST: Final = float(np.finfo(np.float64).eps)  # a row's part of the weight, if it has any
_WIDEST: Final = 1e12  # learners refuse weights further apart: rounding would lose the lightest rows


@dataclass(frozen=True, slots=True)
class Round:
    """A round: the weights its member learned from, the rows it got wrong, its error and its weight."""

    weights: Floats  # [row], adding up to 1
    member: Member
    wrong: Bools  # [row]
    error: float
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaBoost:
    """Boosting by SAMME (Zhu et al. 2009), which for two classes is AdaBoost.M1 (Freund & Schapire 1997).

    Rows begin with equal weights, or their own. The member's error is the weighted part of the rows that it
    answers wrongly; its weight in the vote is rate · (ln((1 − error) ÷ error) + ln(classes − 1)); the weights
    of those rows grow by e to the power of it. A member without error ends the boosting, and so does one that
    is no better than chance, which is dropped. `AdaBoost(of=C45())` is boosted C4.5 (Quinlan 1996).

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

    def __post_init__(self) -> None:
        check(self)
        for name in ("priors", "costs"):
            if getattr(self.of, name, None) not in (None, "estimated"):
                raise SettingError(
                    f"AdaBoost weighs the rows itself: leave {name} of {type(self.of).__name__} out. "
                    "To decide by costs, give them to the model's decision."
                )

    def learn(self, table: Table) -> Ensemble:
        rows = usable_rows(self, table, reads_text=True)
        rounds = self.rounds(rows)
        errors_of = tuple(each.error for each in rounds)
        votes = np.zeros((len(rows), len(rows.schema.classes)))
        errors = []
        weights = np.ones(len(rows)) if rows.weights is None else rows.weights
        for each in rounds:
            codes = member_codes(each.member, rows)
            answered = codes >= 0
            votes[np.flatnonzero(answered), codes[answered]] += each.weight
            errors.append(float(weights[votes.argmax(axis=1) != rows.target].sum() / weights.sum()))
        return ensemble_of(
            [each.member for each in rounds],
            Decision(),
            origin_of(self, table),
            weights=tuple(each.weight for each in rounds),
            combined_by="votes",
            curves=(
                LearningCurve("error", "training rows", tuple(errors)),
                LearningCurve("weighted error of the member", "training rows", errors_of),
            ),
        )

    def rounds(self, rows: Table) -> list[Round]:
        """Every round that is kept, in order; `rows` all have a class and a weight."""
        truth = rows.target
        classes = len(np.unique(truth))
        weights = np.ones(len(rows)) if rows.weights is None else rows.weights.astype(np.float64)
        count = float(weights.sum())
        weights = weights / count
        rounds: list[Round] = []
        while len(rounds) < self.trees:
            weights = np.maximum(weights, _LEAST)
            # Members see weights that add up to those of the rows, or their least rows would never be met.
            heavy = np.where(weights < weights.max() / _WIDEST, 0.0, weights)
            seen = replace(rows, weights=heavy * (count / heavy.sum()), weights_are="counts")
            member = replace(learned(self.of, seen, len(rounds)), decision=Decision())
            wrong = member_codes(member, rows) != truth
            error = float(np.average(wrong, weights=weights))
            if error <= 0:
                rounds.append(Round(weights, member, wrong, 0.0, 1.0))
                break
            if error >= 1.0 - 1.0 / classes:
                if not rounds:
                    raise LearningError(
                        f"The first member is no better than chance: it gets {100 * error:.3g} % of the "
                        f"weight wrong. {type(self.of).__name__} is too weak for this table: let it grow."
                    )
                break
            weight = self.rate * (math.log((1.0 - error) / error) + math.log(classes - 1.0))
            rounds.append(Round(weights, member, wrong, error, weight))
            with np.errstate(over="ignore"):
                weights = np.exp(np.log(weights) + weight * wrong)
            total = float(weights.sum())
            if not math.isfinite(total) or total <= 0:
                break
            weights = weights / total
        return rounds
