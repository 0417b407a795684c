"""Scores: how good predictions are, by every score that fits them, each with its interval and baseline."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from clearwood.errors import SchemaError, SettingError, no_such
from clearwood.models.model import Model
from clearwood.records import dataclass, json_of, plain_values
from clearwood.scoring import SCORES, Scored, ScoreEntry, Stakes
from clearwood.scoring.answer_scores import costs_asked
from clearwood.scoring.costs import Matrix
from clearwood.scoring.evaluation import Evaluation
from clearwood.scoring.intervals import CORRECTED, score_intervals, with_fitting_intervals
from clearwood.scoring.positive import (
    Baseline,
    ConstantClasses,
    GuessedBy,
    baseline_of,
    baseline_predictions,
    check_stakes,
    positive_for,
)
from clearwood.scoring.predictions import (
    ClassPredictions,
    NumberPredictions,
    Predictions,
    counted_once,
    in_own_order,
)
from clearwood.table.schema import effective_rows
from clearwood.words.columns import in_columns
from clearwood.words.numbers import in_short, row_count

if TYPE_CHECKING:
    from clearwood.scoring.calibration import Calibration
    from clearwood.scoring.cutoffs import BestCutoff
    from clearwood.scoring.share_scores import LiftTable


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Scores:
    """Every score that fits what is predicted; `scores["auc"]` is one of them by its name in the list.

    `rows` is the weight of the rows evaluated; `effective` is the number of rows that sampling weights amount
    to, None where there are none. `positive` is the class that recall, AUC, lift and cutoffs are about, ""
    where there is none; `guessed` says by what where nobody named it. `baseline` is what the scores are
    compared with, those of costs with the class that is `cheapest` by its frequencies ("": there are none).
    `cutoff` is the one of least cost on these rows, by `costs` [true class, predicted class].
    `notes` say what must be known: that the rows have been learned from, or chose something.
    """

    scored: tuple[Scored, ...]
    evaluation: Evaluation
    baseline: Baseline
    rows: float
    effective: float | None = None
    positive: str = ""
    guessed: GuessedBy = ""
    costs: Matrix = ()
    cheapest: str = ""
    cutoff: BestCutoff | None = None
    lift: LiftTable | None = None
    calibration: Calibration | None = None
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Scored:
        for each in self.scored:
            if each.name == name:
                return each
        raise SettingError(no_such("score", name, [each.name for each in self.scored]))

    def __iter__(self) -> Iterator[Scored]:
        return iter(self.scored)

    def __str__(self) -> str:
        heading = row_count(self.rows)
        if self.effective is not None:
            heading += f" by weight, as good as {self.effective:.4g} of equal weight"
        if self.positive:
            heading += f"; recall, AUC and lift are about {self.positive}"
        lines = in_columns([_HEAD, *(_cells(each) for each in self.scored)], "figures")
        # By what intervals were made, where that is one way for all: over parts that a model each judged.
        ways = dict.fromkeys(each.by for each in self.scored if each.interval is not None)
        lines += [f"baseline: {self.baseline_words}"]
        lines += [f"intervals: {way}" for way in ways if way.startswith(CORRECTED)]
        lines += [f"{each.label}: {each.why}" for each in self.scored if math.isnan(each.value) and each.why]
        return "\n".join([*self.notes, heading, *lines])

    @property
    def baseline_words(self) -> str:
        """What the scores are compared with: those of costs may have another constant answer."""
        constant = self.baseline
        if not self.cheapest or not isinstance(constant, ConstantClasses):
            return str(constant)
        if self.cheapest == constant.classes[constant.commonest]:
            return f"{constant}, for costs too"
        return f"{constant}; for costs always {self.cheapest}, the cheapest by the same probabilities"

    def __repr__(self) -> str:
        return f"<Scores: {len(self.scored)} of {row_count(self.rows)}>"

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`; null for a score that the rows cannot tell."""
        cheapest = self.cheapest or None
        baseline = {"constant": str(self.baseline), **json_of(self.baseline, cheapest=cheapest)}
        return plain_values(
            rows=self.rows,
            effective_rows=self.effective,
            positive=self.positive or None,
            positive_guessed_by=self.guessed or None,
            scores={each.name: json_of(each, "name") for each in self.scored},
            baseline=baseline,
            costs=self.costs or None,
            best_cutoff=self.cutoff,
            lift=None if self.lift is None else self.lift.steps,
            calibration=self.calibration,
        )


_HEAD: Final = ["score", "value", "95 % interval", "baseline"]


