"""The call of `report` as code, by which a report that was made in Python can be made again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from clearwood.study.recipe import Recipe


def call_of(source: str, recipe: Recipe, settings: Mapping[str, Any]) -> str:
    """The call of `report` with what was given; of the learner only what differs from its defaults.

    A recipe of more than a learner is made by hand, and no one-line call makes it again: then it is empty.

    >>> from clearwood.learners.trees.c45 import C45
    >>> call_of("tennis.csv", Recipe(C45(min_rows=5)), {"target": "Play", "seed": None})
    "cw.report('tennis.csv', target='Play', learner=cw.C45(min_rows=5))"
    """
    if recipe.prunings or recipe.before or recipe.after:
        return ""
    given = [f"{name}={value!r}" for name, value in settings.items() if value is not None]
    return f"cw.report({', '.join([repr(source), *given, f'learner={_learner(recipe.learner)}'])})"


def _learner(learner: Any) -> str:
    kind = type(learner)
    if not is_dataclass(kind):
        return kind.__name__
    usual = kind()
    changed = [each.name for each in fields(kind) if getattr(learner, each.name) != getattr(usual, each.name)]
    return f"cw.{kind.__name__}({', '.join(f'{name}={getattr(learner, name)!r}' for name in changed)})"
