"""Scores by group: how good a model is for the rows of each value of a column, and how fairly it answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from clearwood.errors import SchemaError, SettingError
from clearwood.models.kept import check_kind
from clearwood.models.model import Model
from clearwood.predicting.columns import table_for
from clearwood.records import dataclass, json_of
from clearwood.scoring import SCORES
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
from clearwood.scoring.score import Scored, Stakes
from clearwood.study.scoring_rows import scores_of
from clearwood.table.schema import effective_rows
from clearwood.table.sources import read_raw
from clearwood.table.table import Table
from clearwood.words.columns import in_columns
from clearwood.words.numbers import amount

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
        groups = [
            {
                "group": group,
                "rows": rows,
                "scores": {
                    each.name: json_of(each, *("name", "label", "better", "by", "baseline"))
                    for each in self.scores.get(group, ())
                },
            }
            for group, rows in self.rows.items()
        ]
        return {"column": self.column, "groups": groups}

    def __str__(self) -> str:
        labels = next(([each.label for each in scored] for scored in self.scores.values()), [])
        rows = [[self.column, "rows", *labels]]
        for group, weight in self.rows.items():
            cells = [_cell(each) for each in self.scores.get(group, ())] or ["–"] * len(labels)
            rows.append([group, amount(weight), *cells])
        few = [group for group in self.rows if group not in self.scores]
        why = [f"Fewer than {FEWEST:g} rows: {', '.join(few)}."] if few else []
        for group, scored in self.scores.items():
            why += [
                f"{group}, {each.label}: {each.why}" for each in scored if np.isnan(each.value) and each.why
            ]
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
    rows = table if isinstance(table, Table) else table_for(model, table, with_target=True)
    if column in rows.columns:
        groups = named_groups(rows, column)
    elif isinstance(table, Table):
        groups = named_groups(table, column)  # which says that it is not there
    else:
        groups = groups_in_source(read_raw(table), column)  # which the model ignores
    predictions = predictions_of(model, rows)
    return predictions, groups.take(predictions.places)


def _cell(each: Scored) -> str:
    if np.isnan(each.value):
        return "–"
    ends = "" if each.interval is None else f" ({each.interval[0]:.3f} to {each.interval[1]:.3f})"
    return f"{each.value:.3f}{ends}"
