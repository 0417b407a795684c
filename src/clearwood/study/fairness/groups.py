"""Fairness: how good a model is for each group of rows, and whether other columns tell the protected one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from clearwood.errors import SchemaError, SettingError
from clearwood.models.model import Model, check_kind
from clearwood.predicting.columns import table_for
from clearwood.records import JsonRecord, dataclass, json_of
from clearwood.scoring import SCORES, Scored, Stakes
from clearwood.scoring.by_group import (
    FEWEST,
    ByGroup,
    NamedGroups,
    groups_in_source,
    named_groups,
    rates_by_group,
)
from clearwood.scoring.positive import positive_for
from clearwood.scoring.predictions import (
    ClassPredictions,
    NumberPredictions,
    Predictions,
    counted_once,
    predictions_of,
)
from clearwood.scoring.scores import scores_of
from clearwood.study.dividing import rows_to_learn
from clearwood.study.fairness.proxies import Proxies, proxies
from clearwood.study.study import Study
from clearwood.table import read_table
from clearwood.table.raw import Raw
from clearwood.table.schema import effective_rows
from clearwood.table.sources import read_raw
from clearwood.table.sources.recoded import as_read
from clearwood.table.table import Table, set_aside
from clearwood.words.columns import in_columns
from clearwood.words.numbers import amount


@dataclass(frozen=True, slots=True)
class Fairness(JsonRecord):
    """For each column, the rates of its groups, and for those that are protected their proxies.

    `on` says which rows: those held out, those of all folds, or the training rows, where the figures are too
    good.
    """

    on: str
    groups: tuple[ByGroup, ...]
    proxies: tuple[Proxies, ...]

    def __str__(self) -> str:
        parts = [f"{each}\n({self.on})" for each in self.groups]
        return "\n\n".join([*parts, *map(str, self.proxies)])


def with_fairness(
    study: Study, table: Table, protected: Sequence[str], *, favourable: str | None = None, seed: int = 0
) -> Study:
    """The study with the groups of these columns, which `table` still has; it is the study's in all else."""
    on, predictions, about = _compared(study, favourable)
    once = counted_once(predictions)
    assert isinstance(once, ClassPredictions)
    design, group = study.design, getattr(study.design, "group", None)
    groups, found = [], []
    for name in protected:
        of = named_groups(table, name).take(once.places)
        groups.append(rates_by_group(once, of, about, favourable=favourable))
        # What the columns that the model was free to ask tell of this one: not the others that are protected,
        # nor those by which rows were divided; rows of one group stay together.
        rows = table if design is None else rows_to_learn(design, table, [name, group or name])
        rows = protect(rows, [each for each in protected if each != name])
        found.append(proxies(rows, name, seed=seed, group=group))
    return replace(study, fairness=Fairness(on, tuple(groups), tuple(found)))


def with_fairness_of_model(
    study: Study, source: Any, protected: Sequence[str], *, favourable: str | None = None, seed: int = 0
) -> Study:
    """The same of a model that was learned before, whose rows come from `source`: a Table, or what a table is
    made of. It has the columns though the model ignores them."""
    on, predictions, about = _compared(study, favourable)
    raw = source if isinstance(source, Table) else _read_for(study.model, source)
    may_ask = {each.name for each in study.model.schema.inputs}
    groups, found = [], []
    for name in protected:
        # The columns that the model may ask, and one more.
        if isinstance(raw, Table):
            of = named_groups(raw, name)
            inputs = [each.name for each in raw.schema.inputs]
            asked = protect(raw, [each for each in inputs if each not in may_ask | {name}])
        else:
            of = groups_in_source(raw, name)
            asked = read_table(raw, ignore=[each for each in raw.names if each not in may_ask | {name}])
        groups.append(rates_by_group(predictions, of.take(predictions.places), about, favourable=favourable))
        found.append(proxies(asked, name, seed=seed))
    return replace(study, fairness=Fairness(on, tuple(groups), tuple(found)))


