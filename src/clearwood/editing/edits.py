"""Edits of a rule list, each a new list; rules are numbered from 1, as they are printed and audited.

Under "first" a rule's counts rest on the rules before it: an edit keeps the counts up to its place and takes
them from the rest, until `recounted` counts them anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from clearwood.errors import SettingError
from clearwood.models.kinds import check_kind
from clearwood.models.lineage import Edited
from clearwood.models.rule_list import Answer, Otherwise, Rule, RuleList
from clearwood.models.rule_reading import parse_rule


def add_rule(rules: RuleList, rule: Rule | str, at: int | None = None) -> RuleList:
    """The list with one more rule, as number `at` or as the last; a text is read as by `read_rules`.

    >>> from clearwood import Nominal, Numeric, Schema
    >>> schema = Schema((Numeric("Humidity"),), Nominal("Play", ("Yes", "No")))
    >>> print(add_rule(RuleList(schema, (Rule((), "Yes"),)), "IF Humidity > 90 THEN No", at=1))
    IF Humidity > 90 THEN Play = No
    ALWAYS THEN Play = Yes
    OTHERWISE nothing
    """
    check_kind("add_rule", rules, RuleList)
    place = len(rules) if at is None else _number(at) - 1
    if not 0 <= place <= len(rules):
        raise SettingError(f"A rule can be added as number 1 to {len(rules) + 1}, not {at}.")
    new = _rule(rules, rule)
    done = Edited("add", text=str(new), to=place + 1)
    return _edited(rules, [*rules.rules[:place], new, *rules.rules[place:]], place, done)


def change_rule(rules: RuleList, at: int, rule: Rule | str) -> RuleList:
    """The list with one rule replaced by another."""
    check_kind("change_rule", rules, RuleList)
    place = _place(rules, at)
    new = _rule(rules, rule)
    done = Edited("change", (place + 1,), str(new))
    return _edited(rules, [*rules.rules[:place], new, *rules.rules[place + 1 :]], place, done)


def delete_rules(rules: RuleList, *at: int) -> RuleList:
    """The list without these rules."""
    check_kind("delete_rules", rules, RuleList)
    places = {_place(rules, each) for each in at}
    kept = [rule for place, rule in enumerate(rules) if place not in places]
    done = Edited("delete", tuple(place + 1 for place in sorted(places)))
    return _edited(rules, kept, min(places, default=len(rules)), done)


def move_rule(rules: RuleList, at: int, to: int) -> RuleList:
    """The list with one rule moved to number `to`; the others keep their order."""
    check_kind("move_rule", rules, RuleList)
    place, end = _place(rules, at), _place(rules, to)
    order = list(rules.rules)
    order.insert(end, order.pop(place))
    return _edited(rules, order, min(place, end), Edited("move", (place + 1,), to=end + 1))


def with_otherwise(rules: RuleList, then: Answer | None) -> RuleList:
    """The list with this default answer for rows that no rule covers; None for no answer."""
    check_kind("with_otherwise", rules, RuleList)
    counts = rules.otherwise.counts if then is not None else ()
    otherwise = Otherwise(then, counts)
    origin = rules.origin.then(Edited("otherwise", text="nothing" if then is None else str(then)))
    return replace(rules, otherwise=otherwise, origin=origin)


def uncounted(rules: Iterable[Rule]) -> list[Rule]:
    """The rules without what they met."""
    return [replace(rule, counts=()) for rule in rules]


def _edited(rules: RuleList, changed: Sequence[Rule], since: int, done: Edited) -> RuleList:
    """The list with these rules, whose counts hold up to the place `since`, or all if rules vote."""
    otherwise = Otherwise(rules.otherwise.then)
    if rules.matching == "first":
        changed = [*changed[:since], *uncounted(changed[since:])]
    return replace(rules, rules=tuple(changed), otherwise=otherwise, origin=rules.origin.then(done))


def _rule(rules: RuleList, rule: Rule | str) -> Rule:
    if not isinstance(rule, Rule | str):
        raise SettingError(f"A rule is a Rule or its text, such as 'IF … THEN …', not {rule!r}.")
    return parse_rule(rule, rules.schema) if isinstance(rule, str) else rule


def _number(at: object) -> int:
    if type(at) is not int:
        raise SettingError(f"A rule is named by its number, from 1, not {at!r}.")
    return at


def _place(rules: RuleList, at: int) -> int:
    if not 1 <= _number(at) <= len(rules):
        has = f"the list has {len(rules)}, counted from 1" if len(rules) else "the list has none"
        raise SettingError(f"There is no rule {at}: {has}.")
    return at - 1
