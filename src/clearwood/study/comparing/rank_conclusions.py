"""What may be concluded from ranks over many tables, and what may not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clearwood.study.comparing.rank_comparison import RankComparison, RankDifference
from clearwood.words.numbers import many, p_value, with_and

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
