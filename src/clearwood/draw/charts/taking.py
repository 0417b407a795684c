"""What a chart takes: the result of another function, and which function gives it."""

from __future__ import annotations

from typing import Final

from clearwood.errors import SettingError
from clearwood.table.table import Table

_SOURCES: Final = {
    "calibration": "calibration(model, table)",
    "confusion": "evaluate(model, table)",
    "coverage": "coverage(model, table)",
    "cutoffs": "cutoffs(model, table, positive)",
    "recalibration": "recalibration(model, table), where the model is calibrated",
    "cost_complexity": "cost_complexity_path(tree) or cross_validated_alpha(learner, table)",
    "cuts": "cut_curve(table, column)",
    "dependence": "partial_dependence(model, table, column) or local_effects(model, table, column)",
    "evidence": "evidence(model, row)",
    "groups": "by_group(model, table, column)",
    "gains": "roc(model, table)",
    "kolmogorov_smirnov": "roc(model, table)",
    "lift": "roc(model, table)",
    "nomogram": "nomogram(model)",
    "overfitting": "overfitting(learner, table)",
    "precision_recall": "roc(model, table)",
    "roc": "roc(model, table)",
    "true_and_predicted": "true_and_predicted(model, table)",
}


def check_drawable(chart: str, given: object, *kinds: type) -> None:
    """Refuse what the chart cannot draw, and name the function that gives what it can.

    >>> check_drawable("roc", 0.5, Table)
    Traceback (most recent call last):
    clearwood.errors.SettingError: charts.roc draws the result of roc(model, table), not a float.
    """
    if not isinstance(given, kinds):
        raise SettingError(
            f"charts.{chart} draws the result of {_SOURCES[chart]}, not a {type(given).__name__}."
        )


def check_table(chart: str, given: object) -> None:
    """Refuse anything but a table."""
    if not isinstance(given, Table):
        raise SettingError(
            f"charts.{chart} draws a Table, not a {type(given).__name__}. Read it first: read_table(…)."
        )
