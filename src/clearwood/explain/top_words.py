"""Top words: those that speak most for each class of a text model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ColumnError, SettingError, no_such
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Words
from clearwood.models.exact import Exact
from clearwood.models.kinds import check_kind
from clearwood.predict.words import kept_words


@dataclass(frozen=True, slots=True)
class TopWord:
    """A word, the log odds with which one occurrence (bernoulli: its presence) speaks for the class against
    all others together, and how often it occurs in each class (bernoulli: in how many texts)."""

    word: str
    log_odds: float
    counts: tuple[Exact, ...]  # [class]


@dataclass(frozen=True, slots=True)
class ClassWords:
    """The words that speak most for a class, strongest first."""

    called: str
    words: tuple[TopWord, ...]

    def __str__(self) -> str:
        return f"{self.called}: " + ", ".join(f"{each.word} {each.log_odds:+.2f}" for each in self.words)


def top_words(model: BayesTables, column: str | None = None, *, most: int = 10) -> tuple[ClassWords, ...]:
    """For each class the `most` words with the largest log odds; among equals the more frequent first.

    >>> import clearwood as cw
    >>> texts = ["free prize", "free call", "see you", "call you"]
    >>> rows = {"text": texts, "y": ["spam", "spam", "ham", "ham"]}
    >>> table = cw.read_table(rows, target="y", kinds={"text": "text"})
    >>> for each in top_words(cw.NaiveBayes().learn(table), most=2):
    ...     print(each)
    ham: you +1.10, see +0.69
    spam: free +1.10, prize +0.69
    """
    if most < 1:
        raise SettingError(f"most must be 1 or more, not {most}.")
    check_kind("top_words", model, BayesTables)
    words = words_in(model, column)
    kept = kept_words(words)
    counts = words.documents if words.event == "bernoulli" else words.counts
    odds = log_odds(words, np.array(counts, dtype=np.float64).reshape(len(counts), -1)[:, kept])
    often = np.array(counts, dtype=np.float64).reshape(len(counts), -1)[:, kept]
    by_class = []
    for c, name in enumerate(model.schema.classes):
        order = np.lexsort((-often[c], -np.round(odds[c], 10)))
        best = [i for i in order[:most].tolist() if odds[c, i] > 0]
        tops = tuple(
            TopWord(words.words[kept[i]], float(odds[c, i]), tuple(row[kept[i]] for row in counts))
            for i in best
        )
        by_class.append(ClassWords(name, tops))
    return tuple(by_class)


def words_in(model: BayesTables, column: str | None = None) -> Words:
    """The words of the text column of this name, or of the only one."""
    texts = {each.name: each for each in model.distributions if isinstance(each, Words)}
    if column is not None:
        if column not in texts:
            raise ColumnError(no_such("text column", column, texts))
        return texts[column]
    if len(texts) != 1:
        wrong = f"it has {len(texts)}: {', '.join(texts)}. Name one" if texts else "this model has none"
        raise ColumnError(f"Top words are those of a text column; {wrong}.")
    return next(iter(texts.values()))


def log_odds(words: Words, counts: Floats) -> Floats:
    """[class, word] log P(word|class) − log P(word|all other classes together)."""
    others = counts.sum(axis=0) - counts
    if words.event == "bernoulli":
        known = np.array([float(each) for each in words.known])[:, None]
        sizes, rest = known + 2 * words.alpha, known.sum() - known + 2 * words.alpha
    else:
        sizes, rest = ((each + words.alpha).sum(axis=1, keepdims=True) for each in (counts, others))
    odds: Floats = np.log((counts + words.alpha) / sizes) - np.log((others + words.alpha) / rest)
    return odds
