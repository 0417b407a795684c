"""Cutoffs: what answering a class from this share on, or from that, would find, miss, raise and cost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.errors import SchemaError
from clearwood.measures.inference import wilson
from clearwood.models.decision import Cutoff
from clearwood.records import json_with
from clearwood.scoring import Stakes, WeighedScore
from clearwood.scoring.answer_scores import costs_asked
from clearwood.scoring.clustered_rows import rows_as_changed, rows_as_taken
from clearwood.scoring.costs import Matrix, cost_intervals
from clearwood.scoring.positive import check_positive, positive_code
from clearwood.scoring.predictions import (
    ClassPredictions,
    Judged,
    check_judged,
    divided_or_nan,
    weighted_mean,
    weights_of_rows,
)
from clearwood.scoring.share_scores import judged_rows, ranking
from clearwood.words.columns import in_columns
from clearwood.words.numbers import count_words, number, with_noun

_SHOWN: Final = 11  # lines of the printed table
_LISTED: Final = 101  # lines of the same as data
_MOST_DIGITS: Final = 17


@dataclass(frozen=True, slots=True, eq=False)
class Cutoffs:
    """Every cutoff that divides the rows otherwise than its neighbour, from the least to the greatest.

    `hits` is the weight of the rows of the class that reach a cutoff, `alarms` that of the others, `own` and
    `others` those of all rows; `own_rows` and `raised_rows` are the rows that those of the class, and those
    that reach a cutoff, speak for: not their weight where that is no count, or rows belong together
    (`by_groups`). A cutoff is the shortest number
    between two shares that occur, so that rounding moves no row across it. `costs` has the expected cost of a
    row and its 95 % interval where costs are known. `chosen` is the cutoff that was set, if one was, and
    `aim` by what.
    """

    positive: str
    at: Floats  # [cutoff], rising
    least: Floats  # [cutoff] the least share that reaches it; ∞ where none does
    hits: Floats  # [cutoff]
    alarms: Floats  # [cutoff]
    own: float
    others: float
    own_rows: Floats  # [cutoff]
    raised_rows: Floats  # [cutoff]
    costs: Floats | None = None  # [cutoff, (mean, low, high)]
    left_out: int = 0
    unanswered: float = 0.0  # the weight of the rows that are referred: not in the figures
    chosen: float | None = None
    aim: str = ""
    by_groups: bool = False

    @property
    def recall(self) -> Floats:
        """[cutoff] The part of the class's rows that reach it."""
        return np.asarray(self.hits / self.own)

    @property
    def precision(self) -> Floats:
        """[cutoff] The part of the rows that reach it that are of the class; NaN where none does."""
        raised = self.hits + self.alarms
        return np.where(raised > 0, self.hits / np.where(raised > 0, raised, 1.0), np.nan)

    @property
    def alarm_part(self) -> Floats:
        """[cutoff] The part of all rows that reach it."""
        return np.asarray((self.hits + self.alarms) / (self.own + self.others))

    def lines(self, most: int = _LISTED) -> list[dict[str, Any]]:
        """At most about so many cutoffs, evenly over the recall, and the chosen one among them, as data."""
        recall, precision, part = self.recall, self.precision, self.alarm_part
        recall_ends = wilson(recall * self.own_rows, self.own_rows)
        precision_ends = wilson(np.nan_to_num(precision) * self.raised_rows, self.raised_rows)
        chosen, lines = self._place_of_chosen, []
        picked = list(range(len(self.at)))
        if len(self.at) > most:  # for each part of the recall the greatest cutoff that reaches it
            aims = np.linspace(0.0, 1.0, most) * self.own - 1e-9 * self.own
            picked = places_evenly(self.hits, aims, (0, chosen))
        for k in picked:
            some = not np.isnan(precision[k])  # rows reach it
            line: dict[str, Any] = {
                "cutoff": float(self.at[k]),
                "recall": float(recall[k]),
                "recall_interval": [float(end[k]) for end in recall_ends],
                "precision": float(precision[k]) if some else None,
                "precision_interval": [float(end[k]) for end in precision_ends] if some else None,
                "hits": float(self.hits[k]),
                "alarms": float(self.alarms[k]),
                "answered_positive": float(part[k]),
            }
            if self.costs is not None:
                line |= {"cost": float(self.costs[k, 0]), "cost_interval": self.costs[k, 1:].tolist()}
            lines.append({**line, "chosen": k == chosen})
        return lines

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`; about a hundred cutoffs where there are more."""
        rows = {"rows_of_class": self.own, "other_rows": self.others}
        chosen = json_with(self, "chosen", "aim", "unanswered", "left_out")
        return {"positive": self.positive, **rows, "cutoffs": self.lines(), **chosen}

    def __str__(self) -> str:
        names = ["cutoff", "recall", "95 % interval", "precision", "95 % interval", "hits", "false alarms"]
        rows = [[*names, *([] if self.costs is None else ["cost per row", "95 % interval"])]]
        for line in self.lines(_SHOWN):
            cells = [f"{line['cutoff']:.4g}"]
            for name in ("recall", "precision"):
                ends = line[f"{name}_interval"]
                cells += (
                    ["–", "–"] if ends is None else [f"{line[name]:.4f}", "{:.4f} to {:.4f}".format(*ends)]
                )
            cells += [count_words(line["hits"]), count_words(line["alarms"])]
            if self.costs is not None:
                cells += [f"{line['cost']:.4g}", "{:.4g} to {:.4g}".format(*line["cost_interval"])]
            rows.append([*cells, *(["← chosen"] if line["chosen"] else [])])
        own, others = with_noun(count_words(self.own), "row"), with_noun(count_words(self.others), "other")
        counted = f"{own} of {self.positive}, {others}"
        if self.unanswered:
            counted += f"; {count_words(self.unanswered)} referred and not counted"
        if self.left_out:
            counted += f"; {self.left_out:,} left out"
        if self.by_groups:
            counted += "; intervals by groups of rows"
        return "\n".join(
            [f"{self.positive} is predicted from the cutoff on", *in_columns(rows, "figures"), counted]
        )

    @property
    def _place_of_chosen(self) -> int | None:
        """The cutoff that divides the rows as the chosen one does."""
        if self.chosen is None:
            return None
        return min(int(np.searchsorted(self.least, self.chosen, side="left")), len(self.at) - 1)


def places_evenly(falling: Floats, aims: Floats, kept: Iterable[int | None]) -> list[int]:
    """For each of the aims the last place that still reaches it; and those that are `kept`, if they are."""
    places = len(falling) - 1 - np.searchsorted(falling[::-1], aims, side="left")
    return sorted({*np.maximum(places, 0).tolist(), *(each for each in kept if each is not None)})


def cutoffs_of(
    classes: tuple[str, ...],
    rows: Judged,
    positive: str,
    *,
    costs: Matrix = (),
    refer: float | None = None,
    current: Cutoff | None = None,
) -> Cutoffs:
    """The cutoffs on a class's share, whichever models gave the shares; with many classes it stands against
    the rest. Rows whose best share is below `refer` are counted apart."""
    check_judged(rows)
    check_positive(positive, classes)
    place = classes.index(positive)
    kept = rows.weights > 0
    unanswered = 0.0
    if refer is not None:
        sure = rows.shares.max(axis=1) >= refer
        unanswered = float(rows.weights[~sure].sum())
        kept &= sure
    shares, truth, weights = rows.shares[kept], rows.truth[kept], rows.weights[kept]
    own = truth == place
    if not own.any() or own.all():
        raise SchemaError(
            f"A cutoff needs rows of {positive} and others, but "
            f"{'all' if own.all() and len(own) else 'none'} of these is {positive}. Take more rows."
        )
    units = None if rows.units is None else rows.units[kept]
    told = replace(rows, shares=shares, truth=truth, weights=weights, units=units)
    return _counted(classes, place, told, own, costs, unanswered, current)


def shortest_between(low: Floats, high: Floats) -> Floats:
    """[·] the shortest decimal number inside each open interval; its upper end where there is none.

    >>> shortest_between(np.array([0.2871, 0.5]), np.array([0.3126, 0.5001])).tolist()
    [0.3, 0.50005]
    """
    middle = (low + high) / 2
    at = np.where((low < middle) & (middle < high), middle, high)
    open_ = np.ones(len(at), dtype=np.bool_)
    for digits in range(1, _MOST_DIGITS):
        shorter = np.round(middle, digits)
        fits = open_ & (low < shorter) & (shorter < high)
        at[fits] = shorter[fits]
        open_ &= ~fits
        if not open_.any():
            break
    return at


def _counted(
    classes: tuple[str, ...],
    place: int,
    rows: Judged,
    own: Bools,
    costs: Matrix,
    unanswered: float,
    current: Cutoff | None,
) -> Cutoffs:
    reached, weights = rows.shares[:, place], rows.weights
    order = np.argsort(-reached, kind="stable")
    reached, own, weights = reached[order], own[order], weights[order]
    last = np.append(np.diff(reached) != 0, True)  # of each run of equal shares
    levels = reached[last]
    skip = int(levels[0] >= 1.0)  # then no cutoff is above every share, so that it raises none of the rows
    at = [shortest_between(levels[:1], np.ones(1)), shortest_between(levels[1:], levels[:-1]), np.zeros(1)]
    taken = np.append(0, np.flatnonzero(last) + 1)[skip:]  # [cutoff] how many rows reach it
    hits, alarms = _summed(weights * own, taken), _summed(weights * ~own, taken)
    raised_rows, own_rows = hits + alarms, np.full(len(taken), rows.rows_of(weights[own]))
    together = None if rows.units is None else rows.units[order]
    if together is not None:
        raised_rows = np.append(0.0, rows_as_taken(weights, own, together))[taken]
        found = np.ones(int(own.sum()))
        reaching = np.append(0, np.cumsum(own))[taken]
        own_rows = rows_as_changed(weights[own], 0 * found, found, together[own])[reaching]
    elif rows.weighs:
        raised_rows = divided_or_nan(raised_rows**2, _summed(weights**2, taken), 0.0) / rows.times
    priced = _priced(np.array(costs), place, rows, order, taken)[::-1] if costs else None
    positive = classes[place]
    set_at = current.at if current is not None and current.positive == positive else None
    return Cutoffs(
        positive=positive,
        at=np.concatenate(at)[skip:][::-1],
        least=np.append(np.inf, levels)[skip:][::-1],
        hits=hits[::-1],
        alarms=alarms[::-1],
        own=float(weights[own].sum()),
        others=float(weights[~own].sum()),
        own_rows=own_rows[::-1],
        raised_rows=raised_rows[::-1],
        costs=priced,
        left_out=rows.left_out,
        unanswered=unanswered,
        chosen=set_at,
        aim="" if set_at is None else f"given: {number(set_at)}",
        by_groups=together is not None,
    )


def _summed(parts: Floats, taken: Longs) -> Floats:
    """[cutoff] The parts of so many first rows together."""
    return np.append(0.0, np.cumsum(parts))[taken]


def _priced(matrix: Floats, place: int, rows: Judged, order: Longs, taken: Longs) -> Floats:
    """[cutoff, 3] The mean cost of a row, the fewest rows taken first, and the ends of its interval. Rows are
    taken in this order, largest share first, up to where each run of equal shares ends; may none be taken?"""
    weights = rows.weights[order]
    rest = rows.shares.copy()
    rest[:, place] = -1.0
    raised, passed = matrix[rows.truth, place][order], matrix[rows.truth, rest.argmax(axis=1)][order]
    total = float(weights.sum())

    def share(cost: float) -> Floats:
        of_raised, of_passed = (raised == cost).astype(float), (passed == cost).astype(float)
        moved = _summed(weights * (of_raised - of_passed), taken)
        return np.asarray(np.clip((float(weights @ of_passed) + moved) / total, 0.0, 1.0))

    levels_paid = np.unique(matrix)
    paid = np.stack([share(float(cost)) for cost in levels_paid])
    speak: float | Floats = rows.rows_of(weights)
    if rows.units is not None:
        speak = rows_as_changed(weights, passed, raised, rows.units[order])[taken]
    low, high = cost_intervals(levels_paid, paid, speak)
    return np.stack([levels_paid @ paid, low, high], axis=1)


# The best cutoff: from which share on must the positive class be answered for these rows to cost least?


@dataclass(frozen=True, slots=True)
class BestCutoff:
    """Answering `positive` from a share of `at` on costs these rows least: `per_row` each on average.

    `at` lies midway between the shares that it parts; it is 0 where every row is answered so, and None where
    none is. The rows chose it, so that other rows will cost more.
    """

    positive: str
    at: float | None
    per_row: float


def best_cutoff(predictions: ClassPredictions, stakes: Stakes) -> BestCutoff | None:
    """The cutoff of least cost on these rows; None of more than two classes, or without rows to judge by.

    Among equally cheap cutoffs the largest, which raises the fewest alarms.
    """
    positive = positive_code(predictions, stakes)
    rows = judged_rows(predictions)
    if len(predictions.classes) != 2 or positive is None or not len(rows):
        return None
    paid = np.array(costs_asked(predictions, stakes))
    ranked = ranking(predictions.shares[rows, positive], predictions.truth[rows] == positive, rows)
    own, others = (side[0] for side in ranked.steps(predictions.weights[None]))
    # Before the first step nothing is answered as the positive class; each step adds its rows.
    other = 1 - positive
    gained = own * (paid[positive, positive] - paid[positive, other])
    gained += others * (paid[other, positive] - paid[other, other])
    none = own.sum() * paid[positive, other] + others.sum() * paid[other, other]
    costs = none + np.concatenate([[0.0], np.cumsum(gained)])
    taken = int(costs.argmin())
    shares = predictions.shares[ranked.rows[ranked.starts], positive]
    at: float | None = None
    if taken == len(shares):
        at = 0.0
    elif taken:
        at = float(shares[taken - 1] + shares[taken]) / 2
    return BestCutoff(predictions.classes[positive], at, float(costs[taken]) / float((own + others).sum()))


def cost_at_best_cutoff(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """What a row costs at the cutoff that costs these rows least."""
    best = best_cutoff(predictions, stakes)
    if best is None:
        many = len(predictions.classes) != 2
        why = (
            "a cutoff is for two classes"
            if many
            else "no row has probabilities and a class that the model knows"
        )
        return WeighedScore(lambda weights: np.full(len(weights), np.nan), why)
    rows = judged_rows(predictions)
    positive = predictions.classes.index(best.positive)
    called = np.full(len(rows), 1 - positive)
    if best.at is not None:
        called[predictions.shares[rows, positive] >= best.at] = positive
    paid = np.array(costs_asked(predictions, stakes))[predictions.truth[rows], called]

    return WeighedScore(lambda weights: weighted_mean(weights_of_rows(weights, rows), paid))


def profit_at_best_cutoff(predictions: ClassPredictions, stakes: Stakes) -> WeighedScore:
    """What a row brings at that cutoff."""
    cost = cost_at_best_cutoff(predictions, stakes)
    return WeighedScore(lambda weights: -cost.of(weights), cost.why)
