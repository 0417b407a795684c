"""Ranks over many tables: a noun for all learners, and one for each pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from clearwood import shown
from clearwood.arrays import Floats
from clearwood.records import json_of
from clearwood.scoring.differences.bayes import Posterior
from clearwood.scoring.differences.ranks import Friedman, SignedRanks
from clearwood.scoring.score import Better
from clearwood.words.numbers import many, p_value, with_and


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
class RankComparison:
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

    def __str__(self) -> str:
        return shown.text(self)

    def __repr__(self) -> str:
        return f"<RankComparison of {with_and(self.learners)} on {many(len(self.tables), 'table')}>"

    def _repr_html_(self) -> str:
        return shown.html(self)

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return json_of(self, conclusions=self.conclusions)


# What may be concluded from ranks over many tables, and what may not.


_SURE: Final = 0.95


def rank_conclusions(comparison: RankComparison) -> list[str]:
    """Sentences: of all learners by Friedman, of pairs by Nemenyi, by signed ranks, and by Bayes."""
    tested, alpha = comparison.friedman, comparison.alpha
    level = f"{100 * alpha:g} %"
    df, rest = tested.df
    figures = f"F({df}, {rest}) {tested.f:.2f}, p {p_value(tested.f_p)}; χ² {tested.chi_square:.2f}"
    sentences = []
    if len(comparison.learners) > 2:
        if tested.f_p <= alpha:
            sentences.append(f"The learners do not all rank alike (Friedman, {figures}).")
        else:
            sentences.append(
                f"No difference among the learners' ranks was shown (Friedman, {figures}). That does not "
                "make them equal, and pairs should not be tested further."
            )
            return sentences
        ranked = [
            each for each in comparison.differences if abs(each.ranks_apart) > comparison.critical_difference
        ]
        shown_pairs = with_and(map(_ahead_by_rank, ranked)) if ranked else "no pair"
        sentences.append(
            f"By Nemenyi's test, mean ranks more than {comparison.critical_difference:.2f} apart differ at "
            f"{level}: {shown_pairs}."
        )
    by_signs = [each for each in comparison.differences if each.adjusted_p <= alpha]
    adjusted_by = ", adjusted by Holm," if len(comparison.differences) > 1 else ""
    shown_pairs = with_and(map(_ahead_by_signs, by_signs)) if by_signs else "no pair"
    sentences.append(f"By Wilcoxon's signed ranks{adjusted_by} these differ at {level}: {shown_pairs}.")
    undecided = [
        f"{each.first} and {each.second}"
        for each in comparison.differences
        if each not in by_signs and abs(each.ranks_apart) <= comparison.critical_difference
    ]
    if undecided:
        sentences.append(
            f"For {many(len(undecided), 'pair')} no difference was shown, which does not make them equal: "
            f"{_few(undecided)}."
        )
    sentences += [sentence for each in comparison.differences if (sentence := _by_bayes(each))]
    return sentences


def _ahead_by_rank(each: RankDifference) -> str:
    one, other = (each.first, each.second) if each.ranks_apart < 0 else (each.second, each.first)
    return f"{one} before {other} ({abs(each.ranks_apart):.2f})"


def _ahead_by_signs(each: RankDifference) -> str:
    first = each.signed_ranks.above >= each.signed_ranks.below
    one, other = (each.first, each.second) if first else (each.second, each.first)
    return f"{one} before {other} (p {p_value(each.adjusted_p)})"


def _by_bayes(each: RankDifference) -> str:
    """Said where the probability of one of the three is at least 95 %."""
    posterior = each.posterior
    if posterior.equivalent >= _SURE:
        return (
            f"{each.first} and {each.second} are practically equivalent, within ± {posterior.rope:g}, with "
            f"probability {posterior.equivalent:.3f} (Bayesian signed ranks)."
        )
    for name, other, probability in (
        (each.first, each.second, posterior.first),
        (each.second, each.first, posterior.second),
    ):
        if probability >= _SURE:
            return (
                f"{name} is better than {other} by more than {posterior.rope:g} with probability "
                f"{probability:.3f} (Bayesian signed ranks)."
            )
    return ""


def _few(phrases: Sequence[str], most: int = 6) -> str:
    more = len(phrases) - most
    return "; ".join(phrases[:most]) + (f"; and {more} more" if more > 0 else "")
