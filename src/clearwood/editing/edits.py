"""Edits of a rule list, each a new list; rules are numbered from 1, as they are printed and audited.

Under "first" a rule's counts rest on the rules before it: an edit keeps the counts up to its place and takes
them from the rest, until `recounted` counts them again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from clearwood.editing.reading import recounted
from clearwood.errors import SchemaError, SettingError
from clearwood.models.kinds.rules.rule_list import Answer, Otherwise, Rule, RuleList
from clearwood.models.kinds.rules.rule_reading import parse_rule
from clearwood.models.lineage import Edited, Joined
from clearwood.models.model import check_kind
from clearwood.scoring.costs import ExpectedCost
from clearwood.scoring.evaluation import ClassEvaluation, Evaluation, evaluate
from clearwood.table.attributes import Attribute, Nominal, Ordinal, joined_values
from clearwood.table.schema import Schema, joined_readings
from clearwood.words.numbers import with_noun


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


# Two rule lists as one: an expert's rules before, or after, those that were learned.


def joined(one: RuleList, two: RuleList) -> RuleList:
    """The rules of one list, then those of the other; the second's default answer is used if it has one.

    Counts are taken off, since the rows that a rule answers depend on those before it: see `recounted`.

    >>> from clearwood import Nominal, Numeric, read_rules
    >>> schema = Schema((Numeric("Humidity"),), Nominal("Play", ("Yes", "No")))
    >>> expert = read_rules("IF Humidity > 90 THEN No", schema)
    >>> print(joined(expert, read_rules("OTHERWISE Yes", schema)))
    IF Humidity > 90 THEN Play = No
    OTHERWISE Play = Yes
    """
    check_kind("joined", one, RuleList)
    check_kind("joined", two, RuleList)
    if one.matching != two.matching:
        raise SettingError("One list takes the first rule that holds, in the other the rules vote.")
    then = one.otherwise.then if two.otherwise.then is None else two.otherwise.then
    return RuleList(
        _schema(one.schema, two.schema),
        (*uncounted(one), *uncounted(two)),
        Otherwise(then),
        one.matching,
        one.decision if one.decision == two.decision else type(one.decision)(),
        one.origin.then(Joined(two.origin)),
    )


def _schema(one: Schema, two: Schema) -> Schema:
    """Both schemas' columns; one sentence where they contradict each other."""
    if one.target != two.target:
        if one.predicted.name != two.predicted.name:
            what = f"One list predicts '{one.predicted.name}', the other '{two.predicted.name}'."
        else:
            what = f"The lists know different classes of '{one.predicted.name}', or in another order."
        raise SchemaError(f"{what} Read both with one schema.")
    attributes = [_attribute(each, two) for each in one.attributes]
    attributes += [each for each in two.attributes if each.name not in one.positions]
    same = (one.weight, one.weights_are) == (two.weight, two.weights_are)
    weight, weights_are = (one.weight, one.weights_are) if same else (None, None)
    read_as = joined_readings(one.read_as, two.read_as)
    return Schema(tuple(attributes), one.target, weight, weights_are, read_as)


def _attribute(own: Attribute, two: Schema) -> Attribute:
    theirs = two[own.name] if own.name in two.positions else own
    if own.kind != theirs.kind:
        raise SchemaError(
            f"Column '{own.name}' is {own.kind} in one list and {theirs.kind} in the other."
            " Read both with one schema."
        )
    if isinstance(own, Nominal) and isinstance(theirs, Nominal):
        return Nominal(own.name, joined_values(own.values, theirs.values))
    if isinstance(own, Ordinal) and own != theirs:
        raise SchemaError(
            f"The values of '{own.name}' are ordered otherwise in the other list. Read both with one schema."
        )
    return own


# Edited: a rule list before and after, with its scores on training and held-out rows.


BeforeAndAfter = tuple[Evaluation, Evaluation]  # before and after


@dataclass(frozen=True, slots=True)
class EditedRules:
    """The edited `rules`, counted on the training rows if given, and the scores before and after the edit."""

    rules: RuleList
    training: BeforeAndAfter | None = None
    held_out: BeforeAndAfter | None = None

    def __str__(self) -> str:
        lines = [str(self.rules)]
        for name, scores in (("training", self.training), ("held out", self.held_out)):
            if scores is not None:
                lines.append(f"{name}  {_figure(scores[0])} → {_figure(scores[1])}")
        return "\n".join(lines)


def compare_scores(
    before: RuleList, after: RuleList, *, training: Any = None, held_out: Any = None
) -> EditedRules:
    """The scores of a list before and after an edit, on training rows, on held-out rows, or on both.

    Each is a Table, or anything a table can be made of.
    """
    check_kind("compare_scores", before, RuleList)
    check_kind("compare_scores", after, RuleList)
    return EditedRules(
        after if training is None else recounted(after, training),
        None if training is None else (evaluate(before, training), evaluate(after, training)),
        None if held_out is None else (evaluate(before, held_out), evaluate(after, held_out)),
    )


def _figure(scores: Evaluation) -> str:
    if isinstance(scores, ClassEvaluation):
        silent = _unanswered(sum(scores.silent), scores.weight)
        if not scores.weight_answered:
            return silent.removeprefix(", ")
        low, high = scores.interval
        cost = "" if scores.cost is None else f", {_cost(scores.cost)}"
        return f"accuracy {100 * scores.accuracy:.1f} % ({100 * low:.1f} to {100 * high:.1f} %){cost}{silent}"
    return f"off by {scores.score[1]:.4g}{_unanswered(scores.silent, scores.weight + scores.silent)}"


def _cost(cost: ExpectedCost) -> str:
    return f"cost {cost.per_row:.3g} per row (always predicting {cost.constant}: {cost.constant_per_row:.3g})"


def _unanswered(silent: float, rows: float) -> str:
    return f", {silent:g} of {with_noun(f'{rows:g}', 'row')} without a prediction" if silent else ""
