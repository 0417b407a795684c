"""The smallest change, exactly: in a tree, in rules of which the first that holds answers, or that vote."""

from __future__ import annotations

from typing import Final

import numpy as np

from clearwood.arrays import Bools, Floats
from clearwood.explaining.moves import (
    CheapestChange,
    ChosenOptions,
    Key,
    Options,
    Queue,
    SearchTime,
    asked_of,
    changed_by,
    cheapest_in,
    row_with,
    unchanged,
)
from clearwood.models.decision import cost_matrix
from clearwood.models.kinds.rules.rule_list import RuleList, rule_weights
from clearwood.models.kinds.rules.rules_space import RulesSpace, outside
from clearwood.models.kinds.tree.tree import Tree, node_codes, node_shares
from clearwood.models.model import kept
from clearwood.models.space.axes import GroupBox
from clearwood.models.space.walk import TreeSteps, WaysOn
from clearwood.predicting.one import predict_one
from clearwood.predicting.row import row_predictor
from clearwood.table.raw import Row

_MOST_LEADS: Final = 4_000_000  # numbers of leads that are kept of a tree: 32 MB; each class may have its own
_NEARLY: Final = 1e-9  # a bound is a sum in another order than the answer's


def change_in_tree(
    tree: Tree, row: Row, options: Options, targets: frozenset[str], to: str | None, time: SearchTime
) -> CheapestChange:
    """The cheapest cells that make the answer one of the wanted classes; `to` where only one is."""
    steps = TreeSteps(tree, asked_of(options))
    classes = tree.schema.classes
    known = _known(tree)
    answers = known.answers
    lead = known.leads(predict_one(tree, row) if to is None else to, rival=to is not None)
    goals = [classes.index(name) for name in (targets if to is None else classes) if name != to]
    queue: Queue[tuple[WaysOn, tuple[int, ...], Floats]] = Queue(options, time)
    queue.put(unchanged(options), (((0, 1.0),), (), lead[0]))
    for box, (pending, leaves, bound) in queue:
        if not pending:
            chosen = cheapest_in(box)
            answer = (
                answers[leaves[0]] if len(leaves) == 1 else predict_one(tree, row_with(row, options, chosen))
            )
            if answer in targets:
                return CheapestChange(changed_by(options, chosen))
            continue
        (node, share), *rest = pending
        if steps.is_leaf[node]:
            queue.put(box, (tuple(rest), (*leaves, node), bound))
            continue
        for part, ways in steps.parts(node, box):
            ahead = bound - share * lead[node]
            for child, of_it in ways:
                ahead = ahead + share * of_it * lead[child]
            best = [ahead[c] >= -_NEARLY for c in goals]
            if all(best) if to is not None else any(best):
                further = tuple((child, share * of_it) for child, of_it in ways)
                queue.put(part, ((*further, *rest), leaves, ahead))
    return queue.without_change()


class _Known:
    """What the searches of all rows know of a tree: the answers of its nodes, and how far a class can be
    ahead below each."""

    def __init__(self, tree: Tree) -> None:
        classes = tree.schema.classes
        self.answers = [classes[code] for code in node_codes(tree).tolist()]
        shares, costs = node_shares(tree), cost_matrix(tree.decision)
        self._worth = shares if costs is None else -(shares @ costs)
        self._classes, self._parents = classes, tree.nodes.parent.tolist()
        self._is_split = ~tree.nodes.is_leaf
        self._leads: dict[tuple[str, bool], list[Floats]] = {}

    def leads(self, answer: str | float, *, rival: bool) -> list[Floats]:
        """[node][class] how far each class is at best ahead of the answer in a leaf below; with `rival` how
        far the answer is ahead of it. Ahead is by share, or by less expected cost."""
        leads = self._leads.get((str(answer), rival))
        if leads is None:
            own = self._worth[:, [self._classes.index(str(answer))]]
            lead = own - self._worth if rival else self._worth - own
            lead[self._is_split] = -np.inf
            for node in range(len(self._parents) - 1, 0, -1):
                np.maximum(lead[self._parents[node]], lead[node], out=lead[self._parents[node]])
            if (len(self._leads) + 1) * self._worth.size > _MOST_LEADS:
                self._leads.clear()
            leads = self._leads[str(answer), rival] = list(lead)
        return leads


@kept
def _known(tree: Tree) -> _Known:
    return _Known(tree)


# The smallest change in a list of rules whose first that holds answers, exactly.
#
# Each rule with a wanted answer, and the default rule where its answer is wanted, starts a box: the rows
# that satisfy the rule. The cheapest row of the cheapest box is tried: if the rule that takes it has a
# wanted answer it is the smallest change. If not, an earlier rule stands in the way, and every row that
# would do breaks one of that rule's conditions: its first, or its second though not its first, and so on,
# one box for each.


