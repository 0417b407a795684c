"""The reason for an answer in words: a row's path, the rules that took it, or the evidence in its cells."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias, assert_never

from clearwood.explaining.by_path import Arrival, ByMembers, ByPath, PathStep
from clearwood.explaining.contributions import Contributions
from clearwood.explaining.one_row import cell_text
from clearwood.explaining.reasons import ByEvidence, ByPoints, ByRules, TestedCondition, TriedRule
from clearwood.formulas.conditions import Condition, Equals, IsMissing, OnNumbers, limits_of
from clearwood.words.columns import display_width, padded
from clearwood.words.numbers import brief, number, percent

_WAYS: Final = 3  # of a divided row that are shown
_LINES: Final = 24  # of them all


def reason_lines(
    reason: ByPath | ByRules | ByEvidence | ByMembers | ByPoints, most: int | None, all_by: str = ""
) -> Iterator[str]:
    """`most`: of rules or cells; None for all, and for every leaf of a divided row, as `all_by` asks for."""
    limited = most is not None
    most = sys.maxsize if most is None else most
    match reason:
        case ByPath():
            yield from _path(reason, all_by, limited=limited)
        case ByRules():
            yield from _rules(reason, most)
        case ByEvidence():
            yield from _evidence(reason, most)
        case ByMembers():
            yield from _members(reason)
            if reason.contributions is not None:
                yield from contribution_lines(reason.contributions, most)
        case ByPoints():
            yield from _points(reason, most)
        case _:
            assert_never(reason)


def _path(reason: ByPath, all_by: str, *, limited: bool) -> Iterator[str]:
    if len(reason.leaves) == 1:
        yield "Why"
        yield from _leaf(reason.leaves[0], reason.classes)
        return
    yield f"Why: the row is divided among {len(reason.leaves)} leaves"
    ranked = sorted(reason.leaves, key=lambda leaf: -leaf.weight)
    shown, used = 0, 0
    for leaf in ranked[: _WAYS if limited else None]:
        lines = [f"  {brief(leaf.weight)} of the row", *(f"  {line}" for line in _leaf(leaf, reason.classes))]
        if limited and used and used + len(lines) > _LINES:
            break
        yield from lines
        shown, used = shown + 1, used + len(lines)
    if rest := ranked[shown:]:
        weight = brief(sum(leaf.weight for leaf in rest))
        by = f": {all_by}" if all_by else ""
        yield f"  {weight} of the row in {counted(len(rest), 'more leaf', 'more leaves')}{by}"


def _leaf(leaf: Arrival, classes: tuple[str, ...]) -> Iterator[str]:
    yield from with_remarks([(str(step.when), _of_step(step)) for step in leaf.steps])
    counts = counts_in_words(classes, leaf.counts)
    borrowed = " of the node above: the leaf has no rows of its own" if leaf.borrowed else ""
    yield f"  {'leaf' if leaf.steps else 'the only leaf'}: {counts}{borrowed}"


def _of_step(step: PathStep) -> str:
    gap = f"'{cell_text(step.cell)}' did not occur in training"
    if step.standing == "missing":
        gap = f"{step.when.name} is missing"
    match step.by:
        case "cell":
            return _beside(step.when, step.cell)
        case "surrogate":
            assert step.surrogate is not None
            other = step.surrogate
            agreement, cell = f"{100 * other.agreement:.3g} %", cell_text(other.cell)
            return f"{gap}; {other.when} stands in (agrees on {agreement} of rows): it is {cell}"
        case "otherwise":
            return f"{gap}; such rows go this way"
        case "every branch":
            return f"{gap}; every branch takes its share, this one {brief(step.share)}"


def _beside(when: Condition, cell: object) -> str:
    """What the cell is, where the condition doesn't say so itself."""
    if isinstance(cell, float):
        limits = limits_of(when) if isinstance(when, OnNumbers) else ()
        near = min((abs(cell - each.number) for each in limits if math.isfinite(each.number)), default=None)
        away = "" if near is None else f", {near:.6g} from the threshold" if near else ", on the threshold"
        return f"it is {number(cell)}{away}"
    if isinstance(when, IsMissing | Equals) and (cell is None) == isinstance(when, IsMissing):
        return "" if not isinstance(when, Equals) or cell == when.value else f"it is {cell}"
    return "it is missing" if cell is None else f"it is {cell}"


