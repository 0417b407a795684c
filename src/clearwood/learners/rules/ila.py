"""ILA: rules from the fewest conditions that describe rows of one class and of no other."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from clearwood.bounds import Checked, at_least
from clearwood.counting.ties import most_common
from clearwood.errors import ClearwoodWarning, SettingError
from clearwood.formulas.conditions import Condition
from clearwood.learners.rules.costs_of_mistakes import classes_at_cost
from clearwood.learners.rules.covering import (
    BinsBeforeRules,
    CutsBeforeRules,
    IfNoRuleHolds,
    MaxConditions,
    Steps,
)
from clearwood.learners.rules.ila_coding import CodedTable, both_tables, code_rows, keep_rules
from clearwood.learners.rules.ila_definition import (
    Description,
    Descriptions,
    Look,
    describe_classes,
    descriptions_in,
    look_by_counts,
)
from clearwood.learners.training import class_weights, origin_of
from clearwood.models.kinds.rules.rule_list import Otherwise, Rule, RuleList
from clearwood.models.model import refuse_balanced
from clearwood.predicting.of_rules import rule_counts
from clearwood.records import JsonRecord, json_of
from clearwood.registry import CheckedSettings, Costs, Letter, OnlyWith, Proportion
from clearwood.table.table import Table
from clearwood.words.numbers import number


@dataclass(frozen=True, slots=True, kw_only=True)
class ILA(CheckedSettings):
    """The inductive learning algorithm (Tolun and Abu-Soud 1998); settings make it ILA-2, ILA-3 or ILA-4.

    One class after another, by name or as `class_order` says. Of all combinations of one
    attribute, then two, and so on, and the values they have in rows of the class that are not yet marked, the
    one that covers most unmarked rows and no row of another class becomes a rule, the first of equals:
    attributes in schema order, values as they are listed. Its rows are marked. Where no combination is left
    that covers no other class, one more attribute is combined. Rows that no rule can separate from those of
    other classes are left over, and a warning names them. The first rule that holds answers; where none does,
    the most common class (`otherwise`, of equals the first by name) or, with "abstain", no answer.

    `max_conditions` limits the attributes that are combined. A size with more than five million combinations
    is refused before it is begun; so is, unless `max_conditions` is set, one of more than 6,000 million
    combinations times rows (those of the class still unmarked, and all of other classes), about a minute.
    Numbers are cut into intervals first (`cuts`: "mdl", or `bins` intervals of equal "width" or "frequency";
    cuts given in the schema stand), a column without a cut is left out. Rows count by their weight. Memory:
    three times the codes, and at most 48 MB per thread for the combinations under comparison. With `costs` a
    row weighs what mistakes about its class cost in the search; rules print the rows as they are, and answer
    the class of least expected cost.

    *Penalty* (ILA-2, Tolun and others 1999): with a `penalty` a rule may cover rows of other classes; its
    score is the weight of the unmarked rows it covers less penalty times the weight of all other classes'
    rows it covers, and must be above 0; of equal scores the one that covers fewer wrongly is taken. A penalty
    as large as the table is ILA. `fast` ranks the combinations of one size once and walks down the list, each
    counted again on what is still unmarked when its turn comes, instead of looking for the best anew after
    each rule.

    What follows is our reading, where the papers at hand leave it open. *Irrelevant attributes* (ILA-3): with
    `drop_irrelevant`, an attribute whose values do not go with the class against all others (chi-square, p >
    `alpha`) is left out of combinations of two and more; rows may be left over for want of it. *Missing
    values* (ILA-4): an empty cell is "lost" (no condition holds for it), or "cautious" (lost for the class
    described, but in a row of another class it may be any value, so a rule must not rest on it), or it stands
    for the most common value of the column ("mode": conditions on that value have `or missing`), or of the
    column within its class ("class_mode": in learning only, since the class of a new row is unknown), or
    "delete" leaves such rows out. A value the schema does not list satisfies nothing. *New rows* (I-ILA): see
    `learn_more`.

    >>> from clearwood import datasets, read_table
    >>> table = read_table(datasets.path("objects"), target="Decision")
    >>> for rule in ILA(class_order=("Yes",)).learn(table):
    ...     print(rule)
    IF Color = Green THEN Yes
    IF Size = Medium THEN Yes
    IF Shape = Sphere THEN Yes
    IF Shape = Cone THEN No
    IF Size = Large AND Color = Red THEN No
    """

    learns_numbers: ClassVar[bool] = False

    penalty: Penalty = None
    fast: Annotated[bool, "Rank the combinations of one size once, not again after every rule."] = False
    drop_irrelevant: DropIrrelevant = False
    alpha: Annotated[
        Proportion,
        OnlyWith("drop_irrelevant", (True,), at_the_shell=True),
        "With drop_irrelevant: a column is left out if its p-value is above this.",
    ] = 0.05
    missing: MissingAs = "lost"
    max_conditions: MaxConditions = None
    class_order: ClassOrder = ()
    otherwise: IfNoRuleHolds = "majority"
    cuts: CutsBeforeRules = "mdl"
    bins: BinsBeforeRules = 10
    costs: Costs = None

    @property
    def learns_shares(self) -> bool:
        """Can a row have a share of each class? Not where a rule may cover no row of another class."""
        return self.penalty is not None

    @classes_at_cost
    def learn(self, table: Table) -> RuleList:
        """The rules of this table; a warning names the rows that none can describe."""
        coded = code_rows(self, table)
        return _rule_list(self, table, coded, describe_classes(coded.task))

    @classes_at_cost
    def learn_with_steps(self, table: Table) -> tuple[RuleList, Steps[IlaStep]]:
        """The same rules, and every look that was taken on the way.

        It counts everything again before each rule, in plain Python: for tables to be read, not for millions
        of rows.

        >>> from clearwood import datasets, read_table
        >>> table = read_table(datasets.path("objects"), target="Decision")
        >>> print(ILA(class_order=("Yes",)).learn_with_steps(table)[1][0])
        Yes, j = 1: IF Color = Green: 2 (the best of 5, first of 2 equals); marks rows 5, 7, 2 left
        """
        coded = code_rows(self, table)
        steps: list[IlaStep] = []
        looks: list[Look] = []
        for look in look_by_counts(coded.task):
            steps.append(step_of(look, coded))
            looks.append(replace(look, good=()))
        return _rule_list(self, table, coded, descriptions_in(looks)), Steps(tuple(steps))

    def learn_more(self, rules: RuleList, seen: Table, new: Table) -> RuleList:
        """The rules of `seen`, changed as little as `new` rows demand (I-ILA).

        A rule that covers rows of other classes is deleted (with a `penalty`: if its score over all rows is
        no longer above 0). Rows that no rule of their class covers any more are described anew, against all
        rows, and their rules follow those that stay. Values and classes that are new widen the schema.
        """
        refuse_balanced(rules.origin, "Learning more")
        if self.costs is not None:
            raise SettingError(
                "Rules learned with costs cannot learn more: what a row weighs depends on all rows. Learn "
                "again from both tables."
            )
        table = both_tables(seen, new)
        coded = code_rows(self, table)
        kept, marked = keep_rules(rules, coded)
        return _rule_list(self, table, coded, describe_classes(coded.task, marked), kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class ILA2(ILA):
    """ILA with a penalty: a rule may cover some rows of other classes if it covers enough of its own."""

    penalty: Penalty = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ILA3(ILA):
    """ILA that drops attributes without a significant association with the class from larger combinations."""

    drop_irrelevant: DropIrrelevant = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ILA4(ILA):
    """ILA for missing cells: by default they count as the column's most common value."""

    missing: MissingAs = "mode"


