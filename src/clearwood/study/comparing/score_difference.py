"""The difference of two contenders by one score: what was shown, and what was not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from clearwood.measures.holm import holm
from clearwood.scoring.differences.bayes import Posterior
from clearwood.scoring.differences.paired import FiveByTwo
from clearwood.scoring.differences.same_rows import McNemar
from clearwood.scoring.score import Better
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
        from clearwood.study.comparing.conclusions import conclusion_of  # which is of this noun

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
        parts = {"bayes": self.posterior, "mcnemar": self.mcnemar, "five_by_two": self.five_by_two}
        return {
            "first": self.first,
            "second": self.second,
            "score": self.score,
            "label": self.label,
            "better": self.better,
            "of_first": known_or_none(self.of_first),
            "of_second": known_or_none(self.of_second),
            "difference": known_or_none(self.difference),
            "interval": None if self.has_no_spread else list(self.interval),
            "test": self.test,
            "p": known_or_none(self.p),
            "adjusted_p": known_or_none(self.adjusted_p),
            "comparisons": self.comparisons,
            "detectable": known_or_none(self.detectable),
            "rope": self.rope,
            "shown": self.is_shown,
            "practically_equivalent": self.is_equivalent,
            **{
                part: {name: known_or_none(value) for name, value in each.to_json().items()}
                for part, each in parts.items()
                if each is not None
            },
            "conclusion": self.conclusion,
        }


def known_or_none(value: Any) -> Any:
    """What JSON has instead of NaN."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


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
