"""CHAID at a node: how every attribute's categories merge, and the smallest adjusted p."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from clearwood.arrays import Floats
from clearwood.counting.ties import TIE
from clearwood.deriving.trees.chaid_merging import MergingGrids, Names, Tested
from clearwood.deriving.trees.gains import counts_figure
from clearwood.deriving.trees.growing import too_few
from clearwood.deriving.trees.growth import TreePlace, Worked, WorkOut
from clearwood.formulas.expressions import (
    Applied,
    Binomial,
    Exp,
    Expression,
    Extreme,
    Log,
    Number,
    Symbol,
)
from clearwood.learners.trees import chaid_definition as chaid
from clearwood.learners.trees.chaid import CHAID
from clearwood.learners.trees.chaid_definition import ChaidCandidate, PreparedChaid
from clearwood.learners.trees.counted import TreeTask
from clearwood.learners.trees.merging import FAINT, CategoryGroup, MergingRound, ways_nominal
from clearwood.measures.contingency import Verdict
from clearwood.measures.scatter import squared_error
from clearwood.table.attributes import Numeric, Ordinal
from clearwood.words.numbers import short, with_noun
from clearwood.working.figures import ASKED, GIVEN, Figure, Grid, GridCell, compared, named
from clearwood.working.table_tests import Statistic, contingency_figure, f_figure, row_effects_figure


def worker(learner: CHAID, task: TreeTask) -> WorkOut:
    """How CHAID works out a place."""
    prepared = chaid.prepare_chaid(learner, task)

    def work(place: TreePlace) -> Worked:
        here = replace(prepared, task=place.task)
        return _Choice(learner, here, *_tested(learner, place.task)).work(place)

    return work


@dataclass(frozen=True, slots=True, eq=False)
class _Choice:
    learner: CHAID
    prepared: PreparedChaid
    tested: Tested
    sign: str

    def work(self, place: TreePlace) -> Worked:
        figures: tuple[Figure, ...] = (counts_figure(place),)
        if not chaid.large_enough(self.learner, place.counts):
            return Worked(figures, too_few(place, self.learner.min_rows))
        candidates = chaid.consider(self.prepared, place.region)
        adjusted = [replace(self._figure(place, each), each_has="adjusted p") for each in candidates]
        figures += tuple(adjusted)
        chosen = chaid.strongest(candidates)
        if chosen is None:
            return Worked(figures, "No attribute separates the rows into two groups: a leaf.")
        name, level = self._name(chosen), self.learner.alpha_split
        smallest = next(p for p, each in zip(adjusted, candidates, strict=True) if each is chosen)
        holds = chaid.significant(self.learner, chosen)
        nearly, close = Number(level) + Number(TIE * level), "They are equal but for rounding."
        at_most = "smallest adjusted p ≤ alpha_split"
        figures += (compared(at_most, holds, smallest, "≤", Number(level), nearly, close),)
        least = f"{name} has the smallest adjusted p, {short(chosen.adjusted_p)}"
        least += self._tie(candidates, chosen)
        if not holds:
            return Worked(figures, f"{least}, which is above {level:g}: a leaf.")
        groups, rounds = chaid.absorbed(self.prepared, chosen)
        if rounds:
            figures += (self._absorbed(chosen, groups, rounds),)
        if len(groups) < 2:
            rows = with_noun(f"{self.learner.min_leaf:g}", "row")
            decision = f"{least}, but no two groups hold {rows} each: a leaf."
            return Worked(figures, decision)
        decision = f"{least}, at most {level:g}: split on it, into {len(groups)} groups."
        return Worked(figures, decision, chaid.question(self.prepared, chosen, groups))

    def _figure(self, place: TreePlace, candidate: ChaidCandidate) -> Figure:
        """An attribute's adjusted p, with its categories, its merging and its groups; or why it has none."""
        name, names = self._name(candidate), Names(self.prepared, candidate)
        table = self._table("Categories", candidate, [(i,) for i in range(len(candidate.categories.counts))])
        merging = candidate.merging
        if merging is None:
            because = "Out: all rows here are of one category."
            return Figure(f"adjusted p({name})", None, rows=place.rows, because=because, grids=(table,))
        grids = MergingGrids(self.learner, candidate, names, self.tested, self.sign).all(merging)
        if candidate.verdict is None:
            because = "Out: all categories merge into one group."
            grids = (table, *grids)
            return Figure(f"adjusted p({name})", None, rows=place.rows, because=because, grids=grids)
        groups = merging.groups
        counts = candidate.categories.table(groups)
        p = self.tested(name, names.groups(groups), counts, candidate.verdict, True)
        merged = len(merging.groups) < len(candidate.categories.counts)
        after = (_to_fill_in(self._table("Groups", candidate, merging.groups)),) if merged else ()
        adjusted = adjusted_p_figure(name, self.learner, candidate, p)
        grids = (table, *grids, *after)
        return replace(adjusted, rows=place.rows, because=self._bins(candidate), grids=grids)

    def _bins(self, candidate: ChaidCandidate) -> str:
        attribute = self.prepared.task.schema.attributes[candidate.attribute]
        if not isinstance(attribute, Numeric):
            return ""
        if attribute.cuts:
            return "Its categories are the intervals between the cuts the schema gives."
        return f"Its categories are {self.learner.bins} bins of equal weight, or fewer, of all training rows."

    def _absorbed(
        self, chosen: ChaidCandidate, groups: list[CategoryGroup], rounds: Sequence[MergingRound]
    ) -> Figure:
        names = Names(self.prepared, chosen)
        grid = MergingGrids(self.learner, chosen, names, self.tested, self.sign).absorbing(rounds)
        left = _to_fill_in(self._table("Groups that are left", chosen, groups))
        because = f"A group of fewer than {self.learner.min_leaf:g} rows joins the group most like it."
        return Figure("groups left", float(len(groups)), because=because, grids=(grid, left))

    def _table(self, title: str, candidate: ChaidCandidate, groups: Sequence[CategoryGroup]) -> Grid:
        """Groups against classes; of numbers, their weight and mean."""
        task, names = self.prepared.task, Names(self.prepared, candidate)
        counts = candidate.categories.table(list(groups))
        heading = f"{title}: {self._name(candidate)} × {task.schema.predicted.name}"
        if task.values is not None:
            mean, _ = squared_error(task.values, counts)
            columns: tuple[str, ...] = ("rows", "mean")
            lines = list(zip(counts.sum(axis=1).tolist(), mean.tolist(), strict=True))
        else:
            columns = (*task.schema.classes, "rows")
            lines = [(*line, sum(line)) for line in counts.tolist()]
        rows: list[tuple[GridCell, ...]] = [
            (name, *line) for name, line in zip(names.groups(groups), lines, strict=True)
        ]
        return Grid(heading, (self._name(candidate), *columns), rows)

    def _name(self, candidate: ChaidCandidate) -> str:
        return self.prepared.task.schema.attributes[candidate.attribute].name

    def _tie(self, candidates: Sequence[ChaidCandidate], chosen: ChaidCandidate) -> str:
        """Who else has it, and what decided."""
        equal = [
            each
            for each in candidates
            if each.verdict is not None
            and each is not chosen
            and abs(each.likeness - chosen.likeness) <= TIE * abs(chosen.likeness)
        ]
        if not equal:
            return ""
        others = " and ".join(map(self._name, equal)) if len(equal) < 3 else f"{len(equal)} others"
        have = "has" if len(equal) == 1 else "have"
        return f" ({others} {have} it too; the larger {self.sign}, then the first, decides)"


