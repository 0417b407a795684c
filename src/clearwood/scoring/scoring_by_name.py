"""A score by its name in the list: what tuning, choosing and comparing judge by."""

from __future__ import annotations

from clearwood.errors import SettingError, no_such
from clearwood.scoring import SCORES
from clearwood.scoring.positive import check_stakes
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions, Predictions
from clearwood.scoring.score import ScoreEntry, Stakes


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
