"""Trials: settings that were tried, with their scores fold by fold; the best, and the simplest as good."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass, replace
from functools import lru_cache, partial
from threading import Lock
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from clearwood import _native
from clearwood.errors import ClearwoodError, ClearwoodWarning, LearningError, SettingError, check_known
from clearwood.learners.learner import Learner
from clearwood.learners.parts import FinishedTask, PartNotes, RowPart, run_in_order, taken_from
from clearwood.learners.trees.shared_growth import growing_alike, grown_for, learned_from_grown, same_tree_key
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model, reading_size
from clearwood.registry import settings_of
from clearwood.scoring import SCORES, OverParts, ScoreEntry, Stakes
from clearwood.scoring.answer_scores import counting_all_rows
from clearwood.scoring.intervals import error_of_terms, least_rows, mean_of_known, terms_of_parts
from clearwood.scoring.positive import check_stakes, guessed_positive
from clearwood.scoring.predictions import predictions_of
from clearwood.scoring.scores import score_called, usual_score
from clearwood.study.designs import FOLDS, Folds
from clearwood.study.dividing import judged_to_learned, predicted_column
from clearwood.study.recipe import Recipe
from clearwood.study.tuning.grids import SettingGrid
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table
from clearwood.words.numbers import many


@dataclass(frozen=True, slots=True)
class Trial:
    """Settings, the score of each fold (NaN where its rows cannot tell), and the sizes of its models.

    The size is how much a person reads to know all of a model. `failed` says why the settings have no scores:
    they do not go together, or a fold refused them. `shared` is by how much the folds' rows overlap, as the
    corrected resampled t-test has it: rows that judge to rows learned from, 0 where no row judges twice.
    `over` says how the score goes over folds.
    """

    settings: Mapping[str, Any]
    scores: tuple[float, ...] = ()
    sizes: tuple[int, ...] = ()
    training: tuple[float, ...] = ()
    failed: str = ""
    shared: float = 0.0
    over: OverParts = "mean"

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", MappingProxyType(dict(self.settings)))

    def __reduce__(self) -> tuple[object, ...]:
        # A view cannot be pickled or copied: what it shows can.
        rest = (self.scores, self.sizes, self.training, self.failed, self.shared, self.over)
        return Trial, (dict(self.settings), *rest)

    @property
    def mean(self) -> float:
        """Over the folds that have a score; of a root, the root of the mean square."""
        return mean_of_known(terms_of_parts(self.scores, self.over))

    @property
    def standard_error(self) -> float:
        """Of the mean over the folds; NaN of fewer than two.

        >>> round(Trial({}, (0.5, 0.7), (3, 5)).standard_error, 3)
        0.1
        """
        return error_of_terms(terms_of_parts(self.scores, self.over), self.shared)

    @property
    def mean_on_training(self) -> float:
        """On the rows learned from, where that was asked for."""
        return mean_of_known(terms_of_parts(self.training, self.over))

    @property
    def standard_error_on_training(self) -> float:
        """Of that mean."""
        return error_of_terms(terms_of_parts(self.training, self.over), self.shared)

    @property
    def size(self) -> float:
        """The mean size of the folds' models."""
        return float(np.mean(self.sizes)) if self.sizes else math.nan


def best_of(trials: Sequence[Trial], entry: ScoreEntry) -> int:
    """The place of the best mean; of equal ones the simplest, and of these the first."""
    judged = _judged(trials)
    return min(judged, key=lambda place: (*_rank(trials[place], entry), place))


