"""An explanation in words, for a terminal: the answer, why, and the smallest change that gives another."""

import math
from collections.abc import Iterator
from typing import Final, assert_never

from clearwood.draw.reason import counted, reason_lines
from clearwood.explaining.by_path import ByMembers, ByPath
from clearwood.explaining.evidence import Bar, Evidence
from clearwood.explaining.one_row import cell_text
from clearwood.explaining.reasons import ByRules
from clearwood.explaining.smallest_change import SmallestChange
from clearwood.explaining.why import Explanation
from clearwood.words.columns import display_width, padded, printable
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
    elif isinstance(reason, ByRules) and len(reason.took) == 1 and any(reason.took[0].rule.counts):
        counts = reason.took[0].rule.counts
    else:
        return ""
    return f", from {counted(sum(counts) if reason.classes else counts[0], 'training row')}"


def _change(change: SmallestChange) -> Iterator[str]:
    if not change.cells:
        yield change.because
        return
    goal = "another prediction" if change.answer is not None else "a prediction"
    yield f"Smallest change for {goal}" + ("" if change.proven else " (a smaller one may exist)")
    for each in change.cells:
        yield f"  {each.name}: {cell_text(each.before)} → {cell_text(each.after)}"
    yield f"  then {change.instead}"


# Evidence as bars: what speaks for the answer to the right, what speaks against it to the left.


_LONGEST: Final = 20  # characters of the longest bar
_WIDEST: Final = 40  # of a label


def draw_evidence(
    evidence: Evidence, called: str | None = None, against: str | None = None, *, most: int = 20
) -> str:
    """The log odds of a class against another, one bar per cell or word; they add up to those of the answer.

    Beyond `most` bars the shortest stand together in one line. Without names it is the answer against the
    runner-up.

    >>> shares = (0.8, 0.2)
    >>> print(draw_evidence(Evidence(("yes", "no"), (0.0, 0.0), (), tuple(map(math.log, shares)), shares)))
    yes 0.8, no 0.2: log odds of yes against no
    prior   +0.00  |
    in all  +0.00
    """
    if len(evidence.classes) < 2:
        return f"{evidence.classes[0]} 1: the only class"
    shares_of = ranked_shares(evidence)
    yes, no = sides(evidence, called, against)
    bars = longest_bars(evidence.bars(yes, no), most)
    total = Bar("in all", None, sum_of(bars))
    lines = [(_label(bar), bar.log_odds) for bar in (*bars, total)]
    digits = max(len(f"{odds:+.2f}") for _, odds in lines)
    width = max(display_width(label) for label, _ in lines)
    # The total has no bar: it is the sum of many, and would leave the others no room.
    longest = max((abs(odds) for _, odds in lines[:-1] if math.isfinite(odds)), default=0.0)
    farthest = max((-odds for _, odds in lines[:-1]), default=0)
    left = round(_LONGEST * min(1, farthest / longest)) if longest else 0
    shares = ", ".join(f"{printable(name)} {share:.4g}" for name, share in shares_of.items())
    compared = f", compared with {printable(evidence.compared)}" if evidence.compared else ""
    head = f"{shares}: log odds of {printable(yes)} against {printable(no)}{compared}"
    figures = [f"{odds:+{digits}.2f}".replace("-", "−") for _, odds in lines]
    drawn = [_bar(odds, longest, max(left, 0)) for _, odds in lines[:-1]] + [""]
    body = [
        f"{padded(label, width)}  {odds}  {bar}"
        for (label, _), odds, bar in zip(lines, figures, drawn, strict=True)
    ]
    return "\n".join([head, *(line.rstrip() for line in body)])


def ranked_shares(evidence: Evidence) -> dict[str, float]:
    """The probabilities by class, the largest first."""
    shares = zip(evidence.classes, evidence.shares, strict=True)
    return dict(sorted(shares, key=lambda each: -each[1]))


def sides(evidence: Evidence, called: str | None, against: str | None) -> tuple[str, str]:
    """The class that evidence is for, and the one that it is against: unless named, answer and runner-up."""
    ranked = ranked_shares(evidence)
    yes = called or next(iter(ranked))
    return yes, against or next(name for name in ranked if name != yes)


def longest_bars(bars: tuple[Bar, ...], most: int) -> list[Bar]:
    """The prior, then the longest bars in their order, then the others as one."""
    if len(bars) <= most + 1:
        return list(bars)
    by_length = sorted(range(1, len(bars)), key=lambda i: -abs(bars[i].log_odds))
    shown = sorted(by_length[:most])
    others = [bars[i] for i in by_length[most:]]
    rest = Bar(f"{len(others)} others", None, sum_of(others))
    return [bars[0], *(bars[i] for i in shown), rest]


def sum_of(bars: list[Bar]) -> float:
    infinite = {bar.log_odds for bar in bars if math.isinf(bar.log_odds)}
    if infinite:
        return infinite.pop() if len(infinite) == 1 else math.nan
    return math.fsum(bar.log_odds for bar in bars)


def _label(bar: Bar) -> str:
    if bar.value is None:
        return printable(bar.name)
    label = printable(f"{bar.name}: {cell_text(bar.value)}")
    return label if len(label) <= _WIDEST else label[: _WIDEST - 1] + "…"


def _bar(odds: float, longest: float, left: int) -> str:
    part = 0 if not longest or math.isnan(odds) else min(1.0, abs(odds) / longest)
    size = round(_LONGEST * part)
    if odds < 0:
        size = min(size, left)
        return " " * (left - size) + "█" * size + "|"
    return " " * left + "|" + "█" * size
