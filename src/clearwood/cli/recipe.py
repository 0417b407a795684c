"""The recipe that the options describe: a learner by name with its settings, and prunings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clearwood.cli.registry import LEARNERS, TREES, find
from clearwood.cli.settings import parse, settings_of
from clearwood.errors import SettingError
from clearwood.study.pruning import Pruning
from clearwood.study.recipe import Recipe


def recipe_of(
    learner: str, settings: Sequence[str] | None, prunings: Sequence[Pruning], seed: int | None
) -> Recipe:
    """The recipe that the options of `fit` describe; a `seed` given is the learner's too unless set apart."""
    entry = find("learner", learner, LEARNERS)
    if prunings and learner.lower() not in TREES:
        raise SettingError(f"--prune is for trees, and {learner} learns none. Leave it out.")
    maker: Any = entry.load()
    seeded = {"seed": seed} if seed is not None and "seed" in settings_of(maker) else {}
    made = maker(**{**seeded, **entry.presets, **parse(learner, settings, maker)})
    return Recipe(made, tuple(prunings), seed or 0)
