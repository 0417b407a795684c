"""What learners of rules share: settings, native rules in the schema's terms, the default rule, steps."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar, assert_never, overload

import numpy as np

from clearwood.arrays import Longs
from clearwood.bounds import Whole
from clearwood.counting.coding import Coding
from clearwood.counting.ties import most_common
from clearwood.formulas.conditions import Condition, Equals, OneOf, holds, interval
from clearwood.learners.discretising import CutMethod
from clearwood.learners.training import class_weights, origin_of
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.kinds.tree.tree import merged_conditions
from clearwood.records import JsonRecord
from clearwood.registry import Letter, OnlyWith
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table
from clearwood.words.numbers import number


def rules_of_native(learned: dict[str, Any], coding: Coding, classes: tuple[str, ...]) -> list[Rule]:
    """The native answer in the schema's terms."""
    tests = [
        _condition(coding.columns[column].attribute, *test)
        for column, *test in zip(
            *(learned[part].tolist() for part in ("column", "code", "negated", "low", "high")), strict=True
        )
    ]
    start = learned["start"].tolist()
    return [
        Rule(merged_conditions(tests[start[i] : start[i + 1]]), classes[answer], tuple(counts))
        for i, (answer, counts) in enumerate(
            zip(learned["answer"].tolist(), learned["counts"].tolist(), strict=True)
        )
    ]


def rule_list(
    learner: Any,
    table: Table,
    rules: Sequence[Rule],
    left: Sequence[float],
    *,
    of_all: bool = False,
    matching: Literal["first", "vote"] = "first",
) -> RuleList:
    """The list of these rules. What none takes is answered by the majority of the counts `left`, the first of
    equals, or by nothing where the learner abstains.

    Where the rules take all the weight, or the counts are `of_all` rows because so few are left, these give
    the majority, but none of them counts for it.
    """
    otherwise = Otherwise()
    if getattr(learner, "otherwise", "majority") == "majority":
        taken = sum(sum(rule.counts) for rule in rules) if matching == "first" else 0.0
        of_all = of_all or math.isclose(taken, class_weights(table).sum())
        counts = (0.0,) * len(left) if of_all else tuple(left)
        otherwise = Otherwise(table.schema.classes[int(most_common(np.array(left)))], counts)
    return RuleList(
        table.schema, tuple(rules), otherwise, matching=matching, origin=origin_of(learner, table)
    )


def _condition(
    attribute: Nominal | Ordinal | Numeric, code: int, negated: int, low: float, high: float
) -> Condition:
    match attribute:
        case Nominal(name, values) | Ordinal(name, values):
            return all_but(name, values, code) if negated else Equals(name, values[code])
        case Numeric(name, cuts):
            low, high = (cuts[int(end)] if cuts and math.isfinite(end) else end for end in (low, high))
            return interval(name, low, high)
        case _:
            assert_never(attribute)


def all_but(name: str, values: tuple[str, ...], code: int) -> OneOf:
    """`≠`, written as the values that are left: a value that was never declared satisfies nothing."""
    return OneOf(name, values[:code] + values[code + 1 :])


def covered_by(table: Table, when: tuple[Condition, ...]) -> Longs:
    """All rows of the table that satisfy these conditions; an empty cell satisfies none."""
    taken = np.ones(len(table), dtype=np.bool_)
    for condition in when:
        cells = table.columns[condition.name]
        attribute = table.schema[condition.name]
        if isinstance(attribute, Nominal | Ordinal):
            known = [*attribute.values, None, None]  # the codes −1 and −2 count from the end
            taken &= np.array([holds(condition, value) for value in known])[cells]
        else:
            taken &= np.array(
                [holds(condition, cell) for cell in cells.astype(np.float64).tolist()], np.bool_
            )
    return np.flatnonzero(taken)


# Settings that several learners of rules have, declared once.


IfNoRuleHolds: TypeAlias = Annotated[
    Literal["majority", "abstain"], "If no rule holds, predict the majority class, or nothing (abstain)."
]
MaxConditions: TypeAlias = Annotated[
    int | None, Whole(1), Letter("max_conditions"), "Most conditions in a rule; none: no limit."
]
CutsBeforeRules: TypeAlias = Annotated[
    CutMethod, "How numeric columns are cut: mdl uses the classes; width and frequency make equal parts."
]
BinsBeforeRules: TypeAlias = Annotated[
    int,
    Whole(2),
    OnlyWith("cuts", ("width", "frequency"), at_the_shell=True),
    "The number of intervals, with width and frequency.",
]