def simplest_within_one_error(trials: Sequence[Trial], entry: ScoreEntry) -> int:
    """The place of the simplest whose mean is within one standard error of the best's; of equally simple
    ones the better (Breiman et al. 1984).

    >>> from clearwood.scoring import SCORES
    >>> deep, flat = Trial({}, (0.9, 0.7, 0.8), (9, 9, 9)), Trial({}, (0.8, 0.7, 0.8), (3, 3, 3))
    >>> simplest_within_one_error([deep, flat], SCORES["accuracy"])
    1
    """
    best = trials[best_of(trials, entry)]
    error = 0.0 if math.isnan(best.standard_error) else best.standard_error
    limit = entry.goodness(best.mean) - error
    within = [
        place
        for place in _judged(trials)
        if entry.goodness(trials[place].mean) >= limit - 1e-12 * (1 + abs(limit))
    ]
    return min(within, key=lambda place: (trials[place].size, _rank(trials[place], entry)[0], place))


def _judged(trials: Sequence[Trial]) -> list[int]:
    """The places of those with a score; a sentence where there are none."""
    judged = [place for place, each in enumerate(trials) if not each.failed and not math.isnan(each.mean)]
    if not judged:
        failed = [each.failed for each in trials if each.failed]
        why = (
            failed[0]
            if failed
            else "No fold has rows that the score can be computed from. Take another score."
        )
        raise LearningError(f"None of the settings could be evaluated. {why}")
    return judged


def _rank(trial: Trial, entry: ScoreEntry) -> tuple[float, float]:
    # Means that differ by rounding alone are equal: the simpler then is better.
    return -float(f"{entry.goodness(trial.mean):.12g}"), trial.size


# Trying settings: each learns from every fold's rows, and becomes a trial with its scores.


class InterruptedTuningError(LearningError):
    """Tuning ended before there was anything to choose from."""


def tried(
    to_try: Sequence[ToTry],
    rows: Table,
    parts: Sequence[RowPart],
    judging: JudgingByScore,
    heed: Callable[[Mapping[ContenderFold, FoldScore]], object],
    *,
    known: Mapping[ContenderFold, FoldScore],
    training: bool = False,
    threads: int | None = None,
) -> tuple[tuple[Trial, ...], int]:
    """The trials, and by how many folds. Places count the settings that have a learner; after an
    interruption, the folds count that all of these have."""
    check_parts(parts, judging.entry)
    able = [each for each in to_try if each.learner is not None]
    learners = [each.learner for each in able if each.learner is not None]
    scores, notes = fold_scores(
        learners, rows, parts, judging, known=known, heed=heed, training=training, threads=threads
    )
    every = range(len(able))
    whole = [fold for fold in range(len(parts)) if all((place, fold) in scores for place in every)]
    if not whole:
        raise InterruptedTuningError("Tuning was interrupted before every setting had been tried in a fold.")
    notes.warn(len(parts))
    shared, over = judged_to_learned(parts), judging.entry.over_parts
    trials = []
    for each in to_try:
        own = [] if each.learner is None else [scores[able.index(each), fold] for fold in whole]
        failed = each.refused or next((score.failed for score in own if score.failed), "")
        if failed:
            trials.append(Trial(each.settings, failed=failed))
            continue
        scored, sizes, trained = zip(*((one.score, one.size, one.training) for one in own), strict=True)
        trials.append(Trial(each.settings, scored, sizes, trained, shared=shared, over=over))
    return tuple(trials), len(whole)


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


# Settings to try: a grid's combinations, checked by what the learner declares, each with its learner.


@dataclass(frozen=True, slots=True)
class ToTry:
    """Settings and the learner that has them; None where they do not go together, and why."""

    settings: Mapping[str, Any]
    learner: Learner[Model] | None
    refused: str = ""


