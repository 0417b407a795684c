"""Comparing learners by the same folds: which learns better from such a table, and could it be luck?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.errors import SettingError
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.records import json_of
from clearwood.scoring import SCORES, Better, Stakes
from clearwood.scoring.answer_scores import (
    counting_all_rows,
    note_on_kinds,
    note_on_unanswered,
    part_answered,
)
from clearwood.scoring.differences.paired import five_by_two
from clearwood.scoring.intervals import score_over_parts
from clearwood.scoring.positive import guessed_positive, weights_of_classes
from clearwood.scoring.predictions import ClassPredictions, NumberPredictions, Predictions
from clearwood.scoring.scores import check_orders, score_called, usual_score
from clearwood.shown import ShowsItself
from clearwood.study.comparing.score_difference import (
    PairedRows,
    ScoreDifference,
    adjusted_by_holm,
    difference_called,
    difference_over_parts,
    differences_of_rows,
    named_contenders,
)
from clearwood.study.contest.contenders import deciding_by
from clearwood.study.cross_validation import CrossValidation, cross_validate
from clearwood.study.designs import FOLDS, Bootstrap, ByTime, Design, Folds, HoldOut, TrainingRows
from clearwood.study.recipe import Recipe
from clearwood.study.tuning.trials import JudgingByScore
from clearwood.table.table import Table
from clearwood.words.numbers import with_and

_TESTED_AS: Final = {"rmse": "mse"}


def compare_learners(
    learners: Mapping[str, Learner[Model]] | Sequence[Learner[Model]],
    table: Table,
    design: Design | None = None,
    *,
    score: str | None = None,
    positive: str = "",
    costs: Mapping[tuple[str, str], float] | None = None,
    rope: float | None = None,
    seed: int = 0,
) -> LearnerComparison:
    """Two or more learners, or recipes, on one table by the same parts of one design: ten folds unless given.

    Differences are tested by the corrected resampled t-test (Nadeau and Bengio 2003), by the 5×2 folds' t and
    F where the design is `Folds(2, repeats=5)`, and by the Bayesian correlated t-test; where one part is held
    out, by tests over its rows, as `compare_models` does. p is adjusted by Holm for the number of pairs.
    `score` is the name of a score of the catalogue, accuracy or RMSE unless given. Where `costs` are given,
    each learner decides by them, as in `choose`. `rope` is the difference that nobody minds: usually 0.01 of
    a share, and 1 % of another score.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> comparison = cw.compare_learners([cw.ID3(), cw.ID3(max_depth=1)], days, cw.Folds(7, repeats=3))
    >>> [len(scores) for scores in comparison.scores.values()], comparison.differences[0].is_shown
    ([21, 21], False)
    """
    named = _checked(learners, table)
    if table.schema.classes:
        named = {name: deciding_by(costs, each) for name, each in named.items()}
    if rope is not None and not rope >= 0:
        raise SettingError(f"rope must be 0 or more, not {rope!r}.")
    if score in SCORES:
        check_orders(SCORES[score])
    chosen = Folds(min(FOLDS, len(table)), seed) if design is None else design
    if isinstance(chosen, TrainingRows):
        raise SettingError(
            "Learners cannot be compared on the rows learned from. Take Folds() or another design."
        )
    validations = {
        name: cross_validate(learner, table, design=chosen, seed=seed) for name, learner in named.items()
    }
    given = {name: each.predictions for name, each in validations.items()}
    first = next(iter(validations.values()))
    rows = first.predictions
    numbers = isinstance(rows, NumberPredictions)
    quantile = rows.quantile if isinstance(rows, NumberPredictions) else None
    by = score or usual_score(numbers=numbers, quantile=quantile, costs=costs is not None)
    entry = score_called(by, numbers=numbers)
    notes = []
    of_two = isinstance(rows, ClassPredictions) and len(rows.classes) == 2
    if isinstance(rows, ClassPredictions) and of_two and entry.about_positive and not positive:
        # The same in every part: of two classes the positive one is guessed once, aloud.
        positive, _ = guessed_positive(rows.classes, weights_of_classes(rows))
        notes.append(f"{entry.label} is about the class {positive}.")
    stakes = Stakes(positive, costs)
    counted = {}
    for name, each in given.items():
        try:
            counted[name] = counting_all_rows(each, entry)
        except SettingError as error:
            raise SettingError(f"{name}: {error}") from None
    over = {name: score_over_parts(by, each, stakes) for name, each in counted.items()}
    if all(math.isnan(each.value) for each in over.values()):
        raise SettingError(
            f"No part of {first.design_in_words} has a value of {entry.label}: its rows cannot tell. Take "
            "larger parts, or another score."
        )
    terms = {name: each.terms for name, each in over.items()}
    judging = JudgingByScore(by, entry, stakes)
    if isinstance(chosen, HoldOut):
        differences = _on_rows(judging, counted, table, rope)
    else:
        differences = _over_parts(judging, terms, chosen, first.judged_to_learned, rope)
    notes += note_on_unanswered({name: part_answered(each) for name, each in given.items()}, entry)
    notes += note_on_kinds(given, by, entry)
    return LearnerComparison(
        tuple(named),
        by,
        entry.label,
        entry.better,
        first.design_in_words,
        len(table),
        {name: tuple(each.scores.tolist()) for name, each in over.items()},
        {name: each.value for name, each in over.items()},
        adjusted_by_holm(differences),
        (*notes, *_notes(chosen, terms)),
        validations,
    )


def _checked(
    learners: Mapping[str, Learner[Model]] | Sequence[Learner[Model]], table: Table
) -> dict[str, Learner[Model]]:
    given = list(learners.values()) if isinstance(learners, Mapping) else learners
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise SettingError("compare_learners takes learners in a list, or by name: [C45(), CART()].")
    for each in given:
        if not callable(getattr(each, "learn", None)):
            raise SettingError(
                f"compare_learners takes learners, such as C45(), not a {type(each).__name__}. Models that "
                "are learned already are compared by compare_models."
            )
    names = [type(each.learner if isinstance(each, Recipe) else each).__name__ for each in given]
    named = named_contenders("learners", learners, names)
    if not isinstance(table, Table):
        raise SettingError(
            f"compare_learners takes a Table, not {type(table).__name__}. Make one with read_table."
        )
    if len(table) < 2:
        raise SettingError("Learners are compared on at least two rows: one to learn from, one to test on.")
    return named


def _over_parts(
    judging: JudgingByScore, terms: Mapping[str, Floats], design: Design, shared: float, rope: float | None
) -> list[ScoreDifference]:
    five_times_two = isinstance(design, Folds) and (design.folds, design.repeats) == (2, 5)
    differences = []
    for pair in combinations(terms, 2):
        one, other = terms[pair[0]], terms[pair[1]]
        found = difference_over_parts(pair, (one, other), judging.by, judging.entry, shared, rope)
        if five_times_two and not np.isnan(one - other).any():
            found = replace(found, five_by_two=five_by_two((one - other).reshape(5, 2)))
        differences.append(found)
    return differences


def _on_rows(
    judging: JudgingByScore, predictions: Mapping[str, Predictions], table: Table, rope: float | None
) -> list[ScoreDifference]:
    """One part alone has no spread over parts: its rows have."""
    counts = table.weights_are in (None, "counts")
    differences = []
    for one, other in combinations(predictions, 2):
        both = predictions[one], predictions[other]
        found = list(differences_of_rows(PairedRows(one, other, *both, counts, judging.stakes, rope)))
        # What is the root of a mean is tested as the mean.
        tested = [each for each in found if each.score == _TESTED_AS.get(judging.by, judging.by)]
        if not tested:
            by, folds = ("rows", "folds") if both[0].units is None else ("groups", "folds of groups")
            raise SettingError(
                f"On one part held out {judging.entry.label} has no test by {by}. Take {folds}, or another "
                f"score: {', '.join(each.score for each in found)}."
            )
        differences += tested
    return differences


def _notes(design: Design, scores: Mapping[str, Floats]) -> list[str]:
    notes = []
    for name, each in scores.items():
        if unknown := int(np.isnan(each).sum()):
            notes.append(f"{name} has no such score in {unknown} of {len(each)} parts, which are left out.")
    if isinstance(design, HoldOut):
        notes.append(
            "One part was held out: the test is of these models. How much a learner varies with the rows "
            "that it learns from, folds show."
        )
    if isinstance(design, ByTime):
        notes.append(
            "Steps in time follow one another: later ones learn from more rows; the test takes them as alike."
        )
    if isinstance(design, Bootstrap):
        notes.append(
            "Bootstrap samples have fewer different rows to learn from than folds, and score a little lower."
        )
    return notes


# Learners by the same folds: their scores part by part, and the difference of every pair.


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class LearnerComparison(ShowsItself):
    """The score of each learner in each part of one design, and the difference of every pair.

    `scores` are by learner, part after part, each part with the same rows for all of them; NaN where the rows
    of a part cannot tell. `means` are by learner over the parts; of scores that are no means over rows what
    all rows together give.
    """

    names: tuple[str, ...]
    score: str
    label: str
    better: Better
    design: str  # in words
    rows: int
    scores: Mapping[str, tuple[float, ...]]
    means: Mapping[str, float]
    differences: tuple[ScoreDifference, ...]
    notes: tuple[str, ...] = ()
    validations: Mapping[str, CrossValidation] = field(default_factory=dict)

    @property
    def best_first(self) -> tuple[str, ...]:
        """The learners by their mean score; one without a score is last."""
        sign = -1 if self.better == "more" else 1
        known = {name: mean for name, mean in self.means.items() if not math.isnan(mean)}
        without = [name for name in self.names if name not in known]
        return (*sorted(known, key=lambda name: sign * known[name]), *without)

    def difference(self, first: str, second: str) -> ScoreDifference:
        """That of two learners, in the order of the comparison."""
        return difference_called(self.differences, first, second)

    @property
    def conclusions(self) -> tuple[str, ...]:
        """What may be concluded, pair by pair, and what may not."""
        return tuple(each.conclusion for each in self.differences)

    def __repr__(self) -> str:
        return f"<LearnerComparison of {with_and(self.names)} by {self.label}: {self.design}>"

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for `json.dumps`."""
        learners = {
            name: {
                "mean": self.means[name],
                "scores": self.scores[name],
                "sizes": self.validations[name].reading_sizes,
            }
            for name in self.names
        }
        return json_of(self, *("names", "label", "scores", "means", "validations"), learners=learners)
