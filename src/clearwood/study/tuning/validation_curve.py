"""Validation curves: how good is a learner by the value of a setting, on held-out rows and on its own?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.records import json_with, plain_values
from clearwood.study.designs import Design, design_in_words
from clearwood.study.dividing import parts_by_design
from clearwood.study.tuning.grids import Range, SettingGrid
from clearwood.study.tuning.trials import JudgingByScore, Trial, best_of, judging_by_score, settings_to_try
from clearwood.study.tuning.tuner import Tuner, TuningRun
from clearwood.study.tuning.words import score_in_text, value_in_text
from clearwood.table.table import Table
from clearwood.words.columns import in_columns
from clearwood.words.numbers import amount


@dataclass(frozen=True, slots=True, eq=False)
class ValidationCurve:
    """The trials of one setting, in the order of its values, each with its scores on the rows learned from.

    Where the two part, more of the setting fits the training rows and no longer others.
    """

    setting: str
    judging: JudgingByScore
    design: Design
    folds: int
    trials: tuple[Trial, ...]

    @property
    def best(self) -> Trial:
        """The one with the best mean on held-out rows; of equal ones the simplest."""
        return self.trials[best_of(self.trials, self.judging.entry)]

    @property
    def values(self) -> tuple[Any, ...]:
        """The values of the setting."""
        return tuple(each.settings[self.setting] for each in self.trials)

    @property
    def design_in_words(self) -> str:
        """What judged, in a few words."""
        return design_in_words(self.design, self.folds)

    def __str__(self) -> str:
        best = self.best
        rows = [[self.setting, "training", "held out", "± 1 s.e.", "size", ""]]
        rows += [
            [
                value_in_text(each.settings[self.setting]),
                score_in_text(each.mean_on_training),
                score_in_text(each.mean),
                score_in_text(each.standard_error),
                amount(each.size),
                each.failed or ("best" if each is best else ""),
            ]
            for each in self.trials
        ]
        label = self.judging.in_words
        heading = f"{label[0].upper()}{label[1:]} by {self.setting}, over {self.design_in_words}"
        return "\n".join([heading, *in_columns(rows)])

    def to_json(self) -> dict[str, Any]:
        """The same for machines."""
        values = []
        for value, each in zip(self.values, self.trials, strict=True):
            plain = value if isinstance(value, bool | int | float | str) else value_in_text(value)
            means = ("mean_on_training", "mean", "standard_error", "standard_error_on_training", "size")
            figures = plain_values(value=plain, training=each.training, held_out=each.scores)
            failed = {"failed": each.failed} if each.failed else {}
            values.append({**figures, **json_with(each, *means), **failed})
        return {
            "setting": self.setting,
            "score": self.judging.by,
            "better": self.judging.entry.better,
            "design": self.design_in_words,
            "values": values,
        }


def validation_curve(
    learner: Learner[Model],
    table: Table,
    setting: str,
    values: Range | Iterable[Any],
    *,
    design: Design | None = None,
    by: str | None = None,
    positive: str | None = None,
    costs: Mapping[tuple[str, str], float] | None = None,
    threads: int | None = None,
) -> ValidationCurve:
    """Learn with each value of a setting in every fold, and judge on the fold and on the rows learned from.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("hire"), target="Hire")
    >>> curve = cw.validation_curve(cw.CART(), table, "max_depth", range(4), design=cw.Folds(7))
    >>> [round(each.mean_on_training, 3) for each in curve.trials]
    [0.571, 0.81, 0.964, 0.976]
    >>> [round(each.mean, 3) for each in curve.trials]
    [0.429, 0.5, 0.786, 0.786]
    """
    grid = SettingGrid({setting: values if isinstance(values, Range) else tuple(values)})
    tuner = Tuner(learner, grid, design, by, positive=positive, costs=costs)
    divided = tuner.design_for(table)
    judging = judging_by_score(learner, table, by, positive, costs)
    to_try = settings_to_try(learner, grid)
    parts = parts_by_design(divided, table)
    of = len(parts) * sum(each.learner is not None for each in to_try)
    run = TuningRun(tuner, divided, judging, threads, of, training=True)
    trials = run.trials(table, parts, to_try)
    return ValidationCurve(setting, judging, divided, run.folds, trials)