def change_in_rules(
    rules: RuleList, options: Options, targets: frozenset[str], time: SearchTime
) -> CheapestChange:
    """The cheapest cells that make the answer one of the wanted classes."""
    everywhere = unchanged(options)
    needs = needs_of(rules, options)
    is_target = [str(each.then) in targets and each.then is not None for each in rules.entries]
    queue: Queue[None] = Queue(options, time)
    for place, right in enumerate(is_target):
        sets = dict(needs[place]) if place < len(rules) else {}
        if right and all(sets.values()):
            queue.put([sets.get(column, every) for column, every in enumerate(everywhere)], None)
    for box, _ in queue:
        chosen = cheapest_in(box)
        taker = _taker(needs, chosen)
        if is_target[taker]:
            return CheapestChange(changed_by(options, chosen))
        for part in outside(box, needs[taker]) if taker < len(rules) else ():
            queue.put(part, None)
    return queue.without_change()


def needs_of(rules: RuleList, options: Options) -> list[GroupBox]:
    """[rule] for each column that it asks about the options that satisfy all it asks."""
    return RulesSpace(rules).sets(asked_of(options), unchanged(options))


def _taker(needs: list[GroupBox], chosen: ChosenOptions) -> int:
    """The first rule that holds for the row with these cells changed; their number where none does."""
    for rule, needed in enumerate(needs):
        if all(held >> chosen.get(column, 0) & 1 for column, held in needed):
            return rule
    return len(needs)


# The smallest change in a list of rules that vote, exactly: one cell, then two, then three, …
#
# Columns change in schema order; options of a column that satisfy the same rules are one, the cheapest.
# With so many cells still to change, a wanted class can at best get every vote for it of the rules that can
# then still hold, and of the votes against it only those of the rules that must: where that is not enough,
# no option is tried. The last cell's options are all counted at once, and the definition has the last word.


_MOST_COLUMNS: Final = 50_000  # columns looked at before the search gives up


def change_in_votes(
    rules: RuleList, row: Row, options: Options, targets: frozenset[str], to: str | None, time: SearchTime
) -> CheapestChange:
    """The cheapest cells that make the answer one of the wanted classes; `to` where only one is."""
    search = _Search(rules, row, options, targets, to, time)
    for cells in range(1, len(options) + 1):
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
        self._predict = row_predictor(rules)
        self.best: Key | None = None
        self.looked = 0
        self.stopped = False
        self._time = time
        self._kinds: list[list[int]] = []  # [column] the options that stand for a kind; the first is 0
        self._takes: list[Bools] = []  # [column] bool [kind, rule]
        needs = needs_of(rules, options)
        for column, moves in enumerate(options):
            kinds, takes = _kinds(needs, column, len(moves.cells))
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
        for at in range(settled, len(self.options) - cells + 1):
            self.looked += 1
            self.stopped = self.stopped or self._time.is_over
            if self.stopped or self.looked > _MOST_COLUMNS:
                return
            reached = self._takes[at][1:] & held
            held = held & self._takes[at][0]
            for kind in self._promising(reached, at + 1, cells - 1):
                now = {**chosen, at: self._kinds[at][kind + 1]}
                key = self._key(now)
                if self.best is not None and key[1] > self.best[1]:
                    break
                if cells > 1:
                    self.look(at + 1, reached[kind], now, cells - 1)
                elif self._reaches_target(now):
                    self.best = key if self.best is None else min(key, self.best)
                    break

    def _reaches_target(self, chosen: ChosenOptions) -> bool:
        return self._predict(row_with(self.row, self.options, chosen)) in self.targets

    def _key(self, chosen: ChosenOptions) -> Key:
        distance = 0.0
        for column, option in chosen.items():
            distance += self.options[column].costs[option]
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
        answer = self._predict(self.row)
        if answer is None:
            return None
        codes = [classes.index(each) for each in sorted(self.targets)]
        return worth[:, codes] - worth[:, [classes.index(str(answer))]]


def _kinds(needs: list[GroupBox], column: int, options: int) -> tuple[list[int], Bools]:
    """The first option of each kind, and which rules it satisfies as far as this column goes."""
    takes = np.ones((options, len(needs)), dtype=np.bool_)
    for rule, needed in enumerate(needs):
        for asked, held in needed:
            if asked == column:
                takes[:, rule] = [held >> option & 1 for option in range(options)]
    firsts: dict[bytes, int] = {}
    for option in range(options):
        firsts.setdefault(takes[option].tobytes(), option)
    kinds = list(firsts.values())
    return kinds, takes[kinds]
