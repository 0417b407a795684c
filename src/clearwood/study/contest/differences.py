"""How far each contender lies behind the best one, and whether that could be luck."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from clearwood.measures.p_values import normal_quantile
from clearwood.scoring.answer_scores import counting_all_rows
from clearwood.scoring.score import ScoreEntry
from clearwood.study.comparing.paired_rows import (
    PairedRows,
    difference_over_parts,
    differences_of_rows,
    rope_of,
)
from clearwood.study.comparing.score_difference import ScoreDifference, adjusted_by_holm
from clearwood.study.contest.running import Contest, JudgedContender

_SQUARED: Final = {"rmse": "mse", "r2": "mse"}  # scores whose order on the same rows is that of another


def differences_from(
    best: JudgedContender, others: Sequence[JudgedContender], contest: Contest, entry: ScoreEntry
) -> tuple[ScoreDifference, ...]:
    """The best one's score less each other's: by the corrected resampled t-test over the parts (Nadeau and
    Bengio 2003), or over the rows where there is one part; p is adjusted by Holm for their number."""
    made = []
    for other in others:
        each = (
            _over_rows(best, other, contest, entry)
            if len(contest.parts) == 1
            else _over_parts(best, other, contest, entry)
        )
        if each is not None:
            made.append(each)
    return adjusted_by_holm(made)


def _over_parts(
    best: JudgedContender, other: JudgedContender, contest: Contest, entry: ScoreEntry
) -> ScoreDifference | None:
    terms = np.array(best.terms), np.array(other.terms)
    if (~np.isnan(terms[0] - terms[1])).sum() < 2:
        return None
    names = best.name, other.name
    return difference_over_parts(names, terms, contest.by, entry, contest.judged_to_learned)


def _over_rows(
    best: JudgedContender, other: JudgedContender, contest: Contest, entry: ScoreEntry
) -> ScoreDifference | None:
    """By the score's own test over rows, or by the same draws of rows for both."""
    assert best.predictions is not None
    assert other.predictions is not None
    counts = contest.table.weights_are in (None, "counts")
    both = counting_all_rows(best.predictions, entry), counting_all_rows(other.predictions, entry)
    pair = PairedRows(best.name, other.name, *both, counts, contest.stakes)
    wanted = _SQUARED.get(contest.by, contest.by)
    found = next((each for each in differences_of_rows(pair) if each.score == wanted), None)
    if found is None:
        return _over_draws(best, other, contest, entry)
    if wanted == contest.by:
        return found
    return _in_units_of(found, contest.by, entry, best.score, other.score)


def _over_draws(
    best: JudgedContender, other: JudgedContender, contest: Contest, entry: ScoreEntry
) -> ScoreDifference | None:
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
    return ScoreDifference(
        first=best.name,
        second=other.name,
        score=contest.by,
        label=entry.label,
        better=entry.better,
        of_first=best.score,
        of_second=other.score,
        difference=difference,
        interval=(difference - reach, difference + reach),
        test="paired bootstrap of the rows",
        p=p,
        detectable=detectable,
        rope=rope_of(entry, (best.score, other.score)),
    )


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
