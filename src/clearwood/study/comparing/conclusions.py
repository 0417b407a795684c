"""What may be concluded from the difference of two contenders, and what may not."""

from __future__ import annotations

import math

from clearwood.scoring import SCORES
from clearwood.study.comparing.score_difference import ALPHA, ScoreDifference, score_text
from clearwood.words.numbers import p_value


def conclusion_of(difference: ScoreDifference) -> str:
    """The figures and what they show, in one or two sentences.

    >>> two = ScoreDifference(first="a", second="b", score="accuracy", label="accuracy", better="more",
    ...     of_first=0.93, of_second=0.91, difference=0.02, interval=(-0.01, 0.05), test="a test", p=0.2,
    ...     adjusted_p=0.2, detectable=0.04, rope=0.01)
    >>> conclusion_of(two).partition(". ")[0]
    'accuracy of a 0.9300, of b 0.9100: 0.0200, −0.0100 to 0.0500 at 95 % (a test, p 0.2000)'
    """
    d = difference
    if not d.is_known:
        return short_conclusion(d)
    low, high = (score_text(d, end) for end in d.interval)
    interval = "" if d.has_no_spread else f", {low} to {high} at 95 %"
    p = f"p {p_value(d.p)}"
    if d.comparisons > 1:
        p += f", {p_value(d.adjusted_p)} adjusted for {d.comparisons} comparisons"
    figures = (
        f"{d.label} of {d.first} {score_text(d, d.of_first)}, of {d.second} {score_text(d, d.of_second)}: "
        f"{score_text(d, d.difference)}{interval} ({d.test}, {p})."
    )
    return f"{figures} {short_conclusion(d)}"


def short_conclusion(difference: ScoreDifference) -> str:
    """What the figures show, without them."""
    d = difference
    names = f"{d.first} and {d.second}"
    if d.beware:
        return f"Nothing may be concluded of the {d.label} of {names}: {d.beware}."
    if not d.is_known:
        return (
            f"By {d.label} nothing can be said of {names}: there are too few rows or parts for a test, or "
            "all of them give the same difference."
        )
    if d.has_no_spread:
        return (
            f"No difference in {d.label} was shown between {names}, whose scores are the same throughout. "
            "That does not make them equal on other rows."
        )
    rope = f"± {score_text(d, d.rope)}"
    if d.is_shown:
        behind = d.second if d.ahead == d.first else d.first
        sentence = f"{d.ahead} has a better {d.label} than {behind}."
        if d.is_equivalent:
            sentence += f" Practically they are the same: the whole interval lies within {rope}."
        return sentence
    if d.is_equivalent:
        return (
            f"{names} are practically equivalent in {d.label}: no difference was shown, and the whole "
            f"interval lies within {rope}."
        )
    alone = ""
    if d.p <= ALPHA:
        alone = f" (p {p_value(d.p)} would do for one comparison, but there are {d.comparisons})"
    shown = f"No difference in {d.label} was shown between {names}{alone}. That does not make them equal: "
    if d.detectable > _largest(d):
        return f"{shown}these are too few rows to show any difference that there can be."
    return (
        f"{shown}a true difference of {score_text(d, d.detectable)} would have been shown four times in "
        "five, smaller ones less often."
    )


def _largest(d: ScoreDifference) -> float:
    """The largest difference that two such scores can have."""
    low, high = SCORES[d.score].between if d.score in SCORES else (-math.inf, math.inf)
    return high - low
