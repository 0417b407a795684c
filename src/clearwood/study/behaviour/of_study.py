"""How the learner of a study behaves: its learning curve, its bias and variance, its stability, as asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, TypeAlias

from clearwood.errors import ClearwoodError, NamedOption, SettingError
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.study.behaviour import BEHAVIOURS
from clearwood.study.behaviour.bias_variance import BiasVariance, bias_variance
from clearwood.study.behaviour.learning_curve import LearningCurves, learning_curve
from clearwood.study.behaviour.repeated_learning import named_learners
from clearwood.study.behaviour.stability import Stability, stability
from clearwood.study.designs import ByTime, Design, Folds, GivenFolds
from clearwood.study.study import Study
from clearwood.table.table import Table

Behaviour: TypeAlias = LearningCurves | BiasVariance | Stability
_FOLDS: Final = 5


@dataclass(frozen=True, slots=True)
class Unstudied:
    """Why a part could not be made of these rows."""

    why: str


Behaviours: TypeAlias = Mapping[str, Behaviour | Unstudied]


def behaviours_called(names: Iterable[str]) -> tuple[str, ...]:
    """The parts of these names, each once, in the order of the list.

    >>> behaviours_called(["stability", "learning_curve"])
    ('learning-curve', 'stability')
    """
    given = [name.strip().lower().replace("_", "-") for name in names]
    for name in given:
        if name not in BEHAVIOURS:
            raise SettingError(
                NamedOption("also"), f" takes one or several of {', '.join(BEHAVIOURS)}, not '{name}'."
            )
    return tuple(each for each in BEHAVIOURS if each in given)


def with_behaviour(study: Study, learner: Learner[Model], table: Table, names: Iterable[str]) -> Study:
    """The study with these parts of how its learner or recipe behaves, on all rows of `table`, which still
    has the column that its design divides by. A part that these rows do not allow says why."""
    named, group = named_learners("report", learner), getattr(study.design, "group", None)
    parts: dict[str, Behaviour | Unstudied] = {}
    for name in behaviours_called(names):
        try:
            if name == "learning-curve":
                design = _design_of_curve(study.design, group, study.seed)
                parts[name] = learning_curve(named, table, design=design, seed=study.seed)
            elif name == "bias-variance":
                parts[name] = bias_variance(named, table, group=group, seed=study.seed)
            else:
                parts[name] = stability(learner, table, group=group, seed=study.seed)
        except ClearwoodError as error:
            parts[name] = Unstudied(str(error))
    return replace(study, behaviours=MappingProxyType(parts))


def _design_of_curve(design: Design | None, group: str | None, seed: int) -> Design | None:
    """The study's own folds, once; five where it has none, or so many that it would take long."""
    if isinstance(design, Folds) and design.folds <= 2 * _FOLDS:
        return replace(design, repeats=1)
    if isinstance(design, ByTime | GivenFolds):
        return design
    return None if group is None else Folds(_FOLDS, seed, group=group)