def _cells(each: Scored) -> list[str]:
    ends = "" if each.interval is None else " to ".join(map(score_figure, each.interval))
    label = f"  {each.label}" if each.name.startswith("brier_") else each.label  # a part of the score above
    return [
        label,
        score_figure(each.value),
        ends,
        "" if each.baseline is None else score_figure(each.baseline),
    ]


def score_figure(value: float) -> str:
    """Four decimals, of large numbers six digits; nothing can be told: a dash.

    >>> score_figure(0.75), score_figure(12345.678), score_figure(float("nan"))
    ('0.7500', '12345.7', '–')
    """
    if math.isnan(value):
        return "–"
    text = f"{round(value, 4) + 0.0:.4f}" if abs(value) < 100 else f"{value:.6g}"  # −0.0 becomes 0.0
    return text.replace("-", "−")


# A score by its name in the list: what tuning, choosing and comparing judge by.


def score_by_name(name: str, predictions: Predictions, stakes: Stakes | None = None) -> float:
    """The score of this name; NaN where the rows cannot tell.

    >>> import clearwood as cw
    >>> from clearwood.scoring.predictions import predictions_of
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> score_by_name("accuracy", predictions_of(cw.ID3().learn(table), table))
    1.0
    """
    entry = score_called(name, numbers=isinstance(predictions, NumberPredictions))
    stakes = Stakes() if stakes is None else stakes
    if isinstance(predictions, ClassPredictions):
        check_stakes(stakes, predictions.classes)
    return entry.value(predictions, stakes)


def score_called(name: str, *, numbers: bool) -> ScoreEntry:
    """The entry of a score of classes or of numbers, or the sentence with those there are."""
    fitting = {each: entry for each, entry in SCORES.items() if (entry.of == "numbers") == numbers}
    if name not in fitting:
        other = "classes" if numbers else "numbers"
        if name in SCORES:
            raise SettingError(f"'{name}' is a score of {other}. Scores here: {', '.join(fitting)}.")
        raise SettingError(no_such("score", name, fitting))
    return fitting[name]


def check_orders(entry: ScoreEntry) -> None:
    """Refuse a score that is best at one place: more of it is not better, nor is less."""
    if entry.best_at is not None:
        raise SettingError(
            f"The {entry.label} is best at {entry.best_at:g}, neither more nor less of it is better: "
            "contenders are not compared by it. Take log_loss or brier, which evaluate the probabilities."
        )


def usual_score(*, numbers: bool, quantile: float | None = None, costs: bool = False) -> str:
    """The score by which models are judged where none is named.

    >>> usual_score(numbers=False), usual_score(numbers=False, costs=True), usual_score(numbers=True)
    ('accuracy', 'cost', 'rmse')
    """
    if not numbers:
        return "cost" if costs else "accuracy"
    if quantile is None:
        return "rmse"
    return "mae" if quantile == 0.5 else "pinball"


# All scores of predictions, with their intervals, beside the baseline.


_COSTS: Final = ("cost", "cost_at_best_cutoff")
_PROFITS: Final = ("profit", "profit_at_best_cutoff")
_OF_ONE_CLASS: Final = ("ks", "lift", "gains", "calibration_slope", "calibration_intercept")


