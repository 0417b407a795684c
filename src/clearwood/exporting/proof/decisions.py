"""Decisions: each side of every condition, surrogates too, in a row that comes to it and in which it matters.

In a tree a row comes to the second surrogate of a node only if it is led to that node by cells which leave
the column of the split and that of the first surrogate empty, though the conditions above may ask for those
same columns: then surrogates above must lead the way. Each condition is on one column, so that what is
known of a row on its way is a box, a set of groups per column (`models/space/axes.py`), and a way is found,
or shown not to be there, by trying the tests that lead down, in their order. Among rules a row must keep
clear of those that are asked before.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from operator import itemgetter
from random import Random
from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats, Ints
from clearwood.explaining.scorecard import Scorecard
from clearwood.exporting.exportable import Exportable
from clearwood.exporting.proof.critical_cells import around
from clearwood.exporting.tables.table_of import table_of_tree
from clearwood.formulas.conditions import Condition, OnNumbers, bounds_of, holds
from clearwood.models.decision import NOTHING, adjusted, cheapest, cost_matrix, decided, divided
from clearwood.models.kinds.kind import kind_of
from clearwood.models.kinds.rules.rule_list import Answer, Otherwise, Rule, rule_weights
from clearwood.models.kinds.rules.rules_program import first_answers
from clearwood.models.kinds.tree.tree import node_shares, node_values
from clearwood.models.model import Ensemble, RuleList, Tree, tree_or_rules
from clearwood.models.routing import route_at, ways
from clearwood.models.space.axes import Axis, Domains, GroupBox, group_flags
from clearwood.models.space.input_space import input_space_of
from clearwood.models.space.search import Budget, TooLongError, find_outside
from clearwood.models.space.walk import WaysOn, with_groups
from clearwood.table.attributes import Numeric
from clearwood.table.raw import Cell, Row

_EACH: Final = 20_000  # boxes that the search for one row among rules may look at
_BUDGET: Final = 20_000_000  # and for all of them
_DRAWS: Final = 12  # of a row by chance, before it is searched for
_VOTES_DRAWN: Final = 60  # of a row on which rules vote
_WALKS: Final = 4  # from the best of them, cell by cell
_SEEN: Final = 1e-6  # shares that differ by more are seen to; of a vote, less turns none
_STEPS: Final = 1000  # of the search for one row
_WAYS: Final = 8  # down from a decision that are tried, until one shows which branch was taken
_PAIRS: Final = 40  # of ways below it, by each of its branches, that are tried thereafter
_FILLED: Final = 4  # rows of each
_TRIED: Final = 16  # rows, where a class is all that is seen, before cells are changed one by one
_WALKED: Final = 4  # rows on the way from these, for each decision that is asked for


@dataclass(frozen=True, slots=True)
class DecisionPlan:
    """What rows are made of: the usual cells of columns that nothing asks for, at most so many decisions, by
    chance, and the neighbours of limits in single precision too. `by_class`: of a member only its class is
    seen, for members vote."""

    usual: Row
    most: int
    random: Random
    single: bool = False
    by_class: bool = False


@dataclass(slots=True)
class DecisionRows:
    """Rows with each side of every condition, rows with the other values that a condition names, and the
    conditions to which none was found, though some may come there; `left_out` is how many rows more there
    would be than were asked for."""

    rows: list[Row] = field(default_factory=list)
    values: list[Row] = field(default_factory=list)
    not_reached: list[str] = field(default_factory=list)
    left_out: int = 0

    def add(self, other: DecisionRows) -> None:
        """Those of another model too."""
        self.rows += other.rows
        self.values += other.values
        self.not_reached += other.not_reached
        self.left_out += other.left_out


def decisions_of(model: Exportable, plan: DecisionPlan, of: str = "") -> DecisionRows:
    """The decisions of trees and rules, in ensembles too; of others there are none. `of` says of which
    member."""
    made = DecisionRows()
    if isinstance(model, Scorecard):
        return made
    regions = tree_or_rules(model)
    if isinstance(regions, Tree):
        return _rows_found(_TreeSearch(regions, plan), plan, of)
    if regions is not None:
        return _rows_found(_RuleSearch(regions, plan), plan, of)
    members = kind_of(model).members(model)
    votes = isinstance(model, Ensemble) and model.combined_by == "votes"
    share = replace(plan, most=max(1, 2 * plan.most // max(1, len(members))), by_class=votes)
    for number, member in enumerate(members, 1):
        made.add(decisions_of(member, share, f" of member {number}"))
    return made


def decisions_of_table(tree: Tree, plan: DecisionPlan) -> DecisionRows:
    """The decisions of a tree's decision table, whose rows are asked from the top; none where it has none."""
    table = table_of_tree(tree)
    if table is None:
        return DecisionRows()
    rules = tuple(Rule(tuple(row.when.values()), row.answer, row.shares) for row in table.rows)
    return decisions_of(RuleList(tree.schema, rules, Otherwise(None)), plan)