def _rule_list(
    learner: ILA, table: Table, coded: CodedTable, described: Descriptions, kept: tuple[Rule, ...] = ()
) -> RuleList:
    rows, classes = coded.rows, coded.task.classes
    made = [Rule(coded.conditions(each), classes[each.cls]) for each in described.descriptions]
    bare = (*kept, *made)
    answered = [tuple(each) for each in rule_counts(rows.schema, bare, rows)[1].tolist()]
    rules = [replace(rule, counts=each) for rule, each in zip(bare, answered, strict=False)]
    otherwise = Otherwise()
    if learner.otherwise == "majority":
        majority = classes[int(most_common(class_weights(rows)))]
        otherwise = Otherwise(majority, answered[-1])
    if len(described.left):
        numbers = sorted(coded.numbers[described.left].tolist())
        left = tuple(table.row_number(number - 1) for number in numbers)
        warnings.warn(
            f"{type(learner).__name__} describes all rows but {len(left):,}, for which no combination of "
            f"conditions is good enough: {rows_text(left)}.",
            ClearwoodWarning,
            stacklevel=3,
        )
    return RuleList(rows.schema, tuple(rules), otherwise, origin=origin_of(learner, table))


# Settings of ILA that its variants share, or that take more than a bound to check.


def _penalty(name: str, value: Any) -> float | None:
    """A number from 0 up; an infinite one is none at all: no row of another class is allowed."""
    return None if value in (None, math.inf) else at_least(name, value, 0)


def _names(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, list | tuple):
        raise SettingError(f"{name} must be a list of classes, not {value!r}.")
    for each in value:
        if not isinstance(each, str):
            raise SettingError(f"{name} must be a list of classes by their names, not {each!r}.")
    return tuple(value)


