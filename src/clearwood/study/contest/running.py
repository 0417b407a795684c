"""Running a contest: every contender learns and is judged on each part of one design.

A contender that refuses its rows goes out with its sentence, and the others go on; any other error is a bug
and ends the contest. Our learners learn on several threads, one part on each; what the models are does not
depend on that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from clearwood import _native
from clearwood.arrays import Longs
from clearwood.counting.chance import chance_key, drawn_with_replacement
from clearwood.errors import ClearwoodError, ClearwoodWarning, Sentence, SettingError
from clearwood.learners.parts import (
    FinishedTask,
    OutOfTimeError,
    RowPart,
    TakenPart,
    TaskCounter,
    run_in_order,
    sentences_of,
    taken_from,
)
from clearwood.models.decision import Decision, decided
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.model import reading_size
from clearwood.records import json_with
from clearwood.scoring import SCORES, ScoreEntry, Stakes
from clearwood.scoring.answer_scores import counting_all_rows, part_answered
from clearwood.scoring.intervals import score_over_parts
from clearwood.scoring.predictions import (
    ClassPredictions,
    Predictions,
    counted_once,
    predictions_of,
    predictions_together,
)
from clearwood.scoring.scores import score_by_name
from clearwood.study.contest.contenders import Contender
from clearwood.study.cross_validation import BootstrapError, error_from
from clearwood.study.deciding.decided_anew import costs_of_mistakes
from clearwood.study.dividing import judged_to_learned
from clearwood.study.recipe import bears_threads
from clearwood.table.folding import shuffled_rows
from clearwood.table.table import Table
from clearwood.words.numbers import amount, many

_DRAWS = 200  # of the rows of a single part, for the standard error of its score
_ROWS = 0x0C0  # what these draws are for


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """One table, divided once; one score, with what is at stake. `shares`: the score needs them. `units`:
    which rows belong together, None: each is by itself."""

    table: Table
    parts: Sequence[RowPart]
    by: str
    stakes: Stakes
    shares: bool
    units: Longs | None = None  # [row]
    by_bootstrap: bool = False  # the parts are bootstrap samples

    @property
    def entry(self) -> ScoreEntry:
        """The score."""
        return SCORES[self.by]

    @property
    def judged_to_learned(self) -> float:
        """Rows that judge to different rows learned from, in the average part."""
        return judged_to_learned(self.parts)


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """One part of one contender."""

    predictions: Predictions
    size: int | None
    readable: bool
    notes: tuple[Sentence, ...]


def run_contender(
    contest: Contest, contender: Contender, counter: TaskCounter | None, deadline: float = math.inf
) -> JudgedContender | None:
    """The contender on every part; None where whoever watches said meanwhile that it is enough (without a
    `counter` nobody is asked). One that has not ended at the `deadline`, by the clock that counts up, is
    stopped."""
    began = perf_counter()
    try:
        judged = _all_parts(contest, contender, counter, deadline)
    except OutOfTimeError as late:
        _leave_out(counter, len(contest.parts) - late.done)
        done = f"{late.done} of {many(len(contest.parts), 'part')}"
        sentence = f"Stopped for lack of time, after {done} and {perf_counter() - began:.1f} s."
        return JudgedContender(contender=contender, refused=sentence, stopped=True)
    except _PartRefusedError as refused:
        _leave_out(counter, len(contest.parts))
        return JudgedContender(contender=contender, refused=refused.sentence)
    if judged is None:
        return None
    seconds = (perf_counter() - began) / len(contest.parts)
    predictions = predictions_together([each.predictions for each in judged])
    if contest.units is not None:
        predictions = replace(predictions, units=contest.units[predictions.places])
    try:
        counted = counting_all_rows(predictions, contest.entry)
    except SettingError as error:
        return JudgedContender(contender=contender, refused=error.sentence)
    over = score_over_parts(contest.by, counted, contest.stakes)
    if np.isnan(over.value):
        sentence = f"The test rows cannot tell its {contest.by}: {over.why}."
        return JudgedContender(contender=contender, refused=sentence)
    told: dict[str, list[int]] = {}
    for place, each in enumerate(judged, 1):
        # Its first sentence is enough here: `fit` says the rest, and rows differ from part to part.
        for sentence in dict.fromkeys(str(note).partition(". ")[0].rstrip(".") for note in each.notes):
            told.setdefault(f"{sentence}.", []).append(place)
    remarks = [str(each) for each in sentences_of(told, len(judged))]
    drawn = _drawn_anew(contest, counted) if len(contest.parts) == 1 else ()
    # Corrected for what the parts share; of one part by drawing rows anew.
    standard_error = over.standard_error(contest.judged_to_learned)
    if len(contest.parts) == 1:
        known = [each for each in drawn if not np.isnan(each)]
        standard_error = float(np.std(known, ddof=1)) if len(known) > 1 else math.nan
    learns: Any = contender.learns
    if contender.is_reference_model and contest.table.weights is not None and not learns.heeds_weights():
        remarks.append("It learns without the weights of the rows, and is evaluated with them.")
    return JudgedContender(
        contender=contender,
        score=over.value,
        standard_error=standard_error,
        scores=tuple(over.scores.tolist()),
        terms=tuple(over.terms.tolist()),
        sizes=tuple(each.size for each in judged if each.size is not None),
        readable=all(each.readable for each in judged),
        seconds=seconds,
        predictions=predictions,
        answered=part_answered(predictions),
        drawn=drawn,
        bootstrap=_corrected(contest, contender, predictions) if contest.by_bootstrap else None,
        notes=tuple(remarks),
    )


def _leave_out(counter: TaskCounter | None, models: int) -> None:
    if counter is not None:
        counter.done += models


class _PartRefusedError(Exception):
    """A contender could not learn from a part, or not be judged by it."""

    def __init__(self, part: int, parts: int, error: ClearwoodError) -> None:
        self.sentence = Sentence(*([] if parts == 1 else [f"In part {part} of {parts}: "]), error.sentence)
        super().__init__(self.sentence)


def _all_parts(
    contest: Contest, contender: Contender, counter: TaskCounter | None, deadline: float
) -> list[_Judged] | None:
    take, done = taken_from(contest.table), list[_Judged]()

    def judged(task: tuple[int, RowPart]) -> _Judged:
        try:
            return judge_part(contest, contender, take(task))
        except ClearwoodError as error:
            raise _PartRefusedError(task[0] + 1, len(contest.parts), error) from error

    def heed(part: FinishedTask[tuple[int, RowPart], _Judged]) -> bool:
        told = (each.message.sentence for each in part.remarks if isinstance(each.message, ClearwoodWarning))
        done.append(replace(part.result, notes=tuple(told)))
        return counter is not None and counter.add()

    threads = min(_native.thread_count(), len(contest.parts)) if bears_threads(contender.learns) else 1
    # A learner of many members does not end early because the contest is to end: nobody watches it.
    run_in_order(enumerate(contest.parts), judged, heed, threads=threads, deadline=deadline)
    return done if len(done) == len(contest.parts) else None


def judge_part(contest: Contest, contender: Contender, rows: TakenPart) -> _Judged:
    """Learn from one part, and judge by its rows."""
    places: dict[str, Any] = {"places": rows.part.judge, "part": rows.place}
    if contender.is_reference_model:
        reference: Any = contender.learns
        learn, most = rows.learn, contender.most_rows
        if most is not None and len(learn) > most:
            learn = learn.take(np.sort(shuffled_rows(learn, rows.place)[:most]))
        given = reference.predictions(learn, rows.held_out, **places, shares=contest.shares)
        return _Judged(_by_costs(given, contest), None, False, ())
    model = contender.learner.learn(rows.learn)
    predictions = predictions_of(model, rows.held_out, **places)
    return _Judged(predictions, reading_size(model), not isinstance(model, Ensemble), ())


def _by_costs(predictions: Predictions, contest: Contest) -> Predictions:
    """A reference model knows no costs: its shares decide by them, as those of models do."""
    if not isinstance(predictions, ClassPredictions) or contest.stakes.costs is None:
        return predictions
    costs = costs_of_mistakes(contest.table.schema, contest.stakes.costs)
    answers = decided(predictions.shares, Decision(costs=costs), predictions.classes)
    return replace(predictions, answers=answers.astype(np.int64), costs=costs)


def _corrected(contest: Contest, contender: Contender, not_drawn: Predictions) -> BootstrapError | None:
    """The .632+ estimate, for which all rows are learned from once more; None where that is refused."""
    every = np.arange(len(contest.table))
    rows = taken_from(contest.table)((0, RowPart(every, every)))
    try:
        (whole,) = run_in_order([rows], partial(judge_part, contest, contender), lambda _: False)
    except ClearwoodError:
        return None  # the parts were judged all the same
    return error_from(whole.predictions, counted_once(not_drawn))


def _drawn_anew(contest: Contest, predictions: Predictions) -> tuple[float, ...]:
    """The score of rows drawn anew, or groups of them, the same for every contender."""
    unit = np.arange(len(predictions))
    if predictions.units is not None:
        unit = np.unique(predictions.units, return_inverse=True)[1].ravel()
    units = int(unit.max(initial=-1)) + 1
    if units < 2:
        return ()
    values = []
    for draw in range(_DRAWS):
        times = drawn_with_replacement(chance_key(_ROWS, draw), units, units)[unit]
        drawn = replace(predictions, weights=predictions.weights * times).take(times > 0)
        values.append(score_by_name(contest.by, drawn, contest.stakes))
    return tuple(values)


# A judged contender: its score part by part, how much there is to read, and what it took.


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class JudgedContender:
    """The scores of a contender, part after part of the design, each part with the same rows for everyone.

    `score` is their mean, or of scores that are no means over rows what all rows together give, NaN where no
    part could tell, and `standard_error` that of it. `terms` are what the parts add to it. `sizes` are the
    reading sizes of the models, part by part; a reference model has none. `readable` are single models: of an
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
        before = ("name", "readable", "score", "standard_error", "scores", "size", "sizes", "answered")
        estimate = () if self.bootstrap is None else ("bootstrap",)
        figures = json_with(self, *before, *estimate, seconds_per_part=self.seconds)
        return {**figures, **json_with(self, "notes", "refused", "stopped")}