@dataclass(frozen=True, slots=True)
class _Goal:
    """A cell at a test, where no test before it has held; `test` is the node and the test's place, or the
    rule and the column. `groups` are those of the cell, of a rule only where its other conditions hold.

    In a tree `before` [column] is what the tests before leave. After its tests come the ways that a row goes
    on by where none holds, each told from all.
    """

    test: tuple[int, int]
    column: int
    cell: Cell
    groups: int
    is_value: bool = False  # one more of the values that a condition names
    before: tuple[int, ...] = ()
    divided: bool = False  # only a part of the row comes there


def _rows_found(search: _TreeSearch | _RuleSearch, plan: DecisionPlan, of: str = "") -> DecisionRows:
    """A row for each goal, or for so many by chance: other values of a condition are the first left out."""
    goals = search.goals()
    made = DecisionRows(left_out=max(0, len(goals) - plan.most))
    if made.left_out:
        order = plan.random.sample(range(len(goals)), len(goals))
        goals = [goals[at] for at in sorted(sorted(order, key=lambda at: goals[at].is_value)[: plan.most])]
    reached: set[tuple[int, int]] = set()
    given_up: dict[tuple[int, int], None] = {}
    for goal in goals:
        rows = search.rows(goal)
        if rows:
            reached.add(goal.test)
            (made.values if goal.is_value else made.rows).extend(rows)
        elif search.gave_up:
            given_up[goal.test] = None
    made.not_reached += [
        f"{search.named(test)}{of}: no row was found that comes to it"
        for test in given_up
        if test not in reached
    ]
    return made