def scores_of(
    predictions: Predictions,
    stakes: Stakes | None = None,
    model: Model | None = None,
    *,
    seed: int = 0,
    notes: tuple[str, ...] = (),
    only: tuple[str, ...] = (),
    quick: bool = False,
) -> Scores:
    """The scores of predictions; the `model` knows the training rows, of which the baseline is.

    `only` these scores, or all that fit; `quick` leaves out the intervals that are drawn.
    """
    if not len(predictions):
        raise SchemaError("There are no rows to evaluate on: in none is the truth known.")
    if isinstance(predictions, ClassPredictions) and not (predictions.truth >= 0).any():
        raise SchemaError(
            "There are no rows to evaluate on: the true class of every row is one that the model does not "
            f"know. It knows {in_short(predictions.classes)}."
        )
    stakes = Stakes() if stakes is None else stakes
    predictions = in_own_order(predictions)
    guessed: GuessedBy = ""
    if isinstance(predictions, ClassPredictions):
        check_stakes(stakes, predictions.classes)
        if not stakes.positive and len(predictions.classes) == 2:
            positive, guessed = positive_for(predictions, model)
            stakes = replace(stakes, positive=positive)
    elif stakes.positive or stakes.costs is not None:
        raise SettingError("A positive class and costs are for classes, but this model predicts numbers.")
    baseline = baseline_of(model, predictions)
    names = only or _fitting(predictions, stakes)
    made = score_intervals(names, predictions, stakes, seed=seed, quick=quick)
    against = _of_baseline(names, baseline, predictions, stakes)
    scored = tuple(
        replace(made[name], label=_label_of(name, predictions, stakes), baseline=against[name])
        for name in names
    )
    once = counted_once(predictions)  # a row may have been judged in several repeats
    effective = None
    if predictions.weights_are == "sampling":  # Kish's number of the rows, each counted once
        effective = effective_rows(predictions.weights[np.unique(predictions.places, return_index=True)[1]])
    cheapest = ""  # the class that the baseline answers where costs are judged
    judges_costs = not {*names}.isdisjoint((*_COSTS, *_PROFITS))
    if judges_costs and isinstance(baseline, ConstantClasses) and isinstance(predictions, ClassPredictions):
        cheapest = baseline.classes[baseline.cheapest(np.array(costs_asked(predictions, stakes)))]
    return Scores(
        scored=scored,
        evaluation=with_fitting_intervals(once.evaluation, once),
        baseline=baseline,
        rows=float(once.weights.sum()),
        effective=effective,
        positive=stakes.positive,
        guessed=guessed,
        notes=notes,
        cheapest=cheapest,
        **({} if only else _more(once, stakes)),
    )


def _fitting(predictions: Predictions, stakes: Stakes) -> tuple[str, ...]:
    """The scores that say something of such predictions, in the order of the list."""
    if isinstance(predictions, NumberPredictions):
        return ("rmse", "mae", "r2") if predictions.quantile is None else ("pinball", "mae")
    left_out: set[str] = {"gains"}  # lift, by another name
    if not stakes.positive:
        left_out.update(_OF_ONE_CLASS)
    if len(predictions.classes) == 2:
        left_out.add("auc_hand_till")
    else:
        left_out.update(("cost_at_best_cutoff", "profit_at_best_cutoff"))
        if not stakes.positive:
            left_out.add("recall")  # whose mean is the balanced accuracy
    asked = stakes.costs is not None or bool(predictions.costs)
    brings = any(cost < 0 for row in costs_asked(predictions, stakes) for cost in row)
    left_out.update((*_COSTS, *_PROFITS) if not asked else _COSTS if brings else _PROFITS)
    return tuple(name for name, entry in SCORES.items() if entry.of != "numbers" and name not in left_out)


def _of_baseline(
    names: tuple[str, ...], baseline: Baseline, predictions: Predictions, stakes: Stakes
) -> dict[str, float]:
    """What the baseline gets: of costs, what the cheapest constant answer does."""
    constant = baseline_predictions(baseline, predictions)
    cheapest = constant
    if isinstance(predictions, ClassPredictions):
        cheapest = baseline_predictions(baseline, predictions, np.array(costs_asked(predictions, stakes)))
    # A constant has no cutoff: its cost is the same at any.
    return {
        name: SCORES[name.removesuffix("_at_best_cutoff")].value(
            cheapest if name in (*_COSTS, *_PROFITS) else constant, stakes
        )
        for name in names
    }


def _label_of(name: str, predictions: Predictions, stakes: Stakes) -> str:
    entry = SCORES[name]
    label = f"F{stakes.beta:g}" if name == "f_beta" else entry.label
    many = isinstance(predictions, ClassPredictions) and len(predictions.classes) > 2
    if entry.about_positive and many and not stakes.positive:
        return f"{label}, mean of classes"
    return label


def _more(predictions: Predictions, stakes: Stakes) -> dict[str, Any]:
    """What explains the scores: the cutoff of least cost, the lift table, the calibration."""
    if isinstance(predictions, NumberPredictions):
        return {}
    from clearwood.scoring.calibration import calibration_of
    from clearwood.scoring.cutoffs import best_cutoff  # late: a study that is printed needs none of them
    from clearwood.scoring.share_scores import lift_table

    judged = predictions.judged
    known = bool((judged.weights > 0).any())
    asked = stakes.costs is not None or bool(predictions.costs)
    return {
        "costs": costs_asked(predictions, stakes) if asked else (),
        "cutoff": best_cutoff(predictions, stakes) if asked else None,
        "lift": lift_table(predictions, stakes.positive) if stakes.positive else None,
        "calibration": calibration_of(predictions.classes, judged, positive=stakes.positive)
        if known
        else None,
    }