def _compared(study: Study, favourable: str | None) -> tuple[str, ClassPredictions, str]:
    """Which rows the groups are compared by, what they were given, and the class that rates are about."""
    if study.model.is_numeric:
        raise SettingError("Groups are compared by the predicted classes, but this model predicts numbers.")
    if study.folds is not None or study.held_out is not None:
        on = "on the held-out rows" if study.folds is None else "on the rows that each fold held out"
        predictions = study.predictions
    else:
        rows = study.table
        on = "on the training rows: on others the figures are less good"
        predictions = predictions_of(study.model, rows, places=rows.places)
    assert isinstance(predictions, ClassPredictions)
    return on, predictions, positive_of(predictions, study.positive, favourable, study.model)


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


# Scores by group: how good a model is for each group, and how fairly it answers.


_OF_CLASSES: Final = ("accuracy", "auc", "log_loss", "brier")
_OF_NUMBERS: Final = ("rmse", "mae", "r2")


@dataclass(frozen=True, slots=True)
class ScoresByGroup:
    """The same scores of each group's rows; a group of fewer than ten rows has none."""

    column: str
    rows: dict[str, float]
    scores: dict[str, tuple[Scored, ...]]

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        without = ("name", "label", "better", "by", "baseline")
        groups = []
        for group, rows in self.rows.items():
            scores = {each.name: json_of(each, *without) for each in self.scores.get(group, ())}
            groups.append({"group": group, "rows": rows, "scores": scores})
        return {"column": self.column, "groups": groups}

    def __str__(self) -> str:
        labels = next(([each.label for each in scored] for scored in self.scores.values()), [])
        rows, why = [[self.column, "rows", *labels]], []
        for group, weight in self.rows.items():
            scored = self.scores.get(group, ())
            rows.append([group, amount(weight), *(map(_cell, scored) if scored else ["–"] * len(labels))])
            why += [
                f"{group}, {each.label}: {each.why}" for each in scored if np.isnan(each.value) and each.why
            ]
        few = [group for group in self.rows if group not in self.scores]
        if few:
            why.insert(0, f"Fewer than {FEWEST:g} rows: {', '.join(few)}.")
        return "\n".join([*in_columns(rows), *why])


def by_group(
    model: Model | ClassPredictions,
    table: Any,
    column: str,
    *,
    positive: str = "",
    favourable: str | None = None,
) -> ByGroup:
    """How each group of rows is answered: rates with intervals, gaps, and the four-fifths rule.

    `table` is a Table, or anything a table can be made of, with the `column` whose values are the groups. It
    may hold a column that the model ignores: one that is protected. Predictions that were made before, as
    `cross_validate` keeps them, go with the table that they are of. `positive` is the class that recall and
    precision are about, of two guessed; `favourable` the answer that people want, `positive` by default.

    >>> import clearwood as cw
    >>> rows = {"x": [0, 1, 1] * 20, "sex": list("ffm") * 20, "y": list("abb") * 20}
    >>> table = cw.read_table(rows, target="y")
    >>> by_group(cw.CART().learn(table), table, "sex", positive="b").gaps["selected"][0].gap
    0.5
    """
    predictions, groups = predictions_and_groups(model, table, column, "by_group")
    if not isinstance(predictions, ClassPredictions):
        raise SettingError("This model predicts numbers, which have no rates. Take scores_by_group.")
    about = positive_of(predictions, positive, favourable, _model_in(model))
    return rates_by_group(predictions, groups, about, favourable=favourable)


def scores_by_group(
    model: Model | ClassPredictions | NumberPredictions,
    table: Any,
    column: str,
    *,
    positive: str = "",
    seed: int = 0,
) -> ScoresByGroup:
    """Accuracy, AUC, log loss and Brier score, or the errors of numbers, of each group's rows."""
    predictions, groups = predictions_and_groups(model, table, column, "scores_by_group")
    if isinstance(predictions, ClassPredictions) and len(predictions.classes) == 2:
        positive = positive_of(predictions, positive, None, _model_in(model))
    return scores_of_groups(predictions, groups, positive=positive, seed=seed)