class _RuleSearch:
    """Each condition of a rule, on both sides, where no earlier rule takes the row and, if there is such a
    row, where what comes after answers otherwise."""

    def __init__(self, rules: RuleList, plan: DecisionPlan) -> None:
        self.rules, self.plan = rules, plan
        self.is_first = rules.matching == "first"
        self.space = input_space_of([rules])
        self.boxes = self.space.boxes(rules)
        if not self.is_first:
            self.weights, otherwise = rule_weights(rules), rules.otherwise.then
            self.allows = self._allowed()
            self.otherwise = NOTHING if otherwise is None else rules.schema.classes.index(str(otherwise))
        # What each rule gives, and what is given otherwise: the answer and the shares.
        self.answers: list[tuple[Answer | int | None, list[float]]] = [
            (each.then, []) for each in rules.entries
        ]
        if self.is_first and not rules.is_numeric:
            self.answers = list(zip(*first_answers(rules), strict=True))
        self.left = _BUDGET
        self.gave_up = False  # did the last search end before it had tried everything?

    def named(self, test: tuple[int, int]) -> str:
        """What is asked, and where."""
        place, column = test
        return f"'{self.space.axes[column].name}' in rule {place + 1}"

    def goals(self) -> list[_Goal]:
        """Each side of every condition."""
        goals = []
        for place, (rule, box) in enumerate(zip(self.rules, self.boxes, strict=True)):
            for when in rule.when if box is not None else ():
                column, _ = self.space.asked[when]
                axis, held = self.space.axes[column], self.space.everywhere()[column]
                for other in rule.when:
                    if other.name == when.name and other is not when:
                        held &= self.space.asked[other][1]
                goals += [
                    _Goal((place, column), column, cell, _group(axis, cell) & held, is_value)
                    for cell, is_value in _critical(axis, when, self.plan)
                ]
        return goals

    def rows(self, goal: _Goal) -> list[Row]:
        """A row that comes to a rule, satisfies its conditions on other columns, and has this cell; of some
        the one in which it matters most whether the rule holds."""
        self.gave_up = False
        place, column = goal.test
        box = self.boxes[place]
        assert box is not None
        domains = self.space.within(tuple(each for each in box if each[0] != column))
        domains[column] = goal.groups
        if not all(domains):
            return []
        if self.is_first:
            part = self._drawn(place, domains) or self._searched(place, domains)
        else:
            part = self._voting(place, domains)
        return [] if part is None else [_filled(self.space.axes, part, self.plan, goal)]

    def _drawn(self, place: int, domains: Domains) -> Domains | None:
        """By chance, if a few draws find one that shows the rule."""
        choices = [_places(each) for each in domains]
        for _ in range(_DRAWS):
            part = [1 << self.plan.random.choice(each) for each in choices]
            if self._first(part, range(place)) is not None:
                continue
            later = self._first(part, range(place + 1, len(self.rules)))
            after = len(self.rules) if later is None else later
            if self.answers[after][0] != self.answers[place][0]:
                return part
        return None

    def _allowed(self) -> list[Bools]:
        """[column] [rule, group] may a row with such a cell satisfy the rule?"""
        allows = [np.ones((len(self.rules), axis.groups), dtype=np.bool_) for axis in self.space.axes]
        for place, box in enumerate(self.boxes):
            for column, groups in box if box is not None else ():
                allows[column][place] = group_flags(groups, self.space.axes[column].groups)
            if box is None:
                allows[0][place] = False
        return allows

    def _voting(self, place: int, domains: Domains) -> Domains:
        """Where it matters to the votes whether the rule holds: of some rows by chance the nearest to that,
        from which cells are changed one by one, each to the one that brings it nearer."""
        choices = [np.array(_places(each)) for each in domains]
        random = np.random.default_rng(self.plan.random.getrandbits(64))
        drawn = np.stack([random.choice(each, _VOTES_DRAWN) for each in choices], axis=1)
        held = np.ones((len(self.rules), _VOTES_DRAWN), dtype=np.bool_)
        for column, allowed in enumerate(self.allows):
            held &= allowed[:, drawn[:, column]]
        held[place] = False
        away = self._away(place, held)
        best, least = drawn[0], math.inf
        for start in np.argsort(away, kind="stable")[:_WALKS]:
            groups, distance = drawn[start], float(away[start])
            if distance > 0:
                distance = self._walked(place, groups, choices, random)
            if distance < least:
                best, least = groups, distance
            if least <= 0:
                break
        return [1 << int(each) for each in best]

    def _walked(
        self, place: int, groups: Ints, choices: Sequence[Ints], random: np.random.Generator
    ) -> float:
        """How far from deciding a row is left that goes on from these groups, in place."""
        barred = np.sum([~allowed[:, at] for allowed, at in zip(self.allows, groups, strict=True)], axis=0)
        barred[place] = len(groups) + 1
        distance = math.inf
        for column in random.permutation([at for at, each in enumerate(choices) if len(each) > 1] * 2):
            allowed = self.allows[column]
            elsewhere = barred - ~allowed[:, groups[column]]
            free = np.flatnonzero(elsewhere == 0)
            held = np.zeros((len(self.rules), len(choices[column])), dtype=np.bool_)
            held[free] = allowed[np.ix_(free, choices[column])]
            away = self._away(place, held)
            distance = float(away.min())
            groups[column] = choices[column][random.choice(np.flatnonzero(away == distance))]
            barred = elsewhere + ~allowed[:, groups[column]]
            if distance <= 0:
                break
        return distance

    def _away(self, place: int, held: Bools) -> Floats:
        """[row] how far the votes of the rules that are `held` [rule, row] are from showing one more: by the
        class, of members of which only that is seen, in votes; of others by the shares, alone if may be."""
        votes, own, silent = held.T @ self.weights[:-1], self.weights[place], ~held.any(axis=0)
        if not self.plan.by_class:
            before = votes.copy()
            before[silent] = self.weights[-1]
            moved = np.abs(divided(before) - divided(votes + own)).max(axis=1, initial=0.0)
            return np.asarray(votes.sum(axis=1) + np.where(moved > _SEEN, 0.0, self.weights.sum()))
        costs = cost_matrix(self.rules.decision)
        without, beside = (cheapest(divided(each), costs) for each in (votes, votes + own))
        without[silent] = self.otherwise
        named = int(own.argmax())
        ahead = np.where(silent, -1.0, _lead(votes, named))
        away: Floats = np.maximum(ahead, 0.0) + np.maximum(-_lead(votes + own, named), 0.0)
        return np.where(without != beside, 0.0, away + _SEEN)

    def _searched(self, place: int, domains: Domains) -> Domains | None:
        """Where a later rule would answer otherwise; else, where it has other shares; else, anywhere."""
        boxes, own = self.boxes, self.answers[place]
        before = [each for each in boxes[:place] if each is not None]
        rivals = [at for at in range(place + 1, len(self.answers)) if self.answers[at] != own]
        for rival in sorted(rivals, key=lambda at: self.answers[at][0] == own[0]):
            box = boxes[rival] if rival < len(boxes) else ()
            if box is None:
                continue
            part = list(domains)
            for column, groups in box:
                part[column] &= groups
            if all(part):
                between = [each for each in boxes[place + 1 : rival] if each is not None]
                found = self._outside(part, [*before, *between])
                if found is not None:
                    return found
                if self.gave_up:
                    break
        return self._outside(domains, before)

    def _outside(self, domains: Domains, boxes: Sequence[GroupBox]) -> Domains | None:
        budget = Budget(_EACH, self.left)
        try:
            return find_outside(domains, boxes, budget)
        except TooLongError:
            self.gave_up = True
            return None
        finally:
            self.left = budget.left

    def _first(self, part: Domains, places: range) -> int | None:
        return next((at for at in places if self._holds(part, at)), None)

    def _holds(self, part: Domains, place: int) -> bool:
        box = self.boxes[place]
        return box is not None and all(part[column] & groups for column, groups in box)


