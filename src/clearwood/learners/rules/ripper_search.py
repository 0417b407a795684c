"""What the search for RIPPER's rules hands back: in codes, the same from both twins, and in words."""

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, NamedTuple

from clearwood.arrays import Bools, Ints
from clearwood.counting.coding import Coding
from clearwood.counting.ties import TIE, better
from clearwood.formulas.conditions import Above, AtMost, Condition, Equals
from clearwood.learners.rules.covering import Steps
from clearwood.records import JsonRecord, json_of
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Column

EQUALS, AT_MOST, ABOVE = range(3)

SLACK_BITS: Final = 64.0  # how much longer than the shortest a description may get before covering stops


class DraftKind(IntEnum):
    """What a rule was grown for: to be added, or to stand instead of one that is there."""

    NEW = 0
    REVISION = 1
    REPLACEMENT = 2

    @property
    def word(self) -> str:
        return self.name.lower()


class RipperAction(IntEnum):
    """What became of a rule; from NOTHING_LEFT to TOO_LONG, why no more were added."""

    ADDED = 0
    NOTHING_LEFT = 1
    COVERS_NONE = 2
    HALF_WRONG = 3
    TOO_LONG = 4
    KEPT = 5
    REVISED = 6
    REPLACED = 7
    DELETED = 8


class RipperCondition(NamedTuple):
    """One condition: the column, EQUALS a code, or AT_MOST or ABOVE a limit."""

    column: int
    kind: int
    value: float

    def holds(self, columns: list[Column]) -> Bools:
        """[row] does it hold? An empty cell satisfies nothing."""
        cells = columns[self.column]
        satisfied: Bools
        if self.kind == EQUALS:
            satisfied = cells == int(self.value)
        else:
            satisfied = cells <= self.value if self.kind == AT_MOST else cells > self.value
        return satisfied


class SearchDraft(NamedTuple):
    """A rule as grown, of whose tests pruning kept the first few; `length` is infinite where it kept none."""

    kind: DraftKind
    start: int  # tests it began with
    grown: tuple[RipperCondition, ...]
    gains: tuple[float, ...]  # of the tests after those
    kept: int
    value_grown: float
    value: float
    length: float = 0.0

    @property
    def tests(self) -> tuple[RipperCondition, ...]:
        return self.grown[: self.kept]


class SearchStep(NamedTuple):
    """What became of a rule, and of the length of the description."""

    action: RipperAction
    code: int  # the class
    round: int
    position: int
    before: float
    after: float
    drafts: tuple[SearchDraft, ...]


class RipperSearch(NamedTuple):
    """The rules with their classes, the class otherwise, [row] the first rule that takes it, the steps."""

    rules: tuple[tuple[int, tuple[RipperCondition, ...]], ...]
    otherwise: int
    taken: Ints
    steps: tuple[SearchStep, ...]


def search_of(native: tuple[Any, ...]) -> RipperSearch:
    """The native twin's plain tuples under their names."""
    rules, otherwise, taken, steps = native
    return RipperSearch(
        tuple((code, _tests(tests)) for code, tests in rules), otherwise, taken, tuple(map(_step, steps))
    )


def _tests(tests: list[Any]) -> tuple[RipperCondition, ...]:
    return tuple(RipperCondition(*test) for test in tests)


def _step(step: tuple[Any, ...]) -> SearchStep:
    named = SearchStep(*step)
    return named._replace(action=RipperAction(named.action), drafts=tuple(map(_draft, named.drafts)))


def _draft(draft: tuple[Any, ...]) -> SearchDraft:
    kind, start, grown, gains, *rest = draft
    return SearchDraft(DraftKind(kind), start, _tests(grown), tuple(gains), *rest)


# Description length: how many bits encode a class's rules, and then the rows they get wrong?
#
# The coding is that of Cohen (1995), after Quinlan (1995, "MDL and categorical theories (continued)").


def ripper_rule_bits(conditions: int, possible: float) -> float:
    """Bits for one rule: which conditions out of those possible; half of that, as order has no meaning.

    >>> round(ripper_rule_bits(2, 10), 4)
    4.1096
    """
    if not conditions:
        return 0.0
    k, n = float(conditions), max(float(possible), float(conditions))
    return 0.5 * (number_bits(k) + subset_bits(n, k, k / n))


def number_bits(number: float) -> float:
    """Bits for a whole number that could be any (Rissanen 1983): log2 k + log2 log2 k + …, while above 0.

    >>> number_bits(1), number_bits(2), number_bits(16)
    (0.0, 1.0, 7.0)
    """
    bits = 0.0
    while number > 1:
        number = math.log2(number)
        bits += number
    return bits


def ripper_exception_bits(
    covered: float, uncovered: float, false: float, missed: float, share: float
) -> float:
    """Bits for the rows answered wrongly: `false` among the covered ones, `missed` among the others.

    The larger side is encoded with the rate it has if this share of the errors is false, the other with
    its own.

    >>> round(ripper_exception_bits(40, 60, 2, 4, 0.5), 4)
    39.5458
    """
    errors = false + missed
    total = covered + uncovered
    more_covered = better(covered, uncovered, total)
    bits = math.log2(total + 1)
    if covered > 0:
        bits += subset_bits(covered, false, (share * errors if more_covered else false) / covered)
    if uncovered > 0:
        bits += subset_bits(uncovered, missed, (missed if more_covered else (1 - share) * errors) / uncovered)
    return bits


