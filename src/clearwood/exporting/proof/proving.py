"""To prove an export: run it for real on adversarial rows and on the user's own, and compare every answer."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Final

from clearwood import __version__
from clearwood.errors import SettingError
from clearwood.exporting import RUNNERS
from clearwood.exporting.exportable import (
    Exportable,
    answers_given_by,
    export_title,
    fingerprint_of,
    points_given_by,
    program_to_export,
    settings_of_card,
    shares_given_by,
    table_of_rows,
)
from clearwood.exporting.exported import Exported, Precision
from clearwood.exporting.proof.adversarial import MOST_ROWS, AdversarialRows, rows_to_prove
from clearwood.exporting.proof.certificate import (
    MOST_LISTED,
    Certificate,
    ProofStatus,
    fingerprint_of_bytes,
    fingerprint_of_rows,
)
from clearwood.exporting.proof.critical_cells import jumps_of
from clearwood.exporting.proof.given_rows import rows_given
from clearwood.exporting.proof.precisions import row_as_held, share_bound
from clearwood.exporting.proof.proof import Proof
from clearwood.exporting.proof.row_verdicts import (
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
from clearwood.exporting.running.runner import REASONED_OUTPUTS, NotRun, Ran, RunOutcome, TargetFailedError
from clearwood.models.program.evaluating import evaluated
from clearwood.table.raw import Row
from clearwood.words.numbers import many


def prove(
    exported: Exported, rows: Any = None, *, seed: int = 0, most: int = MOST_ROWS, date: str | None = None
) -> Proof:
    """Run the export in its target and compare it with the model, row by row.

    The rows are made from the model, at most `most` of them; `rows` are the user's own, from any source, and
    all of them are taken. Where the target is not installed the proof says "not run", never "passed".

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> proof = prove(cw.export(cw.ID3().learn(table), "python"), table)
    >>> proof.status, len(proof.different), proof.certificate.given
    ('passed', 0, 14)
    """
    if not isinstance(exported, Exported):
        raise SettingError(
            f"prove takes what export makes, not a {type(exported).__name__}: prove(export(model, 'python'))."
        )
    made = rows_to_prove(exported, most=most, seed=seed)
    given = rows_given(exported.model, rows)
    return proof_of(exported, made, given.rows, respelled=given.respelled, date=date)


def proof_of(
    exported: Exported,
    made: AdversarialRows,
    given: Sequence[Row],
    *,
    respelled: int = 0,
    ran: RunOutcome | None = None,
    date: str | None = None,
) -> Proof:
    """The proof by these rows; `ran` is what the target gave them, where it was run already.

    `respelled` of the given rows have a value that the model spells otherwise.
    """
    rows = (*made.rows, *given)
    outcome = ComparedRows(0, (), {}, {}, False)
    status: ProofStatus
    versions: dict[str, str] = {}
    try:
        ran = _ran(exported, rows) if ran is None else ran
    except TargetFailedError as error:
        ran = error
    if isinstance(ran, TargetFailedError):
        status, because = "failed", str(ran)
    else:
        status, because, versions, outcome = _judged(exported, rows, ran)
    certificate = certificate_of(
        exported,
        made,
        given,
        outcome,
        respelled=respelled,
        status=status,
        because=because,
        versions=versions,
        date=date,
    )
    return Proof(status, rows, outcome.different, certificate, because)


def _ran(exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    if exported.target:
        return RUNNERS[exported.target].run(exported, rows)
    return NotRun(f"nothing here runs {exported.format}; its proof is to be made where it is used.")


def _judged(
    exported: Exported, rows: Sequence[Row], ran: Ran | NotRun
) -> tuple[ProofStatus, str, dict[str, str], ComparedRows]:
    """The status, why it is so, the versions of what was run, and what the comparison showed."""
    if isinstance(ran, NotRun):
        return "not run", ran.because, {}, ComparedRows(0, (), {}, {}, False)
    if len(ran.answers) != len(rows):
        because = f"the target predicted {len(ran.answers):,} of {len(rows):,} rows."
        return "failed", because, dict(ran.versions), ComparedRows(0, (), {}, {}, False)
    expected = expected_answers(exported.model, rows)
    jumps = jumps_of(exported.model, rows)
    unanswered = unanswered_rows(exported, rows)
    outcome = compared_rows(exported.model, rows, expected, ran, exported.precision, jumps, unanswered)
    if ran.instead and not outcome.different:
        because = f"{exported.target} itself was not run; alike in {ran.instead}."
        return "not run", because, dict(ran.versions), outcome
    if outcome.different:
        return "failed", "", dict(ran.versions), outcome
    if outcome.compared == sum(outcome.changed.values()):
        because = f"of {many(len(rows), 'row')} none could be shown to get the same prediction."
        return "failed", because, dict(ran.versions), outcome
    return "passed", "", dict(ran.versions), outcome


def certificate_of(
    exported: Exported,
    made: AdversarialRows,
    given: Sequence[Row],
    outcome: ComparedRows,
    *,
    respelled: int,
    status: ProofStatus,
    because: str,
    versions: Mapping[str, str],
    date: str | None,
) -> Certificate:
    """What is to be known of a proof."""
    rows = (*made.rows, *given)
    return Certificate(
        status=status,
        because=because,
        clearwood=__version__,
        format=exported.format,
        target=exported.target,
        versions=versions,
        precision=exported.precision,
        options=dict(exported.options),
        is_text=isinstance(exported.content, str),
        notes=tuple(exported.notes),
        model=_named(exported.model),
        scorecard=settings_of_card(exported.model),
        model_fingerprint=fingerprint_of(exported.model),
        exporter=exported.exporter,
        file_fingerprint=fingerprint_of_bytes(exported.data),
        rows=len(rows),
        given=len(given),
        respelled=respelled,
        rows_fingerprint=fingerprint_of_rows(rows),
        seed=made.seed,
        most=made.most,
        made=dict(made.made),
        left_out=dict(made.left_out),
        not_reached=made.not_reached,
        compared=outcome.compared,
        numeric=exported.model.is_numeric,
        shares_compared=outcome.with_shares,
        points_compared=outcome.with_points,
        bound=share_bound(exported.precision),
        changed=dict(outcome.changed),
        not_compared=dict(outcome.not_compared),
        outputs_not_compared=_outputs_not_compared(outcome),
        no_reasons=outcome.no_reasons,
        different=len(outcome.different),
        differences=tuple(_listed(each) for each in outcome.different[:MOST_LISTED]),
        date=date,
    )


def _named(model: Exportable) -> str:
    target = "" if model.schema.target is None else f" of {model.schema.target.name}"
    return f"{type(model).__name__}{target}: {export_title(model)}"


def _outputs_not_compared(outcome: ComparedRows) -> tuple[str, ...]:
    """The outputs with a leaf or rule that were not compared, though there is one."""
    return (
        ()
        if outcome.no_reasons
        else tuple(each for each in REASONED_OUTPUTS if each not in outcome.reasons_by)
    )


def _listed(each: RowDifference) -> dict[str, Any]:
    return {
        "row": each.place + 1,
        "cells": dict(each.row),
        "expected": each.expected,
        "given": each.given,
        "expected_shares": each.expected_shares,
        "given_shares": each.given_shares and [None if isnan(one) else one for one in each.given_shares],
        "expected_points": each.expected_points,
        "given_points": None if each.given_points is None or isnan(each.given_points) else each.given_points,
        "text": str(each),
    }


# Answers compared, row by row: what the target gave beside what the model gives.


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


# Rows that an export leaves without an answer on purpose: those that a tree divides, where NULL was asked
# for.


DIVIDED: Final = "divided among leaves, which get no prediction by divided='null'"


def unanswered_rows(exported: Exported, rows: Sequence[Row]) -> frozenset[int]:
    """The places of the rows that are to have no answer."""
    if exported.options.get("divided") != "null":
        return frozenset()
    program = program_to_export(exported.model)
    regions = (evaluated(program, row).region for row in rows)
    return frozenset(place for place, region in enumerate(regions) if region is not None and region < 0)