class _TreeSearch:
    """The tree as tests on sets of groups."""

    def __init__(self, tree: Tree, plan: DecisionPlan) -> None:
        self.tree, self.plan = tree, plan
        self.space = input_space_of([tree])
        self.steps = self.space.steps(tree)
        splits = np.flatnonzero(~tree.nodes.is_leaf).tolist()
        self.routes = {node: route_at(tree, node) for node in splits}
        self.figures = node_values(tree)[:, None] if tree.is_numeric else node_shares(tree)
        self.left = 0
        self.walks = _WALKED * plan.most
        self.dividing: set[int] = set()  # the nodes at which rows are divided, and those above
        for node in reversed(splits):
            _, rest, below = self.steps.at(node)
            if len(rest) > 1 or not self.dividing.isdisjoint(below):
                self.dividing.add(node)

    @property
    def gave_up(self) -> bool:
        """Did the last search end before it had tried everything?"""
        return self.left < 0

    def named(self, test: tuple[int, int]) -> str:
        """What is asked, and where."""
        node, place = test
        tests = self.routes[node].tests
        asked = f"'{tests[place].when}'" if place < len(tests) else "what is left"
        return f"{asked} at node {node}"

    def goals(self) -> list[_Goal]:
        """Column by column as a node asks: on both sides of each limit, every value, a missing cell and one
        never met."""
        goals: list[_Goal] = []
        for node, route in self.routes.items():
            tests, rest, _ = self.steps.at(node)
            left = self.space.everywhere()
            for place, test in enumerate(tests):
                when = route.tests[place].when
                for cell, is_value in _critical(self.space.axes[test.column], when, self.plan):
                    goals += self._goals_at((node, place), test.column, cell, left, is_value)
                left[test.column] &= ~test.groups
                if not left[test.column]:
                    break
            else:
                column = tests[-1].column if tests else 0
                for cell in _unknown(self.space.axes[column]) if tests else ():
                    for way in range(len(rest)):
                        goals += self._goals_at((node, len(tests) + way), column, cell, left)
        return goals

    def _goals_at(
        self, test: tuple[int, int], column: int, cell: Cell, left: Domains, is_value: bool = False
    ) -> list[_Goal]:
        groups = _group(self.space.axes[column], cell)
        parts = self._whole_or_divided(test[0]) if groups & left[column] else ()
        return [_Goal(test, column, cell, groups, is_value, tuple(left), divided) for divided in parts]

    def _whole_or_divided(self, node: int) -> tuple[bool, ...]:
        """Can a row that comes to the node be divided, there or elsewhere on its way?"""
        way = node
        while way > 0 and node not in self.dividing:
            way = int(self.tree.nodes.parent[way])
            if len(self.steps.at(way).rest) > 1:
                return False, True
        return (False, True) if node in self.dividing else (False,)

    def rows(self, goal: _Goal) -> list[Row]:
        """A row that comes to the goal, and of some the one that shows best where it went, or, where a class
        is all that is seen, one for each of the ways in which it may be sent amiss; none where none was
        found."""
        node, place = goal.test
        self.left = _STEPS
        start = list(goal.before)
        start[goal.column] &= goal.groups
        if not all(start):
            return []
        best: tuple[int, Row] | None = None
        turned: dict[int, Row] = {}
        more = _TRIED
        for row in islice(self._coming(goal, start), _TRIED if self.plan.by_class else None):
            figures = self._figures(node, place, row)
            turning = self._turning(figures)
            turned |= {each: row for each in turning if each not in turned}
            score = 2 if turning else 0 if (figures == figures[0]).all() else 1
            if (
                score
                and not self.plan.by_class
                and (goal.divided or self._is_whole(row, (0, *self.steps.at(node).children)))
            ):
                score += 2
            if best is None or score > best[0]:
                best = score, row
            more -= best[0] == 2
            if len(turned) == len(figures) - 1 if self.plan.by_class else score == 4 or not more:
                break
        if best is None:
            return []
        if self.plan.by_class and best[0]:
            for each in set(range(1, len(self._figures(node, place, best[1])))).difference(turned):
                walked = self._walked(goal, each, best[1])
                turned |= {} if walked is None else {each: walked}
        return list(turned.values()) if self.plan.by_class and turned else [best[1]]

    def _coming(self, goal: _Goal, start: Domains) -> Iterator[Row]:
        """Rows that come to the goal, by one way after the other."""
        node, place = goal.test
        for later in self._going_elsewhere(node, place, start):
            some = islice(self._ways_to([node], later, goal.divided), _WAYS)
            # The row goes down one branch: what another would answer is up to its other cells.
            every = islice(self._ways_to([node, *self.steps.at(node).children], later, goal.divided), _PAIRS)
            for domains in (each for each in chain(some, every) for _ in range(_FILLED)):
                yield _filled(self.space.axes, domains, self.plan, goal)

    def _walked(self, goal: _Goal, amiss: int, row: Row) -> Row | None:
        """A row whose class turns if it is sent amiss, by cells changed one by one, each to the one that
        brings the class nearer to that."""
        nearest, columns = dict(row), [at for at in range(len(self.space.axes)) if at != goal.column]
        for column in self.plan.random.sample(columns * 2, 2 * len(columns)):
            axis = self.space.axes[column]
            others = [{**nearest, axis.name: axis.example(1 << group)} for group in range(axis.groups)]
            self.walks -= len(others)
            if self.walks < 0:
                return None
            found = [(self._away(self._figures(*goal.test, each), amiss), each) for each in others]
            least = min(away for away, _ in found)
            nearest = self.plan.random.choice([each for away, each in found if away == least])
            if least < 0:
                return nearest
        return None

    def _away(self, figures: Floats, amiss: int) -> float:
        """How far what is answered amiss is from another class; below 0 it is another."""
        if (figures[0] == figures[amiss]).all():
            return math.inf
        if amiss in self._turning(figures):
            return -1.0
        return float(_lead(figures[amiss, None], int(figures[0].argmax()))[0])

    def _going_elsewhere(self, node: int, place: int, domains: Domains) -> Iterator[Domains]:
        """The parts of the rows that, were it not for a test, would be sent to another branch by what is
        asked after it; then all of them."""
        tests, rest, _ = self.steps.at(node)
        if place < len(tests):
            child, left = tests[place].child, list(domains)
            for test in tests[place + 1 :]:
                held = left[test.column] & test.groups
                if held and test.child != child:
                    yield with_groups(left, test.column, held)
                left[test.column] &= ~test.groups
                if not left[test.column]:
                    break
            else:
                if any(each != child for each, _ in rest):
                    yield left
        yield domains

    def _ways_to(self, nodes: list[int], domains: Domains, divided: bool) -> Iterator[Domains]:
        """Sets of rows that come to the first node, or a part of which does; from each of the nodes on, all
        of them would come to the same leaf."""
        way = nodes[:1]
        while way[-1] > 0:
            way.append(int(self.tree.nodes.parent[way[-1]]))
        for reached, still in self._led(way[::-1], 0, domains, divided):
            for own in self._to_leaves(nodes[:1], reached, still):
                yield from self._to_leaves(nodes[1:], own, divided=False)

    def _led(
        self, way: Sequence[int], level: int, domains: Domains, divided: bool
    ) -> Iterator[tuple[Domains, bool]]:
        """`divided`: it is still to be."""
        if level == len(way) - 1:
            if not divided or way[-1] in self.dividing:
                yield domains, divided
            return
        whole: list[tuple[int, Domains]] = []
        for part, on in self.steps.parts(way[level], domains):
            if all(way[level + 1] != below for below, _ in on):
                continue
            if len(on) > 1 and divided:
                yield from self._spent(way, level + 1, part, divided=False)
            else:
                whole.append((len(on), part))
        for _, part in sorted(whole, key=itemgetter(0)):  # what need not be divided, first
            yield from self._spent(way, level + 1, part, divided)

    def _spent(
        self, way: Sequence[int], level: int, domains: Domains, divided: bool
    ) -> Iterator[tuple[Domains, bool]]:
        self.left -= 1
        if self.left >= 0:
            yield from self._led(way, level, domains, divided)

    def _to_leaves(self, waiting: list[int], domains: Domains, divided: bool) -> Iterator[Domains]:
        """The parts of the rows that go on to each leaf, whole or divided; `divided`: they are to be."""
        if divided and self.dividing.isdisjoint(waiting):
            return
        if not waiting:
            yield domains
            return
        node, later = waiting[0], waiting[1:]
        if self.steps.is_leaf[node]:
            yield from self._to_leaves(later, domains, divided)
            return
        parts = list(self.steps.parts(node, domains))
        for part, on in self.plan.random.sample(parts, len(parts)):
            self.left -= 1
            if self.left < 0:
                return
            below = [child for child, _ in on]
            yield from self._to_leaves([*below, *later], part, divided and len(on) == 1)

    def _figures(self, node: int, place: int, row: Row) -> Floats:
        """[way on] what a row is answered: as it is, then if a test were not asked, or others of the ways on
        taken. Where a class is all that is seen also if the row's part were lost there, or counted twice."""
        tests, rest, below = self.steps.at(node)
        if place < len(tests):
            route = self.routes[node]
            without = replace(route, tests=(*route.tests[:place], *route.tests[place + 1 :]))
            elsewhere = tuple((below[way.branch], way.part) for way in ways(without, row))
            ends: list[WaysOn] = [tests[place].ways, elsewhere]
        elif len(rest) > 1:
            ends = [rest, ((rest[place - len(tests)][0], 1.0),)]
        else:
            ends = [rest, *(((each, 1.0),) for each in below if each != rest[0][0])]
        if self.plan.by_class:
            own = rest[place - len(tests)] if place >= len(tests) else tests[place].ways[0]
            ends.append(tuple(each for each in ends[0] if each != own))
            ends += [(own, (each, 1.0)) for each in below if ends[0] == (own,) and each != own[0]]
        beside, came = self._total(row, 0, node)
        on = {child: self._total(row, child)[0] for child in {child for end in ends for child, _ in end}}
        return np.array([beside + came * sum(part * on[child] for child, part in end) for end in ends])

    def _is_whole(self, row: Row, starts: Sequence[int]) -> bool:
        """Does the row come from each of these nodes to one leaf? What is sent amiss and then divided is put
        right where the parts of rows are added up."""
        for at in starts:
            while not self.steps.is_leaf[at]:
                first, *others = ways(self.routes[at], row)
                if others:
                    return False
                at = self.steps.at(at).children[first.branch]
        return True

    def _turning(self, figures: Floats) -> list[int]:
        """The ways on by which a row gets another class, or number, than it does."""
        if self.tree.is_numeric:
            return [at for at in range(1, len(figures)) if (figures[at] != figures[0]).any()]
        codes = decided(adjusted(figures, self.tree.decision), self.tree.decision, self.tree.schema.classes)
        return np.flatnonzero(codes != codes[0]).tolist()

    def _total(self, row: Row, start: int, but: int = -1) -> tuple[Floats, float]:
        """What the row is answered from a node on, a number or shares, without what comes to another; and
        the part of it that does."""
        total, waiting, came = np.zeros(self.figures.shape[1]), [(start, 1.0)], 0.0
        while waiting:
            at, part = waiting.pop()
            if at == but:
                came += part
            elif self.steps.is_leaf[at]:
                total += part * self.figures[at]
            else:
                below, route = self.steps.at(at).children, self.routes[at]
                waiting += [(below[way.branch], part * way.part) for way in ways(route, row)]
        return total, came


