"""Comparisons as text: of learners over folds, of models on the same rows, of learners over many tables; and
of trees, with what each learner did where they differ."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from clearwood.deriving.tree_comparison import Parting, TreeComparison
from clearwood.formulas.conditions import Condition
from clearwood.models.in_words import all_of_shortened, shortened
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import SIZE_IN_WORDS
from clearwood.study.comparing.learners import LearnerComparison
from clearwood.study.comparing.models import Agreement, ModelComparison
from clearwood.study.comparing.over_tables import RankComparison
from clearwood.study.comparing.score_difference import ScoreDifference, score_text, short_conclusion
from clearwood.words.columns import (
    display_width,
    in_columns,
    named_columns,
    padded,
    printable,
    printed,
    wrapped,
)
from clearwood.words.numbers import exact_row_count, figure, many, p_value, percent, short, with_and

_WIDTH: Final = 100
_IN_FULL: Final = 3  # pairs with a sentence each; of more, those with the best


def _sentences(sentences: Iterable[str], above: Sequence[str] = ()) -> Iterator[str]:
    """Each in lines, below the lines that stand `above` it."""
    for sentence in sentences:
        yield from above
        yield from wrapped(sentence, _WIDTH)


@printed
def draw_learner_comparison(comparison: LearnerComparison) -> Iterator[str]:
    """The scores, each pair's difference, what may be concluded."""
    names = with_and(map(printable, comparison.names))
    way = "larger" if comparison.better == "more" else "smaller"
    heading = f"{names} by {comparison.label} ({way} is better): {comparison.design}, the same rows for all."
    yield from wrapped(heading, _WIDTH)
    yield ""
    yield from named_columns(_scores(comparison))
    yield f"{SIZE_IN_WORDS}, the median over the parts."
    yield ""
    if comparison.differences[0].label != comparison.label:
        yield f"{comparison.differences[0].label} ({comparison.differences[0].test})"
    yield from difference_lines(comparison.differences)
    yield ""
    yield from _sentences(conclusions_in_few(comparison.differences, comparison.best_first[0]))
    yield from _sentences(_bayes(comparison))
    yield from _sentences(comparison.notes, [""])


def _scores(comparison: LearnerComparison) -> dict[str, list[str]]:
    best_first, some = comparison.best_first, comparison.differences[0]
    columns = {"": [printable(name) for name in best_first]}
    columns[comparison.label] = [score_text(some, comparison.means[name]) for name in best_first]
    if len(comparison.scores[best_first[0]]) > 1:
        for end, of in (("least", min), ("most", max)):
            known = [
                [each for each in comparison.scores[name] if not math.isnan(each)] for name in best_first
            ]
            columns[end] = [score_text(some, of(scores, default=math.nan)) for scores in known]
    sizes = [np.median(comparison.validations[name].reading_sizes) for name in best_first]
    return {**columns, "size": [f"{size:,.0f}" for size in sizes]}


def conclusions_in_few(differences: tuple[ScoreDifference, ...], best: str) -> list[str]:
    """A sentence for each of a few pairs; of many, what was shown of the best one against each other."""
    if len(differences) <= _IN_FULL:
        return [short_conclusion(each) for each in differences]
    others = {
        (each.second if each.first == best else each.first): each
        for each in differences
        if best in (each.first, each.second)
    }
    worse = [name for name, each in others.items() if each.is_shown and each.ahead == best]
    undecided = {
        name: each for name, each in others.items() if each.is_known and not each.is_shown and not each.beware
    }
    barred = [name for name, each in others.items() if each.beware]
    first = differences[0]
    adjusted = f"adjusted for {first.comparisons} comparisons"
    sentences = []
    if worse:
        sentences.append(
            f"{best} has a better {first.label} than {with_and(worse)} ({first.test}, p at most 0.05, "
            f"{adjusted})."
        )
    if undecided:
        found = (each.detectable for each in undecided.values() if not each.has_no_spread)
        sentences.append(
            f"No difference in {first.label} from {best} was shown for {with_and(undecided)} ({adjusted}). "
            f"That does not make them equal: one of up to {score_text(first, max(found, default=0.0))} would "
            "have been shown four times in five, smaller ones less often."
        )
    if barred:
        sentences.append(f"Nothing may be concluded of {best} against {with_and(barred)}: see the notes.")
    return sentences


def _bayes(comparison: LearnerComparison) -> Iterator[str]:
    """What the posterior says of the best and the next, where there is one."""
    best, second = comparison.best_first[:2]
    for each in comparison.differences:
        posterior = each.posterior
        if {each.first, each.second} == {best, second} and posterior is not None:
            ends = (posterior.first, posterior.second)
            ahead, behind = ends if each.first == best else ends[::-1]
            yield (
                f"{best} is better than {second} by more than {score_text(each, each.rope)} with probability "
                f"{percent(ahead)} %, worse with {percent(behind)} %; they are practically equivalent with "
                f"{percent(posterior.equivalent)} % ({posterior.name})."
            )
            return


