"""The words of a text column by class, as defined: text by text, every weight an exact fraction."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from clearwood.models.kinds.bayes.distributions import Sums, Words, exact
from clearwood.table.table import Table
from tests.definitions.tokens import ngrams, tokens


def words_by_counts(words: Words, rows: Table) -> Words:
    """What `word_sums.counted_words` gives, from the tokens alone."""
    classes, reading = range(len(rows.schema.classes)), words.reading
    weights = [1.0] * len(rows) if rows.weights is None else rows.weights.tolist()
    times: dict[tuple[int, str], Fraction] = defaultdict(Fraction)
    documents: dict[tuple[int, str], Fraction] = defaultdict(Fraction)
    known = [Fraction(0) for _ in classes]
    texts: Counter[str] = Counter()
    read = 0
    for text, c, weight in zip(rows.columns[words.name], rows.target.tolist(), weights, strict=True):
        if text is None:
            continue
        known[c] += Fraction(weight)
        read += 1
        actual = ngrams(tokens(text, lower=reading.lower), reading.ngrams, reading.stop_words)
        for word in actual:
            times[c, word] += Fraction(weight)
        for word in set(actual):
            documents[c, word] += Fraction(weight)
        texts.update(set(actual))
    met = tuple(sorted({word for _, word in times}))
    width = len(classes)
    return replace(
        words,
        words=met,
        counts=_sums(times, width, met),
        documents=_sums(documents, width, met),
        known=tuple(map(exact, known)),
        texts=tuple(texts[word] for word in met),
        read=read,
    )


def _sums(cells: Mapping[tuple[int, str], Fraction], classes: int, words: tuple[str, ...]) -> Sums:
    return tuple(tuple(exact(cells.get((c, word), 0)) for word in words) for c in range(classes))
