"""A RuleList: IF–THEN rules in order, what answers where none holds, and the schema they read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import field, replace
from typing import ClassVar, Final, Literal, TypeAlias

import numpy as np

from clearwood import shown
from clearwood.arrays import Floats
from clearwood.errors import ColumnError, SchemaError, no_such
from clearwood.formulas.conditions import (
    Above,
    AtLeast,
    AtMost,
    Below,
    Between,
    Condition,
    Equals,
    IsMissing,
    OneOf,
    all_of,
    bounds_of,
    written,
)
from clearwood.models.decision import Answers, Decision, check_answers
from clearwood.models.kinds.kind import BaseModel, Profile
from clearwood.models.kinds.tree.nodes import weight_of
from clearwood.models.lineage import BY_HAND, Origin
from clearwood.records import InWords, dataclass
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.words.numbers import number

Matching: TypeAlias = Literal["first", "vote"]
Answer: TypeAlias = str | float  # a class, or a number where the target is one

REFER: Final = "refer"  # the answer outside the classes
MATCHINGS: Final[tuple[Matching, ...]] = ("first", "vote")


@dataclass(frozen=True, slots=True)
class Rule(InWords):
    """IF every condition holds THEN this prediction; a rule without conditions always holds.

    `counts` are the weights by class (or weight, value and error of a number) of the training rows the rule
    answers: under "first" those that no earlier rule takes, under "vote" all that satisfy it. An expert's
    rule that has met no rows has none: (). With `then` None the rule refers its rows: it takes them from the
    rules after it, and leaves them without a prediction.

    >>> print(Rule((Equals("Outlook", "Sunny"), AtMost("Humidity", 75.0)), "Play"))
    IF Outlook = Sunny AND Humidity ≤ 75 THEN Play
    >>> print(Rule((Equals("Outlook", "Rain"),), None))
    IF Outlook = Rain THEN refer
    """

    when: tuple[Condition, ...]
    then: Answer | None
    counts: tuple[float, ...] = ()

    def __str__(self) -> str:
        conditions = all_of(self.when)
        return f"{f'IF {conditions}' if conditions else 'ALWAYS'} THEN {answer_text(self.then)}"


@dataclass(frozen=True, slots=True)
class Otherwise:
    """The default rule, for rows that no rule covers: a prediction, or none if `then` is None.

    `counts` are of the training rows that no rule took; under "vote", where rules share rows, of all rows.
    """

    then: Answer | None = None
    counts: tuple[float, ...] = ()


@dataclass(frozen=True)
class RuleList(BaseModel):
    """Rules stand alone with their schema and origin. Under `matching` "first" the first rule that holds
    decides; under "vote" the counts of all that hold are added, and the class of the largest sum is
    predicted."""

    kind: ClassVar = "rules"
    schema: Schema
    rules: tuple[Rule, ...]
    otherwise: Otherwise = field(default_factory=Otherwise)
    matching: Matching = "first"
    decision: Decision = field(default_factory=Decision)
    origin: Origin = field(default_factory=lambda: Origin(BY_HAND))
    answers: Answers = "shares"
    profile: Profile | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "answers", check_answers(self.answers, self.schema))
        if self.matching not in MATCHINGS:
            raise SchemaError(no_such("matching called", str(self.matching), MATCHINGS, plural="matchings"))
        if self.matching == "vote" and self.is_numeric:
            raise SchemaError("Rules vote for classes; for a number the first rule that holds decides.")
        object.__setattr__(self, "rules", tuple(self.rules))
        checked: set[Condition] = set()
        for position, rule in enumerate(self.rules, 1):
            where = f"Rule {position}: "
            if not isinstance(rule, Rule) or not isinstance(rule.when, tuple):
                raise SchemaError(f"{where}a rule is Rule((condition, …), prediction), not {rule!r}.")
            for condition in rule.when:
                if condition not in checked:  # rules share most of their conditions
                    check_condition(self.schema, condition, where)
                    checked.add(condition)
            if rule.then is not None:
                check_answer(self.schema, rule.then, where)
            elif self.matching == "vote":
                raise SchemaError(f"{where}a rule that refers its rows has no class to vote for.")
            check_counts(self.schema, rule.counts, where)
        if self.otherwise.then is not None:
            check_answer(self.schema, self.otherwise.then, "Otherwise: ")
        check_counts(self.schema, self.otherwise.counts, "Otherwise: ")

    @property
    def conditions(self) -> int:
        """How many conditions the rules hold together."""
        return sum(len(rule.when) for rule in self.rules)

    @property
    def entries(self) -> tuple[Rule | Otherwise, ...]:
        """Every rule in order, then what is said otherwise."""
        return (*self.rules, self.otherwise)

    def weight(self, part: Rule | Otherwise) -> float:
        """The weight of the training rows behind a rule, or of those that none took; 0 if not counted."""
        return weight_of(part.counts, numeric=self.is_numeric) if part.counts else 0.0

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __repr__(self) -> str:
        rules = f"{len(self):,} {'rule' if len(self) == 1 else 'rules'}"
        conditions = f"{self.conditions:,} {'condition' if self.conditions == 1 else 'conditions'}"
        return f"<RuleList {self.origin.title}: {rules}, {conditions}>"

    def _repr_latex_(self) -> str:
        return shown.latex(self)


def answer_text(then: Answer | None) -> str:
    """What a rule says; `refer` where it leaves its rows unanswered."""
    if then is None:
        return REFER
    return written(then) if isinstance(then, str) else number(then)


def check_condition(schema: Schema, condition: Condition, where: str = "") -> None:
    """Refuse a condition that no row of this schema can be asked."""
    name = condition.name
    if name not in schema.positions:
        target = schema.target
        if target is not None and name == target.name:
            raise ColumnError(f"{where}'{name}' is the target; a condition cannot test it.")
        raise ColumnError(f"{where}{no_such('column', name, schema.positions)}")
    attribute = schema[name]
    match attribute, condition:
        case (Nominal() | Ordinal() | Numeric(), IsMissing()):
            return
        case (Nominal(_, known) | Ordinal(_, known), Equals() | OneOf()):
            values = (condition.value,) if isinstance(condition, Equals) else condition.values
            for value in values:
                if value not in schema.codes(name):
                    raise SchemaError(
                        f"{where}{no_such(f'value of {name} called', str(value), known, plural='values')}"
                    )
        case (Numeric(), AtMost() | Below() | Above() | AtLeast() | Between()):
            if any(math.isnan(bound) for bound in bounds_of(condition)):
                raise SchemaError(f"{where}a limit of '{name}' is no number (NaN).")
        case _:
            raise SchemaError(
                f"{where}the column '{name}' is {attribute.kind}; it cannot have '{condition}'."
            )


def check_answer(schema: Schema, then: Answer, where: str = "") -> None:
    """Refuse an answer that the schema's target cannot have."""
    if schema.target is None:
        raise SchemaError("The schema of a rule list must name its target.")
    if isinstance(schema.target, Numeric):
        if isinstance(then, bool) or not isinstance(then, int | float) or not math.isfinite(then):
            raise SchemaError(f"{where}'{schema.target.name}' is a finite number, not {then!r}.")
    elif then not in schema.codes(schema.target.name):
        raise SchemaError(f"{where}{no_such('class', str(then), schema.classes, plural='classes')}")