# Differences of scores as lines of text: one for each pair, with its interval, p and posterior.


def difference_lines(differences: Sequence[ScoreDifference]) -> list[str]:
    """A heading and a line for each; `*` marks a difference that was shown."""
    columns = {
        "first − second": [printable(f"{each.first} − {each.second}") for each in differences],
        "difference": [
            score_text(each, each.difference) + (" *" if each.is_shown else "") for each in differences
        ],
        "95 % interval": [
            "–" if each.has_no_spread else " to ".join(score_text(each, end) for end in each.interval)
            for each in differences
        ],
        "p": [_p(each.p) for each in differences],
    }
    if any(each.mcnemar is not None for each in differences):
        columns["mid-p"] = ["–" if each.mcnemar is None else _p(each.mcnemar.mid_p) for each in differences]
    if any(each.comparisons > 1 for each in differences):
        columns["adjusted p"] = [_p(each.adjusted_p) for each in differences]
    by_folds = [each.five_by_two for each in differences]
    if any(each is not None for each in by_folds):
        columns["5×2 t p"] = ["–" if each is None else _p(each.t_p) for each in by_folds]
        columns["5×2 F p"] = ["–" if each is None else _p(each.f_p) for each in by_folds]
    if any(each.posterior is not None for each in differences):
        shares = [_shares(each) for each in differences]
        for place, head in enumerate(("first better", "equivalent", "second better")):
            columns[head] = [each[place] for each in shares]
    return named_columns(columns)


def _shares(difference: ScoreDifference) -> list[str]:
    posterior = difference.posterior
    if posterior is None:
        return ["–"] * 3
    return [f"{percent(part)} %" for part in (posterior.first, posterior.equivalent, posterior.second)]


def _p(value: float) -> str:
    return "–" if math.isnan(value) else p_value(value)


# A comparison of models as text: scores on the same rows, differences, and the rows where models differ.


_MOST_PAIRS: Final = 3  # whose rows are named
_MOST_CLASSES: Final = 12  # counted one by one


@printed
def draw_model_comparison(comparison: ModelComparison) -> Iterator[str]:
    """The scores, for each score the differences, and where models differ."""
    names = with_and(map(printable, comparison.names))
    yield from wrapped(f"{names} on the same {many(comparison.rows, 'row')}", _WIDTH)
    yield ""
    some = {each.label: each for each in comparison.differences}
    columns = {"": [printable(name) for name in comparison.names]}
    for label, by_model in comparison.scores.items():
        columns[label] = [score_text(some[label], by_model[name]) for name in comparison.names]
    columns["size"] = [f"{comparison.sizes[name]:,}" for name in comparison.names]
    yield from named_columns(columns)
    yield f"{SIZE_IN_WORDS}."
    for score in dict.fromkeys(each.score for each in comparison.differences):
        differences = tuple(each for each in comparison.differences if each.score == score)
        yield ""
        yield f"{differences[0].label} ({differences[0].test})"
        yield from difference_lines(differences)
        yield from _sentences(conclusions_in_few(differences, _best(differences)))
    for agreement in comparison.agreements[:_MOST_PAIRS]:
        yield from _sentences([str(agreement)], [""])
        yield from _by_class(agreement)
    yield from _sentences(comparison.notes, [""])


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
    rows += [[printable(name), *map(figure, counted)] for name, counted in agreement.by_class.items()]
    return in_columns(rows, "figures")


# A comparison over many tables as text: mean ranks, every pair, and what may be concluded.


@printed
def draw_rank_comparison(comparison: RankComparison) -> Iterator[str]:
    """The mean ranks, every pair, what may be concluded."""
    names = with_and(map(printable, comparison.learners))
    way = "larger" if comparison.better == "more" else "smaller"
    yield from wrapped(f"{names} on {many(len(comparison.tables), 'table')} ({way} is better)", _WIDTH)
    yield ""
    means = dict(zip(comparison.learners, comparison.scores.mean(axis=0).tolist(), strict=True))
    ranks = comparison.mean_ranks
    columns = {"": map(printable, ranks), "mean rank": (f"{rank:.3f}" for rank in ranks.values())}
    yield from named_columns({**columns, "mean score": (f"{means[name]:.4g}" for name in ranks)})
    yield f"critical difference of mean ranks {comparison.critical_difference:.2f} (Nemenyi)"
    yield ""
    yield from named_columns(_pairs(comparison))
    yield ""
    yield from _sentences(comparison.conclusions)
    yield from _sentences(comparison.notes, [""])


