"""The smallest change in a list of rules whose first that holds answers, exactly.

Each rule with a wanted answer, and the default rule where its answer is wanted, starts a box: the rows that
satisfy the rule. The cheapest row of the cheapest box is tried: if the rule that takes it has a wanted answer
it is the smallest change. If not, an earlier rule stands in the way, and every row that would do breaks one
of that rule's conditions: its first, or its second though not its first, and so on, one box for each.
"""

from __future__ import annotations

from typing import TypeAlias

from clearwood.explain.boxes import ChosenOptions, OptionBox, Options, Queue, changed_by, cheapest_in
from clearwood.explain.moves import CheapestChange
from clearwood.explain.search_time import SearchTime
from clearwood.models.rule_list import RuleList

Needs: TypeAlias = list[tuple[int, int]]  # what a rule asks of each column: its place, the options that do


def change_in_rules(
    rules: RuleList, options: Options, targets: frozenset[str], time: SearchTime
) -> CheapestChange:
    """The cheapest cells that make the answer one of the wanted classes."""
    needs = needs_of(rules, options)
    is_target = [str(each.then) in targets and each.then is not None for each in rules.entries]
    queue: Queue[None] = Queue(options, time)
    for place, right in enumerate(is_target):
        box = dict(needs[place]) if place < len(rules) else {}
        if right and all(box.values()):
            queue.put(box, None)
    for box, _ in queue:
        chosen = cheapest_in(box)
        taker = _taker(needs, chosen)
        if is_target[taker]:
            return CheapestChange(changed_by(options, chosen))
        for part in _breaking(box, needs[taker], options) if taker < len(rules) else ():
            queue.put(part, None)
    return queue.without_change()


def needs_of(rules: RuleList, options: Options) -> list[Needs]:
    """[rule] for each column it asks about, in the order it does, the options that satisfy all it asks."""
    places = rules.schema.positions
    needs = []
    for rule in rules:
        held: OptionBox = {}
        for condition in rule.when:
            place = places[condition.name]
            held[place] = held.get(place, options[place].all) & options[place].taking(condition)
        needs.append(list(held.items()))
    return needs


def _taker(needs: list[Needs], chosen: ChosenOptions) -> int:
    """The first rule that holds for the row with these cells changed; their number where none does."""
    for rule, needed in enumerate(needs):
        if all(held >> chosen.get(place, 0) & 1 for place, held in needed):
            return rule
    return len(needs)


def _breaking(box: OptionBox, needed: Needs, options: Options) -> list[OptionBox]:
    """The parts of the box whose rows do not satisfy a rule."""
    parts = []
    for place, held in needed:
        now = box.get(place, options[place].all)
        if now & ~held:
            parts.append({**box, place: now & ~held})
        if not now & held:
            break
        box = {**box, place: now & held}
    return parts