def check_counts(schema: Schema, counts: tuple[float, ...], where: str = "") -> None:
    """Refuse counts that are not one weight a class, or weight, value and error of a number, or none."""
    width = 3 if isinstance(schema.target, Numeric) else len(schema.classes)
    if counts and len(counts) != width:
        raise SchemaError(f"{where}counts must be {width} numbers, not {len(counts)}.")
    weights = counts[::2] if isinstance(schema.target, Numeric) else counts
    if not all(map(math.isfinite, counts)) or any(weight < 0 for weight in weights):
        raise SchemaError(f"{where}counts must be finite numbers, and weights not below 0: {counts}.")


# A rule list whose answers follow the shares of its rows, where a learner's own would not.


def by_shares(rules: RuleList) -> RuleList:
    """The list with every answer the most common class of the rows behind it, or by the decision's costs the
    one of least expected cost; of equals the first.

    What is answered is then what is most probable, as scikit-learn has it. An answer that met no rows stays.

    >>> from clearwood.table.attributes import Nominal
    >>> from clearwood.table.schema import Schema
    >>> schema = Schema((), Nominal("Play", ("No", "Yes")))
    >>> by_shares(RuleList(schema, (Rule((), "No", (2.0, 6.0)),), Otherwise("No"))).rules[0].then
    'Yes'
    """
    classes = rules.schema.classes

    costs = rules.decision.costs

    def most(each: Rule | Otherwise) -> Answer | None:
        if not any(each.counts):
            return each.then
        if not costs:
            return classes[each.counts.index(max(each.counts))]
        expected = [
            sum(count * row[called] for count, row in zip(each.counts, costs, strict=True))
            for called in range(len(classes))
        ]
        return classes[expected.index(min(expected))]

    return replace(
        rules,
        rules=tuple(replace(rule, then=most(rule)) for rule in rules),
        otherwise=replace(rules.otherwise, then=most(rules.otherwise)),
    )


