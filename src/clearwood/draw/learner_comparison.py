"""A comparison of learners as text: mean scores, the difference of every pair, what may be concluded."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from clearwood.draw.difference_table import difference_lines
from clearwood.models.reading_size import SIZE_IN_WORDS
from clearwood.study.comparing.conclusions import short_conclusion
from clearwood.study.comparing.learner_comparison import LearnerComparison
from clearwood.study.comparing.score_difference import ScoreDifference, score_text
from clearwood.words.columns import in_columns, printable, wrapped
from clearwood.words.lists import with_and
from clearwood.words.numbers import percent

_WIDTH: Final = 100
_IN_FULL: Final = 3  # pairs with a sentence each; of more, those with the best


def draw_learner_comparison(comparison: LearnerComparison) -> str:
    """For a terminal."""
    return "\n".join(_lines(comparison))


def _lines(comparison: LearnerComparison) -> Iterator[str]:
    names = with_and(map(printable, comparison.names))
    way = "larger" if comparison.better == "more" else "smaller"
    heading = f"{names} by {comparison.label} ({way} is better): {comparison.design}, the same rows for all."
    yield from wrapped(heading, _WIDTH)
    yield ""
    yield from _scores(comparison)
    yield f"{SIZE_IN_WORDS}, the median over the parts."
    yield ""
    if comparison.differences[0].label != comparison.label:
        yield f"{comparison.differences[0].label} ({comparison.differences[0].test})"
    yield from difference_lines(comparison.differences)
    yield ""
    for sentence in conclusions_in_few(comparison.differences, comparison.best_first[0]):
        yield from wrapped(sentence, _WIDTH)
    if sentence := _bayes(comparison):
        yield from wrapped(sentence, _WIDTH)
    for note in comparison.notes:
        yield ""
        yield from wrapped(note, _WIDTH)


def _scores(comparison: LearnerComparison) -> list[str]:
    means = comparison.means
    some = comparison.differences[0]
    several = len(next(iter(comparison.scores.values()))) > 1
    rows = [["", comparison.label, *(["least", "most"] if several else []), "size"]]
    for name in comparison.best_first:
        scores = np.array(comparison.scores[name])
        known = scores[~np.isnan(scores)]
        ends = (float(known.min()), float(known.max())) if len(known) else (math.nan, math.nan)
        validation = comparison.validations[name]
        row = [printable(name), score_text(some, means[name])]
        row += [score_text(some, end) for end in ends] if several else []
        rows.append([*row, f"{np.median(validation.reading_sizes):,.0f}"])
    return in_columns(rows, "figures")


def conclusions_in_few(differences: tuple[ScoreDifference, ...], best: str) -> list[str]:
    """A sentence for each of a few pairs; of many, what was shown of the best one against each other."""
    if len(differences) <= _IN_FULL:
        return [short_conclusion(each) for each in differences]
    with_best = [each for each in differences if best in (each.first, each.second)]
    worse = [_other(each, best) for each in with_best if each.is_shown and each.ahead == best]
    undecided = [each for each in with_best if each.is_known and not each.is_shown and not each.beware]
    barred = [_other(each, best) for each in with_best if each.beware]
    first = differences[0]
    adjusted = f"adjusted for {first.comparisons} comparisons"
    sentences = []
    if worse:
        sentences.append(
            f"{best} has a better {first.label} than {with_and(worse)} ({first.test}, p at most 0.05, "
            f"{adjusted})."
        )
    if undecided:
        largest = max((each.detectable for each in undecided if not each.has_no_spread), default=0.0)
        others = with_and(_other(each, best) for each in undecided)
        sentences.append(
            f"No difference in {first.label} from {best} was shown for {others} ({adjusted}). That does not "
            f"make them equal: one of up to {score_text(first, largest)} would have been shown four "
            "times in five, smaller ones less often."
        )
    if barred:
        sentences.append(f"Nothing may be concluded of {best} against {with_and(barred)}: see the notes.")
    return sentences


def _other(difference: ScoreDifference, name: str) -> str:
    return difference.second if difference.first == name else difference.first


def _bayes(comparison: LearnerComparison) -> str:
    """What the posterior says of the best and the next, where there is one."""
    best, second = comparison.best_first[:2]
    for each in comparison.differences:
        if {each.first, each.second} == {best, second} and each.posterior is not None:
            posterior = each.posterior
            ahead = posterior.first if each.first == best else posterior.second
            behind = posterior.second if each.first == best else posterior.first
            return (
                f"{best} is better than {second} by more than {score_text(each, each.rope)} with probability "
                f"{percent(ahead)} %, worse with {percent(behind)} %; they are practically equivalent with "
                f"{percent(posterior.equivalent)} % ({posterior.name})."
            )
    return ""
