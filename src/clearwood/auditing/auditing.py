"""`audit`: what is certain about a rule list, everywhere in its space, by algebra and not by trial."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, TypeAlias

import numpy as np

from clearwood.arrays import Bools
from clearwood.auditing.findings import Audit, Dead, Impossible, Pair
from clearwood.auditing.gaps import Work, dead_rules, gaps_of, redundant_rules, work_for
from clearwood.auditing.rows import RowWeights, row_weights, try_rows
from clearwood.errors import SettingError
from clearwood.learners.rules.rules_of import rules_of
from clearwood.models.model import RuleList, Tree, check_kind
from clearwood.models.space.axes import Domains
from clearwood.models.space.search import TooLongError, find_outside, narrow, widened
from clearwood.words.numbers import number

BUDGET: Final = 10_000_000  # boxes looked at: some seconds


def audit(rules: RuleList | Tree, table: Any = None, *, most: int = 20, budget: int = BUDGET) -> Audit:
    """Overlaps, conflicts, gaps, dead and redundant rules, and what the order of the rules decides.

    Every row that could be is considered: any number, any value of the schema, a value never met, an empty
    cell. Each finding comes with a row that shows it. With a `table` (or what one can be made of) the
    findings also say how many of its rows they concern. A tree is audited by its rules. Up to `most` pairs
    and gaps are listed of each kind. The questions are hard ones for some lists: `budget` bounds the work,
    and what it leaves open is listed in `unsettled`; all that is reported is certain.

    >>> from clearwood import Nominal, Numeric, Schema
    >>> from clearwood.models.kinds.rules.rule_reading import parse_rules
    >>> wind, humidity = Nominal("Wind", ("Weak", "Strong")), Numeric("Humidity")
    >>> schema = Schema((wind, humidity), Nominal("Play", ("Yes", "No")))
    >>> findings = audit(parse_rules("IF Wind = Weak THEN Yes\\nIF Humidity > 75 THEN No", schema))
    >>> findings.conflicts
    (Pair(first=1, second=2, example={'Wind': 'Weak', 'Humidity': 76.0}, decides=True, rows=None),)
    >>> print(findings.gaps[0].region)
    (Wind = Strong or never met or missing) AND (Humidity ≤ 75 or missing)
    """
    check_kind("audit", rules, RuleList, Tree)
    if most < 0 or budget < 0:
        raise SettingError("most and budget must be 0 or more.")
    if isinstance(rules, Tree):
        rules = rules_of(rules)
    work = work_for(rules, budget)
    weights = None if table is None else row_weights(rules, work.space, table)
    gaps, more_gaps = gaps_of(work, most, weights)
    dead: tuple[Dead, ...] = ()
    redundant: tuple[int, ...] = ()
    if rules.matching == "first":
        is_first, is_needed = try_rows(work.boxes, work.takes, work.answers, work.otherwise)
        dead = dead_rules(work, is_first)
        redundant = redundant_rules(work, is_needed, {each.rule - 1 for each in dead})
    pairs = pairs_of(work, most, weights, vote=rules.matching == "vote")
    then = rules.otherwise.then
    return Audit(
        rules=len(rules),
        matching=rules.matching,
        impossible=tuple(_impossible(rules, work)),
        dead=dead,
        redundant=redundant,
        conflicts=pairs.conflicts,
        conflicts_in_all=pairs.conflicts_in_all,
        decided_by_order=pairs.decided_by_order,
        overlaps=pairs.overlaps,
        overlaps_in_all=pairs.overlaps_in_all,
        gaps=gaps,
        more_gaps=more_gaps,
        uncovered=None if weights is None else weights.uncovered,
        weight=None if weights is None else weights.all,
        otherwise="" if then is None else then if isinstance(then, str) else number(then),
        unsettled=tuple(work.unsettled),
    )


def _impossible(rules: RuleList, work: Work) -> Iterator[Impossible]:
    """The rules that no row satisfies, each with the conditions that shut each other out."""
    for place, (rule, box) in enumerate(zip(rules, work.boxes, strict=True)):
        if box is None:
            column = next(c for c, takes in enumerate(work.takes) if not takes[:, place].any())
            name = work.space.axes[column].name
            conditions = [str(condition) for condition in rule.when if condition.name == name]
            yield Impossible(place + 1, f"no cell satisfies {' AND '.join(conditions)}")


# Pairs of rules that a row can satisfy at once: in agreement an overlap, else a conflict.


_BLOCK: Final = 1 << 24  # pairs looked at together


@dataclass(frozen=True, slots=True)
class Pairs:
    """Conflicts and overlaps: how many, in how many conflicts the order decides, and some of them."""

    conflicts: tuple[Pair, ...]
    conflicts_in_all: int
    decided_by_order: int
    overlaps: tuple[Pair, ...]
    overlaps_in_all: int


def pairs_of(work: Work, most: int, weights: RowWeights | None, *, vote: bool) -> Pairs:
    """Up to `most` of each kind: those with most rows of the table, or those that the order decides, first.

    Where rules vote their order decides nothing.
    """
    conflicts: list[RulePair] = []
    overlaps: list[RulePair] = []
    in_all = 0
    for start, meet in _meetings(work):
        differ = work.answers[start : start + len(meet), None] != work.answers
        conflicts += [(start + i, j) for i, j in np.argwhere(meet & differ).tolist()]
        agree = meet & ~differ
        in_all += int(np.count_nonzero(agree))
        overlaps += _some(agree, start, most, weights)
    decided, left_open = ({}, set()) if vote else decided_by_order(work, conflicts)
    if left_open:
        work.unsettled.append(
            f"Not settled within the budget: whether the order decides in {len(left_open):,} more conflicts."
        )
    if weights is None:
        conflicts.sort(key=lambda pair: pair not in decided)
    else:
        conflicts.sort(key=lambda pair: -weights.both[pair])
        overlaps.sort(key=lambda pair: -weights.both[pair])

    def shown(pair: RulePair) -> Pair:
        example = work.space.example(decided.get(pair) or _common(work, pair))
        rows = None if weights is None else float(weights.both[pair])
        decides = None if pair in left_open else pair in decided
        return Pair(pair[0] + 1, pair[1] + 1, example, decides, rows)

    return Pairs(
        tuple(map(shown, conflicts[:most])),
        len(conflicts),
        len(decided),
        tuple(map(shown, overlaps[:most])),
        in_all,
    )


def _meetings(work: Work) -> Iterator[tuple[int, Bools]]:
    """Block by block: its first rule, and [rule of the block, later rule] can a row satisfy both?"""
    n = len(work.boxes)
    size = max(1, _BLOCK // max(1, n))
    possible = np.array([box is not None for box in work.boxes], dtype=np.bool_)
    for start in range(0, n, size):
        block = np.arange(start, min(n, start + size))
        meet = possible[block, None] & possible & (block[:, None] < np.arange(n))
        for takes in work.takes:
            shared = takes.astype(np.float32)
            meet &= (shared[:, block].T @ shared) > 0
        yield start, meet


def _some(which: Bools, start: int, most: int, weights: RowWeights | None) -> list[RulePair]:
    """Up to `most` pairs of a block, those with most rows first."""
    pairs = [(start + i, j) for i, j in np.argwhere(which).tolist()]
    if weights is not None:
        pairs.sort(key=lambda pair: -weights.both[pair])
    return pairs[:most]


def _common(work: Work, pair: RulePair) -> Domains:
    one, two = work.boxes[pair[0]], work.boxes[pair[1]]
    assert one is not None
    assert two is not None
    return work.space.within(one, two)


# The order of rules: between which two of them does it decide, and on what rows?


RulePair: TypeAlias = tuple[int, int]  # of two rules, counted from 0, the earlier one first


def decided_by_order(work: Work, conflicts: list[RulePair]) -> tuple[dict[RulePair, Domains], set[RulePair]]:
    """The conflicts on some row of which no rule before both holds, each with such a part of the space; and
    those left open. `conflicts` go by their earlier rule."""
    decided: dict[RulePair, Domains] = {}
    left_open: set[RulePair] = set()
    for first, pairs in groupby(conflicts, key=lambda pair: pair[0]):
        _behind(work, first, [second for _, second in pairs], decided, left_open)
    return decided, left_open


def _behind(
    work: Work, first: int, seconds: list[int], decided: dict[RulePair, Domains], left_open: set[RulePair]
) -> None:
    own = work.boxes[first]
    assert own is not None
    region = work.space.within(own)
    before = narrow(region, [box for box in work.boxes[:first] if box is not None])
    if before is None:
        return  # the first of them is dead
    boxes = {second: work.boxes[second] or () for second in seconds}
    for second in seconds:
        if (first, second) in decided:
            continue
        common = [*region]
        for column, groups in boxes[second]:
            common[column] &= groups
        if not all(common):
            continue
        try:
            outside = find_outside(common, before, work.budget)
        except TooLongError:
            left_open.add((first, second))
            continue
        if outside is None:
            continue
        # What is free of earlier rules here is wide: most of the other rules reach into it too.
        wide = widened(outside, before, region)
        decided[first, second] = outside
        for other, box in boxes.items():
            if (first, other) not in decided and all(wide[column] & groups for column, groups in box):
                reached = [*wide]
                for column, groups in box:
                    reached[column] &= groups
                decided[first, other] = reached
                left_open.discard((first, other))
