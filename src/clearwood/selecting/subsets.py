"""Columns chosen together, by what each tells beyond the others: CFS and mRMR."""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.bounds import Whole
from clearwood.registry import checked
from clearwood.selecting.coded_columns import Bins, CountableColumns, CutBy, coded_columns
from clearwood.selecting.ranking import ColumnOrder, ColumnScore, Selector
from clearwood.table.table import Table


@checked
def order_by_cfs(
    rows: Table,
    keep: int | None = None,
    *,
    cuts: CutBy = "mdl",
    bins: Bins = 10,
    patience: Annotated[int, Whole(1, 1000), "Sets tried after the best one before the search ends."] = 5,
) -> ColumnOrder:
    """The best set by merit k·r_cf ÷ √(k + k(k−1)·r_ff), of symmetrical uncertainties, by best-first search.

    Sets grow by one column, the best set first, until `patience` of them in a row brought no better one.
    Where a number of columns to keep is given, it is reached by adding the best column at each step. The
    others follow in the order of what they would make of the set.
    """
    coded = coded_columns(rows, cuts, bins)
    likeness = _Likeness(coded)
    chosen = _best_set(likeness, patience) if keep is None else ()
    order: list[int] = []
    steps = min(len(likeness.names), len(chosen) if keep is None else keep)
    for _ in range(steps):
        open_to = set(chosen) - set(order) if keep is None else set(range(len(likeness.names))) - set(order)
        merits = likeness.merits(order)
        order.append(max(sorted(open_to), key=lambda column: merits[column]))
    scored = [_scored(likeness, order[: place + 1], chosen=True) for place in range(len(order))]
    rest = [
        _scored(likeness, [*order, column], chosen=False)
        for column in range(len(likeness.names))
        if column not in order
    ]
    rest.sort(key=lambda each: -each.score)
    return ColumnOrder((*scored, *rest), coded.notes)


class _Likeness:
    """Symmetrical uncertainties with the target, and between columns as they are asked for."""

    def __init__(self, coded: CountableColumns) -> None:
        self.names = list(coded.codes)
        self._coded = coded
        self._rows: dict[int, Floats] = {}
        self.target = np.array([coded.shared(name).uncertainty for name in self.names])

    def between(self, column: int) -> Floats:
        """[column] with each of them; 0 with itself."""
        if column not in self._rows:
            known, name = {each: row[column] for each, row in self._rows.items()}, self.names[column]
            self._rows[column] = np.array(
                [
                    known[place] if place in known else self._coded.shared(name, other).uncertainty
                    for place, other in enumerate(self.names)
                ]
            )
            self._rows[column][column] = 0.0
        return self._rows[column]

    def merits(self, members: list[int]) -> Floats:
        """[column] the merit of the set with each column added."""
        size = len(members) + 1
        with_target = self.target[members].sum() + self.target
        among = sum((self.between(each)[members].sum() for each in members), 0.0) / 2
        with_members = sum((self.between(each) for each in members), np.zeros(len(self.names)))
        merit: Floats = with_target / np.sqrt(size + 2 * (among + with_members))
        return merit


def _best_set(likeness: _Likeness, patience: int) -> tuple[int, ...]:
    """Of equally good sets the one found first, which is never the larger."""
    best: tuple[tuple[int, ...], float] = ((), 0.0)  # the members, and their merit
    waiting = [best]
    seen = {frozenset[int]()}
    stale = 0
    while waiting and stale < patience:
        grown_from, _ = waiting.pop(0)
        merits = likeness.merits(list(grown_from))
        stale += 1
        for column in range(len(likeness.names)):
            members = frozenset({*grown_from, column})
            if column in grown_from or members in seen:
                continue
            seen.add(members)
            grown = (*grown_from, column), float(merits[column])
            waiting.append(grown)
            if grown[1] > best[1] + 1e-12:
                best, stale = grown, 0
        waiting.sort(key=lambda each: -each[1])
        del waiting[1000:]
    return best[0]


def _scored(likeness: _Likeness, members: list[int], *, chosen: bool) -> ColumnScore:
    column = members[-1]
    merit = float(likeness.merits(members[:-1])[column])
    return ColumnScore(likeness.names[column], merit, {"with target": float(likeness.target[column])}, chosen)


SELECTOR: Final = Selector(
    order_by_cfs,
    "The set that goes with the target, of columns that do not go together.",
    "merit of the set",
    chooses=True,
)


# mRMR: columns that tell much of the target, and little of each other (Peng, Long and Ding 2005).


_STEPS: Final = 50  # where no number of columns is given: each step compares one more with all others


@checked
def order_by_mrmr(
    rows: Table, keep: int | None = None, *, cuts: CutBy = "mdl", bins: Bins = 10
) -> ColumnOrder:
    """One column after another: the one with the largest relevance less mean redundancy, in bits.

    Relevance is the information it has about the target, redundancy that about the columns before it, on
    average. Where no number of columns is given, those are chosen before the first that is more redundant
    than relevant. After as many steps as columns are kept (50 where no number is given) the others follow in
    the order that the next step would have; those that tell nothing of the target are the last.
    """
    coded = coded_columns(rows, cuts, bins)
    names = list(coded.codes)
    relevance = np.array([_information(coded, name) for name in names])
    redundancy = np.zeros(len(names))
    left = relevance > 0
    order: list[ColumnScore] = []
    chosen = True
    while left.any() and len(order) < (keep or _STEPS):
        value = np.where(left, relevance - redundancy / max(len(order), 1), -np.inf)
        best = int(np.argmax(value))
        chosen = chosen and bool(value[best] > 0)
        order.append(
            _scored_in_turn(names[best], relevance[best], redundancy[best], len(order), chosen=chosen)
        )
        left[best] = False
        for place in np.flatnonzero(left).tolist():
            redundancy[place] += _information(coded, names[place], names[best])
    before = len(order)
    rest = [
        _scored_in_turn(names[at], relevance[at], redundancy[at], before)
        for at in np.flatnonzero(left).tolist()
    ]
    rest.sort(key=lambda each: -each.score)
    idle = [_scored_in_turn(names[at], 0.0, 0.0, before) for at in np.flatnonzero(relevance == 0).tolist()]
    return ColumnOrder((*order, *rest, *idle), coded.notes)


def _information(coded: CountableColumns, name: str, other: str | None = None) -> float:
    bits = coded.shared(name, other).information
    return bits if bits > 1e-12 else 0.0


def _scored_in_turn(
    name: str, relevance: float, redundancy: float, before: int, *, chosen: bool = False
) -> ColumnScore:
    mean = float(redundancy) / max(before, 1)
    figures = {"relevance": float(relevance), "redundancy": mean}
    return ColumnScore(name, float(relevance) - mean, figures, chosen)


MRMR: Final = Selector(
    order_by_mrmr,
    "Much relevance to the target, little redundancy among the columns.",
    "mRMR in bits",
    chooses=True,
)
