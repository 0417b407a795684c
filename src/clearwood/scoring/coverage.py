"""Coverage: how right are the answers that are left when rows in doubt are referred?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools, Floats, Longs
from clearwood.errors import SchemaError, SettingError
from clearwood.measures.inference import wilson
from clearwood.models.model import Model, check_kind
from clearwood.predicting.batch import predict_codes, shares
from clearwood.predicting.columns import table_for
from clearwood.scoring.clustered_rows import rows_as_taken
from clearwood.scoring.cutoffs import places_evenly, shortest_between
from clearwood.scoring.evaluation import true_answers
from clearwood.table.table import MISSING
from clearwood.words.columns import in_columns
from clearwood.words.numbers import many, number, with_noun

_SHOWN: Final = 11
_LISTED: Final = 101


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """Every share below which rows may be referred, from the least on, and what is then answered.

    `answered` is the weight of the rows whose best share is not below `refer`, `right` that of them that are
    answered right; `weight` is that of all rows with a true class, `never` of those that get no answer at any
    `refer`. `chosen` is the `refer` that is set, if one is. `rows` are those that the answered ones speak
    for: not their weight where that is no count, or rows belong together (`by_groups`).
    """

    refer: Floats  # [limit], rising
    least: Floats  # [limit] the least of the best shares that are answered
    answered: Floats  # [limit]
    right: Floats  # [limit]
    rows: Floats  # [limit]
    weight: float
    never: float = 0.0
    left_out: int = 0
    chosen: float | None = None
    by_groups: bool = False

    @property
    def coverage(self) -> Floats:
        """[limit] The part of the rows that are answered."""
        return np.asarray(self.answered / self.weight)

    @property
    def accuracy(self) -> Floats:
        """[limit] The part of the answered rows that are answered right."""
        return np.asarray(self.right / self.answered)

    @property
    def interval(self) -> tuple[Floats, Floats]:
        """[limit] Wilson's, at 95 %, of the accuracy."""
        return wilson(self.accuracy * self.rows, self.rows)

    @property
    def place_of_chosen(self) -> int | None:
        """The limit that answers the same rows as the chosen one; None where none was, or no row is left."""
        if self.chosen is None:
            return None
        place = int(np.searchsorted(self.least, self.chosen, side="left"))
        return place if place < len(self.refer) else None

    def lines(self, most: int = _LISTED) -> list[dict[str, Any]]:
        """At most about so many limits, evenly over the coverage, as data."""
        coverage, accuracy, (low, high) = self.coverage, self.accuracy, self.interval
        chosen, last = self.place_of_chosen, len(self.refer) - 1
        picked = list(range(last + 1))
        if last >= most:
            aims = np.linspace(0.0, 1.0, most) * self.answered[0]
            picked = places_evenly(self.answered, aims, (0, last, chosen))
        return [
            {
                "refer": float(self.refer[k]),
                "coverage": float(coverage[k]),
                "answered": float(self.answered[k]),
                "accuracy": float(accuracy[k]),
                "interval": [float(low[k]), float(high[k])],
                "chosen": k == chosen,
            }
            for k in picked
        ]

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`; about a hundred limits where there are more."""
        left = {"never_answered": self.never, "left_out": self.left_out}
        return {"rows": self.weight, "limits": self.lines(), "chosen": self.chosen, **left}

    def __str__(self) -> str:
        rows = [["refer below", "predicted", "of the rows", "accuracy", "95 % interval"]]
        for line in self.lines(_SHOWN):
            low, high = line["interval"]
            figures = [f"{line['answered']:g}", f"{100 * line['coverage']:.1f} %", f"{line['accuracy']:.4f}"]
            mark = ["← chosen"] if line["chosen"] else []
            rows.append([f"{line['refer']:.4g}", *figures, f"{low:.4f} to {high:.4f}", *mark])
        lines = in_columns(rows, "figures")
        if self.chosen is not None and self.place_of_chosen is None:
            lines.append(f"Below {number(self.chosen)}, which is set, every row is referred.")
        if self.never:
            lines.append(f"{with_noun(f'{self.never:g}', 'row')} without a prediction at any probability.")
        if self.left_out:
            lines.append(f"{many(self.left_out, 'row')} without a true class left out.")
        if self.by_groups:
            lines.append("Intervals are by groups of rows.")
        return "\n".join(lines)


def coverage(model: Model, table: Any, *, units: Longs | None = None) -> Coverage:
    """The accuracy of what a model predicts beside how much it predicts, for every `refer`; `table` is a
    Table, or anything a table can be made of. A row of a class that the model doesn't know counts as wrong.
    Rows of the same number in `units` belong together; None: each is by itself.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> print(coverage(cw.NaiveBayes().learn(days), days.take(np.arange(6))))
    refer below  predicted  of the rows  accuracy     95 % interval
    0                    6      100.0 %    0.8333  0.4365 to 0.9699
    0.6                  5       83.3 %    0.8000  0.3755 to 0.9638
    0.7                  4       66.7 %    0.7500  0.3006 to 0.9544
    0.8                  2       33.3 %    1.0000  0.3424 to 1.0000
    0.86                 1       16.7 %    1.0000  0.2065 to 1.0000
    """
    check_kind("coverage", model)
    if model.is_numeric:
        raise SettingError("This model predicts numbers, which have no probabilities to refer rows by.")
    rows = table_for(model, table, with_target=True)
    truth = np.asarray(true_answers(model, rows), dtype=np.int64)
    answers = predict_codes(replace(model, decision=replace(model.decision, refer=None)), rows)
    best = shares(model, rows).max(axis=1)
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    weighs = rows.weights_are in ("sampling", "importance")
    return coverage_of(truth, answers, best, weights, model.decision.refer, units=units, weighs=weighs)


def coverage_of(
    truth: npt.NDArray[np.int64],
    answers: npt.NDArray[np.generic],
    best: Floats,
    weights: Floats,
    chosen: float | None = None,
    *,
    units: Longs | None = None,
    weighs: bool = False,
) -> Coverage:
    """Codes [row] of true classes, of answers before any row is referred (−1: none), and best shares; rows of
    the same number in `units` belong together, and weights that `weigh` are no counts."""
    known = (truth != MISSING) & (weights > 0)
    truth, codes, best, weights = truth[known], np.asarray(answers)[known], best[known], weights[known]
    said: Bools = codes >= 0
    if not said.any():
        raise SchemaError("There are no rows to evaluate on: none has a true class and a prediction.")
    right = (codes == truth)[said]
    share, mass = best[said], weights[said]
    order = np.argsort(-share, kind="stable")
    share, right, mass = share[order], right[order], mass[order]
    last = np.append(np.diff(share) != 0, True)
    levels = share[last]
    answered = np.cumsum(mass)
    rows = answered**2 / np.cumsum(mass**2) if weighs else answered
    if units is not None:
        rows = rows_as_taken(mass, right, units[known][said][order])
    return Coverage(
        refer=np.append(shortest_between(levels[1:], levels[:-1]), 0.0)[::-1],
        least=levels[::-1],
        answered=answered[last][::-1],
        right=np.cumsum(mass * right)[last][::-1],
        rows=rows[last][::-1],
        weight=float(weights.sum()),
        never=float(weights[~said].sum()),
        left_out=int((~known).sum()),
        chosen=chosen,
        by_groups=units is not None,
    )


def refer_for(accuracy: float, curve: Coverage) -> Coverage:
    """The curve with the least `refer` at which the rows answered are this accurate."""
    if isinstance(accuracy, bool) or not isinstance(accuracy, int | float) or not 0 < accuracy <= 1:
        raise SettingError(f"accuracy must be a fraction above 0 and at most 1, not {accuracy!r}.")
    reached = np.flatnonzero(curve.accuracy >= accuracy - 1e-12)
    if not len(reached):
        best = int(curve.accuracy.argmax())
        raise SettingError(
            f"However many rows are referred, the predictions left are never {number(accuracy)} accurate. "
            "The "
            f"best is {curve.accuracy[best]:.4g}, where rows below {number(float(curve.refer[best]))} are "
            f"referred and {100 * curve.coverage[best]:.1f} % predicted. Ask for less."
        )
    return replace(curve, chosen=float(curve.refer[reached[0]]))
