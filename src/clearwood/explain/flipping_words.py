"""Flipping words: which words of a text, taken out, would change the answer?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import add
from typing import Any

from clearwood.explain.evidence import WITHOUT_WORDS, Evidence, Piece, evidence
from clearwood.explain.top_words import words_in
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.kinds import check_kind


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
