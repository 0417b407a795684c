"""Step one: which conditions a test of independence lets go, by which test, and the settings of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.arrays import Bools, Floats, Ints
from clearwood.errors import Advice, LearningError, SchemaError, SettingError
from clearwood.measures import ADJUSTMENTS, TESTS
from clearwood.measures.contingency import expected
from clearwood.measures.impurity import Counts
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.model import refuse_balanced
from clearwood.predicting.columns import column_for
from clearwood.predicting.satisfied import Satisfied
from clearwood.registry import CheckedSettings, Letter, Proportion
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

TestName: TypeAlias = Literal["chi_square", "yates", "fisher"]
ChooseBy: TypeAlias = Literal["largest", "smallest"]
Order: TypeAlias = Literal["fewest_errors", "given", "confidence"]

TEST_NAMES: Final[tuple[TestName, ...]] = get_args(TestName)
TITLES: Final[Mapping[TestName, str]] = {
    "chi_square": "Chi-square",
    "yates": "Chi-square with Yates' correction",
    "fisher": "Fisher's exact test",
}
_PLAIN_FROM: Final = 10.0  # expected count from which chi-square needs no correction
_YATES_FROM: Final = 5.0  # and below which only the exact test is trusted
_CLOSE: Final = 1e-10  # relative: rounding never decides


@dataclass(frozen=True, slots=True, eq=False)
class TestResults:
    """[table] The results of the chosen tests; `test` is a position in TEST_NAMES."""

    test: Ints
    statistic: Floats
    df: Floats
    p: Floats
    log_p: Floats

    def take(self, at: npt.NDArray[np.intp]) -> TestResults:
        """The results for these tables."""
        return TestResults(self.test[at], self.statistic[at], self.df[at], self.p[at], self.log_p[at])

    def put(self, at: npt.NDArray[np.intp], tests: TestResults) -> None:
        """Write results at these places."""
        self.test[at], self.statistic[at], self.df[at] = tests.test, tests.statistic, tests.df
        self.p[at], self.log_p[at] = tests.p, tests.log_p


def run_tests(
    tables: Counts, *, choose_by: ChooseBy = "largest", test: TestName | None = None
) -> TestResults:
    """[table, holds or not, class …] → the result of the test of each.

    With m the largest (or smallest) expected count: m ≥ 10 chi-square, 5 ≤ m < 10 chi-square with Yates'
    correction, m < 5 Fisher's exact test. A table of more than two classes is tested by chi-square.

    >>> tests = run_tests(np.array([[[8, 12], [28, 8]], [[2, 0], [3, 9]]]))
    >>> [TEST_NAMES[i] for i in tests.test], tests.p.round(4).tolist()
    (['chi_square', 'yates'], [0.0047, 0.2104])
    """
    tables = np.asarray(tables, dtype=np.float64)
    chosen = _chosen(tables, choose_by, test)
    tests = empty_results(len(tables))
    for position, name in enumerate(TEST_NAMES):
        at = np.flatnonzero(chosen == position)
        if at.size:
            verdict = TESTS[name](tables[at])
            tests.put(at, TestResults(chosen[at], verdict.statistic, verdict.df, verdict.p, verdict.log_p))
    return tests


def deciding_count(expected_counts: Floats, choose_by: ChooseBy) -> Floats:
    """[table, row, column] expected counts → [table] the one that decides on the test."""
    count: Floats = (
        expected_counts.max(axis=(1, 2)) if choose_by == "largest" else expected_counts.min(axis=(1, 2))
    )
    return count


def empty_results(tables: int) -> TestResults:
    """Zeros, to be written over."""
    numbers = (np.zeros(tables) for _ in range(4))
    return TestResults(np.zeros(tables, dtype=np.int32), *numbers)


def why_this_test(name: TestName, deciding: float, choose_by: ChooseBy, *, forced: bool, wide: bool) -> str:
    """The reason for a test, in words.

    >>> why_this_test("yates", 7.14, "smallest", forced=False, wide=False)
    'smallest expected count 7.14, from 5 to below 10'
    """
    if wide:
        return "more than two classes"
    if forced:
        return "asked for"
    reach = {"chi_square": "at least 10", "yates": "from 5 to below 10", "fisher": "below 5"}[name]
    return f"{choose_by} expected count {deciding:.4g}, {reach}"


def exact_beside(tables: Floats, tests: TestResults) -> list[float | None]:
    """[table] Fisher's p where another test was chosen although a cell is expected fewer than five times.

    The rule of the books looks at the largest expected count; a small one may make the approximation poor.

    >>> tables = np.array([[[8.0, 12.0], [28.0, 8.0]], [[2.0, 0.0], [24.0, 9.0]]])
    >>> exact_beside(tables, run_tests(tables))
    [None, 1.0]
    """
    beside: list[float | None] = [None] * len(tables)
    if tables.shape[-1] > 2:
        return beside
    small = expected(tables).min(axis=(1, 2)) < _YATES_FROM * (1 - _CLOSE)
    whole = (tables == np.round(tables)).all(axis=(1, 2))  # the exact test counts rows
    at = np.flatnonzero(small & whole & (tests.test != TEST_NAMES.index("fisher")))
    if at.size:
        for place, p in zip(at.tolist(), TESTS["fisher"](tables[at]).p.tolist(), strict=True):
            beside[place] = p
    return beside


def _chosen(tables: Floats, choose_by: ChooseBy, test: TestName | None) -> Ints:
    if test is not None or tables.shape[-1] > 2:
        return np.full(len(tables), TEST_NAMES.index(test or "chi_square"), dtype=np.int32)
    m = deciding_count(expected(tables), choose_by)
    names = np.where(m >= _PLAIN_FROM * (1 - _CLOSE), 0, np.where(m >= _YATES_FROM * (1 - _CLOSE), 1, 2))
    return names.astype(np.int32)


# The settings of simplification, refused when wrong: how conditions are tested, and rules put in order.


Alpha: TypeAlias = Annotated[
    Proportion, Letter("alpha"), "A condition is dropped if its p-value is above this."
]
Tables: TypeAlias = Annotated[
    Literal["marginal", "conditional"],
    "Test a condition on all rows (marginal), or on those that satisfy the rule's others (conditional).",
]
ChosenBy: TypeAlias = Annotated[
    ChooseBy, "The expected count that chooses the test: the largest or the smallest."
]
OneTest: TypeAlias = Annotated[
    TestName | None, "One test for all conditions; none: chosen by their expected counts."
]
Against: TypeAlias = Annotated[
    Literal["class", "classes"],
    "What a condition is tested against: the rule's class or not, or all classes.",
]
Adjust: TypeAlias = Annotated[
    Literal["holm", "benjamini_hochberg"] | None,
    "Adjust the p-values of all conditions tested together; none: no adjustment.",
]
DropConditions: TypeAlias = Annotated[bool, "Test the conditions and drop those that chance explains."]
DropRules: TypeAlias = Annotated[bool, "Drop the rules that no training row needs."]
InOrder: TypeAlias = Annotated[Order, "The order of the shortened rules."]


@dataclass(frozen=True, slots=True, kw_only=True)
class HowTested(CheckedSettings):
    """Which table of which rows, which test, and how significant is enough."""

    alpha: Alpha = 0.05
    tables: Tables = "marginal"
    choose_by: ChosenBy = "largest"
    test: OneTest = None
    against: Against = "class"
    adjust: Adjust = None

    def check_for(self, classes: int) -> None:
        """Refuse a test of 2×2 tables where there are wider ones."""
        if self.against == "classes" and classes > 2 and self.test in ("yates", "fisher"):
            raise SettingError(
                f"test='{self.test}' is for tables of 2×2, and against='classes' makes them 2×{classes}. "
                "Use ",
                Advice("against", "class", setting=True),
                ", or leave test out.",
            )


# The rows that rules are simplified on: those with weight and a class the rules know.


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The rows' classes and weights; `then` [rule] is the class each rule answers.

    `costs` [class, predicted] is what a row of the class costs when predicted so, times the class's factor;
    the last column is for no answer, as dear as the class's dearest mistake. Without costs a mistake costs 1.
    """

    target: Ints
    weights: Floats | None
    classes: int
    then: Ints
    costs: Floats


