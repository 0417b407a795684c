"""Gaps: the parts of the space that no rule takes, each as wide as it can be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Bools
from clearwood.auditing.findings import Dead, Falling, Gap
from clearwood.auditing.rows import RowWeights, RulesTaking, rules_taking
from clearwood.errors import SettingError
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.space.axes import Axis, Domains, GroupBox, region_text
from clearwood.models.space.input_space import InputSpace, input_space_of
from clearwood.models.space.search import Budget, TooLongError, box_of, find_outside, widened
from clearwood.table.attributes import Numeric
from clearwood.words.numbers import with_and


def gaps_of(work: Work, most: int, weights: RowWeights | None) -> tuple[tuple[Gap, ...], bool]:
    """Up to `most` gaps for rows whose every cell is known, then one for each column where it takes an empty
    cell or a value never met to fall through; and whether there are more of the first kind."""
    boxes = [box for box in work.boxes if box is not None]
    everywhere = work.space.everywhere()
    known = work.space.known()
    regions: list[tuple[Falling, Domains]] = []
    more = False
    try:
        while (part := find_outside(known, boxes, work.budget)) is not None:
            if len(regions) == most:
                more = True
                break
            wide = widened(part, _rules(work), everywhere)
            regions.append(("known", wide))
            boxes.append(box_of(wide, everywhere))
        else:
            _add_strange(work, boxes, known, regions)
    except TooLongError:
        work.unsettled.append(
            f"Not settled within the budget: whether there are gaps beside these {len(regions)}."
        )
        more = True
    gaps = [
        Gap(
            region_text(work.space.axes, wide),
            work.space.example(_preferred(wide, known)),
            because,
            None if weights is None else weights.within(wide),
        )
        for because, wide in regions
    ]
    return tuple(gaps), more


def _add_strange(
    work: Work, boxes: list[GroupBox], known: Domains, regions: list[tuple[Falling, Domains]]
) -> None:
    """Column by column, a gap that only rows with an empty cell or a value never met fall into."""
    everywhere = work.space.everywhere()
    for column, axis in enumerate(work.space.axes):
        for because, cell in _strange_cells(axis):
            only = 1 << axis.group_of[cell]
            if only & known[column]:
                continue  # some known cell fares alike
            for others in (known, everywhere):
                domains = [*others[:column], only, *others[column + 1 :]]
                part = find_outside(domains, boxes, work.budget)
                if part is not None:
                    wide = widened(part, _rules(work), everywhere)
                    regions.append((because, wide))
                    boxes.append(box_of(wide, everywhere))
                    break


def _strange_cells(axis: Axis) -> list[tuple[Falling, int]]:
    last = len(axis.cells) - 1
    missing: tuple[Falling, int] = ("missing", last)
    return [missing] if isinstance(axis.attribute, Numeric) else [("never met", last - 1), missing]


def _rules(work: Work) -> list[GroupBox]:
    return [box for box in work.boxes if box is not None]


def _preferred(domains: Domains, known: Domains) -> Domains:
    """The known part where there is one, so that an example is an everyday row."""
    return [groups & usual or groups for groups, usual in zip(domains, known, strict=True)]


# Rules that change nothing: dead ones never answer, redundant ones answer as the list would without them.


_MOST_BEHIND: Final = 60  # rules among which the few that cover a dead one are sought


def dead_rules(work: Work, is_first: Bools) -> tuple[Dead, ...]:
    """The rules whose every row an earlier rule takes, and which earlier ones do it; of some [rule] a row is
    known that they answer first."""
    dead, open_rules = [], []
    for rule, box in enumerate(work.boxes):
        if box is None or is_first[rule]:
            continue
        region = work.space.within(box)
        match work.settle(region, range(rule)):
            case None:
                open_rules.append(rule)
            case False:
                dead.append(Dead(rule + 1, _behind(work, region, rule)))
    if open_rules:
        work.unsettled.append(
            f"Not settled within the budget: whether {rule_numbers(open_rules)} ever apply."
        )
    return tuple(dead)


def redundant_rules(work: Work, is_needed: Bools, dead: set[int]) -> tuple[int, ...]:
    """The rules, counted from 1, without any one of which every row keeps its answer; dead ones left out."""
    redundant, open_rules = [], []
    for rule, box in enumerate(work.boxes):
        if box is None or is_needed[rule] or rule in dead:
            continue
        try:
            if not _is_needed(work, rule, box):
                redundant.append(rule + 1)
        except TooLongError:
            open_rules.append(rule)
    if open_rules:
        work.unsettled.append(f"Not settled within the budget: whether {rule_numbers(open_rules)} could go.")
    return tuple(redundant)


def _is_needed(work: Work, rule: int, box: GroupBox) -> bool:
    """Is there a row that it answers first, and for which the next in line answers something else?"""
    answer = work.answers[rule]
    before = list(range(rule))
    alike = [r for r in range(rule + 1, len(work.boxes)) if work.answers[r] == answer]
    region = work.space.within(box)
    if work.otherwise != answer and work.outside(region, before + alike) is not None:
        return True
    for other in range(rule + 1, len(work.boxes)):
        theirs = work.boxes[other]
        if theirs is None or work.answers[other] == answer:
            continue
        common = work.space.within(box, theirs)
        sooner = [r for r in alike if r < other]
        if all(common) and work.outside(common, before + sooner) is not None:
            return True
    return False


def _behind(work: Work, region: Domains, rule: int) -> tuple[int, ...]:
    """Few earlier rules that take the whole region: those without which it would not be taken."""
    behind = [
        r
        for r in range(rule)
        if (box := work.boxes[r]) is not None and all(region[c] & groups for c, groups in box)
    ]
    if len(behind) <= _MOST_BEHIND:
        for r in reversed(behind.copy()):
            fewer = [each for each in behind if each != r]
            if work.settle(region, fewer) is False:
                behind = fewer
    return tuple(r + 1 for r in behind)


# What the parts of an audit share: the space, the answers as numbers, and the budget.


_EACH: Final = 20  # one search may use this part of the budget
_MOST_CELLS: Final = 1 << 29  # of groups times rules, a byte each


@dataclass(slots=True)
class Work:
    space: InputSpace
    boxes: list[GroupBox | None]  # [rule] the rows that satisfy it; None where there can be none
    takes: RulesTaking
    answers: npt.NDArray[np.int64]  # [rule] the code of its answer
    otherwise: int  # the code of the default answer
    budget: Budget
    unsettled: list[str] = field(default_factory=list)

    def outside(self, domains: Domains, rules: range | list[int]) -> Domains | None:
        """A part of `domains` that none of these rules takes; None where they take it all."""
        return find_outside(domains, [box for r in rules if (box := self.boxes[r]) is not None], self.budget)

    def settle(self, domains: Domains, rules: range | list[int]) -> bool | None:
        """Is there a row outside of these rules? None: not within the budget."""
        try:
            return self.outside(domains, rules) is not None
        except TooLongError:
            return None


def work_for(rules: RuleList, budget: int) -> Work:
    space = input_space_of([rules])
    if sum(axis.groups for axis in space.axes) * len(rules) > _MOST_CELLS:
        raise SettingError(
            f"{len(rules):,} rules with so many different limits and values need more than"
            f" {_MOST_CELLS >> 20} MB to audit. Audit a part of the list."
        )
    codes = {then: code for code, then in enumerate(dict.fromkeys(rule.then for rule in rules))}
    then = rules.otherwise.then
    otherwise = codes.get(then, -1 if then is None else -2)
    answers = np.array([codes[rule.then] for rule in rules], dtype=np.int64)
    return Work(
        space,
        space.boxes(rules),
        rules_taking(rules, space),
        answers,
        otherwise,
        Budget(max(1, budget // _EACH), budget),
    )


def rule_numbers(rules: list[int]) -> str:
    """Rules, by their place, as a sentence names them: counted from 1.

    >>> rule_numbers([0, 4]), rule_numbers(list(range(30)))
    ('rules 1 and 5', '30 rules, 1, 2, 3, … among them')
    """
    names = [str(r + 1) for r in rules]
    if len(names) > 10:
        return f"{len(names):,} rules, {', '.join(names[:3])}, … among them"
    return f"rule{'' if len(names) == 1 else 's'} {with_and(names)}"
