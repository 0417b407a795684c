"""Step two: which rules can go because others answer the same, and the order in which they are asked."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from clearwood.arrays import Floats, Ints
from clearwood.formulas.conditions import Condition, Equals, OneOf, bounds_of, takes_missing, values_of
from clearwood.learners.rules.simplifying.condition_tests import Order, Truth
from clearwood.measures.inference import wilson
from clearwood.predicting.satisfied import (
    BitWords,
    RulePositions,
    Satisfied,
    as_bits,
    as_truths,
    taken,
    weights_by_class,
)

RuleVerdict: TypeAlias = Literal["kept", "duplicate", "subsumed", "redundant", "default", "not asked"]

_CLOSE: Final = 1e-10  # relative: rounding never decides


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a rule: `other` is the rule (by position) that answers the same, or −1.

    `rows` is the weight of the rows that reached it when it was judged, and `changed` of those among them
    that would have been answered otherwise without it.
    """

    reason: RuleVerdict
    other: int = -1
    rows: float = 0.0
    changed: float = 0.0


@dataclass(frozen=True, slots=True)
class Remaining:
    """[rule] The fates, and the default (a class's code, or −1 for none), new or as it was."""

    fates: tuple[Fate, ...]
    otherwise: int

    @property
    def alive(self) -> list[int]:
        """The rules that stay."""
        return [rule for rule, fate in enumerate(self.fates) if fate.reason in ("kept", "not asked")]


def drop_rules(rules: Satisfied, covered: BitWords, truth: Truth, otherwise: int) -> Remaining:
    """Rules in order, the first that holds answers; `otherwise` is the default's class, −1 for none.
    `covered` [rule, word] are the rows of each.

    First, duplicates and special cases of a rule of the same class that comes earlier, or later with no
    other class between: no row anywhere is answered otherwise. Then, from the last rule to the first, what
    no training row needs: those that reach it get the same answer from the rules after it. Last, for each
    class as the default, from the last rule of it to the first, those whose absence adds no training error,
    weighed by its cost; the default that lets most rules go is taken, of equals the one with the least
    errors, of equals the most common class.
    """
    fates: dict[int, Fate] = {}
    _drop_special_cases(rules, truth, fates)
    answers = _Answers(covered, truth, rules.rows)
    _drop_redundant(answers, otherwise, fates)
    otherwise = _let_a_default_answer(answers, otherwise, fates)
    return Remaining(tuple(fates[rule] for rule in range(len(covered))), otherwise)


def _drop_special_cases(rules: Satisfied, truth: Truth, fates: dict[int, Fate]) -> None:
    then = truth.then
    alive = np.ones(len(then), dtype=np.bool_)
    next_other = _next_of_another_class(then)
    lengths = np.diff(rules.starts)
    same_set: dict[tuple[int, frozenset[int]], int] = {}
    for rule in range(len(then)):
        held = frozenset(rules.members[rules.starts[rule] : rules.starts[rule + 1]].tolist())
        first = same_set.setdefault((int(then[rule]), held), rule)
        if first != rule:
            alive[rule] = False
            fates[rule] = Fate("duplicate", first)
    for rule, general in general_cases(rules, np.flatnonzero(alive)[::-1].tolist()):
        near = (general < rule) | (general < next_other[rule])
        other = general[alive[general] & (then[general] == then[rule]) & near & (general != rule)]
        if other.size:
            alive[rule] = False
            fates[rule] = Fate("subsumed", int(other[np.argmin(lengths[other])]))


def _next_of_another_class(then: Ints) -> Ints:
    """[rule] where the next rule of another class stands; the number of rules if none follows."""
    following = np.full(len(then), len(then), dtype=np.int32)
    for rule in range(len(then) - 2, -1, -1):
        following[rule] = following[rule + 1] if then[rule] == then[rule + 1] else rule + 1
    return following


