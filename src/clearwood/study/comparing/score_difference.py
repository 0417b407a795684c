"""The difference of two contenders by one score: what was shown, and what was not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any, Final, TypeVar

import numpy as np

from clearwood.arrays import Bools, Floats, Longs
from clearwood.errors import SettingError
from clearwood.measures.inference import holm
from clearwood.records import json_of
from clearwood.scoring import SCORES, Better, ScoreEntry, Stakes
from clearwood.scoring.answer_scores import costs_asked
from clearwood.scoring.differences.paired import (
    CONFIDENCE,
    POWER,
    ROPE,
    FiveByTwo,
    MeanDifference,
    Posterior,
    bayesian_correlated_t,
    corrected_resampled_t,
    paired_mean,
    tango_interval,
)
from clearwood.scoring.differences.same_rows import McNemar, areas_under_curves, mcnemar_of_rows
from clearwood.scoring.intervals import mean_of_known
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions, Predictions
from clearwood.table.schema import effective_rows
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


def difference_called(differences: Sequence[ScoreDifference], *wanted: str) -> ScoreDifference:
    """The first of these names, and of this score if one is given; or the sentence with those there are."""
    known: dict[tuple[str, ...], ScoreDifference] = {}
    for each in differences:
        known.setdefault((each.first, each.second, each.score)[: len(wanted)], each)
    if wanted not in known:
        there = ", ".join(f"({', '.join(each)})" for each in known)
        raise SettingError(f"No difference ({', '.join(wanted)}). There are: {there}.")
    return known[wanted]


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


# Two models on the same rows: the difference of each score, row by row where it can be.


_NORMAL: Final = NormalDist()
_BOTH: Final = _NORMAL.inv_cdf(0.5 + CONFIDENCE / 2) + _NORMAL.inv_cdf(POWER)


@dataclass(frozen=True, slots=True, eq=False)
class PairedRows:
    """What two models gave the same rows, in the same order; `counts`: weights are counts of equal rows."""

    first: str
    second: str
    one: Predictions
    other: Predictions
    counts: bool
    stakes: Stakes
    rope: float | None = None
    by_cutoff: bool = False  # a cutoff decides: how many of its class and of the others are right comes first

    def rope_for(self, *scores: float, is_share: bool) -> float:
        """The differences that nobody minds: as given, else 0.01 of a share and 1 % of another score."""
        if self.rope is not None:
            return self.rope
        known = [abs(score) for score in scores if not math.isnan(score)]
        return ROPE if is_share else ROPE * min(known, default=0.0)

    def by_mean(
        self,
        score: tuple[str, str, Better],
        ones: Floats,
        others: Floats,
        rows: Predictions,
        *,
        is_share: bool = False,
    ) -> ScoreDifference:
        """The difference of two means over these rows, or over the groups that they belong to."""
        weights = rows.weights
        found = paired_mean(ones, others, weights, counts=self.counts, units=rows.units)
        total = float(weights.sum())
        one, other = (float((each * weights).sum()) / total if total else math.nan for each in (ones, others))
        rope = self.rope_for(one, other, is_share=is_share)
        return ScoreDifference.of_means((self.first, self.second), score, (one, other), found, rope)


def differences_of_rows(pair: PairedRows) -> Iterator[ScoreDifference]:
    """Of classes: costs where there are some, accuracy, AUC where there are two, and the Brier score; of
    numbers: the errors that their kind of answer is judged by."""
    if isinstance(pair.one, ClassPredictions) and isinstance(pair.other, ClassPredictions):
        yield from _of_classes(pair, pair.one, pair.other)
    elif isinstance(pair.one, NumberPredictions) and isinstance(pair.other, NumberPredictions):
        yield from _of_numbers(pair, pair.one, pair.other)


def _of_classes(
    pair: PairedRows, one: ClassPredictions, other: ClassPredictions
) -> Iterator[ScoreDifference]:
    answered = (one.answers >= 0) & (other.answers >= 0)
    one, other = one.take(answered), other.take(answered)
    yield from _costs(pair, one, other)
    if pair.by_cutoff:
        yield from _of_cutoff(pair, one, other)
    yield _right(pair, ("accuracy", "accuracy"), one, one.answers == one.truth, other.answers == other.truth)
    judged = (one.truth >= 0) & (one.shares.sum(axis=1) > 0) & (other.shares.sum(axis=1) > 0)
    if set(one.classes) != set(other.classes) or not judged.any():
        return
    order = [other.classes.index(name) for name in one.classes]
    rows, truth = one.take(judged), one.truth[judged]
    shares, others = rows.shares, other.shares[judged][:, order]
    if len(one.classes) == 2 and 0 < truth.sum() < len(truth):
        scores = np.stack([shares[:, 1], others[:, 1]])
        areas = areas_under_curves(scores, truth == 1, rows.weights, counts=pair.counts, units=rows.units)
        values = float(areas.areas[0]), float(areas.areas[1])
        names, rope = (pair.first, pair.second), pair.rope_for(is_share=True)
        yield ScoreDifference.of_means(names, ("auc", "AUC", "more"), values, areas.difference(0, 1), rope)
    brier = _squared(shares, truth), _squared(others, truth)
    difference = pair.by_mean(("brier", "Brier score", "less"), *brier, rows)
    yield replace(difference, rope=pair.rope_for(is_share=True))


def _of_cutoff(pair: PairedRows, one: ClassPredictions, other: ClassPredictions) -> Iterator[ScoreDifference]:
    """How many rows of the positive class, and how many of the others, are predicted as such."""
    positive = pair.stakes.positive
    if positive not in one.classes or positive not in other.classes:
        return
    called = [each.answers == each.classes.index(positive) for each in (one, other)]
    of_class = one.truth == one.classes.index(positive)
    for score, rows in (("recall", of_class), ("specificity", ~of_class)):
        if (one.weights[rows] > 0).any():
            right = [(each == of_class)[rows] for each in called]
            yield _right(pair, (score, f"{score} of {positive}"), one.take(rows), *right)


def _right(
    pair: PairedRows, score: tuple[str, str], one: ClassPredictions, right: Bools, other_right: Bools
) -> ScoreDifference:
    """How many of these rows are right, which is the score of this name and label, by McNemar's test, whose
    rows are each by themselves; groups are compared by their sums."""
    name, label = score
    if one.units is not None:
        means = right.astype(np.float64), other_right.astype(np.float64)
        return pair.by_mean((name, label, "more"), *means, one, is_share=True)
    tested = mcnemar_of_rows(right, other_right, one.weights, counts=pair.counts)
    total = float(one.weights.sum())
    rows = total if pair.counts else effective_rows(one.weights)
    accuracy, other_accuracy = (
        float(one.weights[each].sum()) / total if total else math.nan for each in (right, other_right)
    )
    only, only_other = (
        float(one.weights[each].sum()) / total * rows if total else 0.0
        for each in (right & ~other_right, other_right & ~right)
    )
    # With a row more of either kind (Bonett and Price 2012): none at all would promise to show anything.
    n = rows + 2
    error = math.sqrt(max(only + only_other + 2 - (only - only_other) ** 2 / n, 0.0)) / n
    scores, rope = (accuracy, other_accuracy), pair.rope_for(is_share=True)
    found = MeanDifference(accuracy - other_accuracy, error, math.inf, "McNemar's exact test")
    return replace(
        ScoreDifference.of_means((pair.first, pair.second), (name, label, "more"), scores, found, rope),
        interval=tango_interval(only, only_other, rows),
        p=tested.p if total else math.nan,
        detectable=_BOTH * error,
        mcnemar=tested,
    )


def _squared(shares: Floats, truth: Longs) -> Floats:
    """[row] The squared distance of the shares from the truth: of two classes that of one of them."""
    true = np.zeros_like(shares)
    true[np.arange(len(truth)), truth] = 1.0
    squared: Floats = ((shares - true) ** 2).sum(axis=1)
    return squared / 2 if shares.shape[1] == 2 else squared


def _costs(pair: PairedRows, one: ClassPredictions, other: ClassPredictions) -> Iterator[ScoreDifference]:
    """Of the costs asked for; of those that both models minimise, where they are the same."""
    shared = one.costs and one.costs == other.costs and one.classes == other.classes
    known = (one.truth >= 0) & (other.truth >= 0)
    if (pair.stakes.costs is None and not shared) or not known.any():
        return
    paid, others = (
        np.array(costs_asked(each, pair.stakes))[each.truth[known], each.answers[known]]
        for each in (one, other)
    )
    yield pair.by_mean(("cost", "expected cost", "less"), paid, others, one.take(known))


def _of_numbers(
    pair: PairedRows, one: NumberPredictions, other: NumberPredictions
) -> Iterator[ScoreDifference]:
    answered = ~np.isnan(one.answers) & ~np.isnan(other.answers)
    rows = one.take(answered)
    errors = rows.truth - one.answers[answered], rows.truth - other.answers[answered]
    quantile = one.quantile if one.quantile == other.quantile else None
    if quantile is None:
        squares = [each**2 for each in errors]
        yield pair.by_mean(("mse", "mean squared error", "less"), squares[0], squares[1], rows)
    if quantile is None or quantile == 0.5:
        away = [np.abs(each) for each in errors]
        yield pair.by_mean(("mae", "mean absolute error", "less"), away[0], away[1], rows)
        return
    loss, other_loss = (np.maximum(quantile * each, (quantile - 1) * each) for each in errors)
    yield pair.by_mean(("pinball", "quantile loss", "less"), loss, other_loss, rows)


# The difference of two contenders over the parts of a design: one way for `compare` and `choose`.


_NO_SHARES: Final = frozenset(
    SCORES[name].label
    for name in (
        *("cost", "profit", "cost_at_best_cutoff", "profit_at_best_cutoff"),
        *("log_loss", "lift", "calibration_slope", "calibration_intercept"),
    )
)


def difference_over_parts(
    names: tuple[str, str],
    scores: tuple[Floats, Floats],
    score: str,
    entry: ScoreEntry,
    judged_to_learned: float,
    rope: float | None = None,
) -> ScoreDifference:
    """The first one's scores less the second one's, part by part, by the corrected resampled t-test and its
    Bayesian counterpart; parts where either has no score are left out."""
    apart = scores[0] - scores[1]
    known = ~np.isnan(apart)
    found = corrected_resampled_t(apart[known], judged_to_learned)
    means = mean_of_known(scores[0][known]), mean_of_known(scores[1][known])
    minded = rope_of(entry, means, rope)
    posterior = None
    if found.standard_error > 0:
        gains = apart[known] if entry.better == "more" else -apart[known]
        posterior = bayesian_correlated_t(gains, judged_to_learned, minded)
    named = score, entry.label, entry.better
    return ScoreDifference.of_means(names, named, means, found, minded, posterior)


def rope_of(entry: ScoreEntry, means: tuple[float, float], rope: float | None = None) -> float:
    """As given; 0.01 of what lies between 0 and 1, and 1 % of the smaller of other scores."""
    if rope is not None:
        return rope
    if entry.label not in _NO_SHARES and (entry.of != "numbers" or entry.better == "more"):
        return ROPE
    return ROPE * min((abs(each) for each in means if not math.isnan(each)), default=0.0)
