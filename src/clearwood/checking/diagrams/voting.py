"""Rules that vote: those that may still hold, and the votes of those that do."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

import numpy as np

from clearwood.checking.diagrams.rule_sets import RuleSets, bits_of
from clearwood.checking.diagrams.unfolding import OpenRules

Ballot: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Votes:
    """Every ballot counts. What a row has come to is their sum; None where no rule has held."""

    sets: RuleSets
    ballots: Sequence[Ballot]  # [rule]
    otherwise: Hashable
    counted: Callable[[Ballot], Hashable]  # what rows get whose ballots add up to this

    @property
    def start(self) -> OpenRules:
        return self.sets.every, None

    def after(self, level: int, rules: int, come: Hashable) -> OpenRules:
        holding = rules & self.sets.complete[level]
        return rules & ~holding, votes_added(cast("Ballot | None", come), self.ballots, holding)

    def value(self, come: Hashable) -> Hashable:
        return self.otherwise if come is None else self.counted(cast(Ballot, come))


@dataclass(frozen=True, slots=True)
class VotesForTheMost:
    """The class with the most votes answers, the first of equals: only who leads matters, and by how much.

    A class that another is sure to beat is left out of the sum, and rules that do not tell the others apart
    need not be asked.
    """

    sets: RuleSets
    ballots: Sequence[Ballot]  # [rule][class]
    otherwise: Hashable
    classes: Sequence[str]
    _sums: dict[int, Ballot] = field(default_factory=dict)
    _losses: dict[int, list[list[int]]] = field(default_factory=dict)
    _telling: dict[tuple[int, tuple[int, ...]], int] = field(default_factory=dict)

    @property
    def start(self) -> OpenRules:
        return self.sets.every, None

    def after(self, level: int, rules: int, come: Hashable) -> OpenRules:
        holding = rules & self.sets.complete[level]
        left, leads = rules & ~holding, cast("tuple[tuple[int, int], ...] | None", come)
        if holding:
            votes = self._votes_of(holding)
            leads = (
                tuple(enumerate(votes))
                if leads is None
                else tuple([(place, lead + votes[place]) for place, lead in leads])
            )
        if leads is None:
            return left, None
        while True:
            running = self._running(left, leads)
            telling = self._that_tell(left, tuple(place for place, _ in running)) if len(running) > 1 else 0
            if telling == left and len(running) == len(leads):
                break
            left, leads = telling, running
        least = min([lead for _, lead in leads])
        return left, tuple([(place, lead - least) for place, lead in leads]) if least else leads

    def value(self, come: Hashable) -> Hashable:
        if come is None:
            return self.otherwise
        ((place, _),) = cast("tuple[tuple[int, int]]", come)
        return self.classes[place]

    def _running(self, rules: int, leads: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        """The classes that the one in the lead is not sure to beat, and this one."""
        first, most = leads[0]
        for place, lead in leads:
            if lead > most:
                first, most = place, lead
        losses = self._most_lost(rules)[first]
        running = []
        for each in leads:
            place, lead = each
            kept = most - lead + losses[place]
            if place == first or kept < 0 or (kept == 0 and place < first):
                running.append(each)
        return tuple(running)

    def _votes_of(self, rules: int) -> Ballot:
        votes = self._sums.get(rules)
        if votes is None:
            votes = self._sums[rules] = votes_added(None, self.ballots, rules) or ()
        return votes

    def _most_lost(self, rules: int) -> list[list[int]]:
        """[class][class] how much of its lead over another a class can lose by these rules; 0 or less."""
        losses = self._losses.get(rules)
        if losses is None:
            places = list(bits_of(rules))
            cast_by = np.array([self.ballots[each] for each in places], dtype=np.int64)
            cast_by = cast_by.reshape(len(places), len(self.classes))
            leads = np.minimum(cast_by[:, :, None] - cast_by[:, None, :], 0).sum(axis=0)
            losses = self._losses[rules] = leads.tolist()
        return losses

    def _that_tell(self, rules: int, running: tuple[int, ...]) -> int:
        """Those of the rules that give these classes different votes."""
        telling = self._telling.get((rules, running))
        if telling is None:
            telling = self._telling[rules, running] = sum(
                1 << rule
                for rule in bits_of(rules)
                if len({self.ballots[rule][place] for place in running}) > 1
            )
        return telling


def votes_added(come: Ballot | None, ballots: Sequence[Ballot], rules: int) -> Ballot | None:
    """The votes so far and those of these rules."""
    if not rules:
        return come
    held = [ballots[rule] for rule in bits_of(rules)]
    return tuple(map(sum, zip(*(held if come is None else [come, *held]), strict=True)))
