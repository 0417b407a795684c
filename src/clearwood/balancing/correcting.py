"""Shares of a balanced model at the true frequencies of its classes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np

from clearwood.balancing.class_weights import as_parts
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.decision import Cutoff, Decision
from clearwood.models.lineage import Balanced
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.predict.deciding import adjusted

_NEARLY: Final = 1e-12


def at_true_prevalence(model: Model, done: Balanced) -> Model:
    """The model with shares p′_c ∝ p_c · π_c ÷ π̃_c, where π are the parts of the classes in the rows as they
    came, and π̃ in the balanced ones (Saerens et al. 2002; King and Zeng 2001).

    Of two classes the answers stay those that the balanced rows teach: the cutoff that a share of ½ becomes
    says so openly, and can be moved. It is left out where costs decide, and where rules name their class.
    With more classes no single cutoff does this, and the likeliest class at the true prevalence answers.

    Priors that a learner was given are the prevalence that its user asked for: they are left alone.
    """
    if model.is_numeric or _has_priors(model) or sum(part > 0 for part in done.before) < 2:
        return model
    true, trained = as_parts(done.before), _exact(as_parts(done.after))
    if np.allclose(true, trained, rtol=0, atol=_NEARLY):
        return model
    decision = replace(model.decision, prevalence=true, trained_at=trained)
    cutoff = None if _names_its_class(model) or decision.costs else _same_answers(model, decision)
    return replace(model, decision=replace(decision, cutoff=cutoff))


def _exact(parts: tuple[float, ...]) -> tuple[float, ...]:
    """Parts without the rounding of class weights, where all classes were made to weigh alike."""
    met = [part for part in parts if part > 0]
    alike = np.allclose(met, 1 / len(met), rtol=0, atol=_NEARLY)
    return tuple(1 / len(met) if part > 0 else 0.0 for part in parts) if alike else parts


def _has_priors(model: Model) -> bool:
    given = isinstance(model, BayesTables) and model.priors != "estimated"
    return given or bool(model.decision.factors)


def _names_its_class(model: Model) -> bool:
    return isinstance(model, RuleList) and model.matching == "first"


def _same_answers(model: Model, decision: Decision) -> Cutoff | None:
    """The cutoff at which a share of ½ in the balanced rows answers; of the class that was rarer."""
    classes = model.schema.classes
    if len(classes) != 2:
        return None
    rare = int(np.argmin(decision.prevalence))
    # By the same steps as a row's shares, and rounded down, so that a row at ½ gets the rarer class.
    at = adjusted(np.array([[0.5, 0.5]]), replace(decision, calibration=None))[0]
    return Cutoff(classes[rare], _rounded_down(float(at[rare])))


def _rounded_down(share: float) -> float:
    """A share that is printed in full, not above the one given.

    >>> _rounded_down(33 / 70), _rounded_down(0.3)
    (0.471428, 0.3)
    """
    digits = 5 - math.floor(math.log10(share))
    shorter = round(share, digits)
    return shorter if shorter <= share else round(shorter - 10.0**-digits, digits)
