"""The ledger of a simplification: every test with its table, and why each rule stayed or went."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from clearwood.learners.rules.simplifying.condition_tests import TestName
from clearwood.learners.rules.simplifying.dropping_rules import RuleVerdict
from clearwood.learners.rules.simplifying.settings import HowTested
from clearwood.models.conditions import Condition
from clearwood.models.rule_list import Answer, Rule

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
        from clearwood.learners.rules.simplifying.ledger_text import condition_as_text

        return condition_as_text(self)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        fields["condition"] = str(self.condition)
        fields["odds_ratio"] = _plain(self.odds_ratio)
        return fields


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
        from clearwood.learners.rules.simplifying.ledger_text import record_as_text

        return record_as_text(self)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {
            "number": self.number,
            "before": str(self.before),
            "after": None if self.after is None else str(self.after),
            "place": self.place,
            "reason": self.reason,
            "why": self.why,
            "rows": self.rows,
            "changed": self.changed,
            "tests": [test.to_json() for test in self.tests],
        }


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
        from clearwood.learners.rules.simplifying.ledger_text import ledger_as_text

        return ledger_as_text(self)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {
            "settings": asdict(self.how),
            "order": list(self.order),
            "rows": self.rows,
            "errors_before": self.errors_before,
            "errors_after": self.errors_after,
            "weighed": self.weighed,
            "constant": self.constant,
            "errors_constant": self.errors_constant,
            "otherwise_before": self.otherwise_before,
            "otherwise_after": self.otherwise_after,
            "rules": [record.to_json() for record in self.records],
        }


def _plain(value: float) -> float | str | None:
    """Strict JSON has neither infinity nor NaN."""
    if math.isnan(value):
        return None
    return "infinity" if math.isinf(value) else value
