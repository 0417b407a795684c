"""Scores fold by fold: contenders learn from each fold's rows, side by side on threads, and are judged on it.

The rows of a fold are taken once for all contenders, and trees that differ only in where they stop are grown
once. Every score is the same at any number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from threading import Lock
from typing import Any, TypeAlias

import numpy as np

from clearwood import _native
from clearwood.errors import ClearwoodError
from clearwood.learners.learner import Learner
from clearwood.learners.parts import FinishedTask, PartNotes, RowPart, run_in_order, taken_from
from clearwood.learners.trees.shared_growth import (
    growing_alike,
    grown_for,
    learned_from_grown,
    same_tree_key,
)
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.models.reading_size import reading_size
from clearwood.scoring import ScoreEntry, Stakes
from clearwood.scoring.answer_scores import counting_all_rows
from clearwood.scoring.positive import check_stakes, guessed_positive
from clearwood.scoring.predictions import predictions_of
from clearwood.scoring.scores import score_called, usual_score
from clearwood.study.dividing import predicted_column
from clearwood.study.recipe import Recipe
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

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
        grown, same = _grown(list(own.values()), rows.learn), dict[object, FoldScore]()

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


def _grown(learners: Sequence[Any], rows: Table) -> Tree | None:
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
