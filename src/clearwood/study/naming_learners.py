"""The names of learners that stand side by side: the class, and the settings that tell two of one apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

from clearwood.errors import SettingError
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.study.recipe import Recipe

Learners: TypeAlias = Learner[Model] | Sequence[Learner[Model]] | Mapping[str, Learner[Model]]


def named_learners(verb: str, learners: Learners) -> dict[str, Learner[Model]]:
    """One learner, several, or several by the names they are to have.

    >>> import clearwood as cw
    >>> list(named_learners("stability", [cw.CART(), cw.CART(max_depth=1), cw.ID3()]))
    ['CART()', 'CART(max_depth=1)', 'ID3']
    """
    if isinstance(learners, Mapping):
        named = dict(learners)
    else:
        several = learners if isinstance(learners, Sequence) else [learners]
        kinds = Counter(_kind(each) for each in several)
        names = [_kind(each) if kinds[_kind(each)] == 1 else _with_settings(each) for each in several]
        twice = next((name for name, count in Counter(names).items() if count > 1), None)
        if twice is not None:
            raise SettingError(
                f"{verb} is given {twice} twice. Change a setting of one, or name them: {{'…': learner}}."
            )
        named = dict(zip(names, several, strict=True))
    for name, learner in named.items():
        if not callable(getattr(learner, "learn", None)):
            raise SettingError(f"{verb} takes learners, such as C45(), and {name!r} is none.")
    if not named:
        raise SettingError(f"{verb} takes at least one learner, such as C45().")
    return named


def _kind(learner: Any) -> str:
    return type(learner.learner if isinstance(learner, Recipe) else learner).__name__


def _with_settings(learner: Any) -> str:
    """The class with the settings that are not its own defaults."""
    of = learner.learner if isinstance(learner, Recipe) else learner
    if not is_dataclass(of):
        return _kind(learner)
    given = [
        f"{each.name}={value!r}"
        for each in fields(of)
        if each.init and (value := getattr(of, each.name)) != each.default
    ]
    return f"{_kind(learner)}({', '.join(given)})"
