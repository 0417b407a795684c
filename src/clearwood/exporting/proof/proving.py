"""To prove an export: run it for real on adversarial rows and on the user's own, and compare every answer."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Any, Final, TypeAlias

import numpy as np

from clearwood import __version__
from clearwood.errors import ColumnError, SettingError, no_such
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
from clearwood.exporting.proof.adversarial import MOST_ROWS, AdversarialRows, input_columns, rows_to_prove
from clearwood.exporting.proof.certificate import (
    MOST_LISTED,
    Certificate,
    Proof,
    ProofStatus,
    fingerprint_of_bytes,
    fingerprint_of_rows,
)
from clearwood.exporting.proof.critical_cells import jumps_of
from clearwood.exporting.proof.row_verdicts import (
    ALIKE,
    SHARE_BOUND,
    ExpectedReason,
    GivenAnswer,
    OneAnswer,
    RowDifference,
    RowJudge,
    RowVerdict,
    expected_reasons,
    row_as_held,
    verdict_on_reason,
)
from clearwood.exporting.running.runner import REASONED_OUTPUTS, NotRun, Ran, RunOutcome, TargetFailedError
from clearwood.models.program.evaluating import evaluated
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal
from clearwood.table.coding import as_numbers, as_strings, recoded
from clearwood.table.raw import Cell, RawStrings, Row
from clearwood.table.sources import is_array, read_raw
from clearwood.table.sources.recoded import as_read
from clearwood.table.table import MISSING, UNSEEN, Table
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
    model, rows = exported.model, (*made.rows, *given)
    if ran is None:
        try:
            ran = _ran(exported, rows)
        except TargetFailedError as error:
            ran = error
    status, because, outcome = _judged(exported, rows, ran)
    certificate = Certificate(
        status=status,
        because=because,
        clearwood=__version__,
        format=exported.format,
        target=exported.target,
        versions=dict(ran.versions) if isinstance(ran, Ran) else {},
        precision=exported.precision,
        options=dict(exported.options),
        is_text=isinstance(exported.content, str),
        notes=tuple(exported.notes),
        model=_named(model),
        scorecard=settings_of_card(model),
        model_fingerprint=fingerprint_of(model),
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
        numeric=model.is_numeric,
        shares_compared=outcome.with_shares,
        points_compared=outcome.with_points,
        bound=SHARE_BOUND[exported.precision],
        changed=dict(outcome.changed),
        not_compared=dict(outcome.not_compared),
        outputs_not_compared=outcome.outputs_not_compared,
        no_reasons=outcome.no_reasons,
        different=len(outcome.different),
        differences=tuple(_listed(each) for each in outcome.different[:MOST_LISTED]),
        date=date,
    )
    return Proof(status, rows, outcome.different, certificate, because)


def _ran(exported: Exported, rows: Sequence[Row]) -> Ran | NotRun:
    if exported.target:
        return RUNNERS[exported.target].run(exported, rows)
    return NotRun(f"nothing here runs {exported.format}; its proof is to be made where it is used.")


def _judged(
    exported: Exported, rows: Sequence[Row], ran: RunOutcome
) -> tuple[ProofStatus, str, ComparedRows]:
    """The status, why it is so, and what the comparison showed."""
    nothing = ComparedRows(0, (), {}, {}, False)
    if isinstance(ran, TargetFailedError):
        return "failed", str(ran), nothing
    if isinstance(ran, NotRun):
        return "not run", ran.because, nothing
    if len(ran.answers) != len(rows):
        return "failed", f"the target predicted {len(ran.answers):,} of {len(rows):,} rows.", nothing
    expected = expected_answers(exported.model, rows)
    jumps = jumps_of(exported.model, rows)
    unanswered = unanswered_rows(exported, rows)
    outcome = compared_rows(exported.model, rows, expected, ran, exported.precision, jumps, unanswered)
    if outcome.different:
        return "failed", "", outcome
    if ran.instead:
        return "not run", f"{exported.target} itself was not run; alike in {ran.instead}.", outcome
    if outcome.compared == sum(outcome.changed.values()):
        because = f"of {many(len(rows), 'row')} none could be shown to get the same prediction."
        return "failed", because, outcome
    return "passed", "", outcome


def _named(model: Exportable) -> str:
    target = "" if model.schema.target is None else f" of {model.schema.target.name}"
    return f"{type(model).__name__}{target}: {export_title(model)}"


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

    @property
    def outputs_not_compared(self) -> tuple[str, ...]:
        """The outputs with a leaf or rule that were not compared, though there is one."""
        left = (each for each in REASONED_OUTPUTS if each not in self.reasons_by)
        return () if self.no_reasons else tuple(left)


@dataclass(frozen=True, slots=True)
class ExpectedAnswers:
    """What the model itself gives to each row."""

    answers: tuple[GivenAnswer, ...]
    shares: tuple[tuple[float, ...], ...] | None
    reasons: tuple[ExpectedReason, ...] | None = None
    points: tuple[float, ...] | None = None


def _answer_at(of: ExpectedAnswers | Ran, place: int, row: Row) -> OneAnswer:
    """What the row at a place is given."""
    shares = None if of.shares is None else of.shares[place]
    return OneAnswer(row, of.answers[place], shares, None if of.points is None else of.points[place])


def _answers_as_held(model: Exportable, rows: Sequence[Row], precision: Precision) -> dict[int, OneAnswer]:
    """By place: what the model itself answers to a row as the target holds it, where that is another row."""
    held = {place: row_as_held(precision, row) for place, row in enumerate(rows)}
    others = {place: row for place, row in held.items() if row is not None}
    if not others:
        return {}
    answers = expected_answers(model, list(others.values()))
    return {place: _answer_at(answers, at, others[place]) for at, place in enumerate(others)}


def expected_answers(model: Exportable, rows: Sequence[Row]) -> ExpectedAnswers:
    """The model's own answers and shares."""
    source = table_of_rows(model, rows)
    answers = tuple(None if each != each else each for each in answers_given_by(model, source))  # NaN: none
    reasons = expected_reasons(model, rows, source, answers)
    if model.is_numeric:
        return ExpectedAnswers(answers, None, reasons)
    points = points_given_by(model, source)
    shares = tuple(map(tuple, shares_given_by(model, source).tolist()))
    return ExpectedAnswers(answers, shares, reasons, None if points is None else tuple(points))


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
        ours, theirs, held = _answer_at(expected, place, row), _answer_at(ran, place, row), as_held.get(place)
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


