"""A choice as text: the contenders with their scores, who is really better, and which model to take."""

from collections.abc import Callable, Iterator
from typing import Final

from clearwood.models.model import SIZE_IN_WORDS
from clearwood.scoring.intervals import CORRECTED
from clearwood.study.comparing.score_difference import ScoreDifference
from clearwood.study.contest.choice import ModelChoice, answered_words, size_words
from clearwood.study.contest.planning import in_seconds
from clearwood.study.contest.recommending import printed_alike, score_behind, score_words, with_error
from clearwood.study.contest.running import JudgedContender
from clearwood.study.verdict_words import model_verdict_lines
from clearwood.words.columns import in_columns, printable, wrapped
from clearwood.words.numbers import many, p_value

_WIDTH: Final = 100
_TIME: Final = len("<0.01 s")  # the widest: the columns stand alike however fast the machine is


def draw_choice(choice: ModelChoice, in_words: Callable[[str], str] = str) -> str:
    """For a terminal; `in_words` words the advice of a contender's refusal."""
    return "\n".join(_lines(choice, in_words))


def _lines(choice: ModelChoice, in_words: Callable[[str], str]) -> Iterator[str]:
    way = "more" if choice.entry.better == "more" else "less"
    rows = many(len(choice.contest.table), "row")
    heading = (
        f"{printable(choice.target)} of {rows} by {choice.entry.label} ({way} is better): "
        f"{choice.how_judged}, the same rows for all."
    )
    yield from model_verdict_lines(choice.verdict, _WIDTH, in_words)
    yield ""
    yield from wrapped(heading, _WIDTH)
    yield ""
    yield from in_columns(_contender_cells(choice), "figures")
    for name, sentence in choice.table.refused.items():
        yield from wrapped(f"{printable(name)}: {in_words(sentence)}", _WIDTH)
    yield ""
    readable = any(each.readable for each in choice.judged)
    sentences = choice.recommendation.reasons if readable else ("None of these makes a model to read.",)
    yield from wrapped(" ".join(sentences), _WIDTH)
    if sentence := price_sentence(choice):
        yield from wrapped(sentence, _WIDTH)
    yield from wrapped(_signs_in_words(choice), _WIDTH)


def _contender_cells(choice: ModelChoice) -> list[list[str]]:
    """The table in full, with the differences from the best that can be read: a line for each that was
    judged, the best first, and the baseline."""
    answered = ["predicted"] if choice.table.some_silent else []
    corrected = choice.table.corrected_heads
    time = f"{'time':>{_TIME}}"
    made = [["  contender", choice.entry.label, *corrected, *answered, "behind", "p", "size", time]]
    differences = {each.second: each for each in choice.differences}
    chosen = choice.recommendation.name if any(each.readable for each in choice.judged) else ""
    frontier = {each.name for each in choice.frontier}
    for each in choice.judged:
        if each.refused:
            continue
        mark = "→" if each.name == chosen else "·" if each.name in frontier else " "
        scores = score_cells(choice, each, differences.get(each.name))
        made.append([f"{mark} {printable(each.name)}", *scores, size_words(each), in_seconds(each.seconds)])
    for each in choice.judged:
        if each.stopped:  # who was not judged for lack of time stands where he would be looked for
            made.append([f"  {printable(each.name)}", "no time", *[""] * (len(made[0]) - 2)])
    if not choice.baseline.refused:
        made.append(["  baseline", *score_cells(choice, choice.baseline, choice.from_baseline), "", ""])
    return made


def score_cells(
    choice: ModelChoice, each: JudgedContender, found: ScoreDifference | None, *, adjusted: bool = True
) -> list[str]:
    """Its score, which part of the rows it predicts, how far it is behind, and whether that could be luck."""
    answered = [answered_words(each)] if choice.table.some_silent else []
    behind = ["", ""]
    if found is not None:
        p = found.adjusted_p if adjusted else found.p
        behind = [score_behind(choice.entry, found.gain), p_value(p)]
    return [with_error(choice.entry, each), *choice.table.corrected(each), *answered, *behind]


def price_sentence(choice: ModelChoice) -> str:
    """What the last point of the score costs in size; empty where there is no such step."""
    point = choice.last_point
    if point is None or printed_alike(choice.entry, point.gained, 0.0):
        return ""
    gained = score_words(choice.entry, point.gained)
    times = f"{point.times:,.0f} times" if point.times >= 9.5 else f"{point.times:.1f} times"
    return (
        f"The last {gained} of {choice.entry.label}, from {printable(point.cheaper)} to "
        f"{printable(point.best)}, cost {times} as much to read: {point.size_of_cheaper:,} → "
        f"{point.size_of_best:,}."
    )


def _signs_in_words(choice: ModelChoice) -> str:
    """What the signs and columns of the table are."""
    some = choice.differences[0] if choice.differences else None
    test = ""
    if some is not None:
        compared = many(some.comparisons, "comparison")
        test = f" p: {some.test}, adjusted by Holm for {compared}, the baseline's among them."
    corrected = ""
    if choice.table.corrected_heads:
        corrected = " .632+: corrected for samples that lack a third of the rows (Efron and Tibshirani 1997)."
    ahead = any(score_behind(choice.entry, each.gain).startswith("−") for each in choice.differences)
    behind = f" Behind {printable(choice.reference.name)}; with a minus: ahead of it." if ahead else ""
    error = f" by {CORRECTED}, corrected for the rows that the parts share"
    if len(choice.contest.parts) == 1:
        error = ", by resampled rows"
    return (
        f"→ recommended, · on the frontier: nothing smaller is as good.{behind} "
        f"±: the standard error{error}. {SIZE_IN_WORDS}, the median over the parts. Time: for one part."
        f"{test}{corrected}"
    )
