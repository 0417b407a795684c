"""How good a model is on rows: every score that fits, with its interval, beside the baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from clearwood.errors import SchemaError, SettingError
from clearwood.learners.training import fingerprint
from clearwood.models.kept import check_kind
from clearwood.models.model import Model
from clearwood.predicting.columns import table_for
from clearwood.scoring import SCORES
from clearwood.scoring.answer_scores import costs_asked
from clearwood.scoring.baseline import Baseline, ConstantClasses, baseline_of, baseline_predictions
from clearwood.scoring.intervals import score_intervals
from clearwood.scoring.over_parts import with_fitting_intervals
from clearwood.scoring.positive import GuessedBy, check_stakes, positive_for
from clearwood.scoring.predictions import (
    ClassPredictions,
    NumberPredictions,
    Predictions,
    counted_once,
    predictions_of,
)
from clearwood.scoring.score import Scored, Stakes
from clearwood.scoring.scores import Scores
from clearwood.study.deciding.rows_that_chose import chosen_since
from clearwood.study.row_marks import among_words, has_seen, learned_among, unordered_mark
from clearwood.table.schema import effective_rows
from clearwood.table.table import Table
from clearwood.words.numbers import in_short

_COSTS: Final = ("cost", "cost_at_best_cutoff")
_PROFITS: Final = ("profit", "profit_at_best_cutoff")
_OF_ONE_CLASS: Final = ("ks", "lift", "gains", "calibration_slope", "calibration_intercept")


def scores(
    model: Model | ClassPredictions | NumberPredictions,
    table: Any = None,
    *,
    positive: str = "",
    costs: Mapping[tuple[str, str], float] | None = None,
    beta: float = 1.0,
    seed: int = 0,
) -> Scores:
    """Judge a model on a table's rows, or predictions that were made before, as `cross_validate` keeps them.

    `table` is a Table, or anything a table can be made of. `positive` names the class that recall, AUC and
    lift are about; of two classes it is guessed. `costs` are by (true class, predicted class); a mistake that
    is not named costs 1, and a cost below 0 is a profit. `beta` is how much recall counts in F beside
    precision. `seed` is for the resamples that intervals come from.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 1, 1, 2, 2, 2] * 20, "y": list("aabbbb") * 20}, target="y")
    >>> judged = cw.scores(cw.C45().learn(table), table, positive="a")
    >>> judged["recall"].value, judged["accuracy"].baseline, [round(end, 3) for end in judged["auc"].interval]
    (1.0, 0.6666666666666666, [0.819, 0.915])
    """
    stakes = Stakes(positive, costs, beta)
    if isinstance(model, ClassPredictions | NumberPredictions):
        return scores_of(model, stakes, seed=seed)
    check_kind("scores", model)
    if table is None:
        raise SettingError("scores needs the rows to evaluate the model on: scores(model, table).")
    rows = table_for(model, table, with_target=True)
    if not len(rows):
        raise SchemaError("There are no rows to evaluate on.")
    notes = notes_on_rows(model, table) if isinstance(table, Table) else ()
    return scores_of(predictions_of(model, rows), stakes, model, seed=seed, notes=notes)


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
        Scored(
            name,
            _label(name, predictions, stakes),
            made[name].value,
            SCORES[name].better,
            made[name].interval,
            made[name].by,
            against[name],
            made[name].why,
        )
        for name in names
    )
    sampled = predictions.weights_are == "sampling"
    once = counted_once(predictions)  # a row may have been judged in several repeats
    return Scores(
        scored=scored,
        evaluation=with_fitting_intervals(once.evaluation, once),
        baseline=baseline,
        rows=float(once.weights.sum()),
        effective=_effective(predictions) if sampled else None,
        positive=stakes.positive,
        guessed=guessed,
        notes=notes,
        cheapest=_cheapest(names, baseline, predictions, stakes),
        **({} if only else _more(once, stakes)),
    )


def _effective(predictions: Predictions) -> float:
    """Kish's number of the rows, each counted once."""
    first = np.unique(predictions.places, return_index=True)[1]
    return effective_rows(predictions.weights[first])


def notes_on_rows(model: Model, table: Table) -> tuple[str, ...]:
    """What must be known where these rows made the model, or chose something of it.

    Only all of the training rows together are known again, and the table of which they were a part where some
    were held out, but never a part of them: in whatever order by a model that has a profile, else in the
    order in which it learned from them. Rows that chose a decision are known in any order.
    """
    mark = fingerprint(table)
    if mark == model.origin.fingerprint or has_seen(model, table):
        return ("These are the rows that the model was learned from: on others it does less well.",)
    if among := learned_among(model, table):
        return (f"{among_words(among, len(table))}: on others it does less well.",)
    if chose := chosen_since(model.origin, mark, unordered_mark(model, table)):
        return (f"These rows chose {' and '.join(chose)}: on others the model does less well.",)
    return ()


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


def _cheapest(names: tuple[str, ...], baseline: Baseline, predictions: Predictions, stakes: Stakes) -> str:
    """The class that the baseline answers where costs are judged; "" where none are."""
    if not isinstance(baseline, ConstantClasses) or not isinstance(predictions, ClassPredictions):
        return ""
    if not {*names} & {*_COSTS, *_PROFITS}:
        return ""
    return baseline.classes[baseline.cheapest(np.array(costs_asked(predictions, stakes)))]


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


def _label(name: str, predictions: Predictions, stakes: Stakes) -> str:
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
    from clearwood.scoring.rank_scores import lift_table

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
