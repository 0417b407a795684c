"""The smallest change in a list of rules that vote, exactly: columns change in schema order, cheapest first.

A state has settled its first columns; the others are as they are, and may yet change. Options of a column
that satisfy the same rules are one, the cheapest. A state is dropped when no wanted class can come to lead:
at best every rule that speaks for it and can still hold does so, and of the others only those that must.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any, Final

import numpy as np

from clearwood.explain.boxes import MOST_BOXES, Chosen, Options, changed_by, row_with
from clearwood.explain.change_in_rules import Needs, needs_of
from clearwood.explain.moves import Found
from clearwood.explain.one_row import Row
from clearwood.models.nodes import Bools, Floats
from clearwood.models.rule_list import RuleList
from clearwood.predict.answers import cost_matrix
from clearwood.predict.of_rules import rule_weights
from clearwood.predict.one_by_rules import answer_by_rules

_NEARLY: Final = 1e-9


def change_in_votes(
    rules: RuleList, row: Row, options: Options, wanted: frozenset[str], to: str | None
) -> Found:
    """The cheapest cells that make the answer one of the wanted classes; `to` where only one is."""
    search = _Search(rules, row, options, wanted, to)
    heap: list[tuple[Any, ...]] = [(0, 0.0, (), (), 0, np.ones(len(rules), dtype=np.bool_))]
    met = 1
    while heap:
        cells, distance, places, chosen, settled, held = heappop(heap)
        now = dict(zip(places, chosen, strict=True))
        if cells and search.is_wanted(held & search.as_is[settled], now):
            return Found(changed_by(options, now))
        for at in range(settled, len(search.places)):
            place = search.places[at]
            for option in search.hopeful(at, held):
                cost = distance + options[place].costs[search.kinds[at][option]]
                rest = held & search.takes[at][option]
                choice = (*chosen, search.kinds[at][option])
                met += 1
                heappush(heap, (cells + 1, cost, (*places, place), choice, at + 1, rest))
            held = held & search.takes[at][0]
        if met > MOST_BOXES:
            return Found(None, proven=False)
    return Found(None)


class _Search:
    """What each kind of option does to the rules, and what is still possible."""

    def __init__(
        self, rules: RuleList, row: Row, options: Options, wanted: frozenset[str], to: str | None
    ) -> None:
        self.rules, self.row, self.options, self.wanted, self.to = rules, row, options, wanted, to
        self.places = sorted(options)
        self.kinds: list[list[int]] = []  # [column] the options that stand for a kind; the first is 0
        self.takes: list[Bools] = []  # [column] bool [kind, rule]
        needs = needs_of(rules, options)
        for place in self.places:
            kinds, takes = _kinds(needs, place, len(options[place].cells))
            self.kinds.append(kinds)
            self.takes.append(takes)
        every = np.ones(len(rules), dtype=np.bool_)
        self.as_is, self.possible, self.certain = [every], [every], [every]
        for takes in reversed(self.takes):  # [columns settled] bool [rule]
            self.as_is.insert(0, self.as_is[0] & takes[0])
            self.possible.insert(0, self.possible[0] & takes.any(axis=0))
            self.certain.insert(0, self.certain[0] & takes.all(axis=0))
        self._lead = self._leads()

    def is_wanted(self, held: Bools, chosen: Chosen) -> bool:
        """Does the row so changed get a wanted answer? The definition decides; a clear no saves asking it."""
        if held.any() and not self._may_lead(held[None], held[None])[0]:
            return False
        return answer_by_rules(self.rules, row_with(self.row, self.options, chosen)) in self.wanted

    def hopeful(self, at: int, held: Bools) -> list[int]:
        """The kinds of a column's options, 0 left out, from which a wanted answer can still be reached."""
        reached = self.takes[at][1:] & held
        possible, certain = reached & self.possible[at + 1], reached & self.certain[at + 1]
        open_to_all = ~certain.any(axis=1) & (self.rules.otherwise.then in self.wanted)
        found: list[int] = (np.flatnonzero(self._may_lead(possible, certain) | open_to_all) + 1).tolist()
        return found

    def _may_lead(self, possible: Bools, certain: Bools) -> Bools:
        lead = self._lead
        if lead is None:
            return np.asarray(possible.any(axis=1))
        best = possible @ np.maximum(lead, 0.0) + certain @ np.minimum(lead, 0.0)
        enough = best >= -_NEARLY * (1.0 + np.abs(lead).sum(axis=0))
        return np.asarray(enough.all(axis=1) if self.to is not None else enough.any(axis=1))

    def _leads(self) -> Floats | None:
        """[rule, rival] what each rule adds to the lead of a wanted class over the answer, or of `to`."""
        classes = self.rules.schema.classes
        weights = rule_weights(self.rules)[:-1]
        costs = cost_matrix(self.rules.decision)
        worth = weights if costs is None else -(weights @ costs)
        if self.to is not None:
            others = [c for c, name in enumerate(classes) if name != self.to]
            return worth[:, [classes.index(self.to)]] - worth[:, others]
        answer = answer_by_rules(self.rules, self.row)
        if answer is None:
            return None
        return (
            worth[:, [classes.index(each) for each in self.wanted]] - worth[:, [classes.index(str(answer))]]
        )


def _kinds(needs: list[Needs], place: int, options: int) -> tuple[list[int], Bools]:
    """The first option of each kind, and which rules it satisfies as far as this column goes."""
    takes = np.ones((options, len(needs)), dtype=np.bool_)
    for rule, asked in enumerate(needs):
        for column, held in asked:
            if column == place:
                takes[:, rule] = [held >> option & 1 for option in range(options)]
    firsts: dict[bytes, int] = {}
    for option in range(options):
        firsts.setdefault(takes[option].tobytes(), option)
    kinds = list(firsts.values())
    return kinds, takes[kinds]
