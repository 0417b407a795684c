"""A model: whatever was learned, as plain data. Verbs over models may take all kinds from here, where "as"
the same name hands them on; what every kind answers in its own way, its record does (`kinds/kind.py`)."""

from __future__ import annotations

from typing import TypeAlias

from clearwood.models.kinds.additive.additive_model import AdditiveModel as AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables as BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble as Ensemble
from clearwood.models.kinds.kind import kind_of
from clearwood.models.kinds.linear.linear_model import LinearModel as LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList as RuleList
from clearwood.models.kinds.tree.tree import Tree as Tree
from clearwood.words.numbers import with_noun

Model: TypeAlias = Tree | RuleList | BayesTables | LinearModel | Ensemble | AdditiveModel


def size_of(model: Model) -> tuple[int, str]:
    """How much a person has to read, and what is counted."""
    kind = kind_of(model)
    return kind.size(model), kind.unit


def how_large(model: Model) -> str:
    """Its size in the unit of its kind.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> how_large(cw.ID3().learn(table)), how_large(cw.ID3(max_depth=0).learn(table))
    ('5 leaves', '1 leaf')
    """
    return kind_of(model).size_in_words(model)


def in_unit(text: str, unit: str) -> str:
    """A size that is written already, with the unit of its kind.

    >>> in_unit("1", "leaves"), in_unit("1.5", "leaves"), in_unit("1", "rules")
    ('1 leaf', '1.5 leaves', '1 rule')
    """
    return with_noun(text, {"leaves": "leaf"}.get(unit, unit.removesuffix("s")), unit)


def model_in_words(model: Model) -> str:
    """What the model is, for a sentence: `a list of 2 rules`."""
    return f"{kind_of(model).phrase} of {how_large(model)}"


def tree_or_rules(model: Model) -> Tree | RuleList | None:
    """The model, if conditions lead each row to one leaf or rule that answers; None of a kind that has none,
    as its `no_rules` says."""
    if kind_of(model).no_rules is not None:
        return None
    assert isinstance(model, Tree | RuleList)
    return model


def holds_medians(model: Tree | RuleList) -> bool:
    """Whether the numbers are medians and the errors absolute, not means and squares."""
    return model.answers == "median"
