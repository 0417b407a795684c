"""An evaluation in a phrase for people, and as plain values for machines."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from math import isnan
from os import PathLike
from pathlib import Path
from typing import Any

from clearwood.errors import SchemaError, SettingError
from clearwood.files import write_whole
from clearwood.models.kept import check_kind
from clearwood.models.model import Model
from clearwood.predicting.columns import table_for
from clearwood.scoring import Stakes
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation, NumberEvaluation, without_answer
from clearwood.scoring.intervals import CORRECTED
from clearwood.scoring.predictions import (
    ClassPredictions,
    NumberPredictions,
    Predictions,
    predictions_of,
)
from clearwood.scoring.scores import Scores, scores_of
from clearwood.study.cross_validation import CrossValidation
from clearwood.study.known_rows import notes_on_rows
from clearwood.table.table import Table
from clearwood.words.numbers import count_words


def phrase(
    evaluation: Evaluation, *, weighted: bool = False, with_interval: bool = True, found: str = ""
) -> str:
    """How good the answers are; `weighted` rows are counted by their weight. `with_interval` is for rows of
    which it is known whether they belong together. `found` is a cutoff's class: what it does comes first.

    >>> phrase(ClassEvaluation(("No", "Yes"), ((3.0, 2.0), (1.0, 8.0))))
    'accuracy 78.6 % (11 of 14 rows; 95 % interval 52.4 to 92.4 %)'
    """
    unit = "by weight" if weighted else "row" if evaluation.weight == 1 else "rows"
    if isinstance(evaluation, ClassEvaluation):
        unknown = sum(evaluation.unknown)
        strange = f", {count_words(unknown)} of classes the model doesn't know" if unknown else ""
        silent, answered = sum(evaluation.silent), evaluation.weight_answered
        if silent and not answered:
            return f"none of {count_words(silent)} {unit} predicted{without_answer(evaluation.left_out)}"
        apart = (
            f", {count_words(silent)} of {count_words(evaluation.weight)} without a prediction"
            if silent
            else ""
        )
        return (
            f"{_cost_before(evaluation)}{_found_before(evaluation, found)}"
            f"accuracy {100 * evaluation.accuracy:.1f} % ({count_words(evaluation.right)} of "
            f"{count_words(answered)} {unit}{' predicted' if silent else ''}{strange}"
            f"{_interval(evaluation) if with_interval else ''})"
            f"{apart}{without_answer(evaluation.left_out)}"
        )
    left = f", {count_words(evaluation.silent)} more without a prediction" if evaluation.silent else ""
    left += without_answer(evaluation.left_out)
    if evaluation.quantile is not None:
        return f"{_of_quantile(evaluation)}, {count_words(evaluation.weight)} {unit}{left}"
    r2 = round(100 * evaluation.r2, 1) + 0.0  # −0.0 becomes 0.0
    explained = "" if isnan(r2) else f" {r2:.1f} % of the variance explained,"
    return (
        f"off by {evaluation.rmse:.4g} (root mean square) or {evaluation.mae:.4g} (mean),"
        f"{explained} {count_words(evaluation.weight)} {unit}{left}"
    )


def _interval(evaluation: ClassEvaluation) -> str:
    low, high = evaluation.interval
    by = f", by {evaluation.interval_by}" if evaluation.interval_by else ""
    return f"; 95 % interval {100 * low:.1f} to {100 * high:.1f} %{by}"


def _of_quantile(evaluation: NumberEvaluation) -> str:
    """The score that the true quantile makes least, not that of a mean."""
    quantile = evaluation.quantile
    assert quantile is not None
    if quantile == 0.5:
        return f"off by {evaluation.mae:.4g} (mean; it predicts medians)"
    return (
        f"quantile loss {evaluation.quantile_loss:.4g}, {100 * evaluation.coverage:.1f} % at or below the "
        f"prediction (it predicts {quantile:g} quantiles: {100 * quantile:g} % should be)"
    )


def phrase_of_folds(validation: CrossValidation, found: str = "") -> str:
    """How good the learner is on rows it has not seen, fold by fold; `found` as in `phrase`."""
    folds = len(validation.folds)
    by = f"standard error by {CORRECTED}, {validation.design_in_words}"
    if isinstance(validation.together, ClassEvaluation):
        error = f"± {100 * validation.standard_error:.1f} {by}"
        silent, whole = sum(validation.together.silent), validation.together.weight
        counted = f"{count_words(silent)} of {count_words(whole)}"
        apart = f" of the rows predicted; {counted} without a prediction" if silent else ""
        if validation.bootstrap is not None:
            apart += f"; {validation.bootstrap.phrase}"
        cost = _cost_before(validation.together) + _found_before(validation.together, found)
        return f"{cost}accuracy {100 * validation.score:.1f} % ({error if folds > 1 else '1 fold'}){apart}"
    error = f"± {validation.standard_error:.2g} {by}"
    score = {"RMSE": "off by {} (root mean square; {})", "MAE": "off by {} (mean; {})"}.get(
        validation.score_name, "quantile loss {} ({})"
    )
    corrected = ""
    if validation.bootstrap is not None:
        corrected = f"; {validation.bootstrap.phrase}"
    return score.format(f"{validation.score:.4g}", error if folds > 1 else "1 fold") + corrected


def _cost_before(evaluation: ClassEvaluation) -> str:
    """What a row costs, where costs were given: a model that minimises them is not introduced otherwise."""
    return "" if evaluation.cost is None else f"{evaluation.cost}; "


def _found_before(evaluation: ClassEvaluation, found: str) -> str:
    """Where a cutoff decides about a class: how much of it is found, and of the others raised falsely.

    >>> _found_before(ClassEvaluation(("No", "Yes"), ((3.0, 2.0), (1.0, 8.0))), "Yes")
    'recall of Yes 88.9 %, false alarms 40.0 %; '
    """
    if found not in evaluation.classes or evaluation.cost is not None:
        return ""
    place = evaluation.classes.index(found)
    own = evaluation.confusion[place]
    others = [row for at, row in enumerate(evaluation.confusion) if at != place]
    all_others = sum(map(sum, others))
    if not sum(own) or not all_others:
        return ""
    alarms = sum(row[place] for row in others) / all_others
    return f"recall of {found} {100 * own[place] / sum(own):.1f} %, false alarms {100 * alarms:.1f} %; "


def evaluation_to_json(evaluation: Evaluation, *, with_intervals: bool = True) -> dict[str, Any]:
    """Plain values; without intervals where rows belong together and it is not known which."""
    if isinstance(evaluation, ClassEvaluation):
        cost = None if evaluation.cost is None else asdict(evaluation.cost)
        return {
            "rows": evaluation.weight,
            "accuracy": evaluation.accuracy,
            "interval": evaluation.interval if with_intervals else None,
            "classes": evaluation.classes,
            "confusion": evaluation.confusion,
            "unknown": evaluation.unknown,
            "unanswered": sum(evaluation.silent),
            "left_out": evaluation.left_out,
            "expected_cost": cost if cost is None or with_intervals else {**cost, "interval": None},
        }
    return {
        "rows": evaluation.weight,
        "rmse": evaluation.rmse,
        "mae": evaluation.mae,
        "r2": evaluation.r2,
        **(
            {}
            if evaluation.quantile is None
            else {
                "quantile": evaluation.quantile,
                "quantile_loss": evaluation.quantile_loss,
                "at_or_below": evaluation.coverage,
            }
        ),
        "unanswered": evaluation.silent,
        "left_out": evaluation.left_out,
    }


def folds_to_json(validation: CrossValidation) -> dict[str, Any]:
    return {
        "folds": [evaluation_to_json(each) for each in validation.folds],
        validation.unit.replace(" ", "_"): validation.sizes,
        "score": validation.score,
        "costs": validation.costs,
        "standard_error": validation.standard_error,
        "together": evaluation_to_json(validation.together),
        "design": validation.design_in_words,
        **(
            {}
            if validation.bootstrap is None
            else {
                "bootstrap": validation.bootstrap.to_json(),
            }
        ),
    }


# Predictions as a table for other programs: a line for each row and model that judged it.


# Predictions of judged rows as a table for other programs: a line for each row and model that judged it.


def predictions_csv(predictions: Predictions) -> str:
    """The row in the table (from 1), the part of the design that judged it (from 1), what came true, what was
    answered, the weight, and of classes the share of each; nothing where there is none.

    >>> import clearwood as cw
    >>> from clearwood.scoring.predictions import predictions_of
    >>> table = cw.read_table({"x": [1, 1, 2, 2], "y": list("aabb")}, target="y")
    >>> print(predictions_csv(predictions_of(cw.ID3().learn(table), table)).splitlines()[:2])
    ['row,part,true,predicted,weight,share of a,share of b', '1,1,a,a,1.0,1.0,0.0']
    """
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerows(_csv_rows(predictions))
    return written.getvalue()


def _csv_rows(predictions: Predictions) -> Iterator[list[Any]]:
    heading = ["row", "part", "true", "predicted", "weight"]
    places = (predictions.places + 1).tolist()
    parts, weights = (predictions.part + 1).tolist(), predictions.weights.tolist()
    if not isinstance(predictions, ClassPredictions):
        yield heading
        for place, part, true, answer, weight in zip(
            places, parts, predictions.truth.tolist(), predictions.answers.tolist(), weights, strict=True
        ):
            yield [place, part, true, "" if answer != answer else answer, weight]
        return
    classes = predictions.classes
    yield [*heading, *(f"share of {name}" for name in classes)]
    for place, part, true, answer, weight, row in zip(
        places,
        parts,
        predictions.truth.tolist(),
        predictions.answers.tolist(),
        weights,
        predictions.shares.tolist(),
        strict=True,
    ):
        named = [classes[code] if code >= 0 else "" for code in (true, answer)]
        yield [place, part, *named, weight, *row]


# The predictions of all contenders in one file: a line for each contender, row and model that judged it.


def contenders_csv(predictions: Mapping[str, Predictions]) -> str:
    """The contender's name before what `predictions_csv` writes; reference models may lack shares."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    for place, (name, each) in enumerate(predictions.items()):
        heading, *lines = csv.reader(io.StringIO(predictions_csv(each)))
        if place == 0:
            writer.writerow(["contender", *heading])
        writer.writerows([name, *line] for line in lines)
    return written.getvalue()


def write_predictions(path: str | PathLike[str], predictions: Mapping[str, Predictions]) -> Path:
    """Write them, whole or not at all."""
    return write_whole(Path(path), contenders_csv(predictions).encode("utf-8"))


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
