"""The class that `--positive` names, or that was guessed."""

from __future__ import annotations

from clearwood.errors import SettingError, no_such
from clearwood.models.model import Model
from clearwood.scoring.positive import positive_class_of
from clearwood.scoring.scores import Scores
from clearwood.table.table import Table


def check_named_class(positive: str, table: Table) -> None:
    """Refuse a class that there is none of, before anything is learned."""
    classes = table.schema.classes
    if not classes:
        raise SettingError("--positive names a class, but the target is a number. Leave it out.")
    if positive not in classes:
        raise SettingError(no_such("class", positive, classes, plural="classes"))


def note_on_positive(model: Model, named: str | None, what: str) -> list[str]:
    """Which class points, curves or effects are about, where nobody named it."""
    if named or len(model.schema.classes) != 2:
        return []
    positive, by = positive_class_of(model)
    why = "by its name" if by == "name" else "the rarer in training, or the last by name"
    return [f"{what} about {positive} ({why}). For another class: --positive CLASS."]


def note_on_guess(judged: Scores) -> list[str]:
    """Which class the scores are about, where nobody named it and no name of a class says so."""
    if judged.guessed != "rarity":
        return []
    return [f"Recall, AUC and lift are about {judged.positive} (guessed). For another: --positive CLASS."]
