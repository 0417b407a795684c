"""Kinds of models: a verb that is given the wrong one says which it takes, and the way there."""

from __future__ import annotations

from typing import get_args

from clearwood.errors import SettingError
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree


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
