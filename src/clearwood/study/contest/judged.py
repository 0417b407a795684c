"""A judged contender: its score part by part, how much there is to read, and what it took."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from clearwood.scoring.predictions import Predictions
from clearwood.study.bootstrap_error import BootstrapError
from clearwood.study.contest.contenders import Contender
from clearwood.words.numbers import amount, many


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class JudgedContender:
    """The scores of a contender, part after part of the design, each part with the same rows for everyone.

    `score` is their mean, or of scores that are no means over rows what all rows together give, NaN where no
    part could tell, and `standard_error` that of it. `terms` are what the parts add to it. `sizes` are the
    reading sizes of the models, part by part; a yardstick has none. `readable` are single models: of an
    ensemble there is a size, but nobody reads so many members. `seconds` is what a part took, learned and
    judged; `answered` the part of the rows that got an answer. `drawn` has, of a single part, the scores of
    its rows drawn anew, the same draws for everyone; `bootstrap` is the .632+ estimate where the design is
    one. `refused` is the sentence of one that could not be judged; then there is nothing else.
    """

    contender: Contender
    score: float = math.nan
    standard_error: float = math.nan
    scores: tuple[float, ...] = ()
    terms: tuple[float, ...] = ()
    sizes: tuple[int, ...] = ()
    readable: bool = False
    seconds: float = math.nan
    predictions: Predictions | None = None
    answered: float = 1.0
    drawn: tuple[float, ...] = ()
    bootstrap: BootstrapError | None = None
    notes: tuple[str, ...] = ()
    refused: str = ""
    stopped: bool = False  # refused for lack of time

    @property
    def name(self) -> str:
        return self.contender.name

    @property
    def size(self) -> int | None:
        """The median reading size over the parts; None: not readable at all."""
        return round(float(np.median(self.sizes))) if self.sizes else None

    def __str__(self) -> str:
        if self.refused:
            return f"{self.name}: {self.refused}"
        error = "" if math.isnan(self.standard_error) else f" ± {amount(self.standard_error)}"
        size = "not readable" if self.size is None else f"reading size {self.size:,}"
        return f"{self.name}: {amount(self.score)}{error} over {many(len(self.scores), 'part')}, {size}"

    def __repr__(self) -> str:
        return f"<JudgedContender {self}>"

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        return {
            "name": self.name,
            "readable": self.readable,
            "score": _known(self.score),
            "standard_error": _known(self.standard_error),
            "scores": [_known(each) for each in self.scores],
            "size": self.size,
            "sizes": list(self.sizes),
            "answered": self.answered,
            **({} if self.bootstrap is None else {"bootstrap": self.bootstrap.to_json()}),
            "seconds_per_part": _known(self.seconds),
            "notes": list(self.notes),
            "refused": self.refused,
            "stopped": self.stopped,
        }


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
