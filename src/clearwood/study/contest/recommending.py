"""Which model to take, and why: the simplest readable one within one standard error of the best."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import eq
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np

from clearwood.errors import SettingError
from clearwood.measures.inference import normal_quantile
from clearwood.scoring import Better, ScoreEntry
from clearwood.scoring.answer_scores import counting_all_rows
from clearwood.scoring.differences.paired import MeanDifference
from clearwood.study.comparing.score_difference import (
    PairedRows,
    ScoreDifference,
    adjusted_by_holm,
    difference_over_parts,
    differences_of_rows,
    rope_of,
)
from clearwood.study.contest.running import Contest, JudgedContender
from clearwood.words.numbers import amount, p_value

if TYPE_CHECKING:
    pass


if TYPE_CHECKING:
    from clearwood.study.contest.choice import ModelChoice

HowNear: TypeAlias = Literal["one standard error"] | float
ONE_ERROR: Final = "one standard error"


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The name of the contender to take, and the reasons in sentences."""

    name: str
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.reasons)


def best_contender(
    judged: Sequence[JudgedContender], better: Better, within: HowNear = ONE_ERROR, *, simplest: bool = True
) -> JudgedContender:
    """The readable contender with the best score; or the smallest whose score is within so much of it."""
    readable = [each for each in better_first(judged, better) if each.readable and not each.refused]
    if not readable:
        raise SettingError("None of these contenders makes a model that can be read. Add one, such as C45().")
    best = readable[0]
    if not simplest:
        return best
    reach = best.standard_error if within == ONE_ERROR else within
    if isinstance(reach, str) or reach < 0:
        raise SettingError(f"within is '{ONE_ERROR}', or a number from 0 up, not {within!r}.")
    reach = 0.0 if math.isnan(reach) else reach
    near = [each for each in readable if abs(each.score - best.score) <= reach]
    return min(near, key=lambda each: (each.size or 0, readable.index(each)))


def recommended(choice: ModelChoice) -> Recommendation:
    """The simplest readable contender within one standard error of the best, and why."""
    entry = choice.entry
    best, chosen = choice.best(simplest=False), choice.best()
    reasons = [
        f"Take {chosen.name}: {entry.label} {with_error(entry, chosen)}, reading size {chosen.size:,}.",
        _why(choice, best, chosen),
        *_against_baseline(choice, best),
        *_against_reference_models(choice, best),
    ]
    if sum(each.readable and not each.refused for each in choice.judged) > 1:
        reasons.append(
            "These rows chose among the contenders: on others expect the one chosen to do a little less well."
        )
    return Recommendation(chosen.name, tuple(reasons))


def score_words(entry: ScoreEntry, value: float) -> str:
    """A score in as many digits as are worth reading.

    >>> score_words(ScoreEntry("accuracy", "", "answers", "more", ""), 0.86251)
    '0.863'
    """
    if math.isnan(value):
        return "–"
    return f"{value:.3f}" if is_share(entry) else amount(value)


def printed_alike(entry: ScoreEntry, one: float, other: float) -> bool:
    """Can a reader of the table not tell these scores apart, or is what lies between them printed as 0?"""
    if score_words(entry, one) == score_words(entry, other):
        return True
    return score_words(entry, abs(one - other)) == score_words(entry, 0.0)


def score_behind(entry: ScoreEntry, gain: float) -> str:
    """How far a score lies behind another; with a minus it is ahead.

    >>> accuracy = ScoreEntry("accuracy", "", "answers", "more", "")
    >>> score_behind(accuracy, 0.02), score_behind(accuracy, -0.008), score_behind(accuracy, -0.0001)
    ('0.020', '−0.008', '0.000')
    """
    text = score_words(entry, abs(gain))
    return f"−{text}" if gain < 0 and text != score_words(entry, 0.0) else text


def is_share(entry: ScoreEntry) -> bool:
    """Does the score lie between 0 and 1, more being better?"""
    return entry.of != "numbers" and entry.better == "more"


def with_error(entry: ScoreEntry, judged: JudgedContender) -> str:
    """The score and its standard error."""
    error = judged.standard_error
    digits = f"{error:.3f}" if is_share(entry) else f"{error:.2g}"
    return score_words(entry, judged.score) + ("" if math.isnan(error) else f" ± {digits}")