class _Answers:
    """Rules as sets of rows: what each covers, and the truth beside it."""

    def __init__(self, covered: BitWords, truth: Truth, rows: int) -> None:
        self.covered, self.then, self.rows = covered, truth.then.tolist(), rows
        self.classes = truth.classes
        self.of_class = [as_bits(truth.target == c) for c in range(truth.classes)]
        self.weights = np.ones(rows) if truth.weights is None else truth.weights
        self.target, self.costs = truth.target, truth.costs

    def taken(self, alive: Sequence[int]) -> tuple[dict[int, BitWords], BitWords]:
        own, left = taken(self.covered[list(alive)], self.rows)
        return dict(zip(alive, own, strict=True)), left

    def weight(self, bits: BitWords) -> float:
        return float(self.weights[as_truths(bits, self.rows)].sum())

    def cost(self, bits: BitWords, answer: int | Ints) -> float:
        """What it costs to give these rows this answer (one class, or [row] a class; −1: none)."""
        chosen = as_truths(bits, self.rows)
        called = answer if isinstance(answer, int) else answer[chosen]
        return float((self.weights[chosen] * self.costs[self.target[chosen], called]).sum())


def _drop_redundant(answers: _Answers, otherwise: int, fates: dict[int, Fate]) -> None:
    """One pass is enough: a rule that rows need is needed all the more when an earlier one has gone."""
    alive = [rule for rule in range(len(answers.then)) if rule not in fates]
    own, _ = answers.taken(alive)
    # [class, word] the rows that the rules after this one answer so; the last line is for no answer.
    after = np.zeros((answers.classes + 1, answers.covered.shape[1]), dtype=np.uint64)
    after[otherwise] = as_bits(np.ones(answers.rows, dtype=np.bool_))
    for rule in reversed(alive):
        then = answers.then[rule]
        changed = own[rule] & ~after[then]
        rows = answers.weight(own[rule])
        if changed.any():
            fates[rule] = Fate("kept", rows=rows, changed=answers.weight(changed))
            after &= ~answers.covered[rule]
            after[then] |= answers.covered[rule]
        else:
            fates[rule] = Fate("redundant", rows=rows)


def _let_a_default_answer(answers: _Answers, otherwise: int, fates: dict[int, Fate]) -> int:
    alive = [rule for rule in range(len(answers.then)) if fates[rule].reason == "kept"]
    own, left = answers.taken(alive)
    common = [answers.weight(bits) for bits in answers.of_class]
    before = answers.cost(left, otherwise)
    best: tuple[int, float, float, int] | None = None
    best_gone: dict[int, float] = {}
    for default in sorted({answers.then[rule] for rule in alive}):
        gone, gain = _gone_under(answers, alive, own, default)
        gain += before - answers.cost(left, default)
        if gone and gain >= -_CLOSE * max(1.0, sum(common)):
            rank = (len(gone), round(gain, 9), common[default], -default)
            if best is None or rank > best:
                best, best_gone = rank, gone
    if best is None:
        return otherwise
    for rule, rows in best_gone.items():
        fates[rule] = Fate("default", rows=rows)
    return -best[3]


def _gone_under(
    answers: _Answers, alive: Sequence[int], own: dict[int, BitWords], default: int
) -> tuple[dict[int, float], float]:
    """The rules of the default's class that save no training error, with their rows; what they cost."""
    gone: dict[int, float] = {}
    gain = 0.0
    after = np.full(answers.rows, default, dtype=np.int32)  # [row] what the rules after this one answer
    for rule in reversed(alive):
        then = answers.then[rule]
        if then == default:
            saved = answers.cost(own[rule], after) - answers.cost(own[rule], then)
            if saved <= _CLOSE * max(1.0, answers.cost(own[rule], then)):
                gone[rule] = answers.weight(own[rule])
                gain -= saved
                continue
        after[as_truths(answers.covered[rule], answers.rows)] = then
    return gone, gain


# Which conditions imply which, by bounds and values, and so which rules are special cases of others.


