"""What a worksheet must give: the learner's settings in the letters of the formulas, and z of an interval."""

from __future__ import annotations

from typing import Final, assert_never

from clearwood.catalogue import entry_of
from clearwood.measures.p_values import normal_quantile
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.models.weights_words import weights_in_full
from clearwood.registry import settings_of
from clearwood.table.attributes import Numeric, Text
from clearwood.words.numbers import number

_CONFIDENCE: Final = 0.95
_LIMITS: Final = ("max_depth", "min_rows", "min_leaf")
_USED: Final = {
    "ID3": ("min_gain", *_LIMITS),
    "C45": ("confidence", *_LIMITS),
    "CART": ("alpha", "min_decrease", *_LIMITS),
    "CHAID": ("alpha_merge", "alpha_split", "alpha_resplit", *_LIMITS),
    "TreeRules": ("alpha",),
    "C45Rules": ("confidence", "min_rows", "theory_weight"),
    "ILA": ("penalty", "max_conditions"),
    "CN2": ("measure", "beam", "max_conditions", "min_rows", "alpha"),
    "RIPPER": ("min_rows", "optimizations"),
    "PRISM": (),
}


def given_of(model: Model) -> tuple[str, ...]:
    """Each setting that a formula or a decision of the derivation uses, as name and value.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> given_of(cw.C45(min_rows=3).learn(table))[:2]
    ('CF = 0.25', 'min_rows = 3')
    """
    entry = entry_of(model.origin.learner)
    known = {} if entry is None else settings_of(entry.load())
    lines = []
    for name in _used_by(model):
        value = model.origin.settings.get(name)
        letter = known[name].letter if name in known else ""
        match value:
            case bool():
                continue
            case int() | float():
                lines.append(f"{letter or name} = {number(value)}")
            case str():
                lines.append(f"{letter or name} = {value}")
            case {"learner": learner}:
                lines.append(f"{name} = {learner}")
    if model.origin.weights_are is not None:
        lines.append(weights_in_full(model.origin.weights_are))
    if not isinstance(model, BayesTables):
        z = float(normal_quantile(0.5 + _CONFIDENCE / 2))
        lines.append(f"z = {z:.4g} for intervals of {100 * _CONFIDENCE:g} %")
    return tuple(lines)


def _used_by(model: Model) -> tuple[str, ...]:
    """The names of the settings that its figures use."""
    learner, settings = model.origin.learner, model.origin.settings
    match model:
        case BayesTables():
            return _used_by_bayes(model)
        case LinearModel():
            return ("penalty", "strength") if settings.get("penalty") is not None else ()
        case Tree() | RuleList():
            return _USED.get("ILA" if learner.startswith("ILA") else learner, ())
        case _:
            assert_never(model)


def _used_by_bayes(model: BayesTables) -> tuple[str, ...]:
    settings = model.origin.settings
    numeric = any(isinstance(each, Numeric) for each in model.schema.inputs)
    used: tuple[str, ...] = ("smoothing",)
    if not isinstance(settings.get("smoothing"), str):
        used += ("m_prior",)
    if any(isinstance(each, Text) for each in model.schema.inputs):
        used += ("alpha",)
    if numeric and settings.get("numeric") == "gaussian":
        used += ("floor",)
    return (*used, "bandwidth") if numeric and settings.get("numeric") == "kernel" else used