Penalty: TypeAlias = Annotated[
    float | None,
    Checked(_penalty),
    Letter("penalty"),
    "The cost of covering a row of another class; none: never allowed.",
]
DropIrrelevant: TypeAlias = Annotated[
    bool, "Leave columns that are not related to the class out of larger combinations."
]
MissingAs: TypeAlias = Annotated[
    Literal["lost", "cautious", "mode", "class_mode", "delete"],
    "lost: satisfies no condition; cautious: may be any value; mode, class_mode: the most common value; "
    "delete: its row is left out.",
]
ClassOrder: TypeAlias = Annotated[
    tuple[str, ...], Checked(_names), "The classes to begin with: CLASS,…; none: by name."
]


# The steps of ILA in words: which descriptions were looked at, which was taken, and what it marked.


_MOST_KEPT: Final = 20  # descriptions a step remembers
_MOST_LISTED: Final = 8  # rows a sentence lists


@dataclass(frozen=True, slots=True)
class Described(JsonRecord):
    """Conditions, the weight of unmarked rows of the class that they cover, and what of other classes."""

    when: tuple[Condition, ...]
    covers: float
    wrong: float
    score: float

    def __str__(self) -> str:
        text = f"{' AND '.join(map(str, self.when))}: {number(self.covers)}"
        return text + (f" − penalty for {number(self.wrong)} = {self.score:.6g}" if self.wrong else "")


@dataclass(frozen=True, slots=True)
class IlaStep(JsonRecord):
    """One look at all combinations of `conditions` attributes, for one class.

    `good` is how many descriptions had a score above 0, `best` lists the first of them by rank (20 at
    most), `ties` how many equal the best. `taken` is what became a rule, None where nothing did; `marked` and
    `left` are row numbers, from 1: the rows it marked, and the class's rows that are unmarked after it.
    """

    then: str
    conditions: int
    combinations: int
    good: int
    ties: int
    best: tuple[Described, ...]
    taken: Described | None
    marked: tuple[int, ...]
    left: tuple[int, ...]
    because: str
    ended: bool = False  # the class's last look: no size describes the rows that are left

    def __str__(self) -> str:
        head = f"{self.then}, j = {self.conditions}"
        if self.taken is None:
            return f"{head}: {self.because}"
        marks = f"marks {rows_text(self.marked)}, {len(self.left):,} left"
        return f"{head}: IF {self.taken} ({self.because}); {marks}"

    def to_json(self) -> dict[str, Any]:
        """Plain values: conditions as they are printed."""
        return json_of(self, "ended")


def step_of(look: Look, coded: CodedTable) -> IlaStep:
    """A look in the table's terms."""
    penalty = coded.task.penalty

    def rank(each: Description) -> tuple[object, int]:
        return each.score(penalty), -each.wrong

    def in_words(each: Description) -> Described:
        covers, wrong = each.covers * coded.unit, each.wrong * coded.unit
        return Described(coded.conditions(each), covers, wrong, float(each.score(penalty)) * coded.unit)

    ranked = sorted(look.good, key=rank, reverse=True)
    ties = sum(1 for each in ranked if rank(each) == rank(ranked[0]))
    return IlaStep(
        then=coded.task.classes[look.cls],
        conditions=look.size,
        combinations=look.combinations,
        good=len(ranked),
        ties=ties,
        best=tuple(in_words(each) for each in ranked[:_MOST_KEPT]),
        taken=None if look.taken is None else in_words(look.taken),
        marked=tuple(sorted(coded.numbers[list(look.marked)].tolist())),
        left=tuple(sorted(coded.numbers[list(look.left)].tolist())),
        because=_because(look, ties),
        ended=look.why in ("alike", "limit"),
    )


def rows_text(rows: tuple[int, ...]) -> str:
    """Row numbers in words, the first few of many.

    >>> rows_text((3,)), rows_text((1, 2))
    ('row 3', 'rows 1, 2')
    """
    shown = ", ".join(map(str, rows[:_MOST_LISTED]))
    more = f" and {len(rows) - _MOST_LISTED:,} more" if len(rows) > _MOST_LISTED else ""
    return f"{'row' if len(rows) == 1 else 'rows'} {shown}{more}"


def _because(look: Look, ties: int) -> str:
    match look.why:
        case "best":
            return f"the best of {len(look.good):,}" + (f", first of {ties:,} equals" if ties > 1 else "")
        case "passed":
            return f"its turn among {len(look.good):,}, and still above 0"
        case "none":
            return f"none of {look.combinations:,} combinations describes an unmarked row well enough"
        case "alike":
            return "rows of other classes are like those left in all that is known"
        case "limit":
            return "no more conditions may be combined"