def _lead(votes: Floats, named: int) -> Floats:
    """[row] by how many votes [row, class] one class is before all others."""
    others = np.delete(votes, named, axis=1)
    return np.asarray(votes[:, named] - others.max(axis=1, initial=0.0))


def _places(groups: int) -> list[int]:
    """The groups of a set."""
    return [at for at in range(groups.bit_length()) if groups >> at & 1]


def _filled(axes: Sequence[Axis], domains: Domains, plan: DecisionPlan, goal: _Goal) -> dict[str, Cell]:
    """A row of this part with the cell of a goal: else any that will do, known ones where there are some."""
    row = dict(plan.usual)
    for axis, groups in zip(axes, domains, strict=True):
        if groups & _group(axis, row.get(axis.name)) and plan.random.random() < 0.5:
            continue
        fitting = [place for place, group in enumerate(axis.group_of) if groups >> group & 1]
        known = [place for place in fitting if place < axis.known]
        row[axis.name] = axis.cells[plan.random.choice(known or fitting)]
    row[axes[goal.column].name] = goal.cell
    return row


def _critical(axis: Axis, when: Condition, plan: DecisionPlan) -> Iterator[tuple[Cell, bool]]:
    """The last cell on each side of a condition's limits, a value on each side, and what is no value; then,
    marked, the other values."""
    if isinstance(when, OnNumbers):
        limits = [each for each in bounds_of(when) if math.isfinite(each)]
        above = [math.nextafter(each, math.inf) for each in limits]
        narrow = [cell for each in limits for cell in around(each, single=True)] if plan.single else []
        yield from (
            (each, False) for each in dict.fromkeys((*limits, *above, *narrow)) if math.isfinite(each)
        )
    else:
        known = axis.cells[: axis.known]
        taken = [each for each in known if holds(when, each)]
        others = [each for each in known if not holds(when, each)]
        yield from ((each, place > 0) for of in (taken, others) for place, each in enumerate(of))
    yield from ((each, False) for each in _unknown(axis))


def _unknown(axis: Axis) -> tuple[Cell, ...]:
    return axis.cells[axis.known :]


def _group(axis: Axis, cell: Cell) -> int:
    """The set of the one group that holds a cell."""
    if cell is None:
        place = len(axis.cells) - 1
    elif isinstance(axis.attribute, Numeric):
        place = bisect_left(axis.limits, float(cell))
    else:
        place = axis.cells.index(cell) if cell in axis.cells else axis.known
    return 1 << axis.group_of[place]
