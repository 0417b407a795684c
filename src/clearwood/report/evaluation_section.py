"""The evaluation: how the model does on rows that it was not learned from."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.report.evaluation_charts import MANY_CLASSES, calibrated, charts_of, growth_of, price_of
from clearwood.report.markup import folded, named, paragraph, percent, pictures, table, told
from clearwood.report.page import Section
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation, NumberEvaluation
from clearwood.study.choosing import also_chosen
from clearwood.study.cross_validation import CrossValidation
from clearwood.study.study import Study
from clearwood.words.numbers import amount, many

_PAIRS: Final = 20  # of classes that are taken for each other


def evaluation_section(study: Study) -> Section:
    """In a sentence, then by class, then as charts."""
    parts = [paragraph(_where(study))]
    found = study.judged or study.seen
    if found is not None:
        weighed = study.table.weights is not None
        parts.append(paragraph(said(found, "rows by weight" if weighed else "rows")))
        parts += [paragraph(each) for each in _compared(study, found)]
    if study.folds is not None:
        parts.append(_folds(study.folds))
    if isinstance(found, ClassEvaluation):
        parts.append(_by_class(found))
        if len(found.classes) > MANY_CLASSES:
            parts.append(_confused(found))
    if drawn := charts_of(study, found):
        parts.append(pictures(drawn))
    parts += calibrated(study)
    parts += growth_of(study)
    parts += price_of(study)
    return Section("evaluation", "How good it is", "\n".join(parts))


def said(found: Evaluation, rows: str = "rows") -> str:
    """An evaluation in a sentence; `rows` is what the weights are of."""
    left = f" {many(found.left_out, 'row', 'rows')} without a true answer left out." if found.left_out else ""
    if isinstance(found, ClassEvaluation):
        low, high = found.interval
        unanswered = sum(found.silent)
        silent = (
            f" {amount(unanswered)} of {amount(found.weight)} are left unanswered, and counted neither as"
            " right nor as wrong."
            if unanswered
            else ""
        )
        strange = (
            f" {amount(sum(found.unknown))} are of classes it does not know." if sum(found.unknown) else ""
        )
        return (
            f"{amount(found.right)} of {amount(found.weight_answered)} {rows}"
            f"{' answered' if unanswered else ''} are called right: "
            f"{percent(found.accuracy)} "
            f"(95 % interval {percent(low)} to {percent(high)}).{silent}{strange}{left}{cost_sentence(found)}"
        )
    explained = "" if np.isnan(found.r2) else f" It explains {percent(found.r2)} of the variance (R²)."
    return (
        f"On {amount(found.weight)} {rows} the answers are off by {amount(found.mae)} on average (MAE), by "
        f"{amount(found.rmse)} in the root mean square (RMSE).{explained}"
        f"{f' {amount(found.silent)} more are left unanswered.' if found.silent else ''}{left}"
    )


def cost_sentence(found: ClassEvaluation) -> str:
    """What a row costs by the model's own costs, beside the best constant answer; empty where it has none."""
    cost = found.cost
    if cost is None:
        return ""
    low, high = cost.interval
    return (
        f" By its costs a row costs {amount(cost.per_row)} on average (95 % interval {amount(low)} to "
        f"{amount(high)}); the best constant answer, {named(cost.constant)}, {amount(cost.constant_per_row)}."
    )


def _where(study: Study) -> str:
    if study.held_out is not None and study.saved:
        return (
            f"The model was there before. It is judged on all "
            f"{many(len(study.held_out), 'row', 'rows')} of this table. It is not the table that it was "
            "learned from; whether it has seen some of the rows is not known."
        )
    if study.held_out is not None:
        even = "" if study.model.is_numeric else " so that each class gives its share"
        return (
            f"{many(len(study.held_out), 'row', 'rows')} of {len(study.table):,} were held out, "
            f"drawn with seed {study.seed}{even}. The model knows nothing of them. "
            "Unless a sentence says otherwise, what follows is of these rows and of the one model that this "
            "page shows."
        )
    if study.folds is not None:
        return (
            "The model was learned from all rows. To judge it, the rows were dealt "
            f"into {len(study.folds.folds)} folds with seed {study.seed}, and each fold was "
            "answered by a model "
            "learned in the same way from the others. What follows is of those answers together."
        )
    return f"{study.unjudged} What follows is of rows that the model has seen.{_chosen(study)}"


