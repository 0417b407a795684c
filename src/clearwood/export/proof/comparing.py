"""Answers compared, row by row: what the target gave beside what the model gives."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from clearwood.export.exportable import (
    Exportable,
    answers_given_by,
    points_given_by,
    shares_given_by,
    table_of_rows,
)
from clearwood.export.exported import Precision
from clearwood.export.proof.precisions import row_as_held
from clearwood.export.proof.row_verdicts import (
    ALIKE,
    ExpectedReason,
    GivenAnswer,
    OneAnswer,
    RowDifference,
    RowJudge,
    RowVerdict,
    expected_reasons,
    verdict_on_reason,
)
from clearwood.export.proof.unanswered import DIVIDED
from clearwood.export.running.runner import Ran
from clearwood.table.raw import Row


@dataclass(frozen=True, slots=True)
class ComparedRows:
    """How many rows were compared, those that differ, and how many were let pass for which reason.

    `changed` are rows whose answer or shares are others in the target because its numbers are narrower than
    ours; `not_compared` those that nobody can expect to be alike. `reasons_by` are the outputs that name the
    leaf or rule and were compared; `no_reasons` says who names none.
    """

    compared: int
    different: tuple[RowDifference, ...]
    changed: Mapping[str, int]
    not_compared: Mapping[str, int]
    with_shares: bool
    with_points: bool = False
    reasons_by: tuple[str, ...] = ()
    no_reasons: str = ""


@dataclass(frozen=True, slots=True)
class ExpectedAnswers:
    """What the model itself gives to each row."""

    answers: tuple[GivenAnswer, ...]
    shares: tuple[tuple[float, ...], ...] | None
    reasons: tuple[ExpectedReason, ...] | None = None
    points: tuple[float, ...] | None = None

    def at(self, place: int, row: Row) -> OneAnswer:
        """What it gives the row at a place."""
        return OneAnswer(
            row,
            self.answers[place],
            None if self.shares is None else self.shares[place],
            None if self.points is None else self.points[place],
        )


def _answers_as_held(model: Exportable, rows: Sequence[Row], precision: Precision) -> dict[int, OneAnswer]:
    """By place: what the model itself answers to a row as the target holds it, where that is another row."""
    held = {place: row_as_held(precision, row) for place, row in enumerate(rows)}
    others = {place: row for place, row in held.items() if row is not None}
    if not others:
        return {}
    answers = expected_answers(model, list(others.values()))
    return {place: answers.at(at, others[place]) for at, place in enumerate(others)}


def expected_answers(model: Exportable, rows: Sequence[Row]) -> ExpectedAnswers:
    """The model's own answers and shares."""
    source = table_of_rows(model, rows)
    answers = tuple(None if _is_nothing(each) else each for each in answers_given_by(model, source))
    reasons = expected_reasons(model, rows, source, answers)
    if model.is_numeric:
        return ExpectedAnswers(answers, None, reasons)
    points = points_given_by(model, source)
    return ExpectedAnswers(
        answers,
        tuple(map(tuple, shares_given_by(model, source).tolist())),
        reasons,
        None if points is None else tuple(points),
    )


def compared_rows(
    model: Exportable,
    rows: Sequence[Row],
    expected: ExpectedAnswers,
    ran: Ran,
    precision: Precision,
    jumps: Mapping[str, Sequence[float]],
    unanswered: Collection[int] = (),
) -> ComparedRows:
    """Every row compared: answers and points equal, shares and numbers to the bound of the precision.

    Rows at the places `unanswered` must have no answer, and are counted.
    """
    judge = RowJudge(model, precision, jumps)
    as_held = _answers_as_held(model, rows, precision)
    verdicts = []
    for place, row in enumerate(rows):
        ours, theirs, held = expected.at(place, row), _given_at(ran, place, row), as_held.get(place)
        if place in unanswered:
            verdicts.append(_left_empty(place, theirs))
            continue
        verdict = judge.verdict(place, ours, theirs, held)
        if verdict is ALIKE and expected.reasons and ran.reasons and not judge.may_differ(ours, held):
            verdict = verdict_on_reason(place, ours, expected.reasons[place], ran.reasons[place])
        verdicts.append(verdict)
    not_compared = Counter(each.not_compared for each in verdicts if each.not_compared)
    count = len(rows) - sum(not_compared.values())
    no_reasons = ""
    if expected.reasons is None:
        no_reasons = "this model names no leaf or rule"
    elif ran.reasons is not None and len(ran.reasons) < len(rows):
        no_reasons = "this format names no leaf or rule"
    return ComparedRows(
        count,
        tuple(each.difference for each in verdicts if each.difference is not None),
        Counter(each.changed for each in verdicts if each.changed),
        not_compared,
        with_shares=ran.shares is not None,
        with_points=expected.points is not None and ran.points is not None,
        reasons_by=ran.reasons_by if ran.reasons is not None and not no_reasons else (),
        no_reasons=no_reasons,
    )


def _given_at(ran: Ran, place: int, row: Row) -> OneAnswer:
    """What the target gave the row at a place."""
    return OneAnswer(
        row,
        ran.answers[place],
        None if ran.shares is None else ran.shares[place],
        None if ran.points is None else ran.points[place],
    )


def _left_empty(place: int, theirs: OneAnswer) -> RowVerdict:
    """On a row that the export leaves without an answer, on purpose."""
    if theirs.answer is None:
        return RowVerdict(not_compared=DIVIDED)
    return RowVerdict(difference=RowDifference(place, theirs.row, None, theirs.answer))


def _is_nothing(answer: object) -> bool:
    return answer is None or (isinstance(answer, float) and math.isnan(answer))