def _left_empty(place: int, theirs: OneAnswer) -> RowVerdict:
    """On a row that the export leaves without an answer, on purpose."""
    if theirs.answer is None:
        return RowVerdict(not_compared=DIVIDED)
    return RowVerdict(difference=RowDifference(place, theirs.row, None, theirs.answer))


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


# The rows that a user gives for a proof: from any source, by the model's columns.
#
# A value that is the number of a known one in another spelling, 01 for 1, is taken as the known one, as
# prediction does; a target compares texts, and is given the model's spelling. Such rows are counted.


_GivenCell: TypeAlias = tuple[Cell, bool]  # and whether it is spelled otherwise in the source


@dataclass(frozen=True, slots=True)
class OwnRows:
    """The rows as a target is given them, and how many have a value that the source spells otherwise."""

    rows: tuple[Row, ...] = field(repr=False)
    respelled: int = 0


def rows_given(model: Exportable, source: Any) -> OwnRows:
    """The rows of a table, file, frame or list; a value that a coded table has not kept is any unseen one."""
    if source is None:
        return OwnRows(())
    inputs = input_columns(model)
    if isinstance(source, Table):
        columns = [_from_table(source, each) for each in inputs]
    else:
        names = [each.name for each in model.schema.attributes] if is_array(source) else None
        raw = as_read(read_raw(source, names=names), model.schema.read_as, settled=True)
        cells = dict(zip(raw.names, raw.columns, strict=True))
        for each in inputs:
            if each.name not in cells:
                raise ColumnError(
                    f"{raw.where} lacks a column of the model. {no_such('column', each.name, cells)}"
                )
        columns = [
            _numbers(as_numbers(cells[each.name], each.name, settled=True).tolist())
            if isinstance(each, Numeric)
            else _values(as_strings(cells[each.name]), each)
            for each in inputs
        ]
    rows = list(zip(*columns, strict=True))
    return OwnRows(
        tuple({each.name: cell for each, (cell, _) in zip(inputs, row, strict=True)} for row in rows),
        sum(any(respelled for _, respelled in row) for row in rows),
    )


def _from_table(table: Table, attribute: Attribute) -> list[_GivenCell]:
    name = attribute.name
    if name not in table.columns:
        raise ColumnError(
            f"The model needs a column the table lacks. {no_such('column', name, table.columns)}"
        )
    column, theirs = table.columns[name], table.schema[name]
    if isinstance(theirs, Nominal | Ordinal):
        return _values(RawStrings(column.astype(np.int32, copy=False), theirs.values), attribute)
    if isinstance(theirs, Numeric):
        return _numbers(column.tolist())
    return [(cell, False) for cell in column]


def _values(column: RawStrings, attribute: Attribute) -> list[_GivenCell]:
    values: list[_GivenCell] = [(value, False) for value in column.values]
    if isinstance(attribute, Nominal | Ordinal):
        codes = recoded(np.arange(len(values), dtype=np.int32), column.values, attribute.values).tolist()
        values = [
            (attribute.values[code], attribute.values[code] != value) if code >= 0 else (value, False)
            for value, code in zip(column.values, codes, strict=True)
        ]
    known = getattr(attribute, "values", ())
    unseen = "never met" + "?" * max((len(each) for each in known), default=0)
    named = dict(enumerate(values)) | {MISSING: (None, False), UNSEEN: (unseen, False)}
    return [named[code] for code in column.codes.tolist()]


def _numbers(cells: Sequence[float]) -> list[_GivenCell]:
    return [(None if math.isnan(each) else float(each), False) for each in cells]
