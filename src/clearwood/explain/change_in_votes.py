"""The smallest change in a list of rules that vote, exactly: one cell, then two, then three, …

Columns change in schema order; options of a column that satisfy the same rules are one, the cheapest. With so
many cells still to change, a wanted class can at best get every vote for it of the rules that can then still
hold, and of the votes against it only those of the rules that must: where that is not enough, no option
is tried. The last cell's options are all counted at once, and the definition has the last word.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.explain.boxes import ChosenOptions, Key, Options, changed_by, row_with
from clearwood.explain.change_in_rules import Needs, needs_of
from clearwood.explain.moves import CheapestChange
from clearwood.explain.search_time import SearchTime
from clearwood.models.rule_list import RuleList
from clearwood.predict.answers import cost_matrix
from clearwood.predict.of_rules import rule_weights
from clearwood.predict.one_by_rules import answer_by_rules
from clearwood.table.row import Row

_NEARLY: Final = 1e-9
_MOST_COLUMNS: Final = 50_000  # columns looked at before the search gives up


def change_in_votes(
    rules: RuleList, row: Row, options: Options, targets: frozenset[str], to: str | None, time: SearchTime
) -> CheapestChange:
    """The cheapest cells that make the answer one of the wanted classes; `to` where only one is."""
    search = _Search(rules, row, options, targets, to, time)
    for cells in range(1, len(search.places) + 1):
        search.look(0, np.ones(len(rules), dtype=np.bool_), {}, cells)
        proven = search.looked <= _MOST_COLUMNS and not search.stopped
        if search.best is not None:
            change = changed_by(options, dict(zip(*search.best[2:], strict=True)))
            return CheapestChange(change, proven, search.stopped)
        if not proven:
            return CheapestChange(None, False, search.stopped)
    return CheapestChange(None)


class _Search:
    """What each kind of option does to the rules, what is still possible, and the best that was found."""

    def __init__(
        self,
        rules: RuleList,
        row: Row,
        options: Options,
        targets: frozenset[str],
        to: str | None,
        time: SearchTime,
    ) -> None:
        self.rules, self.row, self.options, self.targets, self.to = rules, row, options, targets, to
        self.best: Key | None = None
        self.looked = 0
        self.stopped = False
        self._time = time
        self.places = sorted(options)
        self._kinds: list[list[int]] = []  # [column] the options that stand for a kind; the first is 0
        self._takes: list[Bools] = []  # [column] bool [kind, rule]
        needs = needs_of(rules, options)
        for place in self.places:
            kinds, takes = _kinds(needs, place, len(options[place].cells))
            self._kinds.append(kinds)
            self._takes.append(takes)
        every = np.ones(len(rules), dtype=np.bool_)
        # [columns settled] of the other columns: all as they are, all at their best, at their worst [rule], …
        self._as_is, self._possible, self._certain = [every], [every], [every]
        self._failed = [np.zeros(len(rules), dtype=np.int64)]  # … and how many fail the rule as they are
        for takes in reversed(self._takes):
            self._as_is.insert(0, self._as_is[0] & takes[0])
            self._possible.insert(0, self._possible[0] & takes.any(axis=0))
            self._certain.insert(0, self._certain[0] & takes.all(axis=0))
            self._failed.insert(0, self._failed[0] + ~takes[0])
        self._lead = self._leads()

    def look(self, settled: int, held: Bools, chosen: ChosenOptions, cells: int) -> None:
        """Change so many more cells, in the columns that are not settled; `held` are the rules that can hold
        as far as the settled ones go."""
        for at in range(settled, len(self.places) - cells + 1):
            self.looked += 1
            self.stopped = self.stopped or self._time.is_over
            if self.stopped or self.looked > _MOST_COLUMNS:
                return
            reached = self._takes[at][1:] & held
            held = held & self._takes[at][0]
            for kind in self._promising(reached, at + 1, cells - 1):
                now = {**chosen, self.places[at]: self._kinds[at][kind + 1]}
                key = self._key(now)
                if self.best is not None and key[1] > self.best[1]:
                    break
                if cells > 1:
                    self.look(at + 1, reached[kind], now, cells - 1)
                elif self._reaches_target(now):
                    self.best = key if self.best is None else min(key, self.best)
                    break

    def _reaches_target(self, chosen: ChosenOptions) -> bool:
        return answer_by_rules(self.rules, row_with(self.row, self.options, chosen)) in self.targets

    def _key(self, chosen: ChosenOptions) -> Key:
        distance = 0.0
        for place, option in chosen.items():
            distance += self.options[place].costs[option]
        return len(chosen), distance, tuple(chosen), tuple(chosen.values())

    def _promising(self, reached: Bools, settled: int, cells: int) -> list[int]:
        """The kinds, by the rules [kind, rule] they come to, that so many more cells can make wanted."""
        if cells:
            possible = reached & self._possible[settled] & (self._failed[settled] <= cells)
            certain = reached & self._certain[settled]
        else:
            possible = certain = reached & self._as_is[settled]
        enough = self._may_lead(possible, certain)
        if self.rules.otherwise.then in self.targets:
            enough = enough | ~certain.any(axis=1)
        kinds: list[int] = np.flatnonzero(enough).tolist()
        return kinds

    def _may_lead(self, possible: Bools, certain: Bools) -> Bools:
        lead = self._lead
        if lead is None:
            return np.asarray(possible.any(axis=1))
        best = possible @ np.maximum(lead, 0.0) + certain @ np.minimum(lead, 0.0)
        enough = best >= -_NEARLY * (1.0 + np.abs(lead).sum(axis=0))
        return np.asarray(enough.all(axis=1) if self.to is not None else enough.any(axis=1))

    def _leads(self) -> Floats | None:
        """[rule, rival] what each rule adds to the lead of a wanted class over the answer, or of `to`; None
        where no rule answers yet, so that any rule will do."""
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
        codes = [classes.index(each) for each in sorted(self.targets)]
        return worth[:, codes] - worth[:, [classes.index(str(answer))]]


def _kinds(needs: list[Needs], place: int, options: int) -> tuple[list[int], Bools]:
    """The first option of each kind, and which rules it satisfies as far as this column goes."""
    takes = np.ones((options, len(needs)), dtype=np.bool_)
    for rule, needed in enumerate(needs):
        for column, held in needed:
            if column == place:
                takes[:, rule] = [held >> option & 1 for option in range(options)]
    firsts: dict[bytes, int] = {}
    for option in range(options):
        firsts.setdefault(takes[option].tobytes(), option)
    kinds = list(firsts.values())
    return kinds, takes[kinds]
