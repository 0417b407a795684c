"""What an ensemble answers about itself: much of it by its members."""

from typing import Final

from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.ensemble.ensemble_file import (
    EnsembleForm,
    ensemble_from_form,
    ensemble_to_form,
)
from clearwood.models.kinds.ensemble.ensemble_program import program_of_ensemble
from clearwood.models.kinds.ensemble.ensemble_space import EnsembleSpace
from clearwood.models.kinds.kind import Kind, kind_of
from clearwood.models.kinds.tree.nodes import conditions_of_leaves
from clearwood.words.numbers import many


def _reading_size(ensemble: Ensemble) -> int:
    if ensemble.trees is not None:
        return conditions_of_leaves(ensemble.trees.nodes)
    return sum(kind_of(member).reading_size(member) for member in ensemble.models)


def _quantile(ensemble: Ensemble) -> float | None:
    medians = ensemble.trees is not None and ensemble.trees.answers == "median"
    return 0.5 if medians else ensemble.quantile


ENSEMBLE: Final = Kind(
    model=Ensemble,
    called="an ensemble",
    phrase="an ensemble",
    title="An ensemble",
    counts="Errors while learning are",
    unit="members",
    size=lambda ensemble: ensemble.size,
    size_in_words=lambda ensemble: many(ensemble.size, "member"),
    reading_size=_reading_size,
    no_rules="An ensemble combines many models; together they are no list of rules. "
    "Show a member as rules: rules_of(model.members[0]).",
    members=lambda ensemble: ensemble.members,
    quantile=_quantile,
    about=None,
    program=program_of_ensemble,
    space=EnsembleSpace,
    account=None,
    body=EnsembleForm,
    write=ensemble_to_form,
    read=ensemble_from_form,
    lines=("models", "curves"),
)
