"""What a chart takes: something that another verb found, and which verb that is."""

from __future__ import annotations

from typing import Final

from clearwood.errors import SettingError
from clearwood.table.table import Table

_FINDERS: Final = {
    "calibration": "calibration(model, table)",
    "confusion": "evaluate(model, table)",
    "cost_complexity": "cost_complexity_path(tree), or cross_validated_alpha(learner, table),",
    "cuts": "cut_curve(table, column)",
    "evidence": "evidence(model, row)",
    "nomogram": "nomogram(model)",
    "overfitting": "overfitting(learner, table)",
    "precision_recall": "roc(model, table)",
    "roc": "roc(model, table)",
    "true_and_predicted": "true_and_predicted(model, table)",
}


def check_found(chart: str, given: object, *kinds: type) -> None:
    """Refuse what the chart does not draw, and name the verb that finds what it does.

    >>> check_found("roc", 0.5, Table)
    Traceback (most recent call last):
    clearwood.errors.SettingError: charts.roc draws what roc(model, table) finds, not a float.
    """
    if not isinstance(given, kinds):
        raise SettingError(
            f"charts.{chart} draws what {_FINDERS[chart]} finds, not a {type(given).__name__}."
        )


def check_table(chart: str, given: object) -> None:
    """Refuse what is no table."""
    if not isinstance(given, Table):
        raise SettingError(
            f"charts.{chart} draws a Table, not a {type(given).__name__}. Read it first: read_table(…)."
        )
