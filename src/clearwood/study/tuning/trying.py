"""Trying settings: each learns from every fold's rows, and becomes a trial with its scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from clearwood.errors import LearningError, SettingError
from clearwood.scoring import SCORES
from clearwood.scoring.over_parts import least_rows
from clearwood.scoring.score import OverParts, ScoreEntry
from clearwood.study.designs import FOLDS, Folds
from clearwood.study.dividing import RowPart, judged_to_learned
from clearwood.study.tuning.fold_scores import ContenderFold, FoldScore, FoldWork, fold_scores
from clearwood.study.tuning.judging_by_score import JudgingByScore
from clearwood.study.tuning.settings_to_try import ToTry
from clearwood.study.tuning.trials import Trial
from clearwood.table.table import Table
from clearwood.words.numbers import many

Heed = Callable[[Mapping[ContenderFold, FoldScore]], object]


class InterruptedTuningError(LearningError):
    """Tuning ended before there was anything to choose from."""


@dataclass(frozen=True, slots=True, eq=False)
class SettingsTried:
    """The trials, by how many folds; fewer than the design has where it was interrupted."""

    trials: tuple[Trial, ...]
    folds: int


def tried(
    to_try: Sequence[ToTry],
    rows: Table,
    parts: Sequence[RowPart],
    judging: JudgingByScore,
    heed: Heed,
    *,
    known: Mapping[ContenderFold, FoldScore],
    training: bool = False,
    threads: int | None = None,
) -> SettingsTried:
    """Places count the settings that have a learner; after an interruption, the folds count that all of these
    have."""
    check_parts(parts, judging.entry)
    learners = [each.learner for each in to_try if each.learner is not None]
    work = FoldWork(learners, rows, parts, judging, training)
    scores, notes = fold_scores(work, known=known, heed=heed, threads=threads)
    every = range(len(learners))
    whole = [fold for fold in range(len(parts)) if all((place, fold) in scores for place in every)]
    if not whole:
        raise InterruptedTuningError("Tuning was interrupted before every setting had been tried in a fold.")
    notes.warn(len(parts))
    shared, over = judged_to_learned(parts), judging.entry.over_parts
    places = iter(every)
    trials = [
        Trial(each.settings, failed=each.refused)
        if each.learner is None
        else _trial(each, [scores[place, fold] for place in [next(places)] for fold in whole], shared, over)
        for each in to_try
    ]
    return SettingsTried(tuple(trials), len(whole))


def usual_folds(table: Table, by: str | None) -> Folds:
    """Ten folds, or as many as the rows are enough for: of one row, or of as many as the score needs."""
    least = least_rows(SCORES[by]) if by in SCORES else 1
    return Folds(min(FOLDS, max(len(table) // least, 2)))


def check_parts(parts: Sequence[RowPart], entry: ScoreEntry) -> None:
    """Settings are judged fold by fold: refuse a score that such small folds cannot have."""
    least = least_rows(entry)
    largest = max((len(part.judge) for part in parts), default=least)
    if largest < least:
        raise SettingError(
            f"Settings are tuned by the mean over the folds, and of folds of {many(largest, 'row')} "
            f"{entry.label} says nothing. Take folds of at least {least} rows, or another score."
        )


def _trial(settings: ToTry, scores: Sequence[FoldScore], shared: float, over: OverParts) -> Trial:
    failed = next((each.failed for each in scores if each.failed), "")
    if failed:
        return Trial(settings.settings, failed=failed)
    return Trial(
        settings.settings,
        tuple(each.score for each in scores),
        tuple(each.size for each in scores),
        tuple(each.training for each in scores),
        shared=shared,
        over=over,
    )
