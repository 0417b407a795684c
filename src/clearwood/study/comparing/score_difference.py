"""The difference of two contenders by one score: what was shown, and what was not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from clearwood.errors import SettingError
from clearwood.measures.p_values import holm
from clearwood.records import json_of
from clearwood.scoring import SCORES, Better
from clearwood.scoring.differences.paired import FiveByTwo, MeanDifference, Posterior
from clearwood.scoring.differences.same_rows import McNemar
from clearwood.words.numbers import p_value

ALPHA: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ScoreDifference:
    """The scores of two contenders, and first − second with its interval at 95 % and the p of its test.

    `adjusted_p` is p by Holm over the `comparisons` of this score; `detectable` the true difference that
    would have been shown four times in five; ± `rope` are differences that nobody minds.
    `beware` says why nothing may be concluded, as where one of the two has learned from these rows.
    """

    first: str
    second: str
    score: str
    label: str
    better: Better
    of_first: float
    of_second: float
    difference: float
    interval: tuple[float, float]
    test: str
    p: float
    detectable: float
    rope: float
    adjusted_p: float = math.nan
    comparisons: int = 1
    posterior: Posterior | None = None
    mcnemar: McNemar | None = None
    five_by_two: FiveByTwo | None = None
    beware: str = ""

    @classmethod
    def of_means(
        cls,
        names: tuple[str, str],
        score: tuple[str, str, Better],
        scores: tuple[float, float],
        found: MeanDifference,
        rope: float,
        posterior: Posterior | None = None,
    ) -> ScoreDifference:
        """The difference as a test of means gives it; of the score name, label, and which way is better."""
        return cls(
            first=names[0],
            second=names[1],
            score=score[0],
            label=score[1],
            better=score[2],
            of_first=scores[0],
            of_second=scores[1],
            difference=found.mean,
            interval=found.interval,
            test=found.test,
            p=found.p,
            detectable=found.detectable,
            rope=rope,
            posterior=posterior,
        )

    @property
    def gain(self) -> float:
        """The difference in favour of the first."""
        return self.difference if self.better == "more" else -self.difference

    @property
    def is_known(self) -> bool:
        """Could it be tested at all?"""
        return not math.isnan(self.adjusted_p)

    @property
    def has_no_spread(self) -> bool:
        """Are all the differences it comes from the same, so that there is no interval?"""
        return math.isnan(self.interval[0])

    @property
    def is_shown(self) -> bool:
        """Is there a difference, at 5 %, after the adjustment for all comparisons?"""
        return self.is_known and self.adjusted_p <= ALPHA and not self.beware

    @property
    def is_equivalent(self) -> bool:
        """Does the whole interval lie among the differences that nobody minds?"""
        return -self.rope <= self.interval[0] and self.interval[1] <= self.rope

    @property
    def ahead(self) -> str:
        """The one with the better score here, shown or not; the first where both are equal."""
        return self.first if self.gain >= 0 else self.second

    @property
    def conclusion(self) -> str:
        """What may be concluded, and what may not."""

        return conclusion_of(self)

    def __str__(self) -> str:
        low, high = (score_text(self, end) for end in self.interval)
        interval = "" if self.has_no_spread else f" (95 %: {low} to {high})"
        adjusted = "adjusted p" if self.comparisons > 1 else "p"
        p = f", {adjusted} {p_value(self.adjusted_p)}" if self.is_known else ""
        return (
            f"{self.label} {self.first} {score_text(self, self.of_first)}, {self.second} "
            f"{score_text(self, self.of_second)}: {score_text(self, self.difference)}{interval}{p}"
        )

    def __repr__(self) -> str:
        return f"<ScoreDifference {self}>"

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        tests = {"bayes": self.posterior, "mcnemar": self.mcnemar, "five_by_two": self.five_by_two}
        return json_of(
            self,
            *("posterior", "mcnemar", "five_by_two", "beware"),
            interval=None if self.has_no_spread else self.interval,
            shown=self.is_shown,
            practically_equivalent=self.is_equivalent,
            **{name: test for name, test in tests.items() if test is not None},
            conclusion=self.conclusion,
        )


def adjusted_by_holm(differences: Sequence[ScoreDifference]) -> tuple[ScoreDifference, ...]:
    """With p adjusted by Holm among the differences of the same score; one that has no p is not counted."""
    done = list(differences)
    for score in dict.fromkeys(each.score for each in differences):
        places = [k for k, each in enumerate(differences) if each.score == score and not math.isnan(each.p)]
        made = holm([differences[k].p for k in places])
        for k, p in zip(places, made.tolist(), strict=True):
            done[k] = replace(differences[k], adjusted_p=p, comparisons=len(places))
    return tuple(done)


def score_text(difference: ScoreDifference, value: float) -> str:
    """A number on the scale of the scores: of shares in four decimals, else in four digits."""
    if math.isnan(value):
        return "–"
    is_share = max(abs(difference.of_first), abs(difference.of_second)) <= 1
    return (f"{value:.4f}" if is_share else f"{value:.4g}").replace("-", "−")


# What may be concluded from the difference of two contenders, and what may not.


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
    low, high = SCORES[d.score].between if d.score in SCORES else (-math.inf, math.inf)
    if d.detectable > high - low:
        return f"{shown}these are too few rows to show any difference that there can be."
    return (
        f"{shown}a true difference of {score_text(d, d.detectable)} would have been shown four times in "
        "five, smaller ones less often."
    )


# Contenders: what is compared, each under a name of its own.


T = TypeVar("T")


def named_contenders(what: str, given: Mapping[str, T] | Sequence[T], names: Sequence[str]) -> dict[str, T]:
    """By name: as given, or under these names, numbered where two are alike; a sentence if there are not two.

    >>> named_contenders("models", ["x", "y"], ["CART", "CART"])
    {'CART 1': 'x', 'CART 2': 'y'}
    """
    if isinstance(given, Mapping):
        named = dict(given)
    else:
        seen: dict[str, int] = {}
        named = {}
        for name, each in zip(names, given, strict=True):
            seen[name] = seen.get(name, 0) + 1
            named[f"{name} {seen[name]}" if names.count(name) > 1 else name] = each
    if len(named) < 2:
        raise SettingError(f"A comparison needs at least two {what}, and {len(named)} given. Add another.")
    return named