def _why(choice: ModelChoice, best: JudgedContender, chosen: JudgedContender) -> str:
    readable = [each for each in choice.judged if each.readable and not each.refused]
    if len(readable) == 1:
        return "It is the only one that can be read."
    if chosen.size == 0:
        return "It predicts the same for every row: these rows show nothing that is worth reading."
    if chosen is best:
        if any((each.size or 0) < (best.size or 0) for each in readable):
            return (
                "It is the best of the readable ones, and nothing smaller is within one standard error of it."
            )
        return "It is the best of the readable ones, and none is smaller."
    times = (best.size or 0) / max(chosen.size or 0, 1)
    more = f"{times:,.0f} times as much" if times >= 1.95 else "more"
    sentence = (
        f"{best.name} scores best, {with_error(choice.entry, best)}, but there is {more} to read "
        f"({best.size:,}), and {chosen.name} is within one standard error of it"
    )
    difference = _difference(choice, chosen.name)
    if difference is None or not difference.is_known:
        return f"{sentence}."
    p = f"(p {p_value(difference.adjusted_p)})"
    if not difference.is_shown:
        return f"{sentence}; that they differ at all is not shown {p}."
    apart = score_words(choice.entry, abs(difference.difference))
    return f"{sentence}; the difference of {apart} is small but real {p}."


def _against_baseline(choice: ModelChoice, best: JudgedContender) -> list[str]:
    tested = choice.from_baseline
    if choice.baseline.refused or tested is None or not tested.is_known:
        return []
    if tested.is_shown and tested.gain > 0:
        return []
    score = score_words(choice.entry, choice.baseline.score)
    if tested.gain < 0:
        return [
            f"But the same prediction for every row does better here, {score}: by these rows none that can "
            "be read is worth taking."
        ]
    p = p_value(tested.adjusted_p)
    return [f"The baseline gets {score}: that {best.name} is better is not shown (p {p})."]


def _against_reference_models(choice: ModelChoice, best: JudgedContender) -> list[str]:
    ahead = next((each for each in choice.judged if not each.readable and not each.refused), None)
    if ahead is None:
        return []
    difference = _difference(choice, ahead.name)
    named = f"{ahead.name} ({score_words(choice.entry, ahead.score)})"
    if difference is None or not difference.is_known:
        return [f"The best of the models that are not readable is {named}."]
    p = f"p {p_value(difference.adjusted_p)}"
    if difference.gain >= 0:
        return [f"The best of the models that are not readable, {named}, scores no better here."]
    if difference.is_shown:
        apart = score_words(choice.entry, abs(difference.difference))
        better = f"is better than {best.name} by {apart} ({p})"
        return [f"What reading costs: {named}, which is not readable, {better}."]
    return [f"That {named}, which is not readable, is better than {best.name} is not shown ({p})."]


def _difference(choice: ModelChoice, name: str) -> ScoreDifference | None:
    return next((each for each in choice.differences if each.second == name), None)


# The frontier of readable models: those that nothing smaller is as good as; and what its last step costs.


_POINT: Final = 0.01  # of a share a percentage point, of another score 1 %


@dataclass(frozen=True, slots=True)
class LastPoint:
    """What the last point of the score costs: from the smallest model within it to the best one.

    `gained` is by how much the score gets better (0 or more), `times` how many times as much there is to
    read.
    """

    cheaper: str
    best: str
    gained: float
    size_of_cheaper: int
    size_of_best: int

    @property
    def times(self) -> float:
        return self.size_of_best / max(self.size_of_cheaper, 1)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {
            "from": self.cheaper,
            "to": self.best,
            "gained": self.gained,
            "size_from": self.size_of_cheaper,
            "size_to": self.size_of_best,
        }


def better_first(judged: Iterable[JudgedContender], better: Better) -> list[JudgedContender]:
    """By score, of equal ones the smaller first; those without a score are last, as they came."""
    sign = -1 if better == "more" else 1
    known = [each for each in judged if not each.refused]
    refused = [each for each in judged if each.refused]
    size = float("inf")
    known.sort(key=lambda each: (sign * each.score, size if each.size is None else each.size))
    return known + refused


def frontier_of(
    judged: Iterable[JudgedContender], better: Better, alike: Callable[[float, float], bool] = eq
) -> tuple[JudgedContender, ...]:
    """The readable ones, from small to large, each better than all that are smaller. Scores that are `alike`,
    such as those that are printed alike, are equally good."""
    readable = [each for each in better_first(judged, better) if each.readable]
    on_it: list[JudgedContender] = []
    level = math.nan  # the best score among those alike with the last one
    for each in readable:  # the best first: whoever is better than those to come must also be smaller
        if on_it and _size(each) >= _size(on_it[-1]):
            continue
        if on_it and alike(level, each.score):
            on_it[-1] = each
        else:
            on_it.append(each)
            level = each.score
    return tuple(reversed(on_it))


