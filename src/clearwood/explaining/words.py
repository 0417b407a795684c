"""Words of a text model: those that speak most for each class, and those that change the prediction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import add
from typing import Any

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import ColumnError, SettingError, check_known
from clearwood.explaining.evidence import WITHOUT_WORDS, Evidence, Piece, evidence
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.distributions import Exact, Words
from clearwood.models.kinds.bayes.word_terms import kept_words
from clearwood.models.model import check_kind


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
        check_known("text column", column, texts, error=ColumnError)
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


@dataclass(frozen=True, slots=True)
class Flip:
    """Words whose removal, all their occurrences, makes another class the answer; `joint` is what is left."""

    words: tuple[str, ...]
    answer: str  # before
    instead: str  # after
    joint: tuple[float, ...]  # [class] logs without the words

    def __str__(self) -> str:
        return f"without {', '.join(self.words)}: {self.instead} instead of {self.answer}"


@dataclass(frozen=True, slots=True)
class FlippingWords:
    """Every single word that flips the answer, the one that leaves the smallest change first; and the fewest
    words that do so together, None where even all of them do not."""

    answer: str
    alone: tuple[Flip, ...]
    fewest: Flip | None

    def __str__(self) -> str:
        if self.fewest is None:
            return f"{self.answer}, whatever words are taken out"
        return "\n".join(map(str, self.alone or (self.fewest,)))


def flipping_words(
    model: BayesTables, row: Mapping[str, Any] | str, column: str | None = None
) -> FlippingWords:
    """The words of a text that decide its prediction; `row` is the text itself if there is no other column.

    An n-gram counts as a word of its own. The prediction is the most probable class, whatever costs say. The
    fewest words are exact: against each rival class those go first that speak most against it.

    >>> import clearwood as cw
    >>> texts = ["free prize", "free call", "see you", "call you"]
    >>> rows = {"text": texts, "y": ["spam", "spam", "ham", "ham"]}
    >>> table = cw.read_table(rows, target="y", kinds={"text": "text"})
    >>> print(flipping_words(cw.NaiveBayes().learn(table), "a free prize, you see you"))
    without you ×2: spam instead of ham
    """
    check_kind("flipping_words", model, BayesTables)
    name = words_in(model, column).name
    row_evidence = evidence(model, {name: row} if isinstance(row, str) else row)
    if not any(log > float("-inf") for log in row_evidence.joint):
        return FlippingWords(row_evidence.answer, (), None)
    words = [
        p
        for p in row_evidence.pieces
        if p.name == name and p.standing == "known" and p.value != WITHOUT_WORDS
    ]
    answer = _largest(row_evidence.joint)
    alone = [flip for piece in words if (flip := _without(row_evidence, answer, [piece])) is not None]
    alone.sort(key=lambda flip: -flip.joint[answer] + max(flip.joint))
    return FlippingWords(row_evidence.classes[answer], tuple(alone), _fewest(row_evidence, answer, words))


def _fewest(row_evidence: Evidence, answer: int, words: list[Piece]) -> Flip | None:
    best: list[Piece] | None = None
    for rival in range(len(row_evidence.classes)):
        if rival == answer:
            continue
        against = sorted(words, key=lambda piece: piece.logs[rival] - piece.logs[answer])
        for size in range(1, len(words) if best is None else len(best)):
            if _without(row_evidence, answer, against[:size]) is not None:
                best = against[:size]
                break
        else:
            if best is None and _without(row_evidence, answer, words) is not None:
                best = words
    return None if best is None else _without(row_evidence, answer, best)


def _without(row_evidence: Evidence, answer: int, pieces: list[Piece]) -> Flip | None:
    """The flip, where taking these words out is one."""
    # Added anew in order, as for the text that is left: rounding must not decide.
    gone = {id(piece) for piece in pieces}
    joint = row_evidence.log_priors
    for piece in row_evidence.pieces:
        if id(piece) not in gone:
            joint = tuple(map(add, joint, piece.logs))
    now = _largest(joint)
    if now == answer:
        return None
    words = tuple(str(piece.value) for piece in pieces)
    return Flip(words, row_evidence.classes[answer], row_evidence.classes[now], joint)


def _largest(joint: tuple[float, ...]) -> int:
    return max(range(len(joint)), key=joint.__getitem__)