def settings_to_try(learner: Learner[Model], grid: SettingGrid) -> tuple[ToTry, ...]:
    """One for each combination; of a recipe, the settings are those of its learner.

    A name or value that the learner does not take is refused, with the nearest name. Settings that are fine
    alone but not together are kept as refused.

    >>> from clearwood.learners.trees.cart import CART
    >>> grid = SettingGrid({"max_depth": (2, 4)})
    >>> [each.learner.max_depth for each in settings_to_try(CART(min_leaf=5), grid)]
    [2, 4]
    """
    own: Any = learner.learner if isinstance(learner, Recipe) else learner
    name = type(own).__name__
    if not is_dataclass(own) or isinstance(own, type) or not callable(getattr(own, "learn", None)):
        raise SettingError(
            f"Settings are tried of a learner that declares them, such as CART(), not of a {name}."
        )
    maker: Callable[..., Any] = type(own)
    known = settings_of(maker)
    for setting in grid.over:
        check_known(f"setting of {name} called", setting, known, plural="settings")
    made = []
    for each in grid.combinations:
        settings = {setting: known[setting].check(value) for setting, value in each.items()}
        try:
            with warnings.catch_warnings():
                # A setting without effect beside the others is no news where many are tried.
                warnings.simplefilter("ignore", ClearwoodWarning)
                made.append(ToTry(settings, with_settings(learner, settings)))
        except SettingError as error:
            made.append(ToTry(settings, None, str(error)))
    return tuple(made)


def with_settings(learner: Learner[Model], settings: Mapping[str, Any]) -> Learner[Model]:
    """The learner, or the recipe of a learner, with these settings in the place of its own."""
    if isinstance(learner, Recipe):
        return replace(learner, learner=with_settings(learner.learner, settings))
    made: Any = learner
    changed: Learner[Model] = replace(made, **settings)
    return changed


# Scores fold by fold: contenders learn from the rows of each fold, side by side, and are judged on it.
#
# The rows of a fold are taken once for all contenders, and trees that differ only in where they stop are
# grown once. Every score is the same at any number of threads.


ContenderFold: TypeAlias = tuple[int, int]  # a contender and a fold


@dataclass(frozen=True, slots=True)
class FoldScore:
    """What a contender's model of one fold got; `failed` says why there is none."""

    score: float = math.nan
    size: int = 0  # reading size
    training: float = math.nan  # on the rows learned from, where it was asked for
    failed: str = ""


def fold_scores(
    learners: Sequence[Learner[Model]],
    table: Table,
    parts: Sequence[RowPart],
    judging: JudgingByScore,
    *,
    known: Mapping[ContenderFold, FoldScore],
    heed: Callable[[Mapping[ContenderFold, FoldScore]], object],
    training: bool = False,
    threads: int | None = None,
) -> tuple[dict[ContenderFold, FoldScore], PartNotes]:
    """The score of every contender in every fold, and what their learners remarked on; with `training`, on
    the rows learned from too.

    Those `known` are not computed again. `heed` gets each new bundle of scores, on the thread that calls; if
    what it returns counts as true, that is enough: the scores so far are given, of the last folds those of
    some contenders only.
    """
    bare = [_bare(each) for each in learners]
    together = growing_alike(bare)
    # Fold after fold, so that every contender is as far as the others if the work ends early.
    tasks = [
        (fold, missing)
        for fold in range(len(parts))
        for places in together
        if (missing := [place for place in places if (place, fold) not in known])
    ]
    threads = min(_native.thread_count() if threads is None else threads, len(tasks))
    taken, lock = lru_cache(threads + 1)(taken_from(table)), Lock()
    done, notes = dict(known), PartNotes()

    def run(task: tuple[int, list[int]]) -> dict[ContenderFold, FoldScore]:
        fold, places = task
        with lock:  # taken by the first task that needs it
            rows = taken((fold, parts[fold]))
        own = {place: bare[place] for place in places}
        grown, same = _grown_together(list(own.values()), rows.learn), dict[object, FoldScore]()

        def scored(learn: Callable[[], Model]) -> FoldScore:
            try:
                model = learn()
                on_training = judging.score(model, rows.learn) if training else math.nan
                return FoldScore(judging.score(model, rows.held_out), reading_size(model), on_training)
            except ClearwoodError as error:
                return FoldScore(failed=f"In fold {fold + 1}: {error}")

        scores = {}
        for place, learner in own.items():
            if grown is None:
                scores[place, fold] = scored(partial(learner.learn, rows.learn))
                continue
            # Those that come to the same tree, as deep limits do on few rows, are judged once.
            key = same_tree_key(learner, grown)
            if key not in same:
                same[key] = scored(partial(learned_from_grown, learner, grown, rows.learn))
            scores[place, fold] = same[key]
        return scores

    def settle(ended: FinishedTask[tuple[int, list[int]], dict[ContenderFold, FoldScore]]) -> object:
        done.update(ended.result)
        notes.add(ended.task[0] + 1, ended.remarks)
        return heed(ended.result)

    run_in_order(tasks, run, settle, threads=threads)
    return done, notes