def _rules(reason: ByRules, most: int) -> Iterator[str]:
    if not reason.took:
        held = "none of them holds" if reason.rules != 1 else "it does not hold"
        default = "there is no default rule" if reason.otherwise.then is None else "the default rule decides"
        yield f"Why: of {counted(reason.rules, 'rule')} {held}; {default}"
        if any(reason.otherwise.counts):
            yield f"  training rows there: {counts_in_words(reason.classes, reason.otherwise.counts)}"
    elif reason.matching == "first":
        refers = ", and it refers the row" if reason.took[0].rule.then is None else ""
        yield f"Why: rule {reason.took[0].number} of {reason.rules} is the first that holds{refers}"
        yield from _rule(reason.took[0], reason.classes)
    else:
        voting = "one holds" if len(reason.took) == 1 else f"{len(reason.took)} hold"
        yield f"Why: of {counted(reason.rules, 'rule')} {voting}, and their training rows are added up"
        for tried in reason.took[:most]:
            yield f"  rule {tried.number}: {tried.rule}"
            yield from (f"  {line}" for line in _rule(tried, reason.classes))
        if len(reason.took) > most:
            yield f"  and {len(reason.took) - most} more"
    if reason.nearest is not None:
        near = reason.nearest
        earlier = "earlier rule" if reason.matching == "first" and reason.took else "rule"
        fail = "fails" if len(near.failed) == 1 else "fail"
        failed = f"{len(near.failed)} of {counted(len(near.conditions), 'condition')} {fail}"
        yield f"Nearest {earlier} that does not hold: {near.number}, of which {failed}"
        yield f"  {near.rule}"
        yield from _conditions(near.failed)


def _rule(tried: TriedRule, classes: tuple[str, ...]) -> Iterator[str]:
    yield from _conditions(tried.conditions)
    if any(tried.rule.counts):
        yield f"  training rows: {counts_in_words(classes, tried.rule.counts)}"


def _conditions(tests: Iterable[TestedCondition]) -> Iterator[str]:
    return with_remarks([(str(test.when), _beside(test.when, test.cell)) for test in tests])


def _evidence(reason: ByEvidence, most: int) -> Iterator[str]:
    if reason.against is None:
        yield "Why: it is the only class that the model knows"
        return
    begins, *bars = reason.bars
    compared = f", each cell compared with {reason.evidence.compared}" if reason.evidence.compared else ""
    yield f"Why: the odds of {reason.called} against {reason.against}{compared}"
    ranked = sorted(bars, key=lambda bar: -abs(bar.log_odds))
    odds, preposition = math.exp(min(begins.log_odds, 700.0)), "of" if compared else "by"
    lines = [(f"{brief(odds)} to 1", f"{preposition} the {begins.name}")]
    lines += _first_ones(
        [(bar.log_odds, f"{bar.name}: {cell_text(bar.value)}") for bar in ranked], most, _factor
    )
    yield from with_remarks(lines, right=True)
    shares = dict(zip(reason.evidence.classes, reason.evidence.shares, strict=True))
    if reason.evidence.by_limit:
        yield "  each class has a probability of 0 here: the prediction is the limit as smoothing goes to 0"
    elif shares[reason.against] > 0:
        yield f"  in all {brief(shares[reason.called] / shares[reason.against])} to 1"


def _first_ones(
    pieces: Sequence[tuple[float, str]], most: int, written: Callable[[float], str]
) -> list[LineAndRemark]:
    """So many amounts with what they are of, and the others added up."""
    lines = [(written(amount), of) for amount, of in pieces[:most]]
    rest = [amount for amount, _ in pieces[most:]]
    return [*lines, (written(math.fsum(rest)), f"{len(rest)} others together")] if rest else lines


def _factor(log: float) -> str:
    """× for what raises the odds, ÷ for what lowers them."""
    if math.isinf(log):
        return "only it" if log > 0 else "never it"
    return f"{'×' if log >= 0 else '÷'} {brief(math.exp(min(abs(log), 700.0)))}"