def _pairs(comparison: RankComparison) -> dict[str, list[str]]:
    pairs = comparison.differences
    posteriors = [each.posterior for each in pairs]
    return {
        "first, second": [printable(f"{each.first}, {each.second}") for each in pairs],
        "wins–ties–losses": [f"{each.wins}–{each.ties}–{each.losses}" for each in pairs],
        "Nemenyi p": [p_value(each.nemenyi_p) for each in pairs],
        "Wilcoxon p": [p_value(each.signed_ranks.p) for each in pairs],
        "adjusted p": [p_value(each.adjusted_p) for each in pairs],
        "first better": [f"{percent(each.first)} %" for each in posteriors],
        f"± {posteriors[0].rope:g}": [f"{percent(each.equivalent)} %" for each in posteriors],
        "second better": [f"{percent(each.second)} %" for each in posteriors],
    }


# A comparison of trees as text: the trees in a table, what each learner did where they differ, its scores.


_MOST_ATTRIBUTES: Final = 30  # with a line of scores each
_MOST_COUNTED: Final = 6  # classes, counted one by one
_MOST_VALUES: Final = 5  # named in one condition
_MOST_WAYS: Final = 9  # of a question


@printed
def draw_tree_comparison(comparison: TreeComparison) -> Iterator[str]:
    """The first learner's words name the place where they differ."""
    models = comparison.models
    first = next(iter(models.values()))
    target = first.schema.predicted
    yield f"{with_and(map(printable, models))} on {printable(target.name)}"
    yield ""
    yield from _table(named_columns(_trees(comparison)))
    yield ""
    if comparison.parting is None:
        yield "They never part: every tree sends the same rows the same ways."
    else:
        alike = [with_and(map(printable, each)) for each in comparison.alike if len(each) > 1]
        yield from (f"{each} grow the same tree." for each in alike)
        yield from _parting(comparison.parting, first)
    yield from _sentences(comparison.notes, [""])
    yield ""


def _trees(comparison: TreeComparison) -> Mapping[str, list[str]]:
    models, costs = comparison.models, comparison.costs
    columns = {
        "": [printable(name) for name in models],
        "leaves": [f"{model.leaves:,}" for model in models.values()],
        "depth": [str(model.depth) for model in models.values()],
    }
    if comparison.right:
        columns["right"] = [
            f"{short(comparison.right[name])} of {short(float(model.nodes.counts[0].sum()))}"
            for name, model in models.items()
        ]
    if costs:
        paid = [costs.get(name) for name in models]
        columns["cost per row"] = ["–" if each is None else short(each.per_row) for each in paid]
        columns["best constant prediction"] = [
            "–" if each is None else f"{printable(each.constant)}: {short(each.constant_per_row)}"
            for each in paid
        ]
    return columns


def _parting(parting: Parting, tree: Tree) -> Iterator[str]:
    when, classes = parting.rows.when, tree.schema.classes
    place = f"where {printable(all_of_shortened(when, _MOST_VALUES))}" if when else "at the root"
    rows = exact_row_count(parting.rows.weight)
    if not tree.is_numeric and len(classes) <= _MOST_COUNTED:
        counted = zip(classes, parting.counts, strict=True)
        rows += f", {', '.join(f'{short(count)} {printable(name)}' for name, count in counted)}"
    yield from wrapped(f"They differ {place}: {rows}.", _WIDTH)
    names = [printable(name) for name in parting.choices]
    widest = max(map(display_width, names))
    for name, choice in zip(names, parting.choices.values(), strict=True):
        sentences = [_asks(choice.asks), *choice.because]
        lines = [line for each in sentences for line in wrapped(printable(each), _WIDTH - widest - 4)]
        yield f"  {padded(name, widest)}  {lines[0]}"
        yield from (f"  {' ' * widest}  {line}" for line in lines[1:])
    yield ""
    yield "What each attribute scores there (← taken)"
    yield from _table(in_columns(_scores_there(parting), "figures"))


def _asks(ways: Sequence[Condition]) -> str:
    if not ways:
        return "a leaf"
    named = ways if len(ways) <= _MOST_WAYS else ways[: _MOST_WAYS - 1]
    rest = [f"… {len(ways) - len(named)} more"] if len(ways) > len(named) else []
    return " | ".join([*(str(shortened(each, _MOST_VALUES)) for each in named), *rest])


def _scores_there(parting: Parting) -> list[list[str]]:
    """One line per attribute, one column per score of each learner."""
    choices = parting.choices
    attributes = list(next(iter(choices.values())).scores)
    columns = [
        (name, score) for name, choice in choices.items() for score in next(iter(choice.scores.values()), {})
    ]
    lines = [["", *(f"{printable(name)} {score.lower()}" for name, score in columns)]]
    for attribute in attributes[:_MOST_ATTRIBUTES]:
        line = [printable(attribute)]
        for name, score in columns:
            asks, scores = choices[name].asks, choices[name].scores[attribute]
            taken = bool(asks) and asks[0].name == attribute and score == list(scores)[-1]
            value = scores[score]
            line.append(("–" if value is None else short(value)) + (" ←" if taken else "  "))
        lines.append(line)
    if len(attributes) > _MOST_ATTRIBUTES:
        lines.append([f"… {len(attributes) - _MOST_ATTRIBUTES} more", *("" for _ in columns)])
    return lines


def _table(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)
