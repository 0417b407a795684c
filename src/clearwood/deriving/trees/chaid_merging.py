"""The merging of categories as grids: every round, with every pair that was compared in it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.counting.question import Takes, condition
from clearwood.formulas.conditions import written
from clearwood.learners.trees.chaid import CHAID
from clearwood.learners.trees.chaid_definition import ChaidCandidate, PreparedChaid
from clearwood.learners.trees.merging import CategoryGroup, Merging, MergingRound, Resplit, Stage
from clearwood.measures.contingency import Verdict
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.working.figures import Figure, Grid, GridCell

GroupPair: TypeAlias = tuple[CategoryGroup, CategoryGroup]
# The p of a table [row, level] whose rows have these names, worked out; cell by cell or (False) in one sum.
Tested: TypeAlias = Callable[[str, Sequence[str], Floats, Verdict, bool], Figure]


@dataclass(frozen=True, slots=True, eq=False)
class MergingGrids:
    """The grids of one attribute's merging; `sign` is the statistic's."""

    learner: CHAID
    candidate: ChaidCandidate
    names: Names
    tested: Tested
    sign: str

    def all(self, merging: Merging) -> tuple[Grid, ...]:
        """What was done, in order."""
        grids = []
        if merging.rounds:
            grids.append(self._rounds(merging.rounds))
        if merging.stages:
            # Empty cells are placed after a stage is kept; apart, they come last.
            groups = merging.groups if merging.placing is None else merging.placing.apart.groups[:-1]
            kept = [stage.groups for stage in merging.stages].index(groups)
            grids.append(self._stages("Stages", merging.stages, kept))
        if merging.placing is not None:
            placing = merging.placing
            met, title = placing.round, "Which group is most like the missing cells?"
            grids.append(self._pair_grid(title, _pairs_of(met), met.verdicts, met.most_alike))
            kept = 0 if merging.groups == placing.together.groups else 1
            grids.append(
                self._stages("Missing cells together or apart", (placing.together, placing.apart), kept)
            )
        return tuple(grids)

    def absorbing(self, rounds: Sequence[MergingRound]) -> Grid:
        """The small groups that joined others."""
        rows: list[tuple[GridCell, ...]] = []
        for place, each in enumerate(rounds, 1):
            p = float(each.verdicts.p[each.most_alike])
            rows.append((place, self.names.listed(each.groups), self._pair(each.pair), p))
        title = f"Groups below min_leaf = {self.learner.min_leaf:g}"
        columns = ("round", "groups", "joined", "p")
        return Grid(title, columns, rows, figure_of=lambda place: self._round_figure(rounds[place]))

    def _rounds(self, rounds: Sequence[MergingRound | Resplit]) -> Grid:
        rows = [self._line(place, each) for place, each in enumerate(rounds)]
        columns = ("round", "groups", "most alike", self.sign, "p", "decision")
        return Grid("Merging", columns, rows, figure_of=lambda place: self._round_figure(rounds[place]))

    def _line(self, place: int, each: MergingRound | Resplit) -> tuple[GridCell, ...]:
        learner = self.learner
        if isinstance(each, Resplit):
            pair = each.halves[each.least_alike]
            at, groups = each.least_alike, self.names.group(each.group)
            level = learner.alpha_resplit
            decision = (
                f"p ≤ {level:g}: parted again" if each.parted else f"p > {level:g}, or met before: stays"
            )
        else:
            pair = each.pair
            at, groups = each.most_alike, self.names.listed(each.groups)
            if learner.exhaustive:
                decision = "joined"
            elif each.joined:
                decision = f"p > {learner.alpha_merge:g}: joined"
            else:
                decision = f"p ≤ {learner.alpha_merge:g}: stop"
        statistic, p = float(each.verdicts.statistic[at]), float(each.verdicts.p[at])
        return place + 1, groups, self._pair(pair), statistic, p, decision

    def _round_figure(self, each: MergingRound | Resplit) -> Figure:
        """The test of the pair that was looked at, and the grid of all."""
        if isinstance(each, Resplit):
            pairs, at = each.halves, each.least_alike
            title = "Ways to divide the group"
        else:
            pairs = _pairs_of(each)
            at, title = each.most_alike, "Pairs"
        figure = self._pair_figure(pairs, each.verdicts, at)
        grid = self._pair_grid(title, pairs, each.verdicts, at)
        return replace(figure, grids=(*figure.grids, grid), on_sheet="in key")

    def _pair_grid(self, title: str, pairs: Sequence[GroupPair], verdicts: Verdict, chosen: int) -> Grid:
        names = map(self._pair, pairs)
        rows = list(zip(names, verdicts.statistic.tolist(), verdicts.p.tolist(), strict=True))
        return Grid(title, ("pair", self.sign, "p"), rows, chosen, on_sheet=("asked", "asked", "asked"))

    def _pair_figure(self, pairs: Sequence[GroupPair], verdicts: Verdict, place: int) -> Figure:
        pair = list(pairs[place])
        columns = verdicts.statistic, verdicts.df, verdicts.p, verdicts.log_p
        verdict = Verdict(*(np.asarray(column[place]) for column in columns))
        names = self.names.groups(pair)
        return self.tested(" with ".join(names), names, self.candidate.categories.table(pair), verdict, False)

    def _stages(self, title: str, stages: Sequence[Stage], chosen: int | None) -> Grid:
        rows: list[tuple[GridCell, ...]] = [
            (self.names.listed(each.groups), float(each.verdict.statistic), float(each.verdict.p))
            for each in stages
        ]

        def figure_of(place: int) -> Figure:
            groups = stages[place].groups
            table = self.candidate.categories.table(groups)
            listed, verdict = self.names.listed(groups), stages[place].verdict
            return self.tested(listed, self.names.groups(groups), table, verdict, False)

        columns = ("groups", self.sign, "p")
        return Grid(title, columns, rows, chosen, figure_of, on_sheet=("asked", "asked", "asked"))

    def _pair(self, pair: GroupPair) -> str:
        names = (f"({self.names.group(each)})" if len(each) > 1 else self.names.group(each) for each in pair)
        return " with ".join(names)


def _pairs_of(met: MergingRound) -> list[GroupPair]:
    return [(met.groups[i], met.groups[j]) for i, j in met.pairs]


# Names of CHAID's categories and groups, as its derivation writes them.


class Names:
    """What each category of a candidate is called: a value, a bin of numbers, or missing."""

    def __init__(self, prepared: PreparedChaid, candidate: ChaidCandidate) -> None:
        self._attribute = prepared.task.schema.attributes[candidate.attribute]
        self._steps = candidate.steps
        self._edges = prepared.edges.get(candidate.attribute)

    def group(self, group: CategoryGroup) -> str:
        """Sunny; Sunny or Rainy; 23 < Age ≤ 31; missing."""
        known = [self._steps[each] for each in group if each < len(self._steps)]
        parts = ["missing"] if len(known) < len(group) else []
        if isinstance(self._attribute, Nominal | Ordinal):
            parts[:0] = [written(self._attribute.values[step]) for step in known]
        elif known:
            parts[:0] = [self._stretch(known[0], known[-1])]
        return " or ".join(parts)

    def groups(self, groups: Sequence[CategoryGroup]) -> list[str]:
        return [self.group(each) for each in groups]

    def listed(self, groups: Sequence[CategoryGroup]) -> str:
        """All groups, in one line."""
        return " | ".join(self.groups(groups))

    def _stretch(self, first: int, last: int) -> str:
        """The numbers from one bin to another."""
        assert self._edges is not None
        low = -math.inf if first == 0 else float(self._edges[first - 1])
        high = math.inf if last >= len(self._edges) else float(self._edges[last])
        return str(condition(self._attribute, Takes(low, high)))
