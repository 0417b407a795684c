"""The table of a choice: each contender's score, how much there is to read, and what it took."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from clearwood.scoring.score import ScoreEntry
from clearwood.study.contest.judged import JudgedContender
from clearwood.study.contest.planning import in_seconds
from clearwood.study.contest.recommending import with_error
from clearwood.words.columns import in_columns


@dataclass(frozen=True, slots=True, eq=False)
class ContenderTable:
    """Rows of judged contenders, the best first; printed as columns."""

    entry: ScoreEntry
    rows: tuple[JudgedContender, ...]
    baseline: JudgedContender

    def __iter__(self) -> Iterator[JudgedContender]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> JudgedContender:
        return self.rows[place]

    @property
    def heads(self) -> tuple[str, ...]:
        """What the columns are."""
        return ("contender", self.entry.label, *(["answered"] if self.some_silent else []), "size", "time")

    @property
    def some_silent(self) -> bool:
        """Does a contender leave rows unanswered?"""
        return any(each.answered < 1 for each in self.rows)

    def cells(self) -> list[tuple[str, ...]]:
        """By contender that was judged, and last the baseline: the cells as text."""
        known = [each for each in self.rows if not each.refused]
        made: list[tuple[str, ...]] = [
            (
                each.name,
                with_error(self.entry, each),
                *([answered_words(each)] if self.some_silent else []),
                size_words(each),
                in_seconds(each.seconds),
            )
            for each in known
        ]
        if not self.baseline.refused:
            silent = [answered_words(self.baseline)] if self.some_silent else []
            made.append(("baseline", with_error(self.entry, self.baseline), *silent, "", ""))
        return made

    @property
    def refused(self) -> dict[str, str]:
        """By contender that could not be judged: the sentence that says why."""
        return {each.name: each.refused for each in self.rows if each.refused}

    def to_json(self) -> list[dict[str, Any]]:
        """Plain values, ready for `json.dumps`."""
        return [each.to_json() for each in self.rows]

    def __str__(self) -> str:
        lines = in_columns([self.heads, *self.cells()], "figures")
        lines += [f"{name}: {sentence}" for name, sentence in self.refused.items()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def answered_words(judged: JudgedContender) -> str:
    """The part of the rows that it answers."""
    return f"{100 * judged.answered:.1f} %"


def size_words(judged: JudgedContender) -> str:
    """The reading size; a yardstick has none, and nobody reads an ensemble.

    >>> from clearwood.study.contest.contenders import Contender
    >>> size_words(JudgedContender(contender=Contender("svm", None), score=0.8))
    'not readable'
    """
    if judged.size is None:
        return "not readable"
    return f"{judged.size:,}" if judged.readable else f"({judged.size:,})"
