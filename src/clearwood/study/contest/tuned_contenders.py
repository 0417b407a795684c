"""Contenders that are tuned within each part: the rows that judge have no part in the choice of settings."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Final

from clearwood.study.contest.contenders import Contender
from clearwood.study.contest.deciding_by_costs import deciding_by
from clearwood.study.contest.running import Contest
from clearwood.study.designs import Folds
from clearwood.study.tuning.grids import as_grid
from clearwood.study.tuning.tuner import Tuner

_FOLDS: Final = 5  # of the rows that are learned from


def tuned(contest: Contest, contender: Contender) -> Contender:
    """The contender that tries its grid in folds of the rows it learns from, and takes the simplest settings
    within one standard error of the best."""
    learner = contender.learner if contender.to_tune is None else contender.to_tune
    tuner = Tuner(
        deciding_by(contest.stakes.costs, learner),
        as_grid(contender.grid),
        Folds(_FOLDS),
        contest.by,
        one_se=True,
        positive=contest.stakes.positive or None,
        costs=contest.stakes.costs,
    )
    name = contender.name if contender.to_tune is None else contender.name.partition(":")[0]
    return replace(contender, name=f"{name} tuned", learns=tuner, grid={})


def times_as_long(contender: Contender) -> int:
    """How many models are learned in place of one: in each fold one with each setting, and the last."""
    return _FOLDS * prod(map(len, contender.grid.values())) + 1