def _bare(learner: Any) -> Any:
    """A recipe that does nothing but learn is its learner."""
    plain = isinstance(learner, Recipe) and not (learner.prunings or learner.before or learner.after)
    return learner.learner if plain else learner


def _grown_together(learners: Sequence[Any], rows: Table) -> Tree | None:
    """The tree that several can share; None of a single one, and where each has to say what is wrong."""
    if len(learners) < 2:
        return None
    try:
        return grown_for(learners, rows)
    except ClearwoodError:
        return None


# How contenders are judged: by which score, with what at stake, and which way is better.


@dataclass(frozen=True, slots=True)
class JudgingByScore:
    """A score by its name, and what is at stake. `guessed` is the positive class where none was named."""

    by: str
    entry: ScoreEntry
    stakes: Stakes
    guessed: str = ""

    def score(self, model: Model, rows: Table) -> float:
        """The score of a model on rows, all of them; NaN where they cannot tell."""
        answers_only = self.entry.of == "answers" and model.decision.is_plain
        predictions = predictions_of(model, rows, answers_only=answers_only)
        return self.entry.value(counting_all_rows(predictions, self.entry), self.stakes)

    @property
    def in_words(self) -> str:
        """The score, and of which class."""
        about = self.entry.about_positive and self.stakes.positive
        return f"{self.entry.label} of {self.stakes.positive}" if about else self.entry.label


def judging_by_score(
    learner: Any,
    table: Table,
    by: str | None = None,
    positive: str | None = None,
    costs: Mapping[tuple[str, str], float] | None = None,
) -> JudgingByScore:
    """Whatever is wrong with the score is refused here, before anything is learned.

    Where no score is named it is the usual one for what the learner predicts; of two classes the positive one
    is guessed once, from all rows, so that every fold has the same.
    """
    numbers = isinstance(predicted_column(table), Numeric)
    own = learner.learner if isinstance(learner, Recipe) else learner
    if by is None:
        with_costs = costs is not None or getattr(own, "costs", None) is not None
        by = usual_score(numbers=numbers, quantile=_quantile(own) if numbers else None, costs=with_costs)
    entry = score_called(by, numbers=numbers)
    stakes, guessed = Stakes(positive or "", costs), ""
    if not numbers:
        check_stakes(stakes, table.schema.classes)
        if not positive and entry.about_positive and len(table.schema.classes) == 2:
            guessed = guessed_positive_of(table)
            stakes = Stakes(guessed, costs)
    return JudgingByScore(by, entry, stakes, guessed)


def guessed_positive_of(table: Table) -> str:
    """Of two classes the one that scores are about, by all rows."""
    codes = np.asarray(table.target)
    weights = np.ones(len(table)) if table.weights is None else table.weights
    known = codes >= 0
    by_class = np.bincount(codes[known], weights[known], minlength=2).astype(np.float64)
    return guessed_positive(table.schema.classes, by_class)[0]


def _quantile(learner: Any) -> float | None:
    """The quantile that a learner's models predict, as far as its settings tell; None: the mean."""
    loss = getattr(learner, "loss", None)
    if loss == "quantile":
        return float(learner.quantile)
    return 0.5 if "absolute" in (loss, getattr(learner, "measure", None)) else None