# Rule steps: what a covering learner looked at and what it took, one small record at a time.


@dataclass(frozen=True, slots=True)
class Considered(JsonRecord):
    """A complex, the class it would answer, how much of what it covers has that class, and its quality.

    `counts` are the weights of what it covers, by class, or of the others and the class to be predicted.

    >>> from clearwood.formulas.conditions import Equals
    >>> print(Considered((Equals("tears", "reduced"),), "none", 12.0, 12.0, 13 / 15))
    IF tears = reduced THEN none: 12 of 12, 0.8667
    """

    when: tuple[Condition, ...]
    then: str
    right: float
    covered: float
    quality: float
    counts: tuple[float, ...] = ()

    def __str__(self) -> str:
        conditions = " AND ".join(map(str, self.when))
        return f"IF {conditions} THEN {self.then}: {_of(self.right, self.covered)}, {self.quality:.4f}"


@dataclass(frozen=True, slots=True)
class BeamStep(JsonRecord):
    """One level of CN2's search: the complexes kept on the beam, best first, and the best rule so far.

    `before` are the counts of all rows searched, as those of a complex.
    """

    rule: int  # which rule is looked for, from 1; of unordered rules, which of its class
    level: int  # how many conditions were added
    beam: tuple[Considered, ...]
    best: Considered | None
    before: tuple[float, ...] = ()

    def __str__(self) -> str:
        lines = [f"Rule {self.rule}, level {self.level}", f"  best so far: {self.best or 'none'}"]
        return "\n".join([*lines, *(f"  on the beam: {each}" for each in self.beam)])


@dataclass(frozen=True, slots=True)
class PrismCandidate(JsonRecord):
    """A condition PRISM may add: `right` of the `taken` weight have the class.

    >>> from clearwood.formulas.conditions import Equals
    >>> print(PrismCandidate(Equals("astigmatism", "yes"), 4.0, 12.0))
    astigmatism = yes: 4 of 12
    """

    condition: Condition
    right: float
    taken: float

    def __str__(self) -> str:
        return f"{self.condition}: {_of(self.right, self.taken)}"


@dataclass(frozen=True, slots=True)
class PrismStep(JsonRecord):
    """One condition of one of PRISM's rules: all that could be added, and the one that was."""

    then: str
    rule: int  # which rule of the class, from 1
    when: tuple[Condition, ...]  # so far
    candidates: tuple[PrismCandidate, ...]
    chosen: PrismCandidate

    def __str__(self) -> str:
        before = " AND ".join(map(str, self.when)) or "no condition yet"
        lines = [f"Rule {self.rule} for {self.then}, {before}"]
        lines += [f"  {'→' if each == self.chosen else ' '} {each}" for each in self.candidates]
        return "\n".join(lines)


def _of(part: float, whole: float) -> str:
    return f"{number(part)} of {number(whole)}"


# Steps: how a learner came to its rules, one record after another.


StepT = TypeVar("StepT", bound=JsonRecord)


@dataclass(frozen=True, slots=True)
class Steps(JsonRecord, Generic[StepT]):
    """The records in the order of what they record; a sequence, printed one after another.

    >>> from clearwood import ILA, datasets, read_table
    >>> table = read_table(datasets.path("objects"), target="Decision")
    >>> rules, steps = ILA(class_order=("Yes",)).learn_with_steps(table)
    >>> len(steps), steps[0].then, list(steps.to_json())
    (6, 'Yes', ['steps'])
    """

    steps: tuple[StepT, ...]

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[StepT]:
        return iter(self.steps)

    @overload
    def __getitem__(self, place: int) -> StepT: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[StepT, ...]: ...
    def __getitem__(self, place: int | slice) -> StepT | tuple[StepT, ...]:
        return self.steps[place]

    def __str__(self) -> str:
        return "\n".join(map(str, self.steps)) or "no step: there was nothing to choose"