# What each rule's answer rests on: the weights by class of the rows behind it.


def behind_answers(rules: RuleList) -> list[tuple[float, ...]]:
    """The weights by class each answer rests on, rule by rule, what is said otherwise last.

    Where an answer met no rows these are one row of its class and, if the list has met rows at all, one more
    divided as they are. What is said otherwise rests on all rows if its class is the most common of them.

    >>> from clearwood.models.kinds.rules.rule_list import Otherwise, Rule
    >>> from clearwood.table.attributes import Nominal
    >>> from clearwood.table.schema import Schema
    >>> schema = Schema((), Nominal("Play", ("No", "Yes")))
    >>> behind_answers(RuleList(schema, (Rule((), "Yes", (2.0, 6.0)), Rule((), "No")), Otherwise("Yes")))
    [(2.0, 6.0), (1.25, 0.75), (2.0, 6.0)]
    """
    classes = rules.schema.classes
    whole = counts_of_all(rules)
    total = sum(whole) or 1.0
    counts = [
        each.counts
        if any(each.counts)
        else tuple((name == each.then) + count / total for name, count in zip(classes, whole, strict=True))
        for each in rules.entries
    ]
    otherwise = rules.otherwise
    if not any(otherwise.counts) and any(whole) and otherwise.then == classes[whole.index(max(whole))]:
        counts[-1] = whole
    return counts


def counts_of_all(rules: RuleList) -> tuple[float, ...]:
    """The weights by class of all rows that the list has met; zeros if it has met none.

    Under "first" each row stands behind one answer; under "vote" all stand behind what is said otherwise.
    """
    if rules.matching == "vote" and any(rules.otherwise.counts):
        return rules.otherwise.counts
    met = [each.counts for each in rules.entries if any(each.counts)]
    return tuple(map(sum, zip(*met, strict=True))) if met else (0.0,) * len(rules.schema.classes)


def answers_with_rows(rules: RuleList) -> list[bool]:
    """By rule, what is said otherwise last: were rows counted behind the answer, or is it none?

    What is said otherwise rests on all rows where it took none itself. No answer claims nothing.
    """
    *counted, otherwise = [any(each.counts) or each.then is None for each in rules.entries]
    return [*counted, otherwise or any(counts_of_all(rules))]


def rule_weights(rules: RuleList) -> Floats:
    """[rule + 1, class] what each answer rests on × the decision's factors, what is said otherwise last."""
    counts = np.array(behind_answers(rules), dtype=np.float64).reshape(-1, len(rules.schema.classes))
    return counts * np.array(rules.decision.factors) if rules.decision.factors else counts
