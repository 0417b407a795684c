"""A comparison of models as text: scores on the same rows, differences, and the rows where models differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from clearwood.draw.difference_table import difference_lines
from clearwood.draw.learner_comparison import conclusions_in_few
from clearwood.models.reading_size import SIZE_IN_WORDS
from clearwood.study.comparing.agreement import Agreement
from clearwood.study.comparing.models import ModelComparison
from clearwood.study.comparing.score_difference import ScoreDifference, score_text
from clearwood.words.columns import in_columns, printable, wrapped
from clearwood.words.lists import with_and
from clearwood.words.numbers import figure, many

_WIDTH: Final = 100
_MOST_PAIRS: Final = 3  # whose rows are named
_MOST_CLASSES: Final = 12  # counted one by one


def draw_model_comparison(comparison: ModelComparison) -> str:
    """For a terminal."""
    return "\n".join(_lines(comparison))


def _lines(comparison: ModelComparison) -> Iterator[str]:
    names = with_and(map(printable, comparison.names))
    yield from wrapped(f"{names} on the same {many(comparison.rows, 'row')}", _WIDTH)
    yield ""
    yield from _scores(comparison)
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


def _scores(comparison: ModelComparison) -> list[str]:
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
