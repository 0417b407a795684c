"""Fairness of a study: how the groups of protected columns are answered, and whether others tell them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from clearwood.errors import SettingError
from clearwood.scoring.by_group import ByGroup
from clearwood.scoring.predictions import ClassPredictions, predictions_of
from clearwood.study.designs import Design
from clearwood.study.dividing import rows_to_learn
from clearwood.study.fairness.grouped_scores import by_group
from clearwood.study.fairness.protecting import protect
from clearwood.study.fairness.proxies import Proxies, proxies
from clearwood.study.study import Study
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class Fairness:
    """For each column, the rates of its groups, and for those that are protected their proxies.

    `on` says which rows: those held out, those of all folds, or the training rows, where the figures are too
    good.
    """

    on: str
    groups: tuple[ByGroup, ...]
    proxies: tuple[Proxies, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {
            "on": self.on,
            "groups": [each.to_json() for each in self.groups],
            "proxies": [each.to_json() for each in self.proxies],
        }

    def __str__(self) -> str:
        parts = [f"{each}\n({self.on})" for each in self.groups]
        return "\n\n".join([*parts, *map(str, self.proxies)])


def with_fairness(
    study: Study,
    table: Table,
    protected: Sequence[str],
    *,
    favourable: str | None = None,
    seed: int = 0,
) -> Study:
    """The study with the groups of these columns, which `table` still has; it is the study's in all else."""
    if study.model.is_numeric:
        raise SettingError("Groups are compared by the classes answered, but this model predicts numbers.")
    on, predictions = _judged(study)
    groups = tuple(
        by_group(predictions, table, name, positive=study.positive, favourable=favourable)
        for name in protected
    )
    found = tuple(_proxies(study.design, table, protected, name, seed) for name in protected)
    return replace(study, fairness=Fairness(on, groups, found))


def _proxies(design: Design | None, table: Table, protected: Sequence[str], name: str, seed: int) -> Proxies:
    """What the columns that the model was free to ask tell of one: not the others that are protected, nor
    those by which rows were divided; rows of one group stay together."""
    group = None if design is None else getattr(design, "group", None)
    if design is not None:
        table = rows_to_learn(design, table, [name] if group is None else [name, group])
    return proxies(protect(table, [each for each in protected if each != name]), name, seed=seed, group=group)


def _judged(study: Study) -> tuple[str, ClassPredictions]:
    """The predictions by which the groups are compared, and which rows they are of."""
    if study.folds is not None or study.held_out is not None:
        on = "on the held-out rows" if study.folds is None else "on the rows that each fold held out"
        predictions = study.predictions
    else:
        rows = study.table
        on = "on the training rows: on others the figures are less good"
        predictions = predictions_of(study.model, rows, places=rows.places)
    assert isinstance(predictions, ClassPredictions)
    return on, predictions
