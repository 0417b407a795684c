"""An evaluation in a phrase for people, and as plain values for machines."""

from __future__ import annotations

from dataclasses import asdict
from math import isnan
from typing import Any

from clearwood.scoring.evaluation import ClassEvaluation, Evaluation, NumberEvaluation, without_answer
from clearwood.scoring.intervals import CORRECTED
from clearwood.study.cross_validation import CrossValidation
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
