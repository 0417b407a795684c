"""What a worksheet must give: the learner's settings in the letters of the formulas, and z of an interval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from clearwood.catalogue import entry_of
from clearwood.measures.p_values import normal_quantile
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.decision_words import weights_in_full
from clearwood.models.ensemble import Ensemble
from clearwood.models.lineage import AsWeights
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.plain import LearnerAsData
from clearwood.models.reading_size import balanced_words
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.registry import settings_of
from clearwood.table.attributes import Numeric, Text
from clearwood.words.numbers import number
from clearwood.working.derivation import ForIntervals

_CONFIDENCE: Final = 0.95


def given_of(model: Model) -> tuple[str, ...]:
    """Each setting that a formula or a decision of the derivation uses (its declaration has a letter for it).

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> given_of(cw.C45(min_rows=3).learn(table))[:2]
    ('CF = 0.25', 'min_rows = 3')
    """
    entry = entry_of(model.origin.learner)
    known = {} if entry is None else settings_of(entry.load())
    idle = _idle(model)
    lines: list[str] = []
    for name, setting in known.items():
        if not setting.letter or name in idle:
            continue
        value = model.origin.settings.get(name)
        match value:
            case bool() | None | LearnerAsData() | tuple() | Mapping():
                continue  # no number or word that a formula could use
            case int() | float():
                lines.append(f"{setting.letter} = {number(value)}")
            case str():
                lines.append(f"{setting.letter} = {value}")
            case _:
                assert_never(value)
    if model.origin.weights_are is not None:
        lines.append(weights_in_full(model.origin.weights_are))
    lines += balanced_words(model)
    match model:
        case Tree() | RuleList() | LinearModel():
            z = float(normal_quantile(0.5 + _CONFIDENCE / 2))
            lines.append(ForIntervals(f"z = {z:.4g} for intervals of {100 * _CONFIDENCE:g} %"))
        case BayesTables() | Ensemble() | AdditiveModel():
            pass  # their shares have no intervals
        case _:
            assert_never(model)
    return tuple(lines)


def _idle(model: Model) -> frozenset[str]:
    """The settings of its learner that have a letter, but no part in this model."""
    settings = model.origin.settings
    match model:
        case BayesTables():
            return _idle_in_tables(model)
        case LinearModel():
            if any(isinstance(done, AsWeights) for done in model.origin.after):
                return frozenset(settings)  # they made the curves, which are not derived with the weights
            return frozenset() if settings.get("penalty") is not None else frozenset({"strength"})
        case Ensemble():
            return frozenset() if settings.get("l1") else frozenset({"l1"})
        case Tree() | RuleList() | AdditiveModel():
            return frozenset()
        case _:
            assert_never(model)


def _idle_in_tables(model: BayesTables) -> frozenset[str]:
    settings, inputs = model.origin.settings, model.schema.inputs
    by_numbers = settings.get("numeric") if any(isinstance(each, Numeric) for each in inputs) else None
    plays = {
        "m_prior": not isinstance(settings.get("smoothing"), str),
        "alpha": any(isinstance(each, Text) for each in inputs),
        "floor": by_numbers == "gaussian",
        "bandwidth": by_numbers == "kernel",
    }
    return frozenset(name for name, has_a_part in plays.items() if not has_a_part)
