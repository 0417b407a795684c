"""The table of a choice: each contender's score, how much there is to read, and what it took."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from clearwood.scoring.score import ScoreEntry
from clearwood.study.bootstrap_error import BootstrapError
from clearwood.study.contest.planning import in_seconds
from clearwood.study.contest.recommending import with_error
from clearwood.study.contest.running import JudgedContender
from clearwood.words.columns import in_columns
from clearwood.words.numbers import amount


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
        answered = ("answered",) if self.some_silent else ()
        return ("contender", self.entry.label, *self.corrected_heads, *answered, "size", "time")

    @property
    def corrected_heads(self) -> tuple[str, ...]:
        """The head of the .632+ estimates, where there are any."""
        estimates = [each.bootstrap for each in self.rows if each.bootstrap is not None]
        if not estimates:
            return ()
        return (".632+ RMSE" if estimates[0].squared else ".632+ accuracy",)

    def corrected(self, judged: JudgedContender) -> tuple[str, ...]:
        """The .632+ estimate of a contender, where there are any."""
        return (corrected_words(judged.bootstrap),) if self.corrected_heads else ()

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
                *self.corrected(each),
                *([answered_words(each)] if self.some_silent else []),
                size_words(each),
                in_seconds(each.seconds),
            )
            for each in known
        ]
        if not self.baseline.refused:
            silent = [answered_words(self.baseline)] if self.some_silent else []
            corrected = self.corrected(self.baseline)
            made.append(("baseline", with_error(self.entry, self.baseline), *corrected, *silent, "", ""))
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


def corrected_words(estimate: BootstrapError | None) -> str:
    """The .632+ estimate as an accuracy, or as the root of the squared error.

    >>> corrected_words(BootstrapError(0.2, 0.1, 0.5))
    '0.830'
    """
    if estimate is None:
        return "–"
    return amount(estimate.estimate**0.5) if estimate.squared else f"{1 - estimate.estimate:.3f}"


def answered_words(judged: JudgedContender) -> str:
    """The part of the rows that it answers."""
    return f"{100 * judged.answered:.1f} %"


def size_words(judged: JudgedContender) -> str:
    """The reading size; a reference model has none, and nobody reads an ensemble.

    >>> from clearwood.study.contest.contenders import Contender
    >>> size_words(JudgedContender(contender=Contender("svm", None), score=0.8))
    'not readable'
    """
    if judged.size is None:
        return "not readable"
    return f"{judged.size:,}" if judged.readable else f"({judged.size:,})"