def _model_in(given: Model | Predictions) -> Model | None:
    return None if isinstance(given, ClassPredictions | NumberPredictions) else given


def scores_of_groups(
    predictions: Predictions,
    groups: NamedGroups,
    *,
    positive: str = "",
    seed: int = 0,
    only: tuple[str, ...] = (),
) -> ScoresByGroup:
    """The same of predictions and the groups of the same rows; `only` names other scores."""
    only = only or (_OF_CLASSES if isinstance(predictions, ClassPredictions) else _OF_NUMBERS)
    if isinstance(predictions, ClassPredictions) and not positive and len(predictions.classes) == 2:
        positive = positive_of(predictions, "", None)
    rows, scored = {}, {}
    for code, name in enumerate(groups.names):
        inside = np.flatnonzero(groups.of == code)
        if len(inside):
            part = predictions.take(inside)
            rows[name] = float(part.weights.sum())
            if _told(part) >= FEWEST:
                own = scores_of(part, Stakes(positive), only=only, seed=seed).scored
                scored[name] = tuple(_unless_few(each, part, positive) for each in own)
    return ScoresByGroup(groups.column, rows, scored)


def _unless_few(scored: Scored, part: Predictions, positive: str) -> Scored:
    """The score, unless it is about a class of which, or of whose predictions, there are too few rows: as
    rates are not given of so few."""
    if not isinstance(part, ClassPredictions) or not SCORES[scored.name].about_positive or not positive:
        return scored
    code = part.classes.index(positive)
    which, of = part.truth == code, f"rows of {positive}"
    if scored.name == "precision":
        which, of = part.answers == code, f"rows predicted {positive}"
    rows = _told(part.take(which))
    if rows >= FEWEST or np.isnan(scored.value):
        return scored
    return replace(scored, value=float("nan"), interval=None, why=f"too few {of} ({rows:.4g})")


def _told(part: Predictions) -> float:
    """The rows that a group's rows speak for."""
    weighs = part.weights_are in ("sampling", "importance")
    return effective_rows(part.weights) if weighs else float(part.weights.sum())


def positive_of(
    predictions: ClassPredictions, positive: str, favourable: str | None, model: Model | None = None
) -> str:
    """The class that rates are about: as named, else of two the one that is not favourable, else guessed, by
    the training rows of the model whose predictions they are, if it is given."""
    if positive:
        return positive
    classes = predictions.classes
    if len(classes) != 2:
        raise SettingError("Which class are the rates about? Name it as positive.")
    if favourable in classes:
        return classes[1 - classes.index(str(favourable))]
    return positive_for(predictions, model)[0]


def predictions_and_groups(
    model: Model | Predictions, table: Any, column: str, verb: str
) -> tuple[Predictions, NamedGroups]:
    """The predictions of a model, and the groups of the same rows."""
    if isinstance(model, ClassPredictions | NumberPredictions):
        if not isinstance(table, Table):
            raise SettingError(f"{verb} takes predictions with the Table that they are of.")
        once = counted_once(model)
        if len(once) and int(once.places.max()) >= len(table):
            raise SchemaError("These predictions are of another table: it has fewer rows than they are of.")
        return once, named_groups(table, column).take(once.places)
    check_kind(verb, model)
    rows = table_for(model, table, with_target=True)
    if column in rows.columns:
        groups = named_groups(rows, column)
    elif isinstance(table, Table):
        groups = named_groups(table, column)  # which says that it is not there
    else:
        groups = groups_in_source(_read_for(model, table), column)  # which the model ignores
    predictions = predictions_of(model, rows)
    return predictions, groups.take(predictions.places)


def _read_for(model: Model, source: Any) -> Raw:
    """A source with its cells read as the model reads them: M as male, 999 as missing."""
    return as_read(read_raw(source), model.schema.read_as, settled=True)


def _cell(each: Scored) -> str:
    if np.isnan(each.value):
        return "–"
    ends = "" if each.interval is None else f" ({each.interval[0]:.3f} to {each.interval[1]:.3f})"
    return f"{each.value:.3f}{ends}"
