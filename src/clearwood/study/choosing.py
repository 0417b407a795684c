"""What rows chose: a score on rows that chose between models is too good, and says what they chose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from clearwood.models.lineage import Calibrated, Done, Pruned, Simplified
from clearwood.models.origin import Origin
from clearwood.models.plain import Made, Plain


def chosen_in_learning(origin: Origin) -> tuple[str, ...]:
    """What the rows that a model was learned from chose beside it: by folds of them, by tests, by pruning.

    >>> chosen_in_learning(Origin("CART", {"alpha": "cv"}))
    ('the price of a leaf, by cross-validation',)
    >>> chosen_in_learning(Origin("CART", {"alpha": 0.01}))
    ()
    """
    chosen = _by_learner(origin.learner, origin.settings)
    for done in origin.after:
        match done:
            case Pruned(pruner=pruner, rows="none" | "training") if pruner != "siblings":
                chosen.append("the pruning")
            case Simplified():
                chosen.append(_CONDITIONS)
            case _:
                pass  # what other rows chose, or a person
    return tuple(dict.fromkeys(chosen))


def chosen_since(origin: Origin, fingerprint: str) -> tuple[str, ...]:
    """What the rows of this fingerprint chose after the model had been learned from others.

    >>> chosen_since(Origin("ID3", after=(Pruned("reduced-error", rows="fresh", fingerprint="b9"),)), "b9")
    ('the pruning',)
    """
    chosen = (_by_fresh_rows(each, fingerprint) for each in origin.after)
    return tuple(dict.fromkeys(filter(None, chosen)))


def also_chosen(what: tuple[str, ...]) -> str:
    """A clause on a score, or nothing where its rows chose nothing.

    >>> also_chosen(("the pruning", "the calibration"))
    'these rows also chose the pruning and the calibration'
    """
    return f"these rows also chose {' and '.join(what)}" if what else ""


_CONDITIONS: Final = "which conditions and rules stay, by tests"


def _by_learner(learner: str, settings: Mapping[str, Plain]) -> list[str]:
    chosen = []
    if learner == "CART" and isinstance(settings.get("alpha"), str):
        chosen.append("the price of a leaf, by cross-validation")
    if learner == "TreeRules" and settings.get("simplify"):
        chosen.append(_CONDITIONS)
    for value in settings.values():
        if isinstance(value, Made):
            chosen += _by_learner(value.learner, value.settings)
    return chosen


def _by_fresh_rows(done: Done, fingerprint: str) -> str:
    match done:
        case Pruned(rows="fresh") if done.fingerprint == fingerprint:
            return "the pruning"
        case Calibrated() if done.fingerprint == fingerprint:
            return "the calibration"
        case _:
            return ""
