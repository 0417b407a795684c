"""Comparisons as text: of learners over folds, of models on the same rows, of learners over many tables."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from clearwood.models.reading_size import SIZE_IN_WORDS
from clearwood.study.comparing.learners import LearnerComparison
from clearwood.study.comparing.models import Agreement, ModelComparison
from clearwood.study.comparing.over_tables import RankComparison
from clearwood.study.comparing.score_difference import ScoreDifference, score_text, short_conclusion
from clearwood.words.columns import in_columns, printable, wrapped
from clearwood.words.numbers import figure, many, p_value, percent, with_and

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


# Differences of scores as lines of text: one for each pair, with its interval, p and posterior.


def difference_lines(differences: Sequence[ScoreDifference]) -> list[str]:
    """A heading and a line for each; `*` marks a difference that was shown."""
    several = any(each.comparisons > 1 for each in differences)
    bayes = any(each.posterior is not None for each in differences)
    by_folds = any(each.five_by_two is not None for each in differences)
    mid_p = any(each.mcnemar is not None for each in differences)
    heading = ["first − second", "difference", "95 % interval", "p"]
    heading += ["mid-p"] if mid_p else []
    heading += ["adjusted p"] if several else []
    heading += ["5×2 t p", "5×2 F p"] if by_folds else []
    heading += ["first better", "equivalent", "second better"] if bayes else []
    rows = [heading]
    for each in differences:
        low, high = (score_text(each, end) for end in each.interval)
        mark = " *" if each.is_shown else ""
        row = [
            printable(f"{each.first} − {each.second}"),
            score_text(each, each.difference) + mark,
            "–" if each.has_no_spread else f"{low} to {high}",
            _p(each.p),
        ]
        row += ["–" if each.mcnemar is None else _p(each.mcnemar.mid_p)] if mid_p else []
        row += [_p(each.adjusted_p)] if several else []
        if by_folds:
            folds = each.five_by_two
            row += ["–", "–"] if folds is None else [_p(folds.t_p), _p(folds.f_p)]
        if bayes:
            posterior = each.posterior
            row += (
                ["–"] * 3
                if posterior is None
                else [
                    f"{percent(part)} %" for part in (posterior.first, posterior.equivalent, posterior.second)
                ]
            )
        rows.append(row)
    return in_columns(rows, "figures")


def _p(value: float) -> str:
    return "–" if math.isnan(value) else p_value(value)


# A comparison of models as text: scores on the same rows, differences, and the rows where models differ.


_MOST_PAIRS: Final = 3  # whose rows are named
_MOST_CLASSES: Final = 12  # counted one by one


def draw_model_comparison(comparison: ModelComparison) -> str:
    """For a terminal."""
    return "\n".join(_model_lines(comparison))


def _model_lines(comparison: ModelComparison) -> Iterator[str]:
    names = with_and(map(printable, comparison.names))
    yield from wrapped(f"{names} on the same {many(comparison.rows, 'row')}", _WIDTH)
    yield ""
    yield from _model_scores(comparison)
    yield f"{SIZE_IN_WORDS}."
    for score in dict.fromkeys(each.score for each in comparison.differences):
        differences = tuple(each for each in comparison.differences if each.score == score)
        yield ""
        yield f"{differences[0].label} ({differences[0].test})"
        yield from difference_lines(differences)
        for sentence in conclusions_in_few(differences, _best(differences)):
            yield from wrapped(sentence, _WIDTH)
    for agreement in comparison.agreements[:_MOST_PAIRS]:
        yield ""
        yield from wrapped(str(agreement), _WIDTH)
        yield from _by_class(agreement)
    for note in comparison.notes:
        yield ""
        yield from wrapped(note, _WIDTH)


def _model_scores(comparison: ModelComparison) -> list[str]:
    scores = comparison.scores
    some = {each.label: each for each in comparison.differences}
    rows = [["", *scores, "size"]]
    for name in comparison.names:
        values = [score_text(some[label], by_model[name]) for label, by_model in scores.items()]
        rows.append([printable(name), *values, f"{comparison.sizes[name]:,}"])
    return in_columns(rows, "figures")


def _best(differences: tuple[ScoreDifference, ...]) -> str:
    """The model with the best score of all."""
    sign = 1 if differences[0].better == "more" else -1
    scores = {each.first: each.of_first for each in differences} | {
        each.second: each.of_second for each in differences
    }
    return max(scores, key=lambda name: sign * scores[name])


def _by_class(agreement: Agreement) -> list[str]:
    if not 1 < len(agreement.by_class) <= _MOST_CLASSES:
        return []
    rows = [["true class", "rows", f"{agreement.first} right", f"{agreement.second} right"]]
    for name, counted in agreement.by_class.items():
        rows.append([printable(name), *map(figure, counted)])
    return in_columns(rows, "figures")


# A comparison over many tables as text: mean ranks, every pair, and what may be concluded.


def draw_rank_comparison(comparison: RankComparison) -> str:
    """For a terminal."""
    return "\n".join(_rank_lines(comparison))


def _rank_lines(comparison: RankComparison) -> Iterator[str]:
    names = with_and(map(printable, comparison.learners))
    way = "larger" if comparison.better == "more" else "smaller"
    yield from wrapped(f"{names} on {many(len(comparison.tables), 'table')} ({way} is better)", _WIDTH)
    yield ""
    means = dict(zip(comparison.learners, comparison.scores.mean(axis=0).tolist(), strict=True))
    rows = [["", "mean rank", "mean score"]]
    rows += [
        [printable(name), f"{rank:.3f}", f"{means[name]:.4g}"] for name, rank in comparison.mean_ranks.items()
    ]
    yield from in_columns(rows, "figures")
    yield f"critical difference of mean ranks {comparison.critical_difference:.2f} (Nemenyi)"
    yield ""
    yield from _pairs(comparison)
    yield ""
    for sentence in comparison.conclusions:
        yield from wrapped(sentence, _WIDTH)
    for note in comparison.notes:
        yield ""
        yield from wrapped(note, _WIDTH)


def _pairs(comparison: RankComparison) -> list[str]:
    rope = f"± {comparison.differences[0].posterior.rope:g}"
    heading = ["first, second", "wins–ties–losses", "Nemenyi p", "Wilcoxon p"]
    heading += ["adjusted p", "first better", rope, "second better"]
    rows = [heading]
    for each in comparison.differences:
        posterior = each.posterior
        rows.append(
            [
                printable(f"{each.first}, {each.second}"),
                f"{each.wins}–{each.ties}–{each.losses}",
                p_value(each.nemenyi_p),
                p_value(each.signed_ranks.p),
                p_value(each.adjusted_p),
                *(f"{percent(part)} %" for part in (posterior.first, posterior.equivalent, posterior.second)),
            ]
        )
    return in_columns(rows, "figures")
