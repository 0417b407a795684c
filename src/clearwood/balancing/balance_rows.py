"""A table balanced by a way of the list, and the entry of a lineage that tells how."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from clearwood.balancing import BALANCERS
from clearwood.balancing.sampling import as_parts, class_totals, rows_with_class
from clearwood.bounds import whole
from clearwood.errors import ClearwoodWarning, SettingError, check_known
from clearwood.models.decision import Cutoff, Decision, adjusted
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.lineage import Balanced
from clearwood.models.model import Model
from clearwood.registry import settings_of
from clearwood.table.table import Table


def balanced(table: Table, by: str = "weights", *, seed: int = 0, **settings: Any) -> Table:
    """The table with its classes balanced `by` a way: weights, under, over, smote, smote-nc, tomek or enn.

    It is for looking at. A model is to be judged on rows as they are, and a row drawn twice, or made between
    two others, must not be held out from its like: for that give a recipe a `Balance`, which balances the
    training rows of each fold alone.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> cw.balanced(table, "weights").weights.round(3).tolist()[:3]
    [1.286, 1.286, 0.714]
    >>> len(cw.balanced(table, "under")), len(cw.balanced(table, "over", ratio=0.8))
    (10, 16)
    """
    return balance_rows(table, by, whole("seed", seed, 0), settings)[0]


def balance_rows(table: Table, by: str, seed: int, settings: Mapping[str, Any]) -> tuple[Table, Balanced]:
    """The balanced rows, and what was done. Where all rows are of one class, they stay as they are."""
    if not isinstance(table, Table):
        raise SettingError(
            f"A Table is balanced, not {type(table).__name__}. Make one: clearwood.read_table(…, target='…')."
        )
    entry = BALANCERS.find(by)
    chosen = complete_settings(by, settings)
    rows = rows_with_class(table)
    before = class_totals(rows)
    met = before > 0
    if met.sum() < 2:
        name = rows.schema.classes[int(met.argmax())]
        warnings.warn(
            f"Every row is of one class, '{name}': there is nothing to balance.",
            ClearwoodWarning,
            stacklevel=3,
        )
    else:
        rows = entry.balance(rows, seed, **chosen)
    after = class_totals(rows)
    kept = {**chosen, **({"seed": seed} if entry.draws else {})}
    return rows, Balanced(by.lower(), tuple(before.tolist()), tuple(after.tolist()), kept)


def again(table: Table, done: Balanced) -> Table:
    """The same rows balanced again as a lineage tells."""
    settings: dict[str, Any] = {
        name: dict(value) if isinstance(value, Mapping) else value for name, value in done.settings.items()
    }
    return balance_rows(table, done.by, settings.pop("seed", 0), settings)[0]


def complete_settings(by: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Every setting of a way, checked: those given, and the others' defaults."""
    known = settings_of(BALANCERS.find(by).balance)
    for name in settings:
        if not known:
            raise SettingError(f"{by} has no settings, so that '{name}' cannot be one. Leave it out.")
        check_known(f"setting of {by} called", name, known, plural="settings")
    return {name: each.check(settings.get(name, each.default)) for name, each in known.items()}


# Shares of a balanced model at the true frequencies of its classes.


_NEARLY: Final = 1e-12


def at_true_prevalence(model: Model, done: Balanced) -> Model:
    """The model with shares p′_c ∝ p_c · π_c ÷ π̃_c, where π are the parts of the classes in the rows as they
    came, and π̃ in the balanced ones (Saerens et al. 2002; King and Zeng 2001).

    Of two classes the answers stay those that the balanced rows teach: the cutoff that a share of ½ becomes
    says so openly, and can be moved. It is left out where costs decide, and where rules name their class.
    With more classes no single cutoff does this, and the likeliest class at the true prevalence answers.

    Priors that a learner was given are the prevalence that its user asked for: they are left alone.
    """
    has_priors = isinstance(model, BayesTables) and model.priors != "estimated"
    if model.is_numeric or has_priors or model.decision.factors or sum(part > 0 for part in done.before) < 2:
        return model
    true, trained = as_parts(done.before), as_parts(done.after)
    met = [part for part in trained if part > 0]
    if np.allclose(met, 1 / len(met), rtol=0, atol=_NEARLY):
        # Without the rounding of class weights, where all classes were made to weigh alike.
        trained = tuple(1 / len(met) if part > 0 else 0.0 for part in trained)
    if np.allclose(true, trained, rtol=0, atol=_NEARLY):
        return model
    decision = replace(model.decision, prevalence=true, trained_at=trained)
    names_its_class = isinstance(model, RuleList) and model.matching == "first"
    cutoff = None if names_its_class or decision.costs else _same_answers(model, decision)
    return replace(model, decision=replace(decision, cutoff=cutoff))


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