def _to_fill_in(grid: Grid) -> Grid:
    """The grid as a worksheet leaves it empty: its rows are what is to be worked out."""
    return replace(grid, on_sheet=(ASKED,) * len(grid.columns))


def _tested(learner: CHAID, task: TreeTask) -> tuple[Tested, str]:
    """The test this target asks for, as figures, and the sign of its statistic."""
    if task.values is not None:
        values = task.values

        def by_variance(
            of: str, names: Sequence[str], counts: Floats, verdict: Verdict, _in_full: bool
        ) -> Figure:
            mean, error = squared_error(values, counts)
            columns = (counts.sum(axis=1).tolist(), mean.tolist(), error.tolist())
            return f_figure(of, names, *columns, float(verdict.statistic), float(verdict.p))

        return by_variance, "F"
    classes = task.schema.classes
    if isinstance(task.schema.target, Ordinal):
        return lambda of, names, counts, verdict, _: row_effects_figure(
            of, names, classes, counts, verdict
        ), "G"
    sign: Statistic = "χ²" if learner.statistic == "pearson" else "G"

    def by_cells(of: str, names: Sequence[str], counts: Floats, verdict: Verdict, in_full: bool) -> Figure:
        return contingency_figure(of, sign, names, classes, counts, verdict, cells_too=in_full)

    return by_cells, sign


# The Bonferroni factor as a figure: in how many ways could the categories have become so many groups?


_P: Final = Symbol("p", means="the p-value of the test before the correction")
_B: Final = Symbol("B", means="the Bonferroni factor")

_I: Final = Symbol("I", means="the number of categories before merging")
_R: Final = Symbol("r", means="the number of groups after merging")
_TOO_LARGE: Final = 10**300  # for a float
_SHOWN: Final = 30  # categories whose whole triangle of numbers is shown