def _members(reason: ByMembers) -> Iterator[str]:
    members = counted(reason.members, "member")
    if reason.scores is not None:
        yield f"Why: {members} {'adds' if reason.members == 1 else 'add'} up"
        lines = [
            (_amount(total), f"{name}, from {_amount(base)} to begin with")
            for name, (base, total) in reason.scores.items()
        ]
        yield from with_remarks(lines, right=True)
    elif reason.voices:
        yield f"Why: how {members} {'predicts' if reason.members == 1 else 'predict'}"
        lines = []
        for each in reason.voices:
            # Their part of the weight, where it is not that of their number.
            as_many = abs(each.part - each.members / reason.members) < 1e-9
            weight = "" if as_many else f", {percent(each.part)} % of the weight"
            lines.append((f"{each.members:,}", f"{each.called}{weight}"))
        yield from with_remarks(lines, right=True)
    elif reason.spread is not None:
        low, middle, high = map(brief, reason.spread)
        yield f"Why: it is the mean of {members}, which predict {low} to {high}, half of them up to {middle}"
    else:
        yield f"Why: none of {members} has a prediction"


def contribution_lines(why: Contributions, most: int) -> Iterator[str]:
    """From the mean answer to this one, cell by cell."""
    yield f"What moves {_moved(why)} from its mean of {_amount(why.base)}"
    pieces = [(each.amount, f"{each.name}: {cell_text(each.value)}") for each in why.pieces]
    lines = _first_ones(pieces, most, lambda amount: f"{'+' if amount >= 0 else '−'} {_amount(abs(amount))}")
    yield from with_remarks(lines, right=True)
    yield f"  in all {_amount(why.total)}"


def _moved(why: Contributions) -> str:
    match why.scale:
        case "probability":
            return f"the probability of {why.of}"
        case "votes":
            return f"the part of the votes for {why.of}"
        case "log odds":
            return f"the log odds of {why.of}"
        case "score":
            return f"the score of {why.of}"
        case "log":
            return f"the {why.of}"
        case "number":
            return why.of
        case _:
            assert_never(why.scale)


def _amount(amount: float) -> str:
    return brief(amount).replace("-", "−")


def _points(reason: ByPoints, most: int) -> Iterator[str]:
    yield f"Why: what its cells add to the average row's {brief(reason.base)}"
    ranked = sorted(reason.added, key=lambda each: -abs(each.points))
    pieces = [(each.points, f"{each.name}: {cell_text(each.value)}") for each in ranked]
    lines = _first_ones(pieces, most, lambda points: f"{'+' if points >= 0 else '−'} {brief(abs(points))}")
    yield from with_remarks(lines, right=True)
    yield f"  in all {_amount(reason.total)}"


# Phrases that explanations are made of: short numbers, counts in words, lines in two columns.


LineAndRemark: TypeAlias = tuple[str, str]  # a condition or a cell, and a remark on it

_WIDEST: Final = 44  # of what stands before the words
_FEW: Final = 6  # classes that are all named, with rows or without


def counts_in_words(classes: tuple[str, ...], counts: Sequence[float]) -> str:
    """Rows by class: of many classes only those with rows, the most common first."""
    if not classes:
        return f"{counted(counts[0], 'training row')}, value {brief(counts[1])}"
    by_class = list(zip(classes, counts, strict=True))
    if len(classes) > _FEW:
        by_class = sorted((pair for pair in by_class if pair[1] > 0), key=lambda pair: -pair[1])
    return ", ".join(f"{name} {brief(count)}" for name, count in by_class)


def with_remarks(lines: Iterable[LineAndRemark], *, right: bool = False) -> Iterator[str]:
    """Each line with its remark in a second column, or below it where the line is too wide for that."""
    rows = list(lines)
    wide = [display_width(left) for left, remark in rows if remark]
    width = max((each for each in wide if each <= _WIDEST), default=0)
    for left, remark in rows:
        if remark and display_width(left) > _WIDEST:
            yield f"  {left}"
            yield f"      {remark}"
        else:
            text = padded(left, width, "right" if right else "left") if remark else left
            yield f"  {text}  {remark}".rstrip()


def counted(count: float, one: str, many: str = "") -> str:
    """A number of things.

    >>> counted(1, "rule"), counted(2.5, "training row"), counted(3, "more leaf", "more leaves")
    ('1 rule', '2.5 training rows', '3 more leaves')
    """
    return f"{brief(count)} {one if count == 1 else many or one + 's'}"