def subset_bits(size: float, marked: float, rate: float) -> float:
    """Bits to encode which of `size` things are marked, for a receiver who expects this rate.

    >>> subset_bits(4, 1, 0.5)
    4.0
    """
    bits = 0.0
    if marked > TIE * size:
        bits += -marked * math.log2(rate) if rate > 0 else math.inf
    if size - marked > TIE * size:
        bits += -(size - marked) * math.log2(1 - rate) if rate < 1 else math.inf
    return bits


# How RIPPER came to its rules: every rule it drafted, with the numbers, and what became of it.


_ACTIONS: Final = {
    RipperAction.ADDED: ("added", ""),
    RipperAction.NOTHING_LEFT: ("stopped", "pruning left no condition"),
    RipperAction.COVERS_NONE: ("stopped", "the rule takes no row of the class"),
    RipperAction.HALF_WRONG: ("stopped", "at least half of the rows it takes are of other classes"),
    RipperAction.TOO_LONG: (
        "stopped",
        f"the description grew by more than {SLACK_BITS:g} bits over the shortest",
    ),
    RipperAction.KEPT: ("kept", "neither the revision nor the replacement gives a shorter description"),
    RipperAction.REVISED: ("revised", "the revision gives the shortest description"),
    RipperAction.REPLACED: ("replaced", "the replacement gives the shortest description"),
    RipperAction.DELETED: ("deleted", "it does not make the description shorter"),
}


@dataclass(frozen=True, slots=True)
class GrownRule(JsonRecord):
    """A rule as grown: pruning kept the first `kept` of its conditions.

    `gains` are FOIL's, condition by condition; those that a revision began with have None. `value_grown` and
    `value` are what pruning compared, before and after: (p + 1)/(p + n + 2) of a new rule, p − n of one
    that is to serve within the whole list, on the rows held back. `bits` is the length of the description
    with the pruned rule in place, None where nothing is left of it or where none was weighed.
    """

    kind: str  # new, revision or replacement
    grown: tuple[Condition, ...]
    gains: tuple[float | None, ...]
    kept: int
    value_grown: float
    value: float
    bits: float | None

    @property
    def when(self) -> tuple[Condition, ...]:
        """The conditions that were left."""
        return self.grown[: self.kept]

    def __str__(self) -> str:
        parts = [
            str(condition) if gain is None else f"{condition} (gain {gain:.4g})"
            for condition, gain in zip(self.grown, self.gains, strict=True)
        ]
        text = f"{self.kind}: {' AND '.join(parts) or 'no condition gains'}"
        if self.kept < len(self.grown):
            text += (
                f"; pruned to {self.kept} of {len(self.grown)} ({self.value_grown:.4g} → {self.value:.4g})"
            )
        return text if self.bits is None else f"{text}; {self.bits:.2f} bits"


@dataclass(frozen=True, slots=True)
class RipperStep(JsonRecord):
    """One decision on a rule of a class; round 0 is the first covering, the later ones optimise.

    `rule` is its place among the class's rules, counted from 1; `bits_before` and `bits_after` are the
    lengths of the class's description.
    """

    answer: str
    round: int
    rule: int
    action: str  # added, stopped, kept, revised, replaced or deleted
    because: str
    bits_before: float
    bits_after: float
    drafts: tuple[GrownRule, ...]

    def __str__(self) -> str:
        heading = f"{self.answer}, round {self.round}, rule {self.rule}: {self.action}"
        if self.because:
            heading += f", for {self.because}"
        bits = f"{self.bits_before:.2f} → {self.bits_after:.2f} bits"
        return "\n".join([f"{heading} ({bits})", *(f"  {draft}" for draft in self.drafts)])

    def to_json(self) -> dict[str, Any]:
        return {"then": self.answer, **json_of(self, "answer")}


def steps_of(learned: RipperSearch, coding: Coding, classes: tuple[str, ...]) -> Steps[RipperStep]:
    """The steps in the schema's terms."""
    return Steps(tuple(_step_in_words(step, coding, classes) for step in learned.steps))


def condition_of(test: RipperCondition, coding: Coding) -> Condition:
    """A test in the schema's words; a step of given cuts is the cut itself."""
    attribute = coding.columns[test.column].attribute
    if test.kind == EQUALS:
        assert isinstance(attribute, Nominal | Ordinal)
        return Equals(attribute.name, attribute.values[int(test.value)])
    assert isinstance(attribute, Numeric)
    limit = attribute.cuts[math.floor(test.value)] if attribute.cuts else test.value
    return AtMost(attribute.name, limit) if test.kind == AT_MOST else Above(attribute.name, limit)


def _step_in_words(step: SearchStep, coding: Coding, classes: tuple[str, ...]) -> RipperStep:
    action, because = _ACTIONS[step.action]
    drafts = tuple(_draft_in_words(draft, coding) for draft in step.drafts)
    answer, position = classes[step.code], step.position + 1
    return RipperStep(answer, step.round, position, action, because, step.before, step.after, drafts)


def _draft_in_words(draft: SearchDraft, coding: Coding) -> GrownRule:
    grown = tuple(condition_of(test, coding) for test in draft.grown)
    gains = (*(None,) * draft.start, *draft.gains)
    weighed = draft.kind != DraftKind.NEW and math.isfinite(draft.length)
    bits = draft.length if weighed else None
    return GrownRule(draft.kind.word, grown, gains, draft.kept, draft.value_grown, draft.value, bits)
