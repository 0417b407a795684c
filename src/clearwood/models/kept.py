"""Kept: what is worked out of a model once, for those who ask it row by row."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Final, TypeVar, get_args
from weakref import ref

from clearwood.errors import SettingError
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model

_MOST: Final = 32  # models of which a function keeps what it worked out

KeptT = TypeVar("KeptT")
ValueT = TypeVar("ValueT")


def kept(work: Callable[[KeptT], ValueT]) -> Callable[[KeptT], ValueT]:
    """A function of a model that works each out once, as long as the model lives and
    few others come after it.

    What it gives must not hold the model itself, which would then live for ever, and is not to be changed.

    >>> class Thing: ...
    >>> asked = []
    >>> sizes = kept(lambda thing: asked.append(thing.size) or thing.size)
    >>> thing = Thing()
    >>> thing.size = 3
    >>> sizes(thing), sizes(thing), asked
    (3, 3, [3])
    """
    values: OrderedDict[int, tuple[ref[KeptT], ValueT]] = OrderedDict()
    lock = Lock()

    @wraps(work)
    def once(model: KeptT) -> ValueT:
        place = id(model)
        held = values.get(place)
        if held is not None and held[0]() is model:
            return held[1]
        value = work(model)
        # Whoever dies is forgotten before another model can have its place.
        known = ref(model, lambda _: values.pop(place, None))
        with lock:
            values[place] = known, value
            values.move_to_end(place)
            while len(values) > _MOST:
                values.popitem(last=False)
        return value

    return once


# Kinds of models: a verb that is given the wrong one says which it takes, and the way there.


def check_kind(verb: str, model: object, *kinds: type) -> None:
    """Refuse what is none of these kinds; without kinds, what is no model at all.

    >>> from clearwood.learners.trees.c45 import C45
    >>> check_kind("leaf_of", C45(), Tree)
    Traceback (most recent call last):
    clearwood.errors.SettingError: leaf_of takes a Tree, not a C45. Learn one first: learner.learn(table).
    """
    allowed = kinds or get_args(Model)
    if not isinstance(model, allowed):
        names = " or ".join(kind.__name__ for kind in kinds) if kinds else "model"
        raise SettingError(
            f"{verb} takes {with_article(names)}, not {with_article(type(model).__name__)}."
            f"{_way_out(model, allowed)}"
        )


def with_article(name: str) -> str:
    """
    >>> with_article("Ensemble"), with_article("Tree")
    ('an Ensemble', 'a Tree')
    """
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def _way_out(given: object, allowed: tuple[type, ...]) -> str:
    if isinstance(given, Tree) and RuleList in allowed:
        return " Read the tree as rules first: rules_of(tree)."
    if hasattr(given, "learn"):
        return " Learn one first: learner.learn(table)."
    if hasattr(given, "model_"):
        return " Give it what the estimator has learned: estimator.model_."
    return ""
