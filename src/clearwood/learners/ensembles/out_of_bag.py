"""Out of bag: what the members that did not see a row answer there, and how wrong that is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats, Ints, Longs
from clearwood.counting.chance import (
    chance_key,
    drawn_with_replacement,
    units_drawn_with_replacement,
    weights_are_units,
)
from clearwood.errors import LearningError
from clearwood.learners.progress import Progress
from clearwood.models.deciding import cheapest
from clearwood.models.decision import Decision
from clearwood.models.kinds.ensemble.ensemble import LearningCurve, Member
from clearwood.predicting.batch import plain_codes, plain_numbers, plain_shares
from clearwood.records import dataclass
from clearwood.table.attributes import Numeric
from clearwood.table.row_keys import rows_by_content
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class OutOfBagAnswers:
    """What the members so far answered rows that they did not draw: sums of shares, votes or numbers."""

    sums: Floats  # [row × class], or [row] of numbers
    size: Ints  # [row] how many members answered


_asked: ContextVar[list[OutOfBagAnswers] | None] = ContextVar("asked", default=None)


@contextmanager
def out_of_bag_kept() -> Iterator[list[OutOfBagAnswers]]:
    """What learners within the block answered rows out of bag, in their order: it comes with learning, and
    nobody else keeps it."""
    kept: list[OutOfBagAnswers] = []
    token = _asked.set(kept)
    try:
        yield kept
    finally:
        _asked.reset(token)


def keep_out_of_bag(answers: OutOfBagAnswers) -> None:
    """Hand the answers to whoever asked for them, if someone did."""
    asked = _asked.get()
    if asked is not None:
        asked.append(answers)


class OutOfBag:
    """Sums of answers by row, over the members that it was out of bag for."""

    def __init__(self, rows: Table, decision: Decision, *, votes: bool) -> None:
        self.rows, self.votes = rows, votes
        self.numeric = isinstance(rows.schema.target, Numeric)
        self.costs = np.array(decision.costs) if decision.costs else None
        self.width = 1 if self.numeric else len(rows.schema.classes)
        self.sums, self.heard = np.zeros((len(rows), self.width)), np.zeros(len(rows))
        self.weights = np.ones(len(rows)) if rows.weights is None else rows.weights
        self.values: list[float] = []

    def add(self, member: Member, out: Bools) -> None:
        """Ask a member about the rows that it did not learn from."""
        places = np.flatnonzero(out)
        if len(places):
            table = self.rows.take(places)
            if self.numeric:
                answers = plain_numbers(member, table)[:, None]
                silent = np.isnan(answers[:, 0])
            elif self.votes:
                answers = np.eye(self.width + 1, self.width)[plain_codes(member, table)]
                silent = answers.max(axis=1) <= 0
            else:
                answers = plain_shares(member, table)
                silent = answers.max(axis=1) <= 0
            heard = places[~silent]
            self.sums[heard] += answers[~silent]
            self.heard[heard] += 1.0
        self.values.append(self._score())

    def curves(self) -> tuple[LearningCurve, ...]:
        """The score by the number of members; none where no row was ever left out. Before the first was, it
        is that of the first."""
        known = [value for value in self.values if not np.isnan(value)]
        if not known:
            return ()
        values = tuple(known[0] if np.isnan(value) else value for value in self.values)
        return (LearningCurve(self._score_name, "out-of-bag rows", values),)

    def answers(self) -> OutOfBagAnswers:
        """The sums, and how many members each is of."""
        return OutOfBagAnswers(self.sums.ravel(), self.heard.astype(np.int32))

    def progress(self, of: int) -> Progress:
        """How far it is, of so many members."""
        known = None if np.isnan(self.values[-1]) else self.values[-1]
        return Progress(len(self.values), of, "member", self._score_name, "out-of-bag rows", known)

    @property
    def _score_name(self) -> str:
        return "squared error" if self.numeric else "error"

    def _score(self) -> float:
        """Of the rows that some member answered; NaN where there are none."""
        heard = np.flatnonzero(self.heard)
        weights = self.weights[heard]
        if not weights.sum() > 0:
            return float("nan")
        truth = self.rows.target[heard]
        if self.numeric:
            wrong = (self.sums[heard, 0] / self.heard[heard] - truth) ** 2
        else:
            # Sums decide as means do, without the rounding of a division that could break a tie.
            wrong = (cheapest(self.sums[heard], self.costs) != truth).astype(np.float64)
        return float(np.dot(weights, wrong) / weights.sum())


# A member's rows: as many as there are, drawn with replacement in an order that their content decides.


DRAWING: Final = 0xB0075  # tells these draws from others of the same seed and member
_MOST: Final = 2**32 - 1


def times_drawn(table: Table, seed: int, member: int, order: Longs | None = None) -> Longs:
    """[row] how often the member draws it (Efron 1979; Breiman 1996).

    Weights that are whole numbers stand for so many rows: their sum is drawn. Otherwise as many rows as
    there are, each with a chance that is its part of the weight. Rows are counted in the order of their
    content (`order`, worked out unless given), so that the same rows in another order, or repeated instead
    of weighed, give the same members.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> [int(times_drawn(table, 0, member).sum()) for member in range(3)]
    [14, 14, 14]
    """
    order = rows_by_content(table) if order is None else order
    key, rows = chance_key(seed, member, DRAWING), len(table)
    weights = np.ones(rows) if table.weights is None else table.weights[order]
    upto = np.cumsum(weights)
    if weights_are_units(weights):
        if upto[-1] > _MOST:
            raise LearningError(
                f"The weights sum to {upto[-1]:g} rows, more than can be drawn. Divide all by one number."
            )
        drawn = units_drawn_with_replacement(key, upto)
    else:
        drawn = drawn_with_replacement(key, rows, rows, upto)
    times = np.zeros(rows, dtype=np.int64)
    times[order] = drawn
    return times
