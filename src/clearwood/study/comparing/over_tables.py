"""Learners over many tables: do their ranks differ, whose do, and how probable is it that one is better?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import SettingError
from clearwood.measures.inference import holm
from clearwood.records import json_of
from clearwood.scoring import Better
from clearwood.scoring.differences.paired import ROPE, Posterior
from clearwood.scoring.differences.ranks import (
    Friedman,
    SignedRanks,
    critical_difference,
    friedman,
    nemenyi_p,
    not_told_apart,
    signed_rank_posteriors,
    signed_ranks,
)
from clearwood.shown import ShowsItself
from clearwood.words.numbers import many, p_value, with_and

_EQUAL: Final = 1e-12  # of the scores: differences that only rounding makes
_FEW: Final = 6  # tables: with fewer, no signed ranks can show anything at 5 %


def compare_over_tables(
    scores: Mapping[str, Sequence[float] | Mapping[str, float]],
    *,
    tables: Sequence[str] | None = None,
    better: Better = "more",
    alpha: float = 0.05,
    rope: float = ROPE,
    seed: int = 0,
) -> RankComparison:
    """Scores by learner, each a sequence in the order of the `tables`, or by the tables' names: one score of
    each learner on each table, such as the mean over the same folds.

    All learners are tested by Friedman's test, pairs by Nemenyi's critical difference and by Wilcoxon's
    signed ranks with Holm's adjustment (Demšar 2006), and by the Bayesian signed-rank test with `rope`, the
    difference that nobody minds (Benavoli et al. 2017; drawn by `seed`).

    >>> scores = {"a": [0.9, 0.8, 0.7, 0.9], "b": [0.8, 0.7, 0.8, 0.8], "c": [0.7, 0.6, 0.6, 0.7]}
    >>> comparison = compare_over_tables(scores, tables=["w", "x", "y", "z"])
    >>> comparison.mean_ranks, comparison.groups
    ({'a': 1.25, 'b': 1.75, 'c': 3.0}, (('a', 'b'), ('b', 'c')))
    """
    if not 0 < alpha < 1:
        raise SettingError(f"alpha must be between 0 and 1, not {alpha!r}.")
    if not rope >= 0:
        raise SettingError(f"rope must be 0 or more, not {rope!r}.")
    if better not in ("more", "less"):
        raise SettingError(f"better is 'more' or 'less', not {better!r}.")
    learners, named, matrix = _matrix(scores, tables)
    count = len(learners)
    gains = matrix if better == "more" else -matrix
    tested = friedman(matrix, more_is_better=better == "more")
    ranks, least = tested.mean_ranks, critical_difference(count, len(named), alpha)
    pairs = list(combinations(range(count), 2))
    apart = []  # by pair and table; 0 where only rounding makes a difference
    for one, other in pairs:
        ones, gap = gains[:, one], gains[:, one] - gains[:, other]
        apart.append(np.where(np.abs(gap) <= _EQUAL * np.maximum(1.0, np.abs(ones)), 0.0, gap))
    signed = [signed_ranks(each) for each in apart]
    adjusted = holm([each.p for each in signed]).tolist()
    posteriors = signed_rank_posteriors(apart, rope, seed=seed)
    differences = tuple(
        RankDifference(
            learners[one],
            learners[other],
            int((apart[k] > 0).sum()),
            int((apart[k] == 0).sum()),
            int((apart[k] < 0).sum()),
            float((matrix[:, one] - matrix[:, other]).mean()),
            ranks[one] - ranks[other],
            nemenyi_p(ranks[one] - ranks[other], count, len(named)),
            signed[k],
            adjusted[k],
            posteriors[k],
        )
        for k, (one, other) in enumerate(pairs)
    )
    groups = not_told_apart(tested.mean_ranks, least)
    return RankComparison(
        learners,
        named,
        matrix,
        better,
        alpha,
        tested,
        least,
        tuple(tuple(learners[k] for k in group) for group in groups),
        differences,
        tuple(_notes(tested, len(named))),
    )


def _matrix(
    scores: Mapping[str, Sequence[float] | Mapping[str, float]], tables: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
    """The names of learners and tables, and the scores [table, learner]; a sentence where one is missing."""
    if not isinstance(scores, Mapping):
        raise SettingError(
            "compare_over_tables takes scores by learner: {'cart': [0.9, …], 'c45': [0.8, …]}, one for each "
            "table."
        )
    learners = tuple(map(str, scores))
    if len(learners) < 2:
        raise SettingError(
            f"A comparison needs at least two learners, and {len(learners)} given. Add another."
        )
    first = next(iter(scores.values()))
    named = first if isinstance(first, Mapping) else [f"table {k + 1}" for k in range(len(first))]
    names = tuple(map(str, named if tables is None else tables))
    columns = []
    for learner, given in scores.items():
        if isinstance(given, Mapping):
            if set(map(str, given)) != set(names):
                odd = sorted(set(map(str, given)) ^ set(names))[0]
                raise SettingError(f"Every learner needs a score on the same tables; '{odd}' is not in all.")
            by_name = {str(name): value for name, value in given.items()}
            values = [by_name[name] for name in names]
        else:
            values = list(given)
        if len(values) != len(names):
            raise SettingError(
                f"'{learner}' has {len(values)} scores for {many(len(names), 'table')}: give one for each."
            )
        columns.append(np.array(values, dtype=np.float64))
    matrix = np.stack(columns, axis=1)
    if not np.isfinite(matrix).all():
        table, learner_at = np.argwhere(~np.isfinite(matrix))[0].tolist()
        raise SettingError(
            f"'{learners[learner_at]}' has no score on '{names[table]}'. Every learner needs one on every "
            "table: leave out that table, or that learner."
        )
    if len(names) < 2:
        raise SettingError("Ranks are compared over at least two tables. For one, use compare_learners.")
    return learners, names, matrix


def _notes(tested: Friedman, tables: int) -> list[str]:
    notes = []
    if tables < _FEW:
        notes.append(
            f"With {many(tables, 'table')} signed ranks cannot show anything at 5 %: take six or more."
        )
    if not math.isclose(tested.chi_square, tested.ties_chi_square, rel_tol=1e-9):
        notes.append(
            f"Some scores are equal: corrected for ties χ² is {tested.ties_chi_square:.2f} and F "
            f"{tested.ties_f:.2f} (p {p_value(tested.ties_p)})."
        )
    return notes


# Ranks over many tables: a noun for all learners, and one for each pair.


@dataclass(frozen=True, slots=True)
class RankDifference:
    """Two learners over all tables: on how many each is better, and what the tests say.

    `adjusted_p` is the signed ranks' p by Holm over all pairs; `nemenyi_p` needs no adjustment.
    """

    first: str
    second: str
    wins: int
    ties: int
    losses: int
    mean_difference: float
    ranks_apart: float
    nemenyi_p: float
    signed_ranks: SignedRanks
    adjusted_p: float
    posterior: Posterior

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return json_of(self, "signed_ranks", "posterior", wilcoxon=self.signed_ranks, bayes=self.posterior)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class RankComparison(ShowsItself):
    """The learners' mean ranks over the tables (1 is best), the tests of all and of every pair.

    `groups` are the learners, best first, whose mean ranks lie within the `critical_difference`.
    """

    learners: tuple[str, ...]
    tables: tuple[str, ...]
    scores: Floats  # [table, learner]
    better: Better
    alpha: float
    friedman: Friedman
    critical_difference: float
    groups: tuple[tuple[str, ...], ...]
    differences: tuple[RankDifference, ...]
    notes: tuple[str, ...] = ()

    @property
    def mean_ranks(self) -> dict[str, float]:
        """By learner, best first."""
        ranks = dict(zip(self.learners, self.friedman.mean_ranks, strict=True))
        return dict(sorted(ranks.items(), key=lambda each: each[1]))

    @property
    def conclusions(self) -> tuple[str, ...]:
        """What may be concluded, and what may not."""

        return tuple(rank_conclusions(self))

    def __repr__(self) -> str:
        return f"<RankComparison of {with_and(self.learners)} on {many(len(self.tables), 'table')}>"

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return json_of(self, conclusions=self.conclusions)


# What may be concluded from ranks over many tables, and what may not.


_SURE: Final = 0.95
_NAMED: Final = 6  # pairs, in a sentence


def rank_conclusions(comparison: RankComparison) -> list[str]:
    """Sentences: of all learners by Friedman, of pairs by Nemenyi, by signed ranks, and by Bayes."""
    tested, alpha, least = comparison.friedman, comparison.alpha, comparison.critical_difference
    level = f"{100 * alpha:g} %"
    df, rest = tested.df
    figures = f"F({df}, {rest}) {tested.f:.2f}, p {p_value(tested.f_p)}; χ² {tested.chi_square:.2f}"
    sentences = []
    if len(comparison.learners) > 2:
        if tested.f_p > alpha:
            return [
                f"No difference among the learners' ranks was shown (Friedman, {figures}). That does not "
                "make them equal, and pairs should not be tested further."
            ]
        ranked = [
            _ahead(each, each.ranks_apart < 0, f"{abs(each.ranks_apart):.2f}")
            for each in comparison.differences
            if abs(each.ranks_apart) > least
        ]
        sentences += [
            f"The learners do not all rank alike (Friedman, {figures}).",
            f"By Nemenyi's test, mean ranks more than {least:.2f} apart differ at {level}: "
            f"{with_and(ranked) if ranked else 'no pair'}.",
        ]
    by_signs, undecided = [], []
    for each in comparison.differences:
        if each.adjusted_p <= alpha:
            first = each.signed_ranks.above >= each.signed_ranks.below
            by_signs.append(_ahead(each, first, f"p {p_value(each.adjusted_p)}"))
        elif abs(each.ranks_apart) <= least:
            undecided.append(f"{each.first} and {each.second}")
    adjusted_by = ", adjusted by Holm," if len(comparison.differences) > 1 else ""
    shown_pairs = with_and(by_signs) if by_signs else "no pair"
    sentences.append(f"By Wilcoxon's signed ranks{adjusted_by} these differ at {level}: {shown_pairs}.")
    if undecided:
        more = len(undecided) - _NAMED
        listed = "; ".join(undecided[:_NAMED]) + (f"; and {more} more" if more > 0 else "")
        sentences.append(
            f"For {many(len(undecided), 'pair')} no difference was shown, which does not make them equal: "
            f"{listed}."
        )
    return [*sentences, *filter(None, map(_by_bayes, comparison.differences))]


def _ahead(each: RankDifference, is_first: bool, figure: str) -> str:
    one, other = (each.first, each.second) if is_first else (each.second, each.first)
    return f"{one} before {other} ({figure})"


def _by_bayes(each: RankDifference) -> str:
    """Said where the probability of one of the three is at least 95 %."""
    posterior = each.posterior
    if posterior.equivalent >= _SURE:
        return (
            f"{each.first} and {each.second} are practically equivalent, within ± {posterior.rope:g}, with "
            f"probability {posterior.equivalent:.3f} (Bayesian signed ranks)."
        )
    probability = max(posterior.first, posterior.second)
    if not probability >= _SURE:
        return ""
    name, other = (each.first, each.second) if probability == posterior.first else (each.second, each.first)
    return (
        f"{name} is better than {other} by more than {posterior.rope:g} with probability "
        f"{probability:.3f} (Bayesian signed ranks)."
    )