def implied_by(conditions: Sequence[Condition]) -> list[Ints]:
    """[condition] the conditions that hold wherever this one does, itself among them.

    >>> from clearwood.formulas.conditions import AtMost, Between
    >>> [each.tolist() for each in implied_by([AtMost("Age", 50.0), Between("Age", 30.0, 40.0)])]
    [[0], [0, 1]]
    """
    by_name: dict[str, list[int]] = {}
    for i, condition in enumerate(conditions):
        by_name.setdefault(condition.name, []).append(i)
    implied: list[Ints] = [np.empty(0, dtype=np.int32)] * len(conditions)
    for numbers in by_name.values():
        group = [conditions[i] for i in numbers]
        at = np.array(numbers, dtype=np.int32)
        missing = np.array([takes_missing(each) for each in group])
        lows, highs = np.array([bounds_of(each) for each in group]).T
        values = [values_of(each) for each in group]
        of_values = any(isinstance(each, Equals | OneOf) for each in group)
        for i, each in enumerate(group):
            if of_values:
                within = np.array([values[i] <= other for other in values])
            else:
                low, high = bounds_of(each)
                within = (lows <= low) & (high <= highs)
            implied[numbers[i]] = at[within & (missing | (not missing[i]))]
    return implied


def general_cases(rules: Satisfied, special: Sequence[int]) -> Iterator[tuple[int, Ints]]:
    """For each of these rules: the rules that hold wherever it does, itself among them.

    A rule is looked up under one of its conditions: the one that the fewest rules imply.
    """
    implied = implied_by(rules.conditions)
    starts, members = rules.starts.tolist(), rules.members
    uses = np.bincount(members, minlength=len(implied))
    implying = np.zeros(len(implied), dtype=np.int64)  # [condition] how many rules imply it
    for condition, held in enumerate(implied):
        implying[held] += uses[condition]
    under: list[list[int]] = [[] for _ in implied]
    always = []
    for rule, (start, end) in enumerate(itertools.pairwise(starts)):
        if start == end:
            always.append(rule)
        else:
            under[members[start + int(np.argmin(implying[members[start:end]]))]].append(rule)
    for rule in special:
        holds = np.zeros(len(implied), dtype=np.bool_)
        for condition in members[starts[rule] : starts[rule + 1]].tolist():
            holds[implied[condition]] = True
        tried = [other for condition in np.flatnonzero(holds).tolist() for other in under[condition]]
        general = [other for other in tried if holds[members[starts[other] : starts[other + 1]]].all()]
        yield rule, np.array(sorted(always + general), dtype=np.int32)


# In which order shortened rules, which may overlap, are tried, and what they then get wrong.


def places_of(covered: BitWords, truth: Truth, otherwise: int, order: Order) -> RulePositions:
    """[place] which rule comes there; `covered` [rule, word] are the rows of each."""
    given = np.arange(len(truth.then))
    if order == "given":
        return given
    sorted_ = _by_confidence(covered, truth)
    if order == "confidence":
        return sorted_
    as_given = errors_of(*answered(covered, truth), truth.then, otherwise, truth)
    as_sorted = errors_of(*answered(covered[sorted_], truth), truth.then[sorted_], otherwise, truth)
    return sorted_ if as_sorted < as_given * (1 - 1e-10) else given


def answered(covered: BitWords, truth: Truth) -> tuple[Floats, Floats]:
    """[rule, class] the rows each rule answers, and [class] those that reach no rule."""
    own, left = taken(covered, len(truth.target))
    return _counts(own, truth), _counts(left[None], truth)[0]


def errors_of(counts: Floats, unanswered: Floats, then: Ints, otherwise: int, truth: Truth) -> float:
    """The weight of the rows answered wrongly or not at all, each times what that costs."""
    return float((counts * truth.costs[:, then].T).sum() + unanswered @ truth.costs[:, otherwise])


def _by_confidence(covered: BitWords, truth: Truth) -> RulePositions:
    """[place] the rules by the lower end of Wilson's interval, on all rows each covers; first of equals."""
    counts = _counts(covered, truth)
    right = counts[np.arange(len(counts)), truth.then]
    low, _ = wilson(right, counts.sum(axis=1))
    return np.argsort(-low.round(12), kind="stable")


def _counts(sets: BitWords, truth: Truth) -> Floats:
    return weights_by_class(sets, truth.target, truth.weights, truth.classes)