def _compared(study: Study, found: Evaluation) -> list[str]:
    """Beside answering always the same, and beside the rows it has seen."""
    lines = []
    if study.judged is not None:
        lines += _always(study, found)
        if isinstance(study.seen, ClassEvaluation):
            lines.append(
                f"On the rows that it was learned from, {percent(study.seen.accuracy)} are called right."
                f"{cost_sentence(study.seen)}{_chosen(study)}"
            )
        elif isinstance(study.seen, NumberEvaluation):
            lines.append(
                f"On the rows that it was learned from, it is off by {amount(study.seen.rmse)} (RMSE)."
                f"{_chosen(study)}"
            )
    return lines


def _chosen(study: Study) -> str:
    """What else the rows that it has seen decided, and so make a score on them too good."""
    said = ""
    if study.chosen and study.training is not None and study.learned_from is not None:
        said += f" {also_chosen(study.chosen).capitalize()}."
    if study.kept_back is not None:
        said += f" {many(len(study.kept_back), 'of them', 'of them')}, kept back, chose the pruning."
    return said


def _always(study: Study, found: Evaluation) -> list[str]:
    """What the simplest answer would do on the same rows."""
    if not isinstance(found, ClassEvaluation):
        spread = (found.spread / found.weight) ** 0.5 if found.weight else float("nan")
        return [f"Always answering the mean of these rows would be off by {amount(spread)} (RMSE)."]
    known, weights = study.rows.target, study.rows.weights
    counts = np.bincount(
        known[known >= 0],
        None if weights is None else weights[known >= 0],
        minlength=len(study.rows.schema.classes),
    )
    if not counts.any() or study.rows.schema.classes != found.classes:
        return []
    most = int(counts.argmax())
    rank = "the commonest class" if (counts == counts[most]).sum() == 1 else "one of the commonest classes"
    of_it = sum(found.confusion[most]) + (found.silent[most] if found.silent else 0.0)
    share = of_it / found.weight if found.weight else float("nan")
    always = f"Always answering {named(found.classes[most])}, {rank}, would be right for {percent(share)}"
    if found.cost is None or not sum(map(sum, found.confusion)):
        return [f"{always}."]
    paid = sum(sum(row) * found.costs[true][most] for true, row in enumerate(found.confusion))
    return [f"{always}, and cost {amount(paid / sum(map(sum, found.confusion)))} per row."]


def _folds(found: CrossValidation) -> str:
    is_class = isinstance(found.together, ClassEvaluation)
    score = percent if is_class else amount
    name = "right" if is_class else "RMSE"
    costs = found.costs
    lines = [
        (str(number), score(each), *([amount(costs[number - 1])] if costs else []), f"{size:,}")
        for number, (each, size) in enumerate(zip(found.scores, found.sizes, strict=True), 1)
    ]
    heads = ("fold", name, *(["cost per row"] if costs else []), found.unit)
    mean = f"{score(found.score)} ± {score(found.standard_error)}"
    return folded(
        f"Fold by fold: {mean} (mean and standard error)",
        table(heads, lines, numbers=tuple(range(len(heads)))),
    )


def _by_class(found: ClassEvaluation) -> str:
    recall, precision = found.recall, found.precision
    silent = found.silent or (0.0,) * len(found.classes)
    lines = [
        (
            told(name),
            amount(sum(found.confusion[place]) + silent[place]),
            amount(sum(row[place] for row in found.confusion)),
            percent(recall[name]),
            percent(precision[name]),
        )
        for place, name in enumerate(found.classes)
    ]
    heads = ("class", "rows", "called so", "found (recall)", "right when called (precision)")
    listed = table(heads, lines, numbers=(1, 2, 3, 4), caption="By class.")
    return folded("By class", listed) if len(lines) > MANY_CLASSES else listed


def _confused(found: ClassEvaluation) -> str:
    """In place of a matrix that nobody can read: which classes are taken for which."""
    counts = np.array(found.confusion)
    np.fill_diagonal(counts, 0.0)
    order = np.argsort(-counts, axis=None, kind="stable")[:_PAIRS]
    pairs = [(*divmod(int(place), len(found.classes)), float(counts.flat[place])) for place in order]
    lines = [
        (told(found.classes[true]), told(found.classes[called]), amount(rows))
        for true, called, rows in pairs
        if rows
    ]
    if not lines:
        return ""
    caption = f"What is most often taken for what. Charts show the commonest of {len(found.classes)} classes."
    return table(("class", "called", "rows"), lines, numbers=(2,), caption=caption)
