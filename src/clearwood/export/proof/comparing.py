"""Answers compared, row by row: what the target gave beside what the model gives."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from clearwood.export.exportable import (
    Exportable,
    answers_given_by,
    points_given_by,
    shares_given_by,
    table_of_rows,
)
from clearwood.export.exported import Precision
from clearwood.export.proof.precisions import beyond, row_as_held, share_bound
from clearwood.export.proof.reasons import ExpectedReason, GivenAnswer, expected_reasons
from clearwood.export.proof.ties import is_near_tie
from clearwood.export.proof.unanswered import DIVIDED
from clearwood.export.running.runner import Ran
from clearwood.table.row import Row

RowShares: TypeAlias = tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class RowDifference:
    """A row that the target answers otherwise than the model, or with other shares."""

    place: int
    row: Row
    expected: GivenAnswer
    given: GivenAnswer
    expected_shares: RowShares = None
    given_shares: RowShares = None
    expected_reason: str | None = None
    given_reason: str | None = None
    expected_points: float | None = None
    given_points: float | None = None

    def __str__(self) -> str:
        cells = ", ".join(f"{name}={cell!r}" for name, cell in self.row.items())
        if self.expected_points != self.given_points:
            given, expected = f"{self.given_points:.17g}", f"{self.expected_points:.17g}"
            return f"row {self.place + 1} ({cells}): {given} points, not {expected}"
        if self.expected_shares != self.given_shares and self.expected == self.given:
            given, expected = _listed(self.given_shares), _listed(self.expected_shares)
            return f"row {self.place + 1} ({cells}): shares {given}, not {expected}"
        if self.expected_reason is not None:
            return f"row {self.place + 1} ({cells}): by {self.given_reason!r}, not {self.expected_reason!r}"
        return f"row {self.place + 1} ({cells}): {self.given!r}, not {self.expected!r}"


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


@dataclass(frozen=True, slots=True)
class OneAnswer:
    """What is answered to one row."""

    row: Row
    answer: GivenAnswer
    shares: RowShares
    points: float | None

    def is_near(self, other: OneAnswer, bound: float) -> bool:
        """The same answer and points, and shares to the bound, where both give them."""
        near = self.shares is None or other.shares is None or _are_near(self.shares, other.shares, bound)
        return near and self.points == other.points and _is_same(self.answer, other.answer, bound)


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

    Where shares are so near to a tie that the order of adding decides, the answer may be either's; but not if
    the target's shares are the very same: then it takes the wrong one of equals.
    """
    bound = share_bound(precision)
    as_held = _answers_as_held(model, rows, precision)
    changed, not_compared = Counter[str](), Counter[str]()
    different: list[RowDifference] = []
    for place, row in enumerate(rows):
        held = as_held.get(place)
        if (
            held is not None
            and precision == "fifteen digits"
            and held.is_near(expected.at(place, row), bound)
        ):
            row_compared = held.row  # what the target cannot hold makes no difference
        else:
            row_compared = row
        because = beyond(precision, row_compared, jumps)
        if because is not None and precision == "fifteen digits":
            not_compared[because] += 1
            continue
        mine, theirs = expected.answers[place], ran.answers[place]
        if place in unanswered:
            if theirs is None:
                not_compared[DIVIDED] += 1
            else:
                different.append(RowDifference(place, row, None, theirs))
            continue
        own = None if expected.shares is None else expected.shares[place]
        other = None if ran.shares is None else ran.shares[place]
        same_shares = own is None or other is None or _are_near(own, other, bound)
        points = None if expected.points is None else expected.points[place]
        added = points if ran.points is None else ran.points[place]
        same = same_shares and points == added and _is_same(mine, theirs, bound)
        if not same and because is None and precision == "single" and held is not None:
            # The target is right if it answers to the row that it was left with as the model does.
            by_target = OneAnswer(row, theirs, other, added)
            because = "numbers that single precision rounds" if held.is_near(by_target, bound) else None
        if points != added and because is None:
            different.append(
                RowDifference(
                    place, row, mine, theirs, own, other, expected_points=points, given_points=added
                )
            )
            continue
        if same:
            if expected.reasons is None or not ran.reasons or because is not None:
                continue
            reason, by = expected.reasons[place], ran.reasons[place]
            if not reason.allows(by):
                different.append(RowDifference(place, row, mine, theirs, own, own, reason.text, by))
            continue
        if because is not None:
            changed[because] += 1
        elif (
            same_shares
            and own is not None
            and other not in (None, own)
            and is_near_tie(own, model.decision, model.schema.classes, 2 * bound)
        ):
            not_compared["a tie that the order of adding decides"] += 1
        else:
            different.append(RowDifference(place, row, mine, theirs, own, other))
    count = len(rows) - sum(not_compared.values())
    no_reasons = ""
    if expected.reasons is None:
        no_reasons = "this model names no leaf or rule"
    elif ran.reasons is not None and len(ran.reasons) < len(rows):
        no_reasons = "this format names no leaf or rule"
    return ComparedRows(
        count,
        tuple(different),
        changed,
        not_compared,
        with_shares=ran.shares is not None,
        with_points=expected.points is not None and ran.points is not None,
        reasons_by=ran.reasons_by if ran.reasons is not None and not no_reasons else (),
        no_reasons=no_reasons,
    )


def _is_same(mine: GivenAnswer, theirs: GivenAnswer, bound: float) -> bool:
    if isinstance(mine, str) or isinstance(theirs, str) or mine is None or theirs is None:
        return mine == theirs
    return _is_near(mine, theirs, bound)


def _is_near(one: float, other: float, bound: float) -> bool:
    return one == other or abs(one - other) <= bound * max(1.0, abs(one))


def _are_near(mine: Sequence[float], theirs: Sequence[float], bound: float) -> bool:
    return len(mine) == len(theirs) and all(
        _is_near(one, other, bound) for one, other in zip(mine, theirs, strict=True)
    )


def _is_nothing(answer: object) -> bool:
    return answer is None or (isinstance(answer, float) and math.isnan(answer))


def _listed(shares: RowShares) -> str:
    return "none" if shares is None else f"({', '.join(f'{each:.17g}' for each in shares)})"