def adjusted_p_figure(of: str, learner: CHAID, candidate: ChaidCandidate, p: Figure) -> Figure:
    """p × B, at most 1; by logarithms where p or B is beyond what a number can hold."""
    assert candidate.verdict is not None
    name, value, factor = f"adjusted p({of})", candidate.adjusted_p, factor_figure(of, learner, candidate)
    if candidate.verdict.p >= FAINT and candidate.ways < _TOO_LARGE:
        one = Number(1)
        at_most, product = Extreme("min", (one, _P * _B)), Extreme("min", (one, named(p) * named(factor)))
        return Figure(name, value, at_most, product, under=(p, factor))
    log_p, log_ways = float(candidate.verdict.log_p), math.log(candidate.ways)
    small = Figure(f"ln p({of})", log_p, put_in=Applied("ln of the tail", (), log_p))
    many = Figure(f"ln B({of})", log_ways, put_in=Applied("ln B", (), log_ways))
    formula, put_in = (
        Exp(Extreme("min", (Number(0), Log(_P, "e") + Log(_B, "e")))),
        Exp(Extreme("min", (Number(0), named(small) + named(many)))),
    )
    because = "By logarithms: as plain numbers p and B are out of reach."
    return Figure(name, value, formula, put_in, because=because, under=(p, small, factor, many))


def factor_figure(of: str, learner: CHAID, candidate: ChaidCandidate) -> Figure:
    """B, by the formula for this kind of attribute; I categories, r groups."""
    assert candidate.merging is not None
    name, ways = f"B({of})", candidate.ways
    size, groups = len(candidate.categories.counts), len(candidate.merging.groups)
    if not learner.bonferroni:
        return Figure(name, 1.0, put_in=Number(1), because="bonferroni is off.")
    if ways >= _TOO_LARGE:
        because = "The ways to divide so many categories."
        return Figure(name, f"about 10^{len(str(ways)) - 1}", because=because)
    i, r = Number(size), Number(groups)
    if learner.exhaustive:
        nominal = not candidate.categories.ordered
        formula, put_in = (_stages(each, nominal=nominal) for each in (_I, i))
        because = "The tables met on the way down to two groups."
    elif candidate.categories.floats:
        formula, put_in = _floating(_I, _R), _floating(i, r)
        because = "Neighbours join; the missing cells may join any group, or none."
    elif candidate.categories.ordered:
        formula, put_in = _neighbours(_I, _R), _neighbours(i, r)
        because = "Only neighbours join."
    else:
        return _stirling(name, size, groups)
    return Figure(name, float(ways), formula, put_in, because=f"{because} I = {size}, r = {groups}.")


def _neighbours(i: Expression, r: Expression) -> Expression:
    return Binomial(i - 1, r - 1)


def _floating(i: Expression, r: Expression) -> Expression:
    rest = i - 2
    return Binomial(rest, r - 2) + r * Binomial(rest, r - 1)


def _stages(i: Expression, *, nominal: bool) -> Expression:
    other = i**2 - 1 if nominal else i - 1
    return i * other / 2


def _stirling(name: str, size: int, groups: int) -> Figure:
    """S(I, r): the last category alone, or in one of r groups of the others."""
    before = [_parted(size - 1, k) for k in (groups - 1, groups)]
    alone, within = (
        Figure(f"S({size - 1}, {k})", float(ways), put_in=Number(ways))
        for k, ways in zip((groups - 1, groups), before, strict=True)
    )
    formula = _ways(_I - 1, _R - 1) + _R * _ways(_I - 1, _R)
    put_in = named(alone) + Number(groups) * named(within)
    first, up_to = max(1, size - _SHOWN + 1), range(1, groups + 1)
    rows = [(n, *(_parted(n, k) for k in up_to)) for n in range(first, size + 1)]
    columns = ("I", *(f"r = {k}" for k in up_to))
    on_sheet = (GIVEN,) * len(columns)
    grid = Grid("Stirling numbers S(I, r)", columns, rows, len(rows) - 1, on_sheet=on_sheet)
    return Figure(
        name, float(_parted(size, groups)), formula, put_in,
        because=f"Any may join any: the Stirling number S({size}, {groups}), by its recurrence.",
        grids=(grid,), under=(alone, within),
    )  # fmt: skip


def _ways(things: Expression, groups: Expression) -> Applied:
    return Applied("S", (things, groups), means="the number of ways to divide categories into groups")


def _parted(size: int, groups: int) -> int:
    """S(size, groups); none where there are more groups than things, or no group for them."""
    return ways_nominal(size, groups) if 0 <= groups <= size else 0
