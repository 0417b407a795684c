"""A model: whatever was learned, as plain data. Each verb over models matches on these types, and may take
them all from here, where "as" the same name hands them on."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from clearwood.models.kinds.additive.additive_model import AdditiveModel as AdditiveModel
from clearwood.models.kinds.additive.additive_model import curves_in_words
from clearwood.models.kinds.bayes.bayes_tables import BayesTables as BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble as Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel as LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList as RuleList
from clearwood.models.kinds.tree.tree import Tree as Tree
from clearwood.words.numbers import many, with_noun

Model: TypeAlias = Tree | RuleList | BayesTables | LinearModel | Ensemble | AdditiveModel


def size_of(model: Model) -> tuple[int, str]:
    """How much a person has to read, and what is counted."""
    match model:
        case Tree():
            return model.leaves, "leaves"
        case RuleList():
            return len(model), "rules"
        case BayesTables():
            return len(model.columns), "columns"
        case LinearModel():
            return len(model.contrasts) * len(model.terms), "weights"
        case Ensemble():
            return model.size, "members"
        case AdditiveModel():
            return len(model.shapes) + len(model.pairs), "curves and pairs"
        case _:
            assert_never(model)


def how_large(model: Model) -> str:
    """Its size in the unit of its kind.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> how_large(cw.ID3().learn(table)), how_large(cw.ID3(max_depth=0).learn(table))
    ('5 leaves', '1 leaf')
    """
    if isinstance(model, AdditiveModel):
        return curves_in_words(model)
    size, unit = size_of(model)
    return in_unit(f"{size:,}", unit)


def in_unit(text: str, unit: str) -> str:
    """A size that is written already, with the unit of its kind.

    >>> in_unit("1", "leaves"), in_unit("1.5", "leaves"), in_unit("1", "rules")
    ('1 leaf', '1.5 leaves', '1 rule')
    """
    return with_noun(text, {"leaves": "leaf"}.get(unit, unit.removesuffix("s")), unit)


def model_in_words(model: Model) -> str:
    """What the model is, for a sentence: `a list of 2 rules`."""
    match model:
        case Tree():
            return f"a tree of {many(model.leaves, 'leaf', 'leaves')}"
        case RuleList():
            return f"a list of {many(len(model), 'rule')}"
        case BayesTables():
            return f"Bayes tables of {many(len(model.columns), 'column')}"
        case LinearModel():
            return f"a linear model of {many(len(model.contrasts) * len(model.terms), 'weight')}"
        case Ensemble():
            return f"an ensemble of {many(model.size, 'member')}"
        case AdditiveModel():
            return f"an additive model of {curves_in_words(model)}"
        case _:
            assert_never(model)


def holds_medians(model: Tree | RuleList) -> bool:
    """Whether the numbers are medians and the errors absolute, not means and squares."""
    return model.answers == "median"
