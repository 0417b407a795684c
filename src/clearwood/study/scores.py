"""An evaluation in a phrase for people, and as plain values for machines."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from math import isnan
from os import PathLike
from pathlib import Path
from typing import Any

from clearwood.errors import SchemaError, SettingError
from clearwood.files import write_whole
from clearwood.models.model import Model, check_kind
from clearwood.predicting.columns import table_for
from clearwood.records import json_of, json_with
from clearwood.scoring import Stakes
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation, NumberEvaluation, without_answer
from clearwood.scoring.intervals import CORRECTED
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions, Predictions, predictions_of
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
    left_out, whole = without_answer(evaluation.left_out), count_words(evaluation.weight)
    if isinstance(evaluation, NumberEvaluation):
        silent = count_words(evaluation.silent)
        left = f", {silent} more without a prediction" if evaluation.silent else ""
        return f"{_errors_in_words(evaluation)} {whole} {unit}{left}{left_out}"
    unknown, answered = sum(evaluation.unknown), count_words(evaluation.weight_answered)
    silent = count_words(sum(evaluation.silent))
    counted = f"{count_words(evaluation.right)} of {answered} {unit}"
    apart = ""
    if any(evaluation.silent):
        if not evaluation.weight_answered:
            return f"none of {silent} {unit} predicted{left_out}"
        counted, apart = f"{counted} predicted", f", {silent} of {whole} without a prediction"
    if unknown:
        counted += f", {count_words(unknown)} of classes the model doesn't know"
    if with_interval:
        low, high = evaluation.interval
        by = f", by {evaluation.interval_by}" if evaluation.interval_by else ""
        counted += f"; 95 % interval {100 * low:.1f} to {100 * high:.1f} %{by}"
    before = _before_accuracy(evaluation, found)
    return f"{before}accuracy {100 * evaluation.accuracy:.1f} % ({counted}){apart}{left_out}"


def _errors_in_words(evaluation: NumberEvaluation) -> str:
    """Of a quantile the score that the true one makes least, not that of a mean."""
    quantile = evaluation.quantile
    if quantile == 0.5:
        return f"off by {evaluation.mae:.4g} (mean; it predicts medians),"
    if quantile is not None:
        return (
            f"quantile loss {evaluation.quantile_loss:.4g}, {100 * evaluation.coverage:.1f} % at or below "
            f"the prediction (it predicts {quantile:g} quantiles: {100 * quantile:g} % should be),"
        )
    r2 = round(100 * evaluation.r2, 1) + 0.0  # −0.0 becomes 0.0
    explained = "" if isnan(r2) else f" {r2:.1f} % of the variance explained,"
    return f"off by {evaluation.rmse:.4g} (root mean square) or {evaluation.mae:.4g} (mean),{explained}"


def phrase_of_folds(validation: CrossValidation, found: str = "") -> str:
    """How good the learner is on rows it has not seen, fold by fold; `found` as in `phrase`."""
    together, error = validation.together, validation.standard_error
    by = f"standard error by {CORRECTED}, {validation.design_in_words}"
    several = len(validation.folds) > 1
    corrected = "" if validation.bootstrap is None else f"; {validation.bootstrap.phrase}"
    if isinstance(together, ClassEvaluation):
        counted = f"{count_words(sum(together.silent))} of {count_words(together.weight)}"
        apart = f" of the rows predicted; {counted} without a prediction" if any(together.silent) else ""
        doubt = f"± {100 * error:.1f} {by}" if several else "1 fold"
        before = _before_accuracy(together, found)
        return f"{before}accuracy {100 * validation.score:.1f} % ({doubt}){apart}{corrected}"
    doubt = f"± {error:.2g} {by}" if several else "1 fold"
    score = {"RMSE": "off by {} (root mean square; {})", "MAE": "off by {} (mean; {})"}.get(
        validation.score_name, "quantile loss {} ({})"
    )
    return score.format(f"{validation.score:.4g}", doubt) + corrected


def _before_accuracy(evaluation: ClassEvaluation, found: str) -> str:
    """What a row costs, where costs were given: a model that minimises them is not introduced otherwise.
    Where a cutoff decides about a class: how much of it is found, and of the others raised falsely.

    >>> _before_accuracy(ClassEvaluation(("No", "Yes"), ((3.0, 2.0), (1.0, 8.0))), "Yes")
    'recall of Yes 88.9 %, false alarms 40.0 %; '
    """
    if evaluation.cost is not None:
        return f"{evaluation.cost}; "
    if found not in evaluation.classes:
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
        interval = {} if with_intervals else {"interval": None}
        own = json_with(evaluation, "accuracy", "interval", "classes", "confusion", "unknown") | interval
        cost = evaluation.cost and json_of(evaluation.cost, **interval)
        left = {"unanswered": sum(evaluation.silent), "left_out": evaluation.left_out}
        return {"rows": evaluation.weight, **own, **left, "expected_cost": cost}
    figures = {"rows": evaluation.weight, **json_with(evaluation, "rmse", "mae", "r2")}
    if evaluation.quantile is not None:
        figures |= json_with(evaluation, "quantile", "quantile_loss", at_or_below=evaluation.coverage)
    return {**figures, "unanswered": evaluation.silent, "left_out": evaluation.left_out}


def folds_to_json(validation: CrossValidation) -> dict[str, Any]:
    bootstrap = {} if validation.bootstrap is None else {"bootstrap": validation.bootstrap.to_json()}
    return {
        "folds": [evaluation_to_json(each) for each in validation.folds],
        validation.unit.replace(" ", "_"): validation.sizes,
        "score": validation.score,
        "costs": validation.costs,
        "standard_error": validation.standard_error,
        "together": evaluation_to_json(validation.together),
        "design": validation.design_in_words,
        **bootstrap,
    }


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
    csv.writer(written, lineterminator="\n").writerows(_csv_rows(predictions))
    return written.getvalue()


def _csv_rows(predictions: Predictions) -> Iterator[list[Any]]:
    heading = ["row", "part", "true", "predicted", "weight"]
    given = predictions.places + 1, predictions.part + 1, predictions.truth, predictions.answers
    columns = [each.tolist() for each in (*given, predictions.weights)]
    if not isinstance(predictions, ClassPredictions):
        yield heading
        for place, part, true, answer, weight in zip(*columns, strict=True):
            yield [place, part, true, "" if answer != answer else answer, weight]
        return
    classes = predictions.classes
    yield [*heading, *(f"share of {name}" for name in classes)]
    for place, part, *codes, weight, row in zip(*columns, predictions.shares.tolist(), strict=True):
        named = [classes[code] if code >= 0 else "" for code in codes]
        yield [place, part, *named, weight, *row]


# The predictions of all contenders in one file: a line for each contender, row and model that judged it.


def write_predictions(path: str | PathLike[str], predictions: Mapping[str, Predictions]) -> Path:
    """Write the predictions of all contenders, whole or not at all: a line for each contender, row and model
    that judged it, as `predictions_csv` has it, after its name; reference models may lack shares."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    for place, (name, each) in enumerate(predictions.items()):
        heading, *lines = _csv_rows(each)
        if place == 0:
            writer.writerow(["contender", *heading])
        writer.writerows([name, *line] for line in lines)
    return write_whole(Path(path), written.getvalue().encode("utf-8"))


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
