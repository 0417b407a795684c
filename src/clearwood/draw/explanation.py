"""An explanation in words, for a terminal: the answer, why, and the smallest change that gives another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from clearwood.draw.reason import counted, reason_lines
from clearwood.explain.by_members import ByMembers
from clearwood.explain.by_path import ByPath
from clearwood.explain.one_row import cell_text
from clearwood.explain.reasons import ByRules
from clearwood.explain.smallest_change import SmallestChange
from clearwood.explain.why import Explanation
from clearwood.words.columns import printable
from clearwood.words.numbers import brief, number


def draw_explanation(explanation: Explanation, *, most: int | None = 10, all_by: str = "") -> str:
    """At most a screen: beyond `most` rules or cells, and beyond a few leaves, the least are only counted,
    and `all_by` says how to see them. With None all of it."""
    why = reason_lines(explanation.reason, most, all_by)
    lines = [*_head(explanation), *explanation.notes, "", *why, "", *_change(explanation.change)]
    return "\n".join(printable(line) for line in lines).rstrip()


def _head(explanation: Explanation) -> Iterator[str]:
    answer, shares = explanation.answer, explanation.shares
    between = ""
    if explanation.interval is not None:
        low, high = explanation.interval
        between = f" (95 % interval {brief(low)} to {brief(high)})"
    if answer is None:
        yield f"{explanation.target} is left without a prediction."
    elif isinstance(answer, float):
        what = explanation.target
        if explanation.predicted not in ("", what):
            what = f"T{explanation.predicted[1:]}"
        yield f"{what} is {brief(answer)}{_rows(explanation.reason)}{between}."
    elif shares is None:
        several = isinstance(explanation.reason, ByRules) and len(explanation.reason.took) > 1
        which = "these rules" if several else "this rule"
        yield f"{explanation.target} is {answer}: no rows were counted for {which}."
    else:
        share = brief(shares[answer])
        rows = _rows(explanation.reason)
        voted = isinstance(explanation.reason, ByMembers) and explanation.reason.combined_by == "votes"
        meaning = "part of the votes" if voted else "probability"
        yield f"{explanation.target} is {answer}: {meaning} {share}{rows}{between}."
        likeliest = max(shares, key=shares.__getitem__)
        if shares[likeliest] > shares[answer]:
            larger = brief(shares[likeliest])
            yield f"{likeliest} is more probable, {larger}: {_decided(explanation)}."


def _decided(explanation: Explanation) -> str:
    """What chose a class that is not the likeliest."""
    match explanation.decided_by:
        case "cutoff":
            assert explanation.cutoff is not None
            positive, at = explanation.cutoff.positive, number(explanation.cutoff.at)
            return f"the cutoff decides, {positive} from a probability of {at} on"
        case "rule":
            return "the rule decides"
        case "costs" | "share":
            return "the costs of mistakes decide"
        case _:
            assert_never(explanation.decided_by)


def _rows(reason: object) -> str:
    """How many training rows stand behind the answer, where that is one leaf's or one rule's."""
    if isinstance(reason, ByPath) and len(reason.leaves) == 1:
        counts = reason.leaves[0].counts
        weight = sum(counts) if reason.classes else counts[0]
    elif isinstance(reason, ByRules) and len(reason.took) == 1 and any(reason.took[0].rule.counts):
        counts = reason.took[0].rule.counts
        weight = sum(counts) if reason.classes else counts[0]
    else:
        return ""
    return f", from {counted(weight, 'training row')}"


def _change(change: SmallestChange) -> Iterator[str]:
    if not change.cells:
        yield change.because
        return
    goal = "another prediction" if change.answer is not None else "a prediction"
    yield f"Smallest change for {goal}" + ("" if change.proven else " (a smaller one may exist)")
    for each in change.cells:
        yield f"  {each.name}: {cell_text(each.before)} → {cell_text(each.after)}"
    yield f"  then {change.instead}"