def last_point(frontier: Sequence[JudgedContender], better: Better, *, is_share: bool) -> LastPoint | None:
    """From the smallest on the frontier within a point of the best; where none is, from the next one. None
    where one model alone is on it."""
    frontier = [each for each in frontier if each.size]  # of a constant answer there is no price
    if len(frontier) < 2:
        return None
    best = frontier[-1]
    point = _POINT if is_share else _POINT * abs(best.score)
    within = [each for each in frontier[:-1] if _behind(each, best, better) <= point]
    cheaper = within[0] if within else frontier[-2]
    gained = _behind(cheaper, best, better)
    return LastPoint(cheaper.name, best.name, gained, _size(cheaper), _size(best))


def _behind(one: JudgedContender, best: JudgedContender, better: Better) -> float:
    return best.score - one.score if better == "more" else one.score - best.score


def _size(judged: JudgedContender) -> int:
    assert judged.size is not None
    return judged.size


# How far each contender lies behind the best one, and whether that could be luck.


_SQUARED: Final = {"rmse": "mse", "r2": "mse"}  # scores whose order on the same rows is that of another


def differences_from(
    best: JudgedContender, others: Sequence[JudgedContender], contest: Contest
) -> tuple[ScoreDifference, ...]:
    """The best one's score less each other's: by the corrected resampled t-test over the parts (Nadeau and
    Bengio 2003), or over the rows where there is one part; p is adjusted by Holm for their number."""
    made = []
    for other in others:
        if len(contest.parts) == 1:
            made.append(_over_rows(best, other, contest))
            continue
        terms = np.array(best.terms), np.array(other.terms)
        if (~np.isnan(terms[0] - terms[1])).sum() >= 2:
            names, shared = (best.name, other.name), contest.judged_to_learned
            made.append(difference_over_parts(names, terms, contest.by, contest.entry, shared))
    return adjusted_by_holm([each for each in made if each is not None])


def _over_rows(best: JudgedContender, other: JudgedContender, contest: Contest) -> ScoreDifference | None:
    """By the score's own test over rows, or by the same draws of rows for both."""
    assert best.predictions is not None
    assert other.predictions is not None
    counts, entry = contest.table.weights_are in (None, "counts"), contest.entry
    both = counting_all_rows(best.predictions, entry), counting_all_rows(other.predictions, entry)
    pair = PairedRows(best.name, other.name, *both, counts, contest.stakes)
    wanted = _SQUARED.get(contest.by, contest.by)
    found = next((each for each in differences_of_rows(pair) if each.score == wanted), None)
    if found is None:
        return _over_draws(best, other, contest)
    if wanted == contest.by:
        return found
    return _in_units_of(found, contest.by, entry, best.score, other.score)


def _over_draws(best: JudgedContender, other: JudgedContender, contest: Contest) -> ScoreDifference | None:
    """The paired bootstrap (Efron and Tibshirani 1993, chapters 13 and 16): both are scored on the same rows
    drawn anew, and the spread of the differences is that of a normal distribution. None where hardly any draw
    has both scores."""
    apart = np.array(best.drawn) - np.array(other.drawn)
    apart = apart[~np.isnan(apart)]
    if len(apart) < 2:
        return None
    difference, error = best.score - other.score, float(np.std(apart, ddof=1))
    p, reach, detectable = math.nan, math.nan, math.nan
    if error > 0:
        p = math.erfc(abs(difference) / error / math.sqrt(2))
        two_sided, four_in_five = normal_quantile([0.975, 0.8]).tolist()
        reach, detectable = two_sided * error, (two_sided + four_in_five) * error
    scores, entry = (best.score, other.score), contest.entry
    found = MeanDifference(difference, error, math.inf, "paired bootstrap of the rows")
    named = contest.by, entry.label, entry.better
    made = ScoreDifference.of_means((best.name, other.name), named, scores, found, rope_of(entry, scores))
    ends = difference - reach, difference + reach
    return replace(made, interval=ends, p=p, detectable=detectable)


def _in_units_of(
    found: ScoreDifference, by: str, entry: ScoreEntry, of_first: float, of_second: float
) -> ScoreDifference:
    """A difference of squared errors as one of the score that follows from them: so many times as large, and
    so are the ends of its interval."""
    apart = of_first - of_second
    times = apart / found.difference if found.difference else 0.0
    low, high = sorted(end * times for end in found.interval)
    return replace(
        found,
        score=by,
        label=entry.label,
        better=entry.better,
        of_first=of_first,
        of_second=of_second,
        difference=apart,
        interval=(low, high),
        detectable=found.detectable * abs(times),
        rope=found.rope * abs(times),
    )