def rows_and_truth(rules: RuleList, table: Table) -> tuple[Table, Truth]:
    """The rows with weight and a class the rules know, or a sentence where simplifying makes no sense."""
    refuse_balanced(rules.origin, "Simplifying by tests")
    target = rules.schema.target
    if isinstance(target, Numeric):
        raise SettingError(
            f"Conditions are tested against a class, and these rules predict the number '{target.name}'."
        )
    if rules.matching == "vote":
        raise SettingError(
            "In this list all rules that hold vote; simplifying is for lists in which the first that holds"
            " decides."
        )
    if any(rule.then is None for rule in rules):
        raise SettingError(
            "A rule that refers its rows has no class to test conditions against. Take it out first."
        )
    if target is None or target.name not in table.columns:
        raise SchemaError("To test conditions against the class the table needs the rules' target column.")
    codes = column_for(target, table)
    known = codes >= 0
    if table.weights is not None:
        if not (np.isfinite(table.weights).all() and (table.weights >= 0).all()):
            raise LearningError("Row weights must be finite and not negative.")
        known &= table.weights > 0
    if not known.any():
        raise LearningError(f"No row has both a weight and a class of '{target.name}' that the rules know.")
    rows = table if known.all() else table.take(known)
    then = np.array([rules.schema.classes.index(str(rule.then)) for rule in rules], dtype=np.int32)
    target_codes = np.ascontiguousarray(codes[known], dtype=np.int32)
    return rows, Truth(target_codes, rows.weights, len(rules.schema.classes), then, _costs(rules))


def _costs(rules: RuleList) -> Floats:
    size = len(rules.schema.classes)
    costs = np.array(rules.decision.costs or 1.0 - np.eye(size), dtype=np.float64).reshape(size, size)
    factors = np.array(rules.decision.factors or (1.0,) * size)
    none = costs.max(axis=1, initial=1.0 if size == 1 else 0.0, keepdims=True)
    weighed: Floats = np.concatenate([costs, none], axis=1) * factors[:, None]
    return weighed


# Step one: which conditions of which rules a test of independence lets go.


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
    return p > alpha * (1 + _CLOSE)


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
