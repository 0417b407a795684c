"""What rows chose: a score on rows that chose between models is too good, and says what they chose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from clearwood.catalogue import PRUNERS, entry_of
from clearwood.learners.rules import BY_TESTS
from clearwood.models import lineage
from clearwood.models.origin import Origin
from clearwood.models.plain import LearnerAsData, Plain

_CALIBRATION: Final = "the calibration"
_DECIDED: Final = {
    "cutoff": "the cutoff",
    "costs": "the costs",
    "refer": "the probability below which rows are referred",
    "prevalence": "the prevalence",
    "priors": "the priors",
}


def chosen_in_learning(origin: Origin) -> tuple[str, ...]:
    """What the rows that a model was learned from chose beside it: by folds of them, by tests, by pruning.

    >>> chosen_in_learning(Origin("CART", {"alpha": "cv"}))
    ('the price of a leaf, by cross-validation',)
    >>> chosen_in_learning(Origin("CART", {"alpha": 0.01}))
    ()
    """
    chosen = _by_learner(origin.learner, origin.settings)
    chosen += (what for done in origin.after for what in _by_training_rows(done))
    return tuple(dict.fromkeys(chosen))


def chosen_since(origin: Origin, *marks: str) -> tuple[str, ...]:
    """What the rows of these marks chose after the model had been learned from others: their fingerprint, and
    the mark that they have in any order.

    >>> pruned = lineage.Pruned("reduced-error", rows="fresh", fingerprint="b9")
    >>> chosen_since(Origin("ID3", after=(pruned,)), "b9")
    ('the pruning',)
    """
    known = frozenset(filter(None, marks))
    chosen = (what for done in origin.after for what in _by_fresh_rows(done, known))
    return tuple(dict.fromkeys(chosen))


def also_chosen(what: tuple[str, ...]) -> str:
    """A clause on a score, or nothing where its rows chose nothing.

    >>> also_chosen(("the pruning", "the calibration"))
    'these rows also chose the pruning and the calibration'
    """
    return f"these rows also chose {' and '.join(what)}" if what else ""


def _by_learner(learner: str, settings: Mapping[str, Plain]) -> list[str]:
    entry = entry_of(learner)
    chosen = [] if entry is None else list(entry.chooses(settings))
    for value in settings.values():
        if isinstance(value, LearnerAsData):
            chosen += _by_learner(value.learner, value.settings)
    return chosen


def _by_training_rows(done: lineage.Done) -> tuple[str, ...]:
    match done:
        case lineage.Pruned(pruner, rows="none" | "training"):
            return () if _keeps_answers(pruner) else ("the pruning",)
        case lineage.Selected():
            return ("the columns",)
        case lineage.Tuned():
            return ("the settings",)
        case lineage.Chosen():
            return ("the learner",)
        case lineage.Balanced():
            return ()  # the rows are changed; nothing is chosen
        case lineage.Simplified():
            return (BY_TESTS,)
        case lineage.Calibrated(by="training"):
            return (_CALIBRATION,)
        case lineage.Decided(what, by="training"):
            return (_DECIDED[what],)
        case (
            lineage.Pruned()
            | lineage.Calibrated()
            | lineage.Decided()
            | lineage.Joined()
            | lineage.LearnedMore()
        ):
            return ()  # chosen by other rows, or by a person
        case (
            lineage.ReadAsRules()
            | lineage.AsWeights()
            | lineage.Edited()
            | lineage.CurveEdited()
            | lineage.Distilled()
            | lineage.Imported()
            | lineage.EndedEarly()
        ):
            return ()  # chosen by nobody, or by a person
        case _:
            assert_never(done)


def _by_fresh_rows(done: lineage.Done, marks: frozenset[str]) -> tuple[str, ...]:
    match done:
        case lineage.Pruned(rows=rows):
            return ("the pruning",) if rows == "fresh" and done.fingerprint in marks else ()
        case lineage.Calibrated():
            return (_CALIBRATION,) if {done.fingerprint, done.mark} & marks else ()
        case lineage.Decided(what):
            return (_DECIDED[what],) if done.by == "fresh" and {done.fingerprint, done.mark} & marks else ()
        case (
            lineage.Simplified()
            | lineage.ReadAsRules()
            | lineage.AsWeights()
            | lineage.Edited()
            | lineage.CurveEdited()
        ):
            return ()
        case lineage.Joined() | lineage.LearnedMore():
            return ()  # chosen by the training rows
        case (
            lineage.Distilled()
            | lineage.Imported()
            | lineage.EndedEarly()
            | lineage.Selected()
            | lineage.Balanced()
            | lineage.Tuned()
            | lineage.Chosen()
        ):
            return ()
        case _:
            assert_never(done)


def _keeps_answers(name: str) -> bool:
    """Does this pruner cut only what no answer depends on? One in no list is taken to choose."""
    return name in PRUNERS and PRUNERS[name].keeps_answers
