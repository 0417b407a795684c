"""The decision: from which share on the model answers, what it leaves open, whether its shares come true."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from clearwood.checking.difference.difference import ChangedRegion, ChangedRow, Difference, Flow
from clearwood.checking.difference.differing import diff
from clearwood.draw import charts
from clearwood.draw.model_difference import EXAMPLES, change_words, region_size_words
from clearwood.draw.picture import Picture
from clearwood.errors import ClearwoodError
from clearwood.models.decision import decided
from clearwood.models.in_words import decision_words, in_words
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.lineage import Calibrated, Decided
from clearwood.models.model import Model
from clearwood.reporting.markup import (
    columns_table,
    details,
    isolated,
    paragraph,
    percentage,
    pictures,
    table,
)
from clearwood.reporting.page import Section
from clearwood.scoring.coverage import Coverage, coverage, coverage_of
from clearwood.scoring.cutoffs import Cutoffs, cutoffs_of
from clearwood.scoring.predictions import ClassPredictions
from clearwood.scoring.recalibration import recalibration
from clearwood.study.study import Study
from clearwood.words.numbers import amount, many_in_words, row_count, rows


def decision_section(study: Study) -> Section | None:
    """How shares become answers, and what that does on the rows that judge; None where the largest share
    answers as it is."""
    model = study.model
    decision = model.decision
    if model.is_numeric or decision.is_plain:
        return None
    set_anew = [done for done in model.origin.after if isinstance(done, Calibrated | Decided)]
    parts = [paragraph(each) for each in decision_words(model)]
    parts += [paragraph(f"{words[0].upper()}{words[1:]}.") for words in map(in_words, set_anew)]
    drawn: list[Picture] = []
    tables: list[str] = []
    if study.folds is not None or study.held_out is not None:
        rows = study.predictions
        assert isinstance(rows, ClassPredictions)
        cutoffs, curve = _cutoffs(study, rows), _coverage(study, rows)
        if cutoffs is not None:
            drawn.append(charts.cutoffs(cutoffs))
            tables.append(details("Cutoffs and what they do", _cutoff_table(cutoffs)))
        if curve is not None:
            drawn.append(charts.coverage(curve))
            tables.append(details("Rows predicted and their accuracy", _coverage_table(curve)))
    if decision.calibration is not None and study.held_out is not None:
        with suppress(ClearwoodError):  # where no row that judges has a class that the model knows
            drawn.append(charts.recalibration(recalibration(model, study.held_out)))
    if drawn:
        parts += [paragraph("On the test rows:"), pictures(drawn), *tables]
    return Section("decision", "How it decides", "\n".join(parts))


def _cutoffs(study: Study, rows: ClassPredictions) -> Cutoffs | None:
    refer, cutoff = study.model.decision.refer, study.model.decision.cutoff
    if cutoff is None:
        return None
    try:
        return cutoffs_of(rows.classes, rows.judged, cutoff.positive, refer=refer, current=cutoff)
    except ClearwoodError:
        return None  # rows of one class


def _coverage(study: Study, rows: ClassPredictions) -> Coverage | None:
    model, decision = study.model, study.model.decision
    if decision.refer is None:
        return None
    try:
        if study.held_out is not None:
            return coverage(model, study.held_out, units=study.held_together)
        if isinstance(model, RuleList) and model.matching == "first":
            return None  # what a rule of a fold's model says of a row that it refers is not kept
        answers = decided(rows.shares, replace(decision, refer=None), rows.classes)
        best, limit = rows.shares.max(axis=1), decision.refer
        units, weighs = rows.units, rows.weighs
        return coverage_of(rows.truth, answers, best, rows.weights, limit, units=units, weighs=weighs)
    except ClearwoodError:
        return None  # no row has a class that the model knows


def _cutoff_table(cutoffs: Cutoffs) -> str:
    heads = ("cutoff", "recall", "95 % interval", "precision", "95 % interval", "hits", "false alarms")
    lines = []
    for each in cutoffs.lines(11):
        cutoff = f"{each['cutoff']:.4g}{' (chosen)' if each['chosen'] else ''}"
        recall = percentage(each["recall"]), _ends(each["recall_interval"])
        precision = ("–", "–")
        if each["precision"] is not None:
            precision = percentage(each["precision"]), _ends(each["precision_interval"])
        lines.append((cutoff, *recall, *precision, amount(each["hits"]), amount(each["alarms"])))
    return table(heads, lines, numbers=range(len(heads)))


def _coverage_table(curve: Coverage) -> str:
    lines = curve.lines(11)
    columns = {
        "referred below": [f"{each['refer']:.4g}{' (set)' if each['chosen'] else ''}" for each in lines],
        "rows predicted": [amount(each["answered"]) for each in lines],
        "of all": [percentage(each["coverage"]) for each in lines],
        "accuracy": [percentage(each["accuracy"]) for each in lines],
        "95 % interval": [_ends(each["interval"]) for each in lines],
    }
    return columns_table(columns, numbers=range(5))


def _ends(pair: list[float]) -> str:
    return f"{percentage(pair[0])} to {percentage(pair[1])}"


# What changed: where this model answers differently from an older one, and what else is not the same.


def difference_section(study: Study, older: Model | None, name: str) -> Section | None:
    """Regions with the most rows of the table first; None where there is no older model."""
    if older is None:
        return None
    difference = diff(older, study.model, study.table, names=(name or "the older model", "this model"))
    parts = [paragraph(_summary(difference)), *map(paragraph, difference.about)]
    if difference.left_open:
        parts.append(paragraph(difference.left_open))
    if difference.flows:
        lines = [(*_answers(each), rows(each.rows)) for each in difference.flows]
        caption = "Rows whose prediction changes."
        parts.append(table(("before", "now", "rows"), lines, numbers=(2,), caption=caption))
    if difference.regions:
        parts.append(_regions(difference))
    if difference.rows_stand_for_regions:
        lines = [(f"{each.row:,}", *_answers(each)) for each in difference.changed_rows]
        caption = "The first rows whose prediction changes."
        parts.append(table(("row", "before", "now"), lines, numbers=(0,), caption=caption))
    return Section("difference", "What changed", "\n".join(parts))


def _summary(difference: Difference) -> str:
    sentences = [f"Beside {difference.names[0]}."]
    if difference.rows and difference.changed is not None:
        share = percentage(difference.changed / difference.rows)
        of = f"{rows(difference.changed)} of {row_count(difference.rows)}"
        sentences.append(f"{of} get another prediction ({share}).")
    if difference.exact:
        sure = "of the rows that were looked at" if difference.left_open else "of all rows that could be"
        if difference.regions_in_all:
            regions = many_in_words(difference.regions_in_all, "region")
            sentences.append(f"Predictions {sure} change in {regions}.")
        elif difference.left_open:
            sentences.append("Within the budget no region was found in which predictions change.")
        else:
            sentences.append(f"Predictions {sure} do not change.")
    return " ".join(sentences if difference.exact else [*sentences, difference.reached])


def _regions(difference: Difference) -> str:
    lines = []
    for each in difference.regions:
        size = region_size_words(each).split(" ", maxsplit=1)[0]
        lines.append((*_answers(each), size, isolated(each.region)))
    more = difference.regions_in_all - len(difference.regions)
    rest = f"; {more:,} more are left out." if more else "."
    if difference.examples:
        rest = f". {EXAMPLES}"
    caption = f"Where predictions change, with the rows of the table{rest}"
    return table(("before", "now", "rows", "region"), lines, numbers=(2,), caption=caption)


def _answers(change: Flow | ChangedRow | ChangedRegion) -> tuple[str, ...]:
    return tuple(map(isolated, change_words(change.before, change.after)))
