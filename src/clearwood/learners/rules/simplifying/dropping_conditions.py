"""Step one: which conditions of which rules a test of independence lets go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from clearwood import _native
from clearwood.arrays import Bools, Floats, Ints
from clearwood.learners.rules.simplifying.condition_tests import TestResults, Truth, empty_results, run_tests
from clearwood.learners.rules.simplifying.settings import HowTested
from clearwood.measures import ADJUSTMENTS
from clearwood.predicting.satisfied import Satisfied

_CLOSE: Final = 1e-10  # relative: rounding never decides


@dataclass(frozen=True, slots=True, eq=False)
class TestedConditions:
    """[member] Each rule's conditions in order: the counts [member, 2, class] that decided, and the verdict.

    `adjusted` is p itself where nothing is adjusted; `round` is the round of tests in which it was decided.
    """

    counts: Floats
    results: TestResults
    adjusted: Floats
    round: Ints
    kept: Bools


def decide_conditions(rules: Satisfied, truth: Truth, how: HowTested) -> TestedConditions:
    """Every condition of every rule, by `how.tables`: "marginal" once, "conditional" round by round."""
    return (_marginal if how.tables == "marginal" else _conditional)(rules, truth, how)


def one_against_rest(counts: Floats, then: Ints) -> Floats:
    """[table, 2, class] → [table, 2, 2]: the rule's class, and all the others together."""
    own = np.take_along_axis(counts, then[:, None, None].astype(np.int64), axis=2)
    others = np.where(np.arange(counts.shape[2]) == then[:, None, None], 0.0, counts)
    return np.concatenate([own, others.sum(axis=2, keepdims=True)], axis=2)


def _marginal(rules: Satisfied, truth: Truth, how: HowTested) -> TestedConditions:
    """All rows. The same condition and class in several rules is one hypothesis, tested and adjusted once."""
    number = len(rules.conditions)
    singles = np.arange(number + 1, dtype=np.int32)
    by_condition = _count(rules, singles, singles[:-1], truth)
    rule = _rule_of(rules)
    pairs, at = np.unique(rules.members * np.int64(truth.classes) + truth.then[rule], return_inverse=True)
    condition, then = pairs // truth.classes, (pairs % truth.classes).astype(np.int32)
    tests = _run(by_condition[condition], then, how)
    adjusted = _adjusted(tests.p, how)
    tested = tests.take(at)
    kept = ~_above(adjusted[at], how.alpha)
    kept[_most_significant(rule, tested.log_p, np.ones(len(rule), dtype=np.bool_))] = True
    return TestedConditions(
        by_condition[rules.members], tested, adjusted[at], np.ones(len(rule), dtype=np.int32), kept
    )


def _conditional(rules: Satisfied, truth: Truth, how: HowTested) -> TestedConditions:
    """The rows of the rule's other conditions. In a round each rule loses its least significant condition
    and is tested again; the family of an adjustment is all conditions still there, of all rules."""
    rule = _rule_of(rules)
    size = len(rule)
    counts = np.zeros((size, 2, truth.classes))
    tests = empty_results(size)
    adjusted, rounds = np.zeros(size), np.zeros(size, dtype=np.int32)
    kept = np.ones(size, dtype=np.bool_)
    anew, turn = np.arange(size), 1
    while anew.size:
        held = np.bincount(rule[anew], minlength=len(truth.then))
        starts = np.concatenate(([0], np.cumsum(held))).astype(np.int32)
        counts[anew] = _count(rules, starts, rules.members[anew], truth)
        now = _run(counts[anew], truth.then[rule[anew]], how)
        tests.put(anew, now)
        rounds[anew] = turn
        adjusted[kept] = _adjusted(tests.p[kept], how)
        several = kept & (np.bincount(rule[kept], minlength=len(truth.then))[rule] > 1)
        worst = _least_significant(rule, tests.log_p, several)
        worst = worst[_above(adjusted[worst], how.alpha)]
        kept[worst] = False
        anew = np.flatnonzero(kept & np.isin(rule, rule[worst]))
        turn += 1
    return TestedConditions(counts, tests, adjusted, rounds, kept)


def _count(rules: Satisfied, starts: Ints, members: Ints, truth: Truth) -> Floats:
    return _native.count_by_condition(
        rules.bits, starts, np.ascontiguousarray(members), truth.target, truth.weights, truth.classes
    )


def _run(counts: Floats, then: Ints, how: HowTested) -> TestResults:
    wide = how.against == "classes" and counts.shape[2] > 2
    tables = counts if wide else one_against_rest(counts, then)
    return run_tests(tables, choose_by=how.choose_by, test=how.test)


def _adjusted(p: Floats, how: HowTested) -> Floats:
    return p if how.adjust is None else ADJUSTMENTS[how.adjust](p)


def _above(p: Floats, alpha: float) -> Bools:
    above: Bools = p > alpha * (1 + _CLOSE)
    return above


def _rule_of(rules: Satisfied) -> Ints:
    """[member] the rule it stands in."""
    return np.repeat(np.arange(len(rules.starts) - 1, dtype=np.int32), np.diff(rules.starts))


def _least_significant(rule: Ints, log_p: Floats, among: Bools) -> Ints:
    """One member of each rule that has any: the largest p, the last of equals."""
    at = np.flatnonzero(among)
    largest = np.full(int(rule.max(initial=-1)) + 1, -np.inf)
    np.maximum.at(largest, rule[at], log_p[at])
    at = at[log_p[at] >= largest[rule[at]] - _CLOSE]
    last = np.full(len(largest), -1)
    np.maximum.at(last, rule[at], at)
    return last[last >= 0].astype(np.int32)


def _most_significant(rule: Ints, log_p: Floats, among: Bools) -> Ints:
    """One member of each rule that has any: the smallest p, the first of equals."""
    mirrored = _least_significant(rule[::-1], -log_p[::-1], among[::-1])
    return (len(rule) - 1 - mirrored).astype(np.int32)
