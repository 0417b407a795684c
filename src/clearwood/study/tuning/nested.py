"""A nested estimate: settings are tuned within outer folds, and judged on rows that chose nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, assert_never

from clearwood.bounds import whole
from clearwood.errors import SettingError
from clearwood.scoring.over_parts import error_of_terms, mean_of_known, terms_of_parts
from clearwood.scoring.score import OverParts
from clearwood.study.designs import (
    Bootstrap,
    ByTime,
    Design,
    Folds,
    GivenFolds,
    HoldOut,
    LeaveOneOut,
    TrainingRows,
)
from clearwood.study.designs_in_words import design_in_words


@dataclass(frozen=True, slots=True)
class NestedEstimate:
    """The score of each outer fold, the settings chosen without its rows, and the mean of these settings in
    the inner folds that chose them. `shared` and `over` are as for trials."""

    design: Design
    scores: tuple[float, ...]
    chosen: tuple[Mapping[str, Any], ...]
    inside: tuple[float, ...]
    shared: float = 0.0
    over: OverParts = "mean"

    @property
    def mean(self) -> float:
        """Over the outer folds that have a score."""
        return mean_of_known(terms_of_parts(self.scores, self.over))

    @property
    def standard_error(self) -> float:
        """Of the mean over the outer folds; NaN of fewer than two."""
        return error_of_terms(terms_of_parts(self.scores, self.over), self.shared)

    @property
    def design_in_words(self) -> str:
        """What judged, in a few words."""
        words = design_in_words(self.design, len(self.scores))
        return words.replace(" fold", " outer fold", 1) if " fold" in words else f"{words} (outer)"


def outer_design(inner: Design, asked: int | Design) -> Design:
    """So many outer folds that keep together what the inner design keeps together, or the design asked for.

    >>> outer_design(Folds(10, repeats=5, group="customer"), 5)
    Folds(folds=5, seed=0, repeats=1, stratified=True, group='customer')
    """
    if isinstance(asked, TrainingRows):
        raise SettingError("This design holds no rows out: nothing can be evaluated by it. Take nested=5.")
    if not isinstance(asked, int):
        return asked
    folds = whole("nested", asked, 2)
    match inner:
        case Folds():
            return replace(inner, folds=folds, repeats=1)
        case HoldOut(seed=seed, stratified=stratified, group=group):
            return Folds(folds, seed, stratified=stratified, group=group)
        case LeaveOneOut(group, seed) | Bootstrap(group=group, seed=seed):
            return Folds(folds, seed, group=group)
        case ByTime():
            return replace(inner, folds=folds)
        case GivenFolds(column, seed):
            return Folds(folds, seed, group=column)
        case TrainingRows():
            raise AssertionError("it was refused before")
        case _:
            assert_never(inner)
