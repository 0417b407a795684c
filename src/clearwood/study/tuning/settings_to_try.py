"""Settings to try: a grid's combinations, checked by what the learner declares, each with its learner."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, is_dataclass, replace
from typing import Any

from clearwood.errors import ClearwoodWarning, SettingError, no_such
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.registry import settings_of
from clearwood.study.recipe import Recipe
from clearwood.study.tuning.grids import SettingGrid


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
        if setting not in known:
            raise SettingError(no_such(f"setting of {name} called", setting, known, plural="settings"))
    checked = [
        {setting: known[setting].check(value) for setting, value in each.items()}
        for each in grid.combinations
    ]
    return tuple(_to_try(learner, settings) for settings in checked)


def with_settings(learner: Learner[Model], settings: Mapping[str, Any]) -> Learner[Model]:
    """The learner, or the recipe of a learner, with these settings in the place of its own."""
    if isinstance(learner, Recipe):
        return replace(learner, learner=with_settings(learner.learner, settings))
    made: Any = learner
    changed: Learner[Model] = replace(made, **settings)
    return changed


def _to_try(learner: Learner[Model], settings: Mapping[str, Any]) -> ToTry:
    try:
        with warnings.catch_warnings():
            # A setting without effect beside the others is no news where many are tried.
            warnings.simplefilter("ignore", ClearwoodWarning)
            return ToTry(settings, with_settings(learner, settings))
    except SettingError as error:
        return ToTry(settings, None, str(error))
