"""The ledger of a simplification: every test with its table, and why each rule stayed or went."""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final, TypeAlias

from clearwood.formulas.conditions import Condition, written
from clearwood.learners.rules.simplifying.condition_tests import TITLES, HowTested, TestName
from clearwood.learners.rules.simplifying.dropping_rules import RuleVerdict
from clearwood.models.kinds.rules.rule_list import Answer, Rule
from clearwood.records import json_of
from clearwood.words.columns import in_columns
from clearwood.words.numbers import many, number, with_noun

TwoRowTable: TypeAlias = tuple[tuple[float, ...], tuple[float, ...]]  # (holds, does not) × columns


@dataclass(frozen=True, slots=True)
class ConditionTest:
    """One condition's table, its test and the verdict.

    The table's rows are: the condition holds, it does not; its `columns` are the rule's class and the others,
    or every class. `adjusted_p` is None where nothing was adjusted, `statistic` where Fisher's test has none;
    φ and the odds ratio are of the rule's class against the others. `round` counts the times the rule was
    tested. A Between is one condition, one table, as it stands in the rule. `fisher_p` is the exact test's p
    beside another test's, where a cell is expected fewer than five times.
    """

    condition: Condition
    columns: tuple[str, ...]
    observed: TwoRowTable
    expected: TwoRowTable
    test: TestName
    because: str
    statistic: float | None
    df: int
    p: float
    adjusted_p: float | None
    phi: float
    odds_ratio: float
    round: int
    kept: bool
    why: str
    fisher_p: float | None = None

    def __str__(self) -> str:
        """The table with expected counts in brackets, and the sentences that decide."""
        sides = ("holds", "does not")
        cells = [["", *self.columns]]
        for side, observed, expected in zip(sides, self.observed, self.expected, strict=True):
            pairs = (f"{number(o)} ({e:.2f})" for o, e in zip(observed, expected, strict=True))
            cells.append([side, *pairs])
        drawn = ["  " + line for line in in_columns(cells, "figures", gap=3)]
        return "\n".join([str(self.condition), *drawn, *("  " + line for line in _sentences(self))])

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        odds = "infinity" if math.isinf(self.odds_ratio) else self.odds_ratio
        return json_of(self, odds_ratio=odds)


@dataclass(frozen=True, slots=True)
class RuleRecord:
    """One rule of the list as it was given: its tests, what is left of it (None: it went), and why.

    `place` is its place in the new list, from 1. `rows` is the weight of the rows that reached it when it was
    judged, `changed` that of those among them that would have been answered otherwise without it.
    """

    number: int
    before: Rule
    tests: tuple[ConditionTest, ...]
    after: Rule | None
    place: int | None
    reason: RuleVerdict
    why: str
    rows: float = 0.0
    changed: float = 0.0

    @property
    def dropped(self) -> tuple[Condition, ...]:
        """The conditions that went."""
        return tuple(test.condition for test in self.tests if not test.kept)

    def __str__(self) -> str:
        """A rule as it was, its tests, and what became of it."""
        lines = [f"Rule {self.number}: {self.before}"]
        lines += [f"  {line}" for test in self.tests for line in str(test).splitlines()]
        place = "" if self.place is None else f" (now rule {self.place})"
        became = "dropped" if self.after is None else str(self.after) + place
        lines.append(f"→ {became}: {self.why}")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return json_of(self, "tests", tests=self.tests)


@dataclass(frozen=True, slots=True)
class RulesLedger:
    """Every rule of the list as it was given, the default before and after, and what it all did to the rows.

    `order` has the numbers of the given rules as the shortened ones were tried in step two, before some went.
    `errors_before` and `errors_after` are the weights, of `rows` in all, answered wrongly or not at all,
    `weighed` by the list's costs and factors where it has such; `errors_constant` are those of the best
    constant answer, `constant`.
    """

    how: HowTested
    records: tuple[RuleRecord, ...]
    order: tuple[int, ...]
    otherwise_before: Answer | None
    otherwise_after: Answer | None
    rows: float
    errors_before: float
    errors_after: float
    weighed: bool = False
    constant: str = ""
    errors_constant: float = 0.0

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[RuleRecord]:
        return iter(self.records)

    def __str__(self) -> str:
        """The whole story, rule by rule, after a line that sums it up."""
        rules = sum(record.after is not None for record in self.records)
        before = sum(len(record.before.when) for record in self.records)
        after = sum(len(record.after.when) for record in self.records if record.after)
        given = f"{many(len(self.records), 'rule')} with {many(before, 'condition')}"
        errors = f"{self.errors_before:g} → {self.errors_after:g} of {with_noun(f'{self.rows:g}', 'row')}"
        cost = "errors, by their costs," if self.weighed else "errors"
        constant = (
            f"; always predicting {written(self.constant)}: {self.errors_constant:g}" if self.weighed else ""
        )
        lines = [f"{given} → {rules} with {after}; training {cost} {errors}{constant}"]
        how = self.how
        rows = "all rows" if how.tables == "marginal" else "the rows of the rule's other conditions"
        adjusted = "" if how.adjust is None else f", p adjusted by {how.adjust.replace('_', '–').title()}"
        lines.append(f"Each condition against the class over {rows}, kept where p ≤ {how.alpha:g}{adjusted}.")
        if list(self.order) != sorted(self.order):
            more = ", …" if len(self.order) > _MOST_LISTED else ""
            listed = ", ".join(map(str, self.order[:_MOST_LISTED])) + more
            lines.append(f"The shortened rules are asked in the order {listed}.")
        lines += ["\n" + str(record) for record in self.records]
        if self.otherwise_before != self.otherwise_after:
            was, now = (
                "nothing" if each is None else written(str(each))
                for each in (self.otherwise_before, self.otherwise_after)
            )
            lines.append(f"\nOTHERWISE {now}, where it was {was}.")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        default = {"otherwise_before": self.otherwise_before, "otherwise_after": self.otherwise_after}
        own = json_of(self, "how", "records", *default, **default, rules=self.records)
        return {"settings": asdict(self.how), **own}


# The ledger as a textbook writes it: each table drawn, and the sentences with its numbers.


_MOST_LISTED: Final = 20  # numbers of rules in one sentence


def _sentences(test: ConditionTest) -> list[str]:
    """Which test and why; its result and what follows."""
    figures = []
    if test.statistic is not None:
        degrees = "degree" if test.df == 1 else "degrees"
        figures.append(f"χ² = {test.statistic:.4g} with {test.df} {degrees} of freedom")
    figures.append(f"p = {test.p:.4g}")
    if test.adjusted_p is not None:
        figures.append(f"adjusted {test.adjusted_p:.4g}")
    effect = f"φ = {test.phi:.3f}".replace("-", "−")
    if not math.isnan(test.odds_ratio):
        odds = "infinite" if math.isinf(test.odds_ratio) else f"{test.odds_ratio:.3g}"
        effect += f", odds ratio {odds}"
    verdict = "kept" if test.kept else "dropped"
    exact = []
    if test.fisher_p is not None:
        exact = [f"{small_count(test)}: Fisher's exact test gives p = {test.fisher_p:.4g}."]
    return [
        f"{TITLES[test.test]}: {test.because}.",
        *exact,
        f"{', '.join(figures)} ({effect}): {verdict}, {test.why}.",
    ]


def small_count(test: ConditionTest) -> str:
    """Why the exact test is given beside the one that was chosen."""
    smallest = min(each for row in test.expected for each in row)
    return f"But the smallest expected count is {smallest:.4g}, below 5"
