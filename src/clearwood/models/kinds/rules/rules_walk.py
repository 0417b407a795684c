"""The walks of a list of rules: those that may still be the first to hold, or those that may still vote."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.models.decision import adjusted, decided, divided
from clearwood.models.kinds.rules.rule_list import RuleList, rule_weights
from clearwood.models.kinds.rules.rules_space import possible_boxes
from clearwood.models.space.axes import Ask, Domains, GroupBox
from clearwood.models.space.input_space import InputSpace
from clearwood.models.space.settling import Identities, WalkStep


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """What a rule gives its rows: the answer, the figure asked about, and who it is the same as."""

    identity: int
    answer: object
    figure: float


Open: TypeAlias = tuple[GroupBox, RuleOutcome]  # what is left to ask before a rule holds; nothing: it holds


@dataclass(frozen=True, slots=True)
class FirstRuleWalk:
    """The rules that can be the first to hold for some row of the box; the last holds for all the rest."""

    how: Hashable
    waiting: tuple[Open, ...]

    @property
    def steps(self) -> tuple[WalkStep, ...]:
        return tuple(((box, outcome.identity), box) for box, outcome in self.waiting)

    @property
    def key(self) -> Hashable:
        return self.how, tuple((box, outcome.identity) for box, outcome in self.waiting)

    @property
    def answer(self) -> tuple[object] | None:
        first = self.waiting[0][1].answer
        return (first,) if all(outcome.answer == first for _, outcome in self.waiting[1:]) else None

    @property
    def ends(self) -> tuple[float, float]:
        figures = [outcome.figure for _, outcome in self.waiting]
        return min(figures), max(figures)

    def within(self, box: Domains) -> FirstRuleWalk:
        waiting: list[Open] = []
        for asked, outcome in self.waiting:
            left = narrowed_box(asked, box)
            if left is None:
                continue
            waiting.append((left, outcome))
            if not left:
                break
        # A rule just before one that gives the same need not be asked.
        while len(waiting) > 1 and waiting[-2][1].identity == waiting[-1][1].identity:
            del waiting[-2]
        return FirstRuleWalk(self.how, tuple(waiting))


@dataclass(frozen=True, slots=True)
class VoteWalk:
    """The rules that hold for every row of the box, and those that hold for some; `how` has the default."""

    how: Hashable
    waiting: tuple[Open, ...]
    held: tuple[int, ...] = ()  # by their identities
    ends: tuple[float, float] | None = None
    answer: tuple[object] | None = None

    @property
    def steps(self) -> tuple[WalkStep, ...]:
        return tuple(((box, outcome.identity), box) for box, outcome in self.waiting)

    @property
    def key(self) -> Hashable:
        return self.how, self.held, frozenset((box, outcome.identity) for box, outcome in self.waiting)

    def within(self, box: Domains) -> VoteWalk:
        waiting: list[Open] = []
        held = list(self.held)
        for asked, outcome in self.waiting:
            left = narrowed_box(asked, box)
            if left is None:
                continue
            if left:
                waiting.append((left, outcome))
            else:
                held.append(outcome.identity)
        return VoteWalk(self.how, tuple(waiting), tuple(sorted(held)))


def rule_walk(
    rules: RuleList,
    space: InputSpace,
    identities: Identities,
    fixed: Mapping[int, int] | None = None,
    about: int | None = None,
) -> FirstRuleWalk | VoteWalk:
    """A list of rules at the beginning of its walk. Columns that are `fixed` to some groups are not asked
    again; `about` is the class whose share is the figure of `ends`."""
    outcomes = rule_outcomes(rules, identities, about)
    fixed = fixed or {}
    waiting: list[Open] = []
    for box, place in possible_boxes(space.boxes(rules)):
        if all(groups & fixed.get(column, groups) for column, groups in box):
            left = tuple((column, groups) for column, groups in box if column not in fixed)
            waiting.append((left, outcomes[place]))
    how = rules.schema.classes, rules.decision
    if rules.matching == "first":
        return FirstRuleWalk(how, (*waiting, ((), outcomes[-1])))
    return VoteWalk((*how, outcomes[-1].identity), tuple(waiting))


def narrowed_box(asked: GroupBox, box: Domains) -> GroupBox | None:
    """What is left to ask of the rows in a box: None, they cannot hold; (), they all do."""
    left: list[Ask] = []
    for column, groups in asked:
        held = box[column] & groups
        if not held:
            return None
        if held != box[column]:
            left.append((column, held))
    return tuple(left)


def rule_outcomes(rules: RuleList, identities: Identities, about: int | None) -> list[RuleOutcome]:
    """[rule] what each gives, the default last."""
    if rules.is_numeric:
        numbers = [float("nan") if each.then is None else float(each.then) for each in rules.entries]
        return [
            RuleOutcome(identities.of(("number", repr(each))), None if each != each else each, each)
            for each in numbers
        ]
    weights = rule_weights(rules)
    shares = divided(weights)
    shares[[each.then is None for each in rules.entries]] = 0.0
    shares = adjusted(shares, rules.decision)
    answers = _answers(rules, shares)
    # Votes are added: there, rules are the same only if their weights are.
    figures = weights if rules.matching == "vote" else shares
    return [
        RuleOutcome(
            identities.of(("rule", answer, *figures[place].tolist())),
            answer,
            float(shares[place, 0 if about is None else about]),
        )
        for place, answer in enumerate(answers)
    ]


def _answers(rules: RuleList, shares: Floats) -> list[object]:
    places = {name: code for code, name in enumerate(rules.schema.classes)}
    named = np.array([-1 if each.then is None else places[str(each.then)] for each in rules.entries])
    codes = named
    if not rules.decision.is_plain:
        codes = decided(shares, rules.decision, rules.schema.classes, named.astype(np.int32))
    names = np.array([*rules.schema.classes, None], dtype=object)
    return list(names[codes])
