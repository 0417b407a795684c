"""Fairness of a study: how the groups of protected columns are answered, and whether others tell them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from clearwood.errors import SettingError
from clearwood.records import dataclass, json_of
from clearwood.scoring.by_group import ByGroup, groups_in_source, named_groups, rates_by_group
from clearwood.scoring.predictions import ClassPredictions, predictions_of
from clearwood.study.designs import Design
from clearwood.study.dividing import rows_to_learn
from clearwood.study.fairness.grouped_scores import by_group, positive_of
from clearwood.study.fairness.proxies import Proxies, proxies
from clearwood.study.study import Study
from clearwood.table import read_table
from clearwood.table.raw import Raw
from clearwood.table.sources import read_raw
from clearwood.table.sparse_columns import set_aside
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
        return json_of(self)

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
        raise SettingError("Groups are compared by the predicted classes, but this model predicts numbers.")
    on, predictions = _judged(study)
    about = positive_of(predictions, study.positive, favourable, study.model)
    groups = tuple(
        by_group(predictions, table, name, positive=about, favourable=favourable) for name in protected
    )
    found = tuple(_proxies(study.design, table, protected, name, seed) for name in protected)
    return replace(study, fairness=Fairness(on, groups, found))


def with_fairness_of_model(
    study: Study, source: Any, protected: Sequence[str], *, favourable: str | None = None, seed: int = 0
) -> Study:
    """The same of a model that was learned before, whose rows come from `source`: a Table, or what a table is
    made of. It has the columns though the model ignores them."""
    if study.model.is_numeric:
        raise SettingError("Groups are compared by the predicted classes, but this model predicts numbers.")
    on, predictions = _judged(study)
    raw = source if isinstance(source, Table) else read_raw(source)
    about = positive_of(predictions, study.positive, favourable, study.model)
    groups, found = [], []
    for name in protected:
        of = named_groups(raw, name) if isinstance(raw, Table) else groups_in_source(raw, name)
        groups.append(rates_by_group(predictions, of.take(predictions.places), about, favourable=favourable))
        found.append(proxies(_asked_and(name, study, raw), name, seed=seed))
    return replace(study, fairness=Fairness(on, tuple(groups), tuple(found)))


def _asked_and(name: str, study: Study, source: Table | Raw) -> Table:
    """The columns that the model may ask, and one more."""
    may_ask = {each.name for each in study.model.schema.inputs}
    if isinstance(source, Table):
        inputs = [each.name for each in source.schema.inputs]
        return protect(source, [each for each in inputs if each not in may_ask | {name}])
    return read_table(source, ignore=[each for each in source.names if each not in may_ask | {name}])


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


# Protecting columns: no learner sees them, and the model's schema says so.


PROTECTED: Final = "it is protected"  # why a model's schema ignores a column


def protect(table: Table, columns: Sequence[str]) -> Table:
    """The table in which no learner sees these columns; the model's schema will say that they are protected.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> cw.ID3().learn(protect(days, ["Outlook"])).schema["Outlook"]
    Ignored(name='Outlook', because='it is protected')
    """
    return set_aside(table, columns, PROTECTED)
