"""The words of a text column as lines: how many there are, and those that speak most for each class."""

from __future__ import annotations

from itertools import zip_longest
from typing import Final

from clearwood.explain.top_words import TopWord, top_words
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Words
from clearwood.models.exact import total
from clearwood.predict.words import kept_words
from clearwood.words.columns import printable
from clearwood.words.numbers import exact_sum

_MOST: Final = 10
_LONGEST: Final = 30


def word_lines(model: BayesTables, words: Words) -> list[list[str]]:
    """The first cell of a line is its label; then one cell per class.

    texts          4827           747
    words          67,000         17,500
    1              gt 318:0 +5.5  claim 0:113 +6.0
    """
    lines = [["texts", *(exact_sum(each) for each in words.known)]]
    lines.append(["words", *(exact_sum(total(row)) for row in words.counts)])
    used = len(kept_words(words))
    lines.append(
        [f"different: {len(words.words):,}" + (f", used: {used:,}" if used < len(words.words) else "")]
    )
    tops = [each.words for each in top_words(model, words.name, most=_MOST)]
    for place, row in enumerate(zip_longest(*tops), 1):
        lines.append([str(place), *("" if top is None else _top(top) for top in row)])
    return lines


def _top(top: TopWord) -> str:
    """A word, its counts by class, and its log odds."""
    word = printable(top.word)
    word = word if len(word) <= _LONGEST else word[: _LONGEST - 1] + "…"
    return f"{word} {':'.join(map(exact_sum, top.counts))} {top.log_odds:+.2f}"
