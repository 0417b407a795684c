"""Rules that change nothing: dead ones never answer, redundant ones answer as the list would without them."""

from __future__ import annotations

from typing import Final

from clearwood.audit.axes import Domains, GroupBox
from clearwood.audit.findings import Dead
from clearwood.audit.search import TooLongError
from clearwood.audit.witnesses import Tried
from clearwood.audit.work import Work, rule_numbers

_MOST_BEHIND: Final = 60  # rules among which the few that cover a dead one are sought


def dead_rules(work: Work, tried: Tried) -> tuple[Dead, ...]:
    """The rules whose every row an earlier rule takes, and which earlier ones do it."""
    dead, open_rules = [], []
    for rule, box in enumerate(work.boxes):
        if box is None or tried.answers[rule]:
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


def redundant_rules(work: Work, tried: Tried, dead: set[int]) -> tuple[int, ...]:
    """The rules, counted from 1, without any one of which every row keeps its answer; dead ones left out."""
    redundant, open_rules = [], []
    for rule, box in enumerate(work.boxes):
        if box is None or tried.needed[rule] or rule in dead:
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
