"""What the words of a text say: those that the limits leave, and the log of each for each class."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter

import numpy as np
import numpy.typing as npt

from clearwood.arrays import Floats
from clearwood.models.account.account import ByWord
from clearwood.models.kinds.bayes.distributions import Words
from clearwood.records import dataclass
from clearwood.table.text import words_of


def by_word(words: Words) -> ByWord:
    """The term of a text column.

    With bernoulli, `base` is that of a text without any of the words, and a word's log what changes by it.
    """
    kept = kept_words(words)
    named = tuple(words.words[i] for i in kept.tolist())
    counts, known = _floats(words.documents if words.event == "bernoulli" else words.counts), words.known
    chances, absent = word_chances(words, counts[:, kept], np.array([float(each) for each in known]))
    if absent is None:
        logs = -np.log(chances) if words.event == "complement" else np.log(chances)
        base = np.zeros(len(known))
    else:
        missed = np.log(absent)
        logs, base = np.log(chances) - missed, missed.sum(axis=1)
    return ByWord(words.name, named, np.ascontiguousarray(logs.T), base, absent is not None, words.reading)


def kept_words(words: Words) -> npt.NDArray[np.intp]:
    """The places of the words that the limits leave; of equally frequent ones the first in order."""
    reading = words.reading
    texts = np.array(words.texts, dtype=np.float64)
    least, most = (
        limit * words.read if isinstance(limit, float) else float(limit)
        for limit in (reading.min_documents, reading.max_documents)
    )
    # A word that fading has brought to nothing, or that was never met, is none.
    weighs = _floats(words.documents).sum(axis=0) > 0
    kept = np.flatnonzero((texts >= least) & (texts <= most) & weighs)
    if reading.most_words is None or len(kept) <= reading.most_words:
        return kept
    times = _floats(words.counts).sum(axis=0)[kept]
    return np.sort(kept[np.argsort(-times, kind="stable")[: reading.most_words]])


def word_chances(words: Words, counts: Floats, known: Floats) -> tuple[Floats, Floats | None]:
    """P(word|c) [class, word], of all other classes for complement; for bernoulli also of its absence."""
    if words.event == "bernoulli":
        sizes = known[:, None] + 2 * words.alpha
        return (counts + words.alpha) / sizes, (known[:, None] - counts + words.alpha) / sizes
    if words.event == "complement":
        counts = counts.sum(axis=0) - counts
    smoothed = counts + words.alpha
    return smoothed / smoothed.sum(axis=1, keepdims=True), None


@dataclass(frozen=True, slots=True)
class KnownWord:
    """A word of a text that the model knows, how often it stands there, and its log for each class in all."""

    word: str
    times: int
    logs: tuple[float, ...]

    def __str__(self) -> str:
        return self.word if self.times == 1 else f"{self.word} ×{self.times}"


def known_words_of(term: ByWord, text: str) -> list[KnownWord]:
    """The known words of a text, in order of first appearance."""
    times = Counter(words_of(text, term.reading))
    known = []
    for word, count in times.items():
        place = bisect_left(term.words, word)
        if place < len(term.words) and term.words[place] == word:
            logs = term.logs[place] * (1 if term.once else count)
            known.append(KnownWord(word, count, tuple(logs.tolist())))
    return known


def _floats(sums: tuple[tuple[object, ...], ...]) -> Floats:
    return np.array([np.array(row, dtype=np.float64) for row in sums], dtype=np.float64)
