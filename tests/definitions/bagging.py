"""Bagging, plainly: rows drawn one by one, a member from the rows repeated, and answers to those left out.

`Bagging` counts how often a row was drawn instead of repeating it; a property test demands the same model.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from clearwood.counting.chance import chance_key, draw, drawn_below
from clearwood.learners.ensembles.bagging import Bagging
from clearwood.learners.ensembles.members import DRAWING, decision_for, learned
from clearwood.learners.training import usable_rows
from clearwood.mixing import GOLDEN, mixed
from clearwood.models.decision import Decision, cheapest
from clearwood.models.kinds.ensemble.ensemble import Member
from clearwood.predicting.batch import plain_codes, plain_numbers, plain_shares
from clearwood.table.attributes import Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class PlainBagging:
    """The members, the rows that each drew (a row as often as it was drawn), and the out-of-bag error after
    each member; None as long as every row was drawn by all."""

    members: list[Member]
    drawn: list[list[int]]
    errors: list[float | None]


def bagging_by_definition(learner: Bagging, table: Table) -> PlainBagging:
    """What `learner` learns from the table."""
    rows = usable_rows(learner, table, reads_text=True)
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    order = sorted(range(len(rows)), key=lambda row: (_key(rows, row), float(weights[row])))
    drawn = [sorted(_drawn(rows, order, learner.seed, place)) for place in range(learner.trees)]
    members = []
    for place, each in enumerate(drawn):
        repeated = replace(rows.take(np.array(each)), weights=None, weights_are=None)
        members.append(learned(learner.of, repeated, place))
    decision = decision_for(learner.of, members[0], rows)
    answers = [_answers(learner, member, decision, rows) for member in members]
    errors = [_error(rows, decision, answers[: k + 1], drawn[: k + 1]) for k in range(learner.trees)]
    return PlainBagging(members, drawn, errors)


def _key(rows: Table, row: int) -> int:
    """64 bits of a row's cells: the order of rows by it does not depend on where they are, or on the order in
    which values and classes are listed."""
    target = rows.schema.target
    key = 0
    for attribute in (*rows.schema.inputs, *(() if target is None else (target,))):
        cell = np.asarray(rows.columns[attribute.name])[row]
        if isinstance(attribute, Nominal | Ordinal):
            cell = _named(attribute.values[cell]) if cell >= 0 else {-1: 2.0, -2: 1.0}[int(cell)]
        elif isinstance(attribute, Text):
            cell = 2.0 if cell is None else _named(cell)
        number = float(cell) + 0.0  # −0 is 0
        packed = struct.pack("<d", number if number == number else float("nan"))
        key = mixed(((key ^ int.from_bytes(packed, "little")) + GOLDEN) % 2**64)
    return key


def _named(text: str) -> float:
    letters = text.encode()
    return zlib.crc32(letters) + 2.0**32 * (zlib.adler32(letters) % 2**20)


def _drawn(rows: Table, order: list[int], seed: int, member: int) -> list[int]:
    """Whole weights are so many rows, of which as many are drawn; other weights are chances, in as many draws
    as there are rows."""
    key = chance_key(seed, member, DRAWING)
    weights = [1.0] * len(rows) if rows.weights is None else rows.weights.tolist()
    if all(weight == int(weight) for weight in weights):
        tickets = [row for row in order for _ in range(int(weights[row]))]
        return [tickets[drawn_below(key, k, len(tickets))] for k in range(len(tickets))]
    total = 0.0
    for row in order:
        total += weights[row]
    return [_row_at((draw(key, k) >> 11) * 2.0**-53 * total, order, weights) for k in range(len(rows))]


def _row_at(place: float, order: list[int], weights: list[float]) -> int:
    upto = 0.0
    for row in order:
        upto += weights[row]
        if place < upto:
            return row
    return order[-1]


def _answers(learner: Bagging, member: Member, decision: Decision, rows: Table) -> list[list[float]]:
    """[row] what a member answers: its shares, its vote as a share of 1, or its number; empty: nothing."""
    if isinstance(rows.schema.target, Numeric):
        numbers = plain_numbers(member, rows).tolist()
        return [[number] if number == number else [] for number in numbers]
    asked = replace(member, decision=Decision(factors=decision.factors))
    if learner.combine == "votes":
        classes = range(len(rows.schema.classes))
        return [
            [float(c == code) for c in classes] if code >= 0 else []
            for code in plain_codes(asked, rows).tolist()
        ]
    return [shares if max(shares) > 0 else [] for shares in plain_shares(asked, rows).tolist()]


def _error(
    rows: Table, decision: Decision, answers: Sequence[list[list[float]]], drawn: Sequence[list[int]]
) -> float | None:
    """The weighted part of the rows answered wrongly by members that left them out, or the squared error."""
    numeric = isinstance(rows.schema.target, Numeric)
    costs = np.array(decision.costs) if decision.costs else None
    weights = [1.0] * len(rows) if rows.weights is None else rows.weights.tolist()
    left_out = [set(range(len(rows))) - set(each) for each in drawn]
    wrong = known = 0.0
    for row, truth in enumerate(rows.target.tolist()):
        heard = [of[row] for of, out in zip(answers, left_out, strict=True) if row in out and of[row]]
        if not heard:
            continue
        sums = [sum(each) for each in zip(*heard, strict=True)]
        known += weights[row]
        if numeric:
            wrong += weights[row] * (sums[0] / len(heard) - truth) ** 2
        else:
            wrong += weights[row] * float(cheapest(np.array([sums]), costs)[0] != truth)
    return wrong / known if known > 0 else None
